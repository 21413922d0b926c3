import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, decades, logShare, medianOf, seedsOf, sorted, subjectsOf, wordsOf, type CompareRow } from './table';

test('fields are read', () => {
  assert.deepEqual(wordsOf('pn, mo(pn,2),pn,'), ['pn', 'mo(pn,2)']);
  assert.deepEqual(subjectsOf('nim:1,2\n\nchess @ 8/8 w'), [['nim:1,2', 'start'], ['chess', '8/8 w']]);
  assert.deepEqual(seedsOf('1..3,7'), [1, 2, 3, 7]);
  assert.deepEqual(seedsOf(''), [0]);
  assert.equal(seedsOf('5..1'), null);
  assert.equal(seedsOf('x'), null);
});

function row(game: string, nodes: number, at_least = false): CompareRow {
  return { game, position: 'p', scheme: 'pn', driver: 'tree', value: null, solved: 1, runs: 1, nodes: { value: nodes, at_least } };
}

test('tables are sorted by numbers, and what is equal stays in its order', () => {
  const rows = [row('a', 100), row('b', 9), row('c', 100)];
  assert.deepEqual(sorted(rows, 'nodes', false).map((each) => each.game), ['b', 'a', 'c']);
  assert.deepEqual(sorted(rows, 'nodes', true).map((each) => each.game), ['a', 'c', 'b']);
  assert.deepEqual(medianOf(row('a', 5, true), 'nodes'), { value: 5, at_least: true });
});

test('CSV quotes, and starts no formula', () => {
  const text = csv([{ game: 'nim:1,2', position: '=1+1', value: '-5', nodes: 3 }]);
  assert.equal(text.split('\n')[1], '"nim:1,2", =1+1,,,,,,,,-5,,3,,,');
});

test('a logarithmic scale', () => {
  assert.deepEqual(decades([3, 2500]), [1, 10000]);
  assert.deepEqual(decades([100]), [10, 100]);
  assert.ok(Math.abs(logShare(100, 1, 10000) - 0.5) < 1e-12);
  assert.equal(logShare(0, 1, 10), 0);
});
