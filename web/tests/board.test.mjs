// The gallery and the board: choosing a game, playing by mouse and by keys, positions, links, variations.
import assert from 'node:assert/strict';
import { REFUSED, browserTest, byId, cell, hashOf, reads, says, setUp, until } from './support.mjs';

setUp();

const playedMoves = (page) => byId(page, 'move-list').locator('.move-button').allInnerTexts();
const boardLabel = (page) => byId(page, 'board').locator('svg').first().getAttribute('aria-label');

browserTest('a game is chosen in the gallery, a move is clicked, and values come', {}, async (page) => {
  await byId(page, 'gallery-search').fill('tic-tac');
  const card = page.locator('[data-testid="game-card"][data-game="tic-tac-toe"]');
  await card.locator('svg').first().waitFor();
  await card.locator('a').first().click();
  await cell(page, 'b2').click();
  assert.match(hashOf(page), /game=tic-tac-toe.*moves=b2/);
  await reads(byId(page, 'state'), /o to move/i);
  await says(page, 'b2', /b2, .*cross/);
  // After the middle, corners draw and edges lose.
  await says(page, 'a1', /draws.*proved/);
  await says(page, 'b1', /loses/);
  await reads(byId(page, 'answer'), 'A draw');
  assert.equal(await byId(page, 'board').locator('.values > *').count(), 8);
});

browserTest('all games of the gallery have a picture', {}, async (page) => {
  const cards = byId(page, 'game-card');
  await cards.first().waitFor();
  const count = await cards.count();
  assert.ok(count >= 30, `${count} games`);
  for (let i = 0; i < count; i++) {
    await cards.nth(i).scrollIntoViewIfNeeded();
    await cards.nth(i).locator('svg').first().waitFor();
  }
  assert.ok((await byId(page, 'sample-card').count()) >= 30);
});

browserTest('values are hidden and shown by a key', { at: '#/board?game=tic-tac-toe&moves=b2' }, async (page) => {
  const values = byId(page, 'board').locator('.values > *');
  await until('values', () => values.count(), (n) => n === 8);
  await page.keyboard.press('v');
  await until('no values', () => values.count(), (n) => n === 0);
  assert.doesNotMatch(await cell(page, 'a1').getAttribute('aria-label'), /draws/);
  await page.keyboard.press('v');
  await until('values again', () => values.count(), (n) => n === 8);
});

browserTest('a game is played by keys alone', { at: '#/board?game=tic-tac-toe' }, async (page) => {
  await cell(page, 'b2').waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell') ?? document.activeElement?.tagName);
  for (let i = 0; i < 40 && (await focused()).length !== 2; i++) await page.keyboard.press('Tab');
  assert.match(await focused(), /^[abc][123]$/, 'Tab leads to the board');
  const go = async (to) => {
    const letters = 'abc';
    for (let i = 0; i < 6 && (await focused()) !== to; i++) {
      const at = await focused();
      const [dx, dy] = [letters.indexOf(to[0]) - letters.indexOf(at[0]), Number(to[1]) - Number(at[1])];
      await page.keyboard.press(dx < 0 ? 'ArrowLeft' : dx > 0 ? 'ArrowRight' : dy > 0 ? 'ArrowUp' : 'ArrowDown');
    }
    assert.equal(await focused(), to);
  };
  await go('c1');
  await page.keyboard.press('Enter');
  await until('c1 is played', () => playedMoves(page), (moves) => moves.join() === 'c1');
  await reads(byId(page, 'state'), /o to move/i);
  await go('a3');
  await page.keyboard.press('Space');
  await until('a3 is played', () => playedMoves(page), (moves) => moves.join() === 'c1,a3');
  assert.match(hashOf(page), /moves=c1,a3/);
  await page.keyboard.press('Backspace');
  await until('it is taken back', () => hashOf(page), (hash) => /moves=c1$/.test(hash));
  await reads(byId(page, 'state'), /o to move/i);
  assert.deepEqual(await playedMoves(page), ['c1', 'a3'], 'the line is kept');
});

