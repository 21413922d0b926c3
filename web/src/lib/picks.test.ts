import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scene, Touch } from '../api';
import { columnMoves, drag, nextCells, pick } from './picks';

const goes = (move: string, ...cells: number[]): Touch => ({ player: 'x', move, cells, travels: true });
const takes = (move: string, ...cells: number[]): Touch => ({ player: 'x', move, cells, travels: false });

test('one click plays where one move fits', () => {
  const moves = [takes('a1', 0), takes('b1', 1), goes('c-d', 2, 3)];
  assert.deepEqual(pick(moves, [], 1), { kind: 'play', move: moves[1] });
  assert.deepEqual(pick(moves, [], 2), { kind: 'play', move: moves[2] });
  assert.deepEqual(pick(moves, [], 3), { kind: 'none' });
});

test('else the first click selects and the second one chooses', () => {
  const moves = [goes('a-b', 0, 1), goes('a-c', 0, 2), goes('d-b', 3, 1), goes('d-c', 3, 2)];
  const first = pick(moves, [], 0);
  assert.equal(first.kind, 'select');
  if (first.kind !== 'select') return;
  assert.deepEqual([...nextCells(first.moves, first.picked)], [1, 2]);
  assert.deepEqual(pick(moves, [0], 2), { kind: 'play', move: moves[1] });
  // Another piece is selected instead; the same one is put down.
  assert.deepEqual(pick(moves, [0], 3), { kind: 'select', picked: [3], moves: [moves[2], moves[3]] });
  assert.deepEqual(pick(moves, [0], 0), { kind: 'none' });
});

test('moves that no cell tells apart are offered as a list', () => {
  const promotions = ['q', 'r', 'b', 'n'].map((piece) => goes(`a7a8${piece}`, 0, 1));
  const moves = [...promotions, goes('a7b8q', 0, 2)];
  assert.equal(pick(moves, [], 0).kind, 'select');
  assert.deepEqual(pick(moves, [0], 1), { kind: 'choose', picked: [0, 1], moves: promotions });
  assert.deepEqual(drag(moves, 0, 1), { kind: 'choose', picked: [0, 1], moves: promotions });
  assert.deepEqual(drag(moves, 0, 2), { kind: 'play', move: moves[4] });
  assert.deepEqual(drag(moves, 2, 0), { kind: 'none' });
});

test('dominoes need two clicks where they overlap, heaps one', () => {
  const dominoes = [takes('ab', 0, 1), takes('bc', 1, 2)];
  assert.equal(pick(dominoes, [], 1).kind, 'select');
  assert.deepEqual(pick(dominoes, [1], 2), { kind: 'play', move: dominoes[1] });
  assert.deepEqual(pick(dominoes, [], 0), { kind: 'play', move: dominoes[0] });
  const heap = [takes('1', 2), takes('2', 1, 2), takes('3', 0, 1, 2)];
  assert.deepEqual(pick(heap, [], 1), { kind: 'play', move: heap[1] });
  assert.deepEqual(pick(heap, [], 2), { kind: 'play', move: heap[0] });
});

test('a piece that can move or turn in place turns by a second click', () => {
  const moves = [takes('flip', 0), goes('0-1', 0, 1), goes('0-2', 0, 2)];
  assert.equal(pick(moves, [], 0).kind, 'select');
  assert.deepEqual(pick(moves, [0], 0), { kind: 'play', move: moves[0] });
});

test('a column is played by any of its cells where its label names the move', () => {
  const cell = (name: string, x: number, y: number) => ({ name, at: [x, y] as [number, number], outline: [], paint: 'plain' as const });
  const label = (text: string, x: number) => ({ at: [x, 3] as [number, number], text, size: 0.3, anchor: 'middle' as const, mono: false, paint: 'ink' as const });
  const scene: Scene = {
    cells: [cell('a', 0, 0), cell('b', 0, 1), cell('c', 1, 0), cell('d', 1, 1)],
    shapes: [], pieces: [], labels: [label('1', 0), label('2', 1)], moves: [], marks: [], notes: [],
  };
  const moves = [takes('1', 1), takes('2', 3)];
  const columns = columnMoves(scene, moves);
  assert.equal(columns.get(0), moves[0]);
  assert.equal(columns.get(2), moves[1]);
  assert.equal(columnMoves(scene, [takes('b', 1), takes('d', 3)]).size, 0);
});
