import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberOf, overValue, placed } from './scale';

test('outcomes stand in their order', () => {
  const scale = placed(['draw', null, 'win'], ['loss', 'draw', 'win'], false);
  assert.deepEqual(['loss', 'draw', 'win', 'other'].map((v) => scale.shareOf(v)), [0, 0.5, 1, null]);
  assert.equal(scale.shareOf(null), null);
});

test('points have their zero in the picture, chances stand between 0 and 1', () => {
  assert.equal(placed(['+4', '-8'], [], true).shareOf('0'), 8 / 12);
  assert.equal(placed(['0.25', '1/2'], [], true).shareOf('1/2'), 0.5);
  assert.equal(placed(['0', '0'], [], true).shareOf('0'), 0.5);
  assert.equal(placed([], [], true).shareOf(null), null);
});

test('fractions are numbers, words are not', () => {
  assert.equal(numberOf('-7/2'), -3.5);
  assert.equal(numberOf('win'), null);
  assert.equal(numberOf(''), null);
});

test('the end of a game of chance stands among chances', () => {
  const over = (word: string, chance: boolean) =>
    overValue({ shown: { over: word, numbers: false } as never, chance, outcomes: ['loss', 'draw', 'win'] });
  assert.deepEqual([over('win', true), over('draw', true), over('loss', true)], ['1', '0.5', '0']);
  assert.equal(over('win', false), 'win');
});
