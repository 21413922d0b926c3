import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT, after, emptyTree, endOf, movesTo, onMainLine, pathTo, promote, remove, walk } from './tree';

const plies = (text: string) => text.split(' ').map((move) => ({ move }));

test('lines share what they have in common, and the first one stays the main line', () => {
  let tree = walk(emptyTree(), plies('a b c'));
  const main = tree.current;
  tree = walk(tree, plies('a x y'));
  assert.deepEqual(movesTo(tree, tree.current), ['a', 'x', 'y']);
  assert.equal(Object.keys(tree.nodes).length, 6);
  assert.ok(onMainLine(tree, main));
  assert.ok(!onMainLine(tree, tree.current));
  assert.equal(endOf(tree, ROOT), main);
  tree = walk(tree, []);
  assert.equal(tree.current, ROOT);
  assert.equal(tree.nodes[after(tree, ROOT)!]!.move, 'a');
});

test('a variation becomes the main line', () => {
  let tree = walk(walk(emptyTree(), plies('a b')), plies('a x y'));
  tree = promote(tree, tree.current);
  assert.ok(onMainLine(tree, tree.current));
  assert.deepEqual(movesTo(tree, endOf(tree, ROOT)), ['a', 'x', 'y']);
  assert.equal(Object.keys(tree.nodes).length, 5);
});

test('who deletes a line stands where it began', () => {
  let tree = walk(walk(emptyTree(), plies('a b')), plies('a x y'));
  const x = pathTo(tree, tree.current)[1]!.id;
  tree = remove(tree, x);
  assert.deepEqual(movesTo(tree, tree.current), ['a']);
  assert.equal(Object.keys(tree.nodes).length, 3);
  assert.equal(remove(tree, ROOT), tree);
});

test('the way people write moves is learned later', () => {
  let tree = walk(emptyTree(), plies('e2e4'));
  tree = walk(tree, [{ move: 'e2e4', san: 'e4' }]);
  assert.equal(tree.nodes[tree.current]!.san, 'e4');
  assert.equal(walk(tree, plies('e2e4')).nodes[tree.current]!.san, 'e4');
});
