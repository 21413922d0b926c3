import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProofChild, ProofNodeView } from '../../api';
import { namedAsWanted, rulesPath } from './files';
import { keyOf, startsWith } from './path';
import { NO_FILTER, passes, ProofStore } from './store';
import { shareOf, shareText, shortened, weightsOf } from './words';

function child(move: string, more: Partial<ProofChild> = {}): ProofChild {
  return { move, san: null, kind: 'plays', answer: null, answer_san: null, size: 5, weight: null, same_as: null, ...more };
}

function view(children: ProofChild[], more: Partial<ProofNodeView> = {}): ProofNodeView {
  return {
    line: 1, offset: 0, text: '? 2', kind: 'replies', to_move: 'second', sentence: '', subformula: null, rule: null,
    reason: null, label: null, same_as: null, size: 9, bound: null, pending: false, from: 0,
    children, children_total: children.length, view: null as never, ...more,
  };
}

const moves = (store: ProofStore, filter = NO_FILTER, current: string[] = []) =>
  store.rows(filter, current).map((row) => (row.what === 'place' ? row.path.join(' ') : row.what));

test('open places list their moves, closed ones are forgotten with all below', () => {
  const store = new ProofStore(0);
  store.put([], view([child('a'), child('b')]));
  store.put(['a'], view([child('c')]));
  store.put(['a', 'c'], view([child('d')]));
  assert.deepEqual(moves(store), ['', 'a', 'a c', 'a c d', 'b']);
  store.close(['a']);
  assert.deepEqual(moves(store), ['', 'a', 'b']);
  assert.equal(store.rowsHeld(), 3);
});

test('long lists are held a page at a time', () => {
  const store = new ProofStore(0);
  store.put([], view([child('m100'), child('m101')], { from: 100, children_total: 250 }));
  assert.deepEqual(moves(store), ['', 'earlier', 'm100', 'm101', 'later']);
  store.put([], view([child('m102')], { from: 102, children_total: 103 }), true);
  assert.deepEqual(moves(store), ['', 'earlier', 'm100', 'm101', 'm102']);
});

test('what was looked at longest ago is closed first, never the way to the current place', () => {
  const store = new ProofStore(0);
  const many = Array.from({ length: 50 }, (_, i) => child(`r${i}`));
  store.put([], view(many));
  for (const at of ['r0', 'r1', 'r2']) store.put([at], view(many));
  store.touch(['r1']);
  store.trim(['r0', 'r7'], 160);
  assert.equal(store.at(['r2']), undefined);
  assert.ok(store.at(['r0']) && store.at(['r1']) && store.at([]));
  store.trim(['r0', 'r7'], 10);
  assert.deepEqual(store.openPlaces().map((place) => place.path), [[], ['r0']]);
});

test('a filter hides rows but the way to the current place, and counts them', () => {
  const store = new ProofStore(0);
  store.put([], view([child('e4', { san: 'e4' }), child('d4', { kind: 'over', size: 1 }), child('x', { same_as: 7 })]));
  const filter = { text: '', kinds: ['same' as const], longer: 0 };
  assert.deepEqual(moves(store, filter), ['', 'x', 'hidden']);
  assert.deepEqual(moves(store, filter, ['d4']), ['', 'd4', 'x', 'hidden']);
  assert.ok(passes(child('a', { answer: 'Qe7' }), { text: 'qe', kinds: [], longer: 0 }));
  assert.ok(!passes(child('a', { size: 3 }), { text: '', kinds: [], longer: 4 }));
  assert.ok(passes(child('a', { size: null }), { text: '', kinds: [], longer: 4 }));
});

test('places have keys of their own', () => {
  assert.notEqual(keyOf(0, ['a,b']), keyOf(0, ['a', 'b']));
  assert.notEqual(keyOf(0, []), keyOf(0, ['']));
  assert.ok(startsWith(['a', 'b'], ['a']) && !startsWith(['a'], ['a', 'b']));
});

test('weights are shares, whatever their length', () => {
  assert.equal(shareOf('1/4'), 0.25);
  assert.equal(shareOf('0.5'), 0.5);
  assert.ok(Math.abs((shareOf(`1${'0'.repeat(400)}/3${'0'.repeat(400)}`) ?? 0) - 1 / 3) < 1e-9);
  assert.equal(shareOf('x/y'), null);
  assert.equal(shareOf('5/4'), null);
  assert.equal(shareText('1/3'), '1/3 (33 %)');
  assert.equal(shareText('1'), '100 %');
});

test('dropped rules get the paths that certificates name', () => {
  assert.equal(rulesPath('gdl:rules/mine.kif,for=red'), 'rules/mine.kif');
  assert.equal(rulesPath('nim:1,2'), null);
  const file = (name: string) => ({ name, text: name });
  assert.deepEqual(namedAsWanted(['gdl:a/x.kif'], [file('x.kif')]), { 'a/x.kif': 'x.kif' });
  assert.deepEqual(namedAsWanted(['explicit:y.game'], [file('renamed.game')]), { 'y.game': 'renamed.game' });
  assert.deepEqual(namedAsWanted(['nim:1'], [file('z.kif')]), { 'z.kif': 'z.kif' });
});

test('the mixture of one player is told once for each of its moves', () => {
  const pairs = [['1/1', '1/3'], ['1/2', '1/3'], ['2/1', '2/3'], ['2/2', '2/3']];
  const children = pairs.map(([move, weight]) => child(move ?? '', { weight: weight ?? null }));
  assert.deepEqual(weightsOf(children, 0), [{ move: '1', weight: '1/3' }, { move: '2', weight: '2/3' }]);
  assert.equal(weightsOf(children, null).length, 4);
});

test('long sentences keep their beginning and their claim', () => {
  const long = `proved: ${'(cell a 1 blank) '.repeat(40)}in gdl:mine.kif: x wins (12 claims)`;
  assert.ok(shortened(long).length < 180);
  assert.match(shortened(long), /^proved: \(cell a 1 .* … .*x wins \(12 claims\)$/);
  assert.equal(shortened('proved: short'), 'proved: short');
});
