// The solution of a problem as problemists print it, with a place behind every move that can be shown on a board. The
// layout is that of `foregone check`: keys with !, tries with ?, threats in brackets, variations below.

import type { Attack, Ply, Problem, Variation } from '../../api';

/** A piece of a line: words, or a move with all moves that lead there. */
export type Token = { text: string; moves?: undefined } | { text: string; moves: string[] };

export interface Line {
  depth: number;
  tokens: Token[];
}

export interface Section {
  title: string;
  lines: Line[];
}

const MOST_LINES = 2000;

/** The parts of a problem, in the order in which they are printed. */
export function sections(problem: Problem, stipulation: string): Section[] {
  const parts: Section[] = [];
  const { set_play: set, tries, keys = [], lines = [] } = problem;
  if (set) {
    const out: Line[] = [];
    variations(out, 0, 1, set.variations ?? [], []);
    for (const line of set.lines ?? []) out.push({ depth: 0, tokens: numbered(line.moves, isHalf(stipulation) ? 2 : 1) });
    parts.push({ title: 'Set play', lines: orNone(out) });
  }
  if (tries) {
    const out: Line[] = [];
    for (const attack of tries) addAttack(out, 0, 1, attack, '?', []);
    parts.push({ title: 'Tries', lines: orNone(out) });
  }
  const out: Line[] = [];
  for (const attack of keys) addAttack(out, 0, 1, attack, '!', []);
  for (const line of lines) out.push({ depth: 0, tokens: lineTokens(line.moves, stipulation) });
  parts.push({ title: 'Solution', lines: orNone(out) });
  return parts.map(cut);
}

function orNone(lines: Line[]): Line[] {
  return lines.length > 0 ? lines : [{ depth: 0, tokens: [{ text: 'none' }] }];
}

function cut(section: Section): Section {
  const more = section.lines.length - MOST_LINES;
  if (more <= 0) return section;
  const last: Line = { depth: 0, tokens: [{ text: `… ${more} lines more` }] };
  return { ...section, lines: [...section.lines.slice(0, MOST_LINES), last] };
}

export function written(ply: Ply): string {
  return ply.san ?? ply.move;
}

function isLast(attack: Attack): boolean {
  return !attack.threats?.length && !attack.variations?.length;
}

function spaced(tokens: Token[]): Token[] {
  return tokens.flatMap((token, i) => (i === 0 ? [token] : [{ text: ' ' }, token]));
}

function plies(list: Ply[], before: string, behind: string, path: string[]): Token[] {
  return spaced(list.map((ply) => ({ text: `${before}${written(ply)}${behind}`, moves: [...path, ply.move] })));
}

function addAttack(out: Line[], depth: number, n: number, attack: Attack, mark: string, path: string[]) {
  const here = [...path, attack.move];
  const tokens: Token[] = [{ text: `${n}.${written(attack)}${mark}`, moves: here }];
  const { threats = [], variations: defences = [], refutations = [] } = attack;
  const deep = threats.some((threat) => !isLast(threat));
  if (threats.length > 0 && !deep) {
    tokens.push({ text: ' (' }, ...plies(threats, `${n + 1}.`, '', here), { text: ')' });
  } else if (attack.zugzwang) {
    tokens.push({ text: ' zugzwang' });
  } else if (deep) {
    tokens.push({ text: ' threat:' });
  }
  const but: Token[] = [{ text: 'but ' }, ...plies(refutations, `${n}...`, '!', here)];
  if (refutations.length > 0 && defences.length === 0 && !deep) {
    out.push({ depth, tokens: [...tokens, { text: ' ' }, ...but] });
    return;
  }
  out.push({ depth, tokens });
  if (deep) for (const threat of threats) addAttack(out, depth + 3, n + 1, threat, '', here);
  variations(out, depth + 1, n, defences, here);
  if (refutations.length > 0) out.push({ depth: depth + 1, tokens: but });
}

/** Defences, those with the same answers together. A place behind several defences is that behind the last one. */
function variations(out: Line[], depth: number, n: number, list: Variation[], path: string[]) {
  const groups: { first: Variation; all: Variation[]; answers: string | null }[] = [];
  for (const variation of list) {
    const last = (variation.continuations ?? []).every(isLast);
    const answers = last ? JSON.stringify((variation.continuations ?? []).map((answer) => answer.move)) : null;
    const same = groups.find((group) => answers !== null && group.answers === answers);
    if (same) same.all.push(variation);
    else groups.push({ first: variation, all: [variation], answers });
  }
  for (const { first, all, answers } of groups) {
    const { continuations = [], dual } = first;
    const tokens: Token[] = all.flatMap((variation, i): Token[] => [
      ...(i > 0 ? [{ text: ', ' }] : []),
      { text: `${n}...${written(variation)}`, moves: [...path, variation.move] },
    ]);
    const here = [...path, (all[all.length - 1] ?? first).move];
    const mark: Token[] = dual ? [{ text: '  (dual)' }] : [];
    if (answers !== null) {
      if (continuations.length > 0) tokens.push({ text: ' ' }, ...plies(continuations, `${n + 1}.`, '', here));
      out.push({ depth, tokens: [...tokens, ...mark] });
      continue;
    }
    out.push({ depth, tokens: [...tokens, ...mark] });
    for (const attack of continuations) addAttack(out, depth + 2, n + 1, attack, '', here);
  }
}

function isHalf(stipulation: string): boolean {
  return /\.5\s*$/.test(stipulation);
}

export function isSeries(stipulation: string): boolean {
  return /^\s*ser-/i.test(stipulation);
}

/** A solution that is a line. In a series one side makes all moves, or all but the last. */
function lineTokens(moves: Ply[], stipulation: string): Token[] {
  if (!isSeries(stipulation)) return numbered(moves, isHalf(stipulation) ? 1 : 0);
  const alone = /^\s*ser-\s*[#=]/i.test(stipulation);
  const count = alone ? moves.length : moves.length - 1;
  return spaced(moves.map((ply, i) => ({
    text: i < count ? `${i + 1}.${written(ply)}` : written(ply),
    moves: moves.slice(0, i + 1).map((each) => each.move),
  })));
}

/** Moves with numbers, the first so many halves of moves left out. */
function numbered(moves: Ply[], leftOut: number): Token[] {
  return spaced(moves.map((ply, i) => {
    const [n, second] = [Math.floor((i + leftOut) / 2) + 1, (i + leftOut) % 2 === 1];
    const front = second ? (i === 0 ? `${n}...` : '') : `${n}.`;
    return { text: front + written(ply), moves: moves.slice(0, i + 1).map((each) => each.move) };
  }));
}

/** All as text, to be compared and copied. */
export function asText(parts: Section[]): string {
  const line = (one: Line) => '  '.repeat(one.depth + 1) + one.tokens.map((token) => token.text).join('');
  return parts.map((part) => [`${part.title.toLowerCase()}:`, ...part.lines.map(line)].join('\n')).join('\n\n');
}
