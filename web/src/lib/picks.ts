// Which move a person means who points at cells. One click plays where one move fits; else the first cell is
// selected and the next one chooses; moves that no cell tells apart are offered as a list.

import type { Scene, Touch } from '../api';

export type Pick =
  | { kind: 'none' }
  | { kind: 'play'; move: Touch }
  | { kind: 'choose'; picked: number[]; moves: Touch[] }
  | { kind: 'select'; picked: number[]; moves: Touch[] };

/** Points at a cell, after others were picked. */
export function pick(moves: Touch[], picked: number[], cell: number): Pick {
  if (picked.length > 0) {
    const before = matching(moves, picked);
    const again = picked.at(-1) === cell;
    const own = before.filter((move) => move.cells.length === 1 && move.cells[0] === cell);
    if (again) return own.length > 0 ? resolve(own, [cell]) : { kind: 'none' };
    const next = matching(before, [...picked, cell]);
    if (next.length > 0) return resolve(next, [...picked, cell]);
  }
  const first = matching(moves, [cell]);
  return first.length > 0 ? resolve(first, [cell]) : { kind: 'none' };
}

/** Drags from cell to cell. */
export function drag(moves: Touch[], from: number, to: number): Pick {
  const fitting = matching(moves, [from, to]);
  return fitting.length > 0 ? resolve(fitting, [from, to]) : { kind: 'none' };
}

/** The moves that fit the cells picked so far. */
function matching(moves: Touch[], picked: number[]): Touch[] {
  const fits = (move: Touch) => {
    if (!move.travels) return picked.every((cell) => move.cells.includes(cell));
    if (move.cells[0] !== picked[0]) return false;
    return picked.slice(1).every((cell) => move.cells.indexOf(cell, 1) > 0);
  };
  const fitting = moves.filter((move) => move.cells.length > 0 && fits(move));
  // Where something travels, its end counts more than what it passes.
  const ends = fitting.filter((move) => move.travels && move.cells.at(-1) === picked.at(-1));
  return picked.length > 1 && ends.length > 0 ? ends : fitting;
}

function resolve(moves: Touch[], picked: number[]): Pick {
  const [first] = moves;
  if (first && moves.length === 1) return { kind: 'play', move: first };
  if (sameCells(moves)) return { kind: 'choose', picked, moves };
  const smallest = nested(moves);
  if (smallest) return { kind: 'play', move: smallest };
  const whole = moves.filter((move) => {
    return move.travels
      ? picked.length > 1 && move.cells.at(-1) === picked.at(-1)
      : move.cells.length === picked.length;
  });
  if (picked.length > 1 && whole.length > 0) {
    return whole.length === 1 ? { kind: 'play', move: whole[0]! } : { kind: 'choose', picked, moves: whole };
  }
  return { kind: 'select', picked, moves };
}

function sameCells(moves: Touch[]): boolean {
  const keys = moves.map((move) => (move.travels ? move.cells : [...move.cells].sort((a, b) => a - b)).join());
  return keys.every((key) => key === keys[0]);
}

/** Where each move takes all that a smaller one takes, as in Nim, the smallest one is meant. */
function nested(moves: Touch[]): Touch | null {
  if (moves.some((move) => move.travels)) return null;
  const sorted = [...moves].sort((a, b) => a.cells.length - b.cells.length);
  for (let i = 1; i < sorted.length; i++) {
    const [inner, outer] = [sorted[i - 1]!, sorted[i]!];
    const holds = inner.cells.every((cell) => outer.cells.includes(cell));
    if (!holds || inner.cells.length === outer.cells.length) return null;
  }
  return sorted[0] ?? null;
}

/** The cells that lead on from what is selected: where to click next. */
export function nextCells(moves: Touch[], picked: number[]): Set<number> {
  const next = new Set<number>();
  for (const move of moves) {
    if (move.travels) next.add(move.cells.at(-1)!);
    else if (move.cells.length === 1) next.add(move.cells[0]!);
    else move.cells.filter((cell) => !picked.includes(cell)).forEach((cell) => next.add(cell));
  }
  return next;
}

/** The cells at which a move can begin. */
export function firstCells(moves: Touch[]): Set<number> {
  const first = new Set<number>();
  for (const move of moves) {
    if (move.travels) first.add(move.cells[0]!);
    else move.cells.forEach((cell) => first.add(cell));
  }
  return first;
}

/** Moves that are named by the label of their column, as in Connect Four: any cell of the column plays them. */
export function columnMoves(scene: Scene, moves: Touch[]): Map<number, Touch> {
  const found = new Map<number, Touch>();
  for (const move of moves) {
    const cell = move.cells.length === 1 ? scene.cells[move.cells[0]!] : undefined;
    if (!cell) continue;
    const x = cell.at[0];
    const named = scene.labels.some((label) => label.text === move.move && Math.abs(label.at[0] - x) < 0.01);
    if (!named) continue;
    const column = scene.cells.flatMap((other, i) => (Math.abs(other.at[0] - x) < 0.01 ? [i] : []));
    if (column.some((i) => found.has(i))) return new Map();
    column.forEach((i) => found.set(i, move));
  }
  return found;
}
