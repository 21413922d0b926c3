import assert from 'node:assert/strict';
import { test } from 'node:test';
import { href, parseRoute } from './route';

test('an address leads back to what it was made of', () => {
  const params = {
    game: 'connect-four:5x4',
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
    moves: '1,2',
    question: 'formula <x> & 100% + y = z? #2',
  };
  assert.deepEqual(parseRoute(href('board', params)), { page: 'board', params });
});

test('addresses stay readable, and empty parameters are left out', () => {
  assert.equal(href('board', { game: 'hex:4', moves: 'a1,b2', scheme: '' }), '#/board?game=hex:4&moves=a1,b2');
  assert.equal(href('gallery'), '#/');
});

test('what no page is called leads to the gallery', () => {
  for (const hash of ['', '#', '#/', '#/nonsense?game=x', '#constructor']) {
    assert.equal(parseRoute(hash).page, 'gallery');
  }
  assert.deepEqual(parseRoute('#/board?game=%E0%A4%A').params, { game: '%E0%A4%A' });
});
