import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieces, problemOf, rangeOf, warningOf, type EditorProblem } from './editor-marks';

function problem(line: number | null, column: number | null, word = ''): EditorProblem {
  return { severity: 'error', message: 'm', help: null, line, column, word };
}

test('a place in a text is its letters', () => {
  const text = '(role x)\n(inti (cell 1))\n';
  assert.deepEqual(rangeOf(text, problem(2, 2, 'inti')), [10, 14]);
  assert.deepEqual(rangeOf(text, problem(2, 2, 'other')), [10, 11]);
  assert.deepEqual(rangeOf(text, problem(1, null)), [0, 8]);
  assert.equal(rangeOf(text, problem(9, 1)), null);
  assert.deepEqual(rangeOf('𝔸b c', problem(1, 2, 'b')), [2, 3]);
});

test('pieces join to the text', () => {
  const text = 'one two\nthree';
  const cut = pieces(text, [problem(2, 1, 'three'), problem(1, 5, 'two'), problem(1, 6, 'wo')]);
  assert.deepEqual(cut.map((piece) => [piece.text, piece.mark]), [
    ['one ', null], ['two', 'error'], ['\n', null], ['three', 'error'], ['', null],
  ]);
  assert.deepEqual(pieces('ab', [problem(1, 3)]).map((piece) => piece.text), ['ab', ' ', '']);
});

test('failures of other texts have no line here', () => {
  const failure = { kind: 'input' as const, message: 'm', help: null, place: { name: 'mine.kif', line: 3, column: 2, word: 'w' } };
  assert.equal(problemOf(failure, 'mine.kif').line, 3);
  assert.equal(problemOf({ ...failure, place: { ...failure.place, name: 'game' } }, 'mine.kif').line, null);
  const told = { ...failure, place: null, message: 'not a rulesheet: line 4, column 17: `(` is never closed' };
  const { line, column, word, message } = problemOf(told, 'mine.kif');
  assert.deepEqual([line, column, word, message], [4, 17, '(', '`(` is never closed']);
  assert.deepEqual([warningOf('mine.kif, line 4, column 2: odd').line, warningOf('odd').line], [4, null]);
});
