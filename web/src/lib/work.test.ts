import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Progress, WorkEvent } from '../api';
import { IDLE, heard, rateOf, readingOf, shareOf } from './work';

const progress = (seconds: number, nodes: number): Progress & { event: 'progress' } => ({
  event: 'progress', seconds, nodes, expansions: 0, playouts: 0, bytes: 0, bounds: ['loss', 'win'], root: '', line: [], moves: [],
});

test('a search runs, pauses, goes on and ends', () => {
  const events: [WorkEvent, string][] = [
    [{ event: 'queued', ahead: 2 }, 'queued'],
    [{ event: 'started', game: 'g', position: 'p', question: 'value', scheme: 'pn', driver: 'dag' }, 'running'],
    [progress(1, 10), 'running'],
    [{ event: 'paused', seconds: 3, bytes: 1, why: 'time' }, 'paused'],
    [{ event: 'resumed' }, 'running'],
    [{ event: 'all-valued' }, 'done'],
  ];
  let state = IDLE;
  for (const [event, status] of events) {
    state = heard(state, event);
    assert.equal(state.status, status);
  }
  assert.equal(state.paused, null);
  assert.equal(state.last?.event, 'all-valued');
});

test('moves behind the position are not taken for its own', () => {
  const about = (value: string) => ({ ...progress(1, 1), moves: [{ text: '1', value, bounds: ['loss', 'win'] as [string, string] }] });
  let state = heard(IDLE, about('root'));
  state = heard(state, { event: 'move-started', move: '1' });
  state = heard(state, about('behind'));
  assert.equal(state.root?.moves[0]?.value, 'root');
  assert.equal(state.progress?.moves[0]?.value, 'behind');
});

test('a search that is over tells what it took', () => {
  const answer = {
    game: 'nim:1', position: '1 first', status: 'solved' as const, stop: 'solved', seconds: 0.5, nodes: 70, peak_bytes: 9,
    proof: null, bounds: ['win', 'win'] as [string, string],
  };
  const state = heard(IDLE, { event: 'solved', answer, scene: null, proof: null, text: '' });
  assert.equal(state.progress?.nodes, 70);
  assert.equal(state.progress?.bytes, 9);
  assert.deepEqual(state.progress?.bounds, ['win', 'win']);
  assert.equal(rateOf(state.history), 140);
});

test('points are thinned out, the newest one is kept', () => {
  let state = IDLE;
  for (let i = 0; i < 5000; i++) state = heard(state, progress(i, i * 10));
  assert.ok(state.history.length <= 401);
  assert.equal(state.history.at(-1)!.seconds, 4999);
  assert.equal(state.history[0]!.seconds, 0);
  assert.equal(Math.round(rateOf(state.history)), 10);
});

test('numbers are read out of what schemes say', () => {
  assert.deepEqual(readingOf('3555/12148'), { kind: 'effort', proof: 3555, disproof: 12148 });
  assert.deepEqual(readingOf('pn 0/∞'), { kind: 'effort', proof: 0, disproof: Infinity });
  assert.deepEqual(readingOf('0.512 of 8000'), { kind: 'share', share: 0.512, of: 8000 });
  assert.deepEqual(readingOf('0.250'), { kind: 'share', share: 0.25, of: null });
  assert.deepEqual(readingOf('3..5'), { kind: 'text' });
  assert.deepEqual(readingOf('won'), { kind: 'text' });
});

test('bars: proved is full, disproved is empty, few against many in between', () => {
  assert.equal(shareOf(readingOf('0/∞')), 1);
  assert.equal(shareOf(readingOf('∞/0')), 0);
  const share = shareOf(readingOf('10/1000'))!;
  assert.ok(share > 0.6 && share < 1);
  assert.equal(shareOf(readingOf('won')), null);
});
