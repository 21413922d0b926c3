import assert from 'node:assert/strict';
import { test } from 'node:test';
import { underlined } from './failure';

const place = (line: number, column: number, word: string) => ({ name: 'position', line, column, word });

test('the word at fault is cut out of its line', () => {
  assert.deepEqual(underlined('a b\nmoves:e2,x9', place(2, 10, 'x9')), ['moves:e2,', 'x9', '']);
  assert.deepEqual(underlined('', place(1, 1, '')), ['', ' ', '']);
  assert.equal(underlined('a', place(3, 1, 'a')), null);
});

test('long lines are cut around it', () => {
  const [before, word, after] = underlined(`${'x'.repeat(500)}BAD${'y'.repeat(500)}`, place(1, 501, 'BAD'))!;
  assert.equal(word, 'BAD');
  assert.ok(before.length < 50 && after.length < 50);
});
