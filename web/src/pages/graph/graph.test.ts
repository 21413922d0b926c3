import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEdge, addState, nameProblem, removeEdge, removeState, states } from './text';
import type { Scene } from '../../api';
import { qualityOf, withValues } from './values';

const TEXT = '# a game\nstart s0\nmax s0 -> s1 s2 # two ways\nchance s1 -> s2:3 s0\nend s2 win\n';

test('states are found', () => {
  assert.deepEqual(states(TEXT).map((state) => [state.kind, state.name, state.line, state.next.join()]), [
    ['max', 's0', 2, 's1,s2'], ['chance', 's1', 3, 's2,s0'], ['end', 's2', 4, ''],
  ]);
});

test('moves are added and taken away in their line', () => {
  assert.match(addEdge(TEXT, 's0', 's9') ?? '', /\nmax s0 -> s1 s2 s9 # two ways\n/);
  assert.equal(addEdge(TEXT, 's0', 's1'), null);
  assert.equal(addEdge(TEXT, 's2', 's1'), null);
  assert.match(removeEdge(TEXT, 's1', 's2') ?? '', /\nchance s1 -> s0\n/);
  assert.equal(removeEdge(TEXT, 's1', 's9'), null);
});

test('states are added and taken away', () => {
  assert.equal(addState(TEXT, 'end', 's3', 'loss'), `${TEXT}end s3 loss\n`);
  assert.equal(addState(TEXT, 'max', 's0', 's1'), null);
  assert.equal(removeState(TEXT, 's2'), '# a game\nstart s0\nmax s0 -> s1 # two ways\nchance s1 -> s0\n');
  assert.ok(nameProblem('a b') && nameProblem('') && !nameProblem('a-b'));
});

test('values are good or bad for the first player', () => {
  const players = ['max', 'min'];
  assert.equal(qualityOf('win', 'max', players, ['loss', 'win']), 'good');
  assert.equal(qualityOf('win', 'min', players, ['loss', 'win']), 'bad');
  assert.equal(qualityOf('draw', null, players, ['loss', 'draw', 'win']), 'even');
  assert.equal(qualityOf('undetermined', null, players, ['loss', 'win']), 'neutral');
  assert.equal(qualityOf(null, null, players, []), 'neutral');
  assert.equal(qualityOf('1', null, players, ['loss', 'win']), 'good');
  assert.equal(qualityOf('3/5', null, players, ['loss', 'win']), 'even');
  assert.equal(qualityOf('4', null, players, ['0', '1', '4']), 'good');
});

test('the caption of a state tells its value, too', () => {
  const cell = { name: 's0', at: [0, -0.12] as [number, number], outline: [[-1, -1], [1, -1], [1, 1], [-1, 1]] as [number, number][], paint: 'plain' as const };
  const label = { at: [0, 0.24] as [number, number], text: 'max', size: 0.24, anchor: 'middle' as const, mono: false, paint: 'ink' as const };
  const scene: Scene = { cells: [cell], shapes: [], pieces: [], labels: [label], moves: [], marks: [], notes: [] };
  const known = new Map([['s0', { event: 'valued' as const, position: 's0', value: 'win', winner: 'max', proved: true }]]);
  const marked = withValues(scene, known, ['max', 'min'], ['loss', 'win']);
  assert.equal(marked.labels[0]?.text, 'max ● win');
  assert.deepEqual(marked.marks, [{ kind: 'value', cells: [0], text: '', quality: 'good', best: true }]);
  assert.equal(scene.labels[0]?.text, 'max');
});
