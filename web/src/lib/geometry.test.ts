import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Point, Scene } from '../api';
import { DIRECTIONS, extentOf, neighbour, seedPlaces, turned } from './geometry';

const square = (name: string, [x, y]: Point) => ({
  name, at: [x, y] as Point, paint: 'plain' as const,
  outline: [[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]] as Point[],
});
const grid = Array.from({ length: 9 }, (_, i) => square(`${i}`, [i % 3, Math.floor(i / 3)]));
const scene: Scene = { cells: grid, shapes: [], pieces: [], labels: [], moves: [], marks: [], notes: [] };

test('arrows go to the nearest cell in that direction, and stay at the edge', () => {
  const go = (from: number, key: string) => neighbour(grid, from, DIRECTIONS[key]!);
  assert.deepEqual(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => go(4, key)), [3, 5, 1, 7]);
  assert.equal(go(0, 'ArrowLeft'), 0);
  assert.equal(go(0, 'ArrowUp'), 0);
});

test('on hexagons every cell can be reached', () => {
  const cells = Array.from({ length: 16 }, (_, i) => square(`${i}`, [(i % 4) + Math.floor(i / 4) * 0.5, Math.floor(i / 4) * 0.866]));
  const seen = new Set([0]);
  for (const at of seen) Object.values(DIRECTIONS).forEach((way) => seen.add(neighbour(cells, at, way)));
  assert.equal(seen.size, 16);
});

test('a scene that is turned twice is the same', () => {
  const twice = turned(turned(scene));
  assert.deepEqual(twice.cells.map((cell) => cell.at), grid.map((cell) => cell.at));
  assert.deepEqual(turned(scene).cells[0]!.at, [2, 2]);
});

test('the picture holds all cells, words that stick out, and is never empty', () => {
  assert.deepEqual(extentOf(scene), { left: -0.9, top: -0.9, right: 2.9, bottom: 2.9 });
  const label = { at: [3, 0] as Point, text: 'abc', size: 1, anchor: 'start' as const, mono: false, paint: 'ink' as const };
  assert.ok(extentOf({ ...scene, labels: [label] }).right > 4);
  const nothing = extentOf({ ...scene, cells: [] });
  assert.ok(nothing.right > nothing.left);
});

test('seeds do not cover each other', () => {
  const { places, radius } = seedPlaces(20, [0, 0], 1);
  for (const [i, a] of places.entries()) {
    for (const b of places.slice(i + 1)) assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) > radius * 1.6);
  }
});
