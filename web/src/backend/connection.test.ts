import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from './connection';

/** A clock that a test moves on; it tells how long was waited. */
function clock() {
  const waiting: { ms: number; then: () => void }[] = [];
  const next = async () => {
    const first = waiting.shift();
    first?.then();
    await new Promise((resolve) => setImmediate(resolve));
    return first?.ms ?? null;
  };
  return { later: (ms: number, then: () => void) => void waiting.push({ ms, then }), next, waiting };
}

test('a lost server is asked less and less often until it answers', async () => {
  let answers = false;
  const time = clock();
  const connection = new Connection(() => Promise.resolve(answers), time);
  const told: boolean[] = [];
  connection.listen((connected) => told.push(connected));
  connection.lost();
  connection.lost();
  assert.equal(time.waiting.length, 1);
  const waits = [await time.next(), await time.next(), await time.next()] as number[];
  assert.ok(waits[0]! < waits[1]! && waits[1]! < waits[2]!);
  answers = true;
  await time.next();
  assert.deepEqual(told, [true, false, true]);
  assert.equal(time.waiting.length, 0);
});

test('who waits for the server hears when it is back', async () => {
  const time = clock();
  const connection = new Connection(() => Promise.resolve(true), time);
  await connection.back();
  connection.lost();
  let back = false;
  const waits = connection.back().then(() => (back = true));
  assert.equal(back, false);
  await time.next();
  await waits;
  assert.equal(back, true);
});
