import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { View } from '../api';
import { answerKey, jobOf, questionOf, rulesKey } from './question';

test('answers by other rules of the same name are others', () => {
  const view = { game: 'explicit:mine.game', position: 's0' } as View;
  const question = questionOf({}, null);
  const key = (text: string) => answerKey(view, { 'mine.game': text }, question);
  assert.notEqual(key('end C win'), key('end C draw'));
  assert.equal(key('end C win'), key('end C win'));
  assert.notEqual(answerKey(view, undefined, question), answerKey(view, undefined, { ...question, player: 'min' }));
  assert.notEqual(rulesKey('race:9,3', undefined), rulesKey('race:9,3,misere', undefined));
});

test('where many play, who is to move is asked about', () => {
  const view = (players: string[], to_move: string) =>
    ({ game: 'g', position: 'p', joint: false, chance: false, shown: { players, to_move } }) as unknown as View;
  const asked = (players: string[], to_move: string, player = '') =>
    jobOf(view(players, to_move), questionOf({ player }, null), true, 1).player;
  assert.equal(asked(['red', 'green', 'blue'], 'green'), 'green');
  assert.equal(asked(['red', 'green', 'blue'], 'green', 'blue'), 'blue');
  assert.equal(asked(['x', 'o'], 'o'), undefined);
});
