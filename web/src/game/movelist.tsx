// The moves of the game with all variations: click to go there.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ROOT, after, nodeOf, onMainLine, type GameTree, type TreeNode } from '../lib/tree';
import type { GameOnPage } from './usegame';

export function MoveList({ game, joint }: { game: GameOnPage; joint: boolean }) {
  const { tree } = game;
  const here = tree.current;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = list.current;
    const current = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !current) return;
    // The list follows the game; the page does not jump.
    const [above, below] = [current.offsetTop - box.scrollTop, current.offsetTop + current.offsetHeight - box.scrollTop];
    if (above < 0 || below > box.clientHeight) box.scrollTop = current.offsetTop - box.clientHeight / 2;
  }, [here, tree]);
  const next = after(tree, here);
  return (
    <section class="panel moves-panel" aria-label="Moves of the game">
      <div class="panel-head">
        <h2>Game</h2>
        <div class="tools">
          <button type="button" onClick={() => game.goTo(ROOT)} disabled={here === ROOT} aria-label="To the start" title="To the start"><Icon path="M3 3v10M13 3L5 8l8 5z" /></button>
          <button type="button" onClick={() => game.goTo(nodeOf(tree, here).parent ?? ROOT)} disabled={here === ROOT} aria-label="Undo" title="Undo (Backspace, ←)" data-testid="undo"><Icon path="M12 3L4 8l8 5z" /></button>
          <button type="button" onClick={() => next !== null && game.goTo(next)} disabled={next === null} aria-label="Redo" title="Redo (→)" data-testid="redo"><Icon path="M4 3l8 5-8 5z" /></button>
        </div>
      </div>
      <div class="move-list" data-testid="move-list" ref={list}>
        {nodeOf(tree, ROOT).children.length === 0 && <p class="quiet">No move yet.</p>}
        <Line tree={tree} from={ROOT} ply={0} joint={joint} onGo={game.goTo} />
      </div>
      <div class="tools variation-tools">
        <button type="button" disabled={here === ROOT || onMainLine(tree, here)} onClick={() => game.promote(here)} data-testid="promote">Make main line</button>
        <button type="button" disabled={here === ROOT} onClick={() => game.remove(here)} data-testid="delete">Delete from here</button>
      </div>
    </section>
  );
}

function Icon({ path }: { path: string }) {
  return <svg class="icon-svg" viewBox="0 0 16 16" aria-hidden="true"><path d={path} /></svg>;
}

interface LineProps {
  tree: GameTree;
  from: number;
  ply: number;
  joint: boolean;
  onGo(node: number): void;
}

/** The main line from a node, and after each of its moves the variations that leave it there. */
function Line({ tree, from, ply, joint, onGo }: LineProps) {
  const parts: ComponentChildren[] = [];
  let at = nodeOf(tree, from);
  let count = ply;
  let fresh = true;
  while (at.children.length > 0) {
    const [main, ...others] = at.children.map((id) => nodeOf(tree, id));
    if (!main) break;
    parts.push(<Move key={main.id} node={main} number={numberOf(count, joint, fresh)} current={tree.current === main.id} onGo={onGo} />);
    fresh = others.length > 0;
    for (const other of others) parts.push(<Side key={`v${other.id}`} node={other} tree={tree} ply={count} joint={joint} onGo={onGo} />);
    at = main;
    count += 1;
  }
  return <>{parts}</>;
}

function Side({ node, tree, ply, joint, onGo }: Omit<LineProps, 'from'> & { node: TreeNode }) {
  return (
    <div class="variation" role="group" aria-label="Variation">
      <Move node={node} number={numberOf(ply, joint, true)} current={tree.current === node.id} onGo={onGo} />
      <Line tree={tree} from={node.id} ply={ply + 1} joint={joint} onGo={onGo} />
    </div>
  );
}

function numberOf(ply: number, joint: boolean, fresh: boolean): string {
  if (joint) return `${ply + 1}.`;
  if (ply % 2 === 0) return `${ply / 2 + 1}.`;
  return fresh ? `${(ply + 1) / 2}…` : '';
}

function Move({ node, number, current, onGo }: { node: TreeNode; number: string; current: boolean; onGo(node: number): void }) {
  return (
    <span class="move">
      {number && <span class="move-number">{number}</span>}
      <button type="button" class="move-button" aria-current={current ? 'step' : undefined} onClick={() => onGo(node.id)} data-move={node.move}>
        {node.san ?? node.move}
      </button>
    </span>
  );
}
