import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_IN_LINK, digest, packFiles, packList, unpackFiles, unpackList } from './pack';

class Memory {
  kept = new Map<string, string>();
  getItem(key: string) {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.kept.set(key, value);
  }
}

test('a list comes back as it was, whatever its items hold', () => {
  for (const list of [[], ['a'], ['a', 'b,c', '~1', '~', 'd/e'], ['(mark 1 1)', 'π,≠']]) {
    assert.deepEqual(unpackList(packList(list)), list);
  }
  assert.deepEqual(unpackList(undefined), []);
});

test('small texts stand in the link, large ones in the store', () => {
  const store = new Memory();
  const small = { 'mine.kif': '(role x) ; ≤ <script>' };
  const packed = packFiles(small, store);
  assert.match(packed, /^b\.[\w-]+$/);
  assert.equal(store.kept.size, 0);
  assert.deepEqual(unpackFiles(packed, null), small);

  const large = { 'mine.kif': 'x'.repeat(MOST_IN_LINK) };
  const name = packFiles(large, store);
  assert.match(name, /^d\./);
  assert.ok(name.length < 40);
  assert.deepEqual(unpackFiles(name, store), large);
  assert.equal(unpackFiles(name, new Memory()), undefined);
});

test('nothing but texts by names is taken from an address', () => {
  const packed = (value: unknown) => `b.${btoa(JSON.stringify(value)).replace(/=+$/, '')}`;
  for (const value of [1, null, ['a'], { a: 1 }, { a: { b: 'c' } }]) {
    assert.equal(unpackFiles(packed(value), null), undefined);
  }
  assert.equal(unpackFiles('b.%%%', null), undefined);
  assert.equal(unpackFiles('', null), undefined);
});

test('digests tell texts apart', () => {
  const texts = Array.from({ length: 2000 }, (_, i) => `text ${i}`);
  assert.equal(new Set(texts.map(digest)).size, texts.length);
});
