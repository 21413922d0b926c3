// The moves of a game with all variations, as a tree. Values of this type are never changed: every step gives
// a new tree.

export interface TreeNode {
  id: number;
  /** The move that leads here; '' at the root. */
  move: string;
  san: string | null;
  parent: number | null;
  /** The first one is the main line. */
  children: number[];
}

export interface GameTree {
  nodes: Record<number, TreeNode>;
  next: number;
  current: number;
}

export const ROOT = 0;

export function emptyTree(): GameTree {
  return { nodes: { [ROOT]: { id: ROOT, move: '', san: null, parent: null, children: [] } }, next: 1, current: ROOT };
}

export function nodeOf(tree: GameTree, id: number): TreeNode {
  const node = tree.nodes[id];
  if (!node) throw new Error(`no node ${id}`);
  return node;
}

/** The nodes from the first move to this one. */
export function pathTo(tree: GameTree, id: number): TreeNode[] {
  const path: TreeNode[] = [];
  for (let node = nodeOf(tree, id); node.parent !== null; node = nodeOf(tree, node.parent)) path.unshift(node);
  return path;
}

export function movesTo(tree: GameTree, id: number): string[] {
  return pathTo(tree, id).map((node) => node.move);
}

/** Goes along these moves from the root; what is new becomes a variation. */
export function walk(tree: GameTree, plies: { move: string; san?: string | null }[]): GameTree {
  const nodes = { ...tree.nodes };
  let { next } = tree;
  let at = ROOT;
  for (const ply of plies) {
    const here = nodes[at]!;
    const known = here.children.find((child) => nodes[child]!.move === ply.move);
    if (known !== undefined) {
      const node = nodes[known]!;
      if (ply.san && node.san !== ply.san) nodes[known] = { ...node, san: ply.san };
      at = known;
      continue;
    }
    nodes[next] = { id: next, move: ply.move, san: ply.san ?? null, parent: at, children: [] };
    nodes[at] = { ...here, children: [...here.children, next] };
    at = next;
    next += 1;
  }
  return { nodes, next, current: at };
}

/** The node that comes next: the main line from here. */
export function after(tree: GameTree, id: number): number | null {
  return nodeOf(tree, id).children[0] ?? null;
}

/** The end of the main line from here. */
export function endOf(tree: GameTree, id: number): number {
  let at = id;
  for (let next = after(tree, at); next !== null; next = after(tree, at)) at = next;
  return at;
}

/** Makes the variation that a node is in the main line, up to the root. */
export function promote(tree: GameTree, id: number): GameTree {
  const nodes = { ...tree.nodes };
  for (const { id: child, parent } of pathTo(tree, id)) {
    const above = nodes[parent ?? ROOT]!;
    nodes[above.id] = { ...above, children: [child, ...above.children.filter((other) => other !== child)] };
  }
  return { ...tree, nodes };
}

/** Removes a node and all that follows it. Who stood there stands at the node before. */
export function remove(tree: GameTree, id: number): GameTree {
  const { parent } = nodeOf(tree, id);
  if (parent === null) return tree;
  const nodes = { ...tree.nodes };
  const above = nodes[parent]!;
  nodes[parent] = { ...above, children: above.children.filter((child) => child !== id) };
  const gone = [id];
  for (const node of gone) {
    gone.push(...(nodes[node]?.children ?? []));
    delete nodes[node];
  }
  return { ...tree, nodes, current: gone.includes(tree.current) ? parent : tree.current };
}

/** Whether a node is on the first of all lines. */
export function onMainLine(tree: GameTree, id: number): boolean {
  return pathTo(tree, id).every(({ id: child, parent }) => nodeOf(tree, parent ?? ROOT).children[0] === child);
}
