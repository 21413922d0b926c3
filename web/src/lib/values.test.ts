import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, MoveAnswer, Progress, Shown } from '../api';
import { answerValues, isUnlike, mistakeOf, progressValues, shortNumber, turnValue } from './values';

const shown: Shown = {
  game: 'g', position: 'p', drawing: '', players: ['x', 'o'], one_player: false, numbers: false,
  to_move: 'o', over: null, moves: [],
};
const move = (name: string, value: string | null, winner: string | null, more: Partial<MoveAnswer> = {}): MoveAnswer => ({
  move: name, value, winner, bounds: ['loss', 'win'], best: false, distance: null, proved: true, ...more,
});

test('wins and losses are those of who moves', () => {
  assert.equal(turnValue(move('a', 'loss', 'o'), shown).label, 'win');
  assert.equal(turnValue(move('a', 'loss', 'o'), shown).quality, 'good');
  assert.equal(turnValue(move('a', 'win', 'x', { distance: 3 }), shown).label, 'loss 3');
  assert.equal(turnValue(move('a', 'draw', null), shown).quality, 'even');
  assert.equal(turnValue(move('a', null, null), shown).quality, 'neutral');
});

test('numbers stay as they are', () => {
  const value = turnValue(move('a', '-8', 'o'), { ...shown, numbers: true });
  assert.deepEqual([value.label, value.quality], ['-8', 'good']);
});

test('a number has no distance behind it', () => {
  assert.equal(turnValue(move('a', '4', 'x', { distance: 4 }), { ...shown, numbers: true }).label, '4');
});

test('of three players, all that can still win are told, and who is not among them loses', () => {
  const three = { ...shown, players: ['red', 'green', 'blue'], to_move: 'red' };
  const told = (value: string, winner: string | null) => {
    const { label, quality } = turnValue(move('a', value, winner), three);
    return [label, quality];
  };
  assert.deepEqual(told('green or blue', null), ['green or blue', 'bad']);
  assert.deepEqual(told('red or green', null), ['red or green', 'neutral']);
  assert.deepEqual(told('red', 'red'), ['red', 'good']);
});

test('what the rules do not determine is not a draw', () => {
  const value = turnValue(move('a', 'undetermined', null), shown);
  assert.deepEqual([value.label, value.quality, value.detail], ['undetermined', 'neutral', 'is undetermined, proved']);
});

test('what is asked for one player is bad for the other when it holds', () => {
  const holds = move('a', null, null, { holds: true });
  assert.equal(turnValue(holds, shown).quality, 'bad');
  assert.equal(turnValue(holds, shown, 'o').quality, 'good');
});

test('strategies are told apart by player', () => {
  const answer = { strategies: [{ 3: '1/2', 1: '0' }, { 3: '1' }] } as unknown as Answer;
  const values = answerValues(answer, shown);
  assert.deepEqual(Object.keys(values).sort(), ['o/3', 'x/3']);
  assert.equal(values['x/3']!.label, '1/2');
});

test('bounds that meet are values already', () => {
  const progress = { moves: [
    { text: 'a', value: '∞/0', bounds: ['loss', 'loss'] }, { text: 'b', value: '3/5', bounds: ['loss', 'win'] },
  ] } as unknown as Progress;
  const values = progressValues(progress, shown);
  assert.equal(values.a!.quality, 'good');
  assert.deepEqual([values.b!.label, values.b!.quality], ['5', 'neutral']);
  assert.equal(progressValues(progress, { ...shown, to_move: 'x' }).b!.label, '3');
});

test('half of the outcomes ruled out is something, none is nothing', () => {
  const progress = { moves: [
    { text: 'a', value: '', bounds: ['loss', 'draw'] }, { text: 'b', value: '', bounds: ['loss', 'win'] },
  ] } as unknown as Progress;
  assert.deepEqual(Object.entries(progressValues(progress, shown)).map(([m, v]) => [m, v.label]), [['a', '≥ draw']]);
  assert.equal(progressValues(progress, { ...shown, to_move: 'x' }).a!.label, '≤ draw');
});

test('a mistake is a move that gives something away, not a longer win', () => {
  const values = {
    a: { label: 'win 3', quality: 'good' as const, best: true },
    b: { label: 'win 9', quality: 'good' as const, best: false },
    c: { label: 'draw', quality: 'even' as const, best: false },
    d: { label: '?', quality: 'neutral' as const, best: false },
  };
  assert.equal(mistakeOf(values, 'a'), null);
  assert.equal(mistakeOf(values, 'b'), null);
  assert.deepEqual(mistakeOf(values, 'c')?.better, ['a']);
  assert.equal(mistakeOf(values, 'd'), null);
  assert.equal(mistakeOf({}, 'a'), null);
  const scores = { a: { label: '+4', quality: 'good' as const, best: true }, b: { label: '+2', quality: 'good' as const, best: false } };
  assert.equal(mistakeOf(scores, 'b')?.after.label, '+2');
});

test('long numbers are cut, chances are percent', () => {
  assert.equal(shortNumber('0.63722503601', true), '63.7%');
  assert.equal(shortNumber('0.63722503601', false), '0.637');
  assert.equal(shortNumber('7/12', false), '7/12');
  assert.equal(shortNumber('19/27', true), '70.4%');
  assert.equal(shortNumber('851309055662567/50000000000000', false), '17');
});

test('a loss beside a known win is a mistake before all moves are valued', () => {
  const values = { a: turnValue(move('a', 'loss', 'o', { best: null }), shown), b: turnValue(move('b', 'win', 'x', { best: null }), shown) };
  assert.deepEqual(mistakeOf(values, 'b')?.better, ['a']);
  assert.equal(mistakeOf(values, 'a'), null);
  assert.equal(mistakeOf({ b: values.b }, 'b'), null);
});

test('proof numbers are not written where numbers are points', () => {
  const progress = { moves: [{ text: 'a', value: '79/3', bounds: ['-18', '18'] }] } as unknown as Progress;
  assert.deepEqual(progressValues(progress, { ...shown, numbers: true }), {});
  assert.equal(progressValues(progress, shown)['a']?.label, '3');
});

test('what chance may do in one place has no one value, what a player may choose has its best', () => {
  const value = (label: string, best: boolean) => ({ label, quality: 'neutral' as const, best });
  assert.equal(isUnlike(value('38.3%', false), value('70%', false)), true);
  assert.equal(isUnlike(value('70%', false), value('70%', false)), false);
  assert.equal(isUnlike(value('38.3%', false), value('70%', true)), false);
});