browserTest('pieces are dragged in chess, or clicked from square to square', { at: '#/board?game=chess' }, async (page) => {
  await byId(page, 'auto').uncheck();
  const middle = async (name) => {
    const box = await cell(page, name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await cell(page, 'e2').waitFor();
  await page.mouse.move(...await middle('e2'));
  await page.mouse.down();
  await page.mouse.move(...await middle('e3'), { steps: 4 });
  await page.mouse.move(...await middle('e4'), { steps: 4 });
  await byId(page, 'board').locator('.lifted').waitFor();
  await page.mouse.up();
  await until('e4 in the list', () => playedMoves(page), (moves) => moves.join() === 'e4');
  await reads(byId(page, 'state'), /black to move/i);
  await cell(page, 'g8').click();
  await until('squares to go to', () => byId(page, 'board').locator('.hit.can').count(), (n) => n > 2);
  await says(page, 'f6', /can be chosen/);
  await cell(page, 'f6').click();
  await until('both moves', () => playedMoves(page), (moves) => moves.join() === 'e4,Nf6');
  // A drag to where no move leads plays nothing.
  await reads(byId(page, 'state'), /white to move/i);
  await page.mouse.move(...await middle('d2'));
  await page.mouse.down();
  await page.mouse.move(...await middle('d6'), { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await playedMoves(page), ['e4', 'Nf6']);
});

browserTest('a promotion is chosen', { at: '#/board?game=chess&position=8/4P3/8/8/8/2k5/8/K7+w+-+-+0+1' }, async (page) => {
  await byId(page, 'auto').uncheck();
  await cell(page, 'e7').click();
  await cell(page, 'e8').click();
  const choices = byId(page, 'chooser').locator('[data-move]');
  await until('four pieces', () => choices.count(), (n) => n === 4);
  await byId(page, 'chooser').locator('[data-move="e7e8n"]').click();
  await until('a knight', () => playedMoves(page), (moves) => /^e8=?N/.test(moves.join()));
});

browserTest('the board is turned around', { at: '#/board?game=chess' }, async (page) => {
  const y = async (name) => (await cell(page, name).boundingBox()).y;
  await cell(page, 'a1').waitFor();
  assert.ok((await y('a1')) > (await y('a8')));
  await byId(page, 'flip').click();
  await until('a1 is at the top', async () => (await y('a1')) < (await y('a8')));
  await page.keyboard.press('f');
  await until('a1 is at the bottom', async () => (await y('a1')) > (await y('a8')));
});

const FEN = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';

browserTest('a FEN, moves and wrong positions are pasted', { at: '#/board?game=chess', allow: [REFUSED] }, async (page) => {
  await byId(page, 'auto').uncheck();
  await byId(page, 'setup').locator('summary').click();
  const set = async (text) => {
    await byId(page, 'position-field').fill(text);
    await byId(page, 'set-position').click();
  };
  await set(FEN);
  await says(page, 'c6', /black knight/);
  assert.ok(hashOf(page).replaceAll('+', ' ').includes(FEN));

  await set('moves:e2e4,c7c5');
  await until('the moves', () => playedMoves(page), (moves) => moves.join() === 'e4,c5');
  await says(page, 'c5', /black pawn/);

  await set('rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  const failure = byId(page, 'setup').getByTestId('failure');
  await reads(failure, 'x');
  assert.match(await failure.locator('.fault').first().innerText(), /x/, 'the word at fault is underlined');
  await says(page, 'c5', /black pawn/);

  await set('moves:e2e4,e7e9');
  await reads(failure, 'e7e9');
  assert.deepEqual(await playedMoves(page), ['e4', 'c5'], 'what was there stays');
});

browserTest('a wrong address says what is wrong and offers a way out', { at: '#/board?game=tic-tac-toe&position=nonsense', allow: [REFUSED] }, async (page) => {
  await reads(byId(page, 'failure').first(), 'nonsense');
  await page.getByRole('button', { name: 'Back to the start of the game' }).click();
  await cell(page, 'b2').click();
  await until('one can play', () => playedMoves(page), (moves) => moves.join() === 'b2');
  await page.goto(page.url().replace(/#.*/, '#/board?game=tic-tac-tow'));
  await reads(byId(page, 'failure').first(), 'tic-tac-toe');
});

browserTest('the address of a page shows the same to somebody else', { at: '#/board?game=tic-tac-toe' }, async (page, { context }) => {
  await cell(page, 'b2').click();
  await until('b2', () => playedMoves(page), (moves) => moves.length === 1);
  await reads(byId(page, 'state'), /o to move/i);
  await cell(page, 'a1').click();
  await until('a1', () => playedMoves(page), (moves) => moves.length === 2);
  await byId(page, 'question').selectOption('win');
  await until('the question is in the address', () => hashOf(page), (hash) => hash.includes('question=win'));
  await reads(byId(page, 'answer'), /\bNo\b/);
  const other = await context.browser().newContext();
  try {
    const theirs = await other.newPage();
    await theirs.goto(page.url());
    await until('their board', () => boardLabel(theirs), (label) => /x to move/i.test(label));
    assert.deepEqual(await playedMoves(theirs), ['b2', 'a1']);
    assert.equal(await boardLabel(theirs), await boardLabel(page));
    assert.equal(await byId(theirs, 'question').inputValue(), 'win');
    await reads(byId(theirs, 'answer'), /\bNo\b/);
  } finally {
    await other.close();
  }
});

browserTest('moves are undone and redone, variations are kept as a tree', { at: '#/board?game=tic-tac-toe' }, async (page) => {
  const played = async (name, count) => {
    await until('the board takes moves', () => byId(page, 'board').locator('.hit.can').count(), (n) => n > 0);
    await cell(page, name).click();
    await until(`${count} moves in the list`, () => playedMoves(page), (moves) => moves.length === count);
  };
  await played('b2', 1);
  await reads(byId(page, 'state'), /o to move/i);
  await played('a1', 2);
  await byId(page, 'undo').click();
  await reads(byId(page, 'state'), /o to move/i);
  await until('a1 is free', () => cell(page, 'a1').getAttribute('aria-label'), (label) => /can be played/.test(label));
  await played('a3', 3);
  const variation = page.getByRole('group', { name: 'Variation' });
  assert.match(await variation.innerText(), /a3/);
  await byId(page, 'promote').click();
  await until('a1 is the variation', () => variation.innerText(), (text) => /a1/.test(text) && !/a3/.test(text));
  await byId(page, 'undo').click();
  await byId(page, 'redo').click();
  await until('back at a3', () => hashOf(page), (hash) => /moves=b2,a3$/.test(hash));
  await byId(page, 'move-list').locator('[data-move="a1"]').click();
  await until('at a1', () => hashOf(page), (hash) => /moves=b2,a1$/.test(hash));
  await byId(page, 'delete').click();
  await until('a1 is gone', () => playedMoves(page), (moves) => moves.join() === 'b2,a3');
  await page.keyboard.press('Home');
  await until('at the start', () => hashOf(page), (hash) => !hash.includes('moves='));
  await page.keyboard.press('End');
  await until('at the end', () => hashOf(page), (hash) => /moves=b2/.test(hash));
});

browserTest('the line is previewed when one points at it, and played by a click', { at: '#/board?game=tic-tac-toe' }, async (page) => {
  const line = byId(page, 'line').getByRole('button');
  await until('a line to the end', () => line.count(), (n) => n === 9);
  const pieces = byId(page, 'board').locator('.pieces > *');
  await line.nth(2).hover();
  await until('three pieces', () => pieces.count(), (n) => n === 3);
  await page.mouse.move(5, 5);
  await until('an empty board', () => pieces.count(), (n) => n === 0);
  await line.nth(1).click();
  await until('two moves', () => playedMoves(page), (moves) => moves.length === 2);
});

browserTest('both choose their moves at the same time', { at: '#/board?game=goofspiel:3' }, async (page) => {
  await reads(byId(page, 'answer'), /for/);
  await reads(byId(page, 'joint-state'), /choose a move/);
  const choose = async () => {
    const buttons = byId(page, 'move-buttons').locator('button');
    if (await buttons.count()) await buttons.first().click();
    else await byId(page, 'board').locator('.hit.can').first().click();
  };
  await choose();
  await reads(byId(page, 'joint-state'), /has chosen/);
  assert.deepEqual(await playedMoves(page), [], 'the first choice is not played yet');
  await choose();
  await until('a joint move', () => playedMoves(page), (moves) => moves.length === 1 && moves[0].includes('/'));
});

browserTest('dice are rolled', { at: '#/board?game=pig:10' }, async (page) => {
  await until('a way on', async () => (await byId(page, 'roll').count()) + (await byId(page, 'move-buttons').locator('button').count()) + (await byId(page, 'board').locator('.hit.can').count()));
  if ((await byId(page, 'roll').count()) === 0) {
    const buttons = byId(page, 'move-buttons').getByRole('button', { name: /roll/i });
    await buttons.first().click();
  }
  await byId(page, 'roll').click();
  await until('chance has moved', () => playedMoves(page), (moves) => moves.some((move) => /\d/.test(move)));
});
