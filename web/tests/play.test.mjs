// Playing against the machine, searches that are watched, stopped and continued, and servers that go away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserTest, byId, cell, hashOf, reads, says, setUp, startServer, until, withPage } from './support.mjs';

setUp({ args: ['--jobs', '2', '--job-time', '2m', '--job-memory', '400M'] });

const playedMoves = (page) => byId(page, 'move-list').locator('.move-button').allInnerTexts();
const number = (text) => Number(text.replace(/[^\d]/g, ''));

/** The figure of a name in a search's panel. */
const figure = async (panel, name) => {
  const dd = panel.locator('dl.numbers div').filter({ has: panel.page().locator(`dt:text-is("${name}")`) }).locator('dd');
  return dd.innerText();
};

browserTest('a game is played to its end against perfect play, which never loses', { at: '#/board?game=tic-tac-toe', asks: false }, async (page) => {
  await cell(page, 'b2').waitFor();
  await page.locator('[data-testid="level"][data-player="o"]').selectOption('perfect');
  // The first free cell each time: no good play, so that the machine wins or draws.
  for (let turn = 0; turn < 5; turn++) {
    await until('the player is to move, or it is over', () => byId(page, 'state').innerText(), (text) => /x to move|over/i.test(text));
    if (/over/i.test(await byId(page, 'state').innerText())) break;
    const before = (await playedMoves(page)).length;
    await until('cells to click on', () => byId(page, 'board').locator('.hit.can').count(), (n) => n > 0);
    await byId(page, 'board').locator('.hit.can').first().click();
    await until('the move', () => playedMoves(page), (moves) => moves.length > before);
    await until('the answer', async () => [(await playedMoves(page)).length, await byId(page, 'state').innerText()],
      ([count, text]) => /over/i.test(text) || (count === before + 2 && /x to move/i.test(text)));
  }
  const end = await byId(page, 'state').innerText();
  assert.match(end, /over/i);
  assert.doesNotMatch(end, /x wins/i, 'the machine never loses');
});

browserTest('two perfect players draw', { at: '#/board?game=tic-tac-toe&moves=b2' }, async (page) => {
  await cell(page, 'b2').waitFor();
  for (const player of ['x', 'o']) await page.locator(`[data-testid="level"][data-player="${player}"]`).selectOption('perfect');
  await reads(byId(page, 'state'), /over.*draw/i);
});

browserTest('a mistake is pointed out, and can be taken back', { at: '#/board?game=tic-tac-toe&moves=b2' }, async (page) => {
  await says(page, 'b1', /loses/);
  await cell(page, 'b1').click();
  await reads(byId(page, 'mistake'), /b1/);
  await byId(page, 'take-back').click();
  await until('it is taken back', () => hashOf(page), (hash) => /moves=b2$/.test(hash));
  await until('no word about it', () => byId(page, 'mistake').count(), (n) => n === 0);
  await says(page, 'a1', /draws/);
  await cell(page, 'a1').click();
  await until('a1 is played', () => hashOf(page), (hash) => /moves=b2,a1$/.test(hash));
  await reads(byId(page, 'state'), /x to move/i);
  assert.equal(await byId(page, 'mistake').count(), 0, 'a good move is no mistake');
});

browserTest('the value over the game is drawn', { at: '#/board?game=tic-tac-toe&moves=b2,b1' }, async (page) => {
  await reads(byId(page, 'answer'), 'x wins');
  await byId(page, 'fill-values').click();
  await until('all three values', () => byId(page, 'value-graph').getAttribute('data-known'), (known) => known === '3');
  assert.match(await byId(page, 'value-graph').getAttribute('aria-label'), /draw.*win/);
});

const HARD = 'game=connect-four&scheme=pn&driver=dag';

browserTest('a hard search shows live numbers, and stops', { at: `#/board?${HARD}&seconds=60`, asks: false }, async (page) => {
  await byId(page, 'board').waitFor();
  await byId(page, 'ask').click();
  const search = byId(page, 'search');
  await reads(search, /pn \+ dag/);
  const first = await until('nodes', () => figure(search, 'nodes'), (text) => number(text) > 0);
  await until('more nodes', () => figure(search, 'nodes'), (text) => number(text) > number(first));
  await until('memory', () => figure(search, 'memory'), (text) => /\d/.test(text));
  await until('moves of the root', () => byId(page, 'root-moves').locator('tbody tr').count(), (n) => n === 7);
  await until('their bars', () => byId(page, 'root-moves').locator('.bar-fill').count(), (n) => n > 0);
  await until('values while it goes on', () => byId(page, 'board').locator('.values > *').count(), (n) => n > 0);
  await byId(page, 'stop').click();
  await reads(search, /Done|stopped|failed/i);
  await reads(byId(page, 'answer'), /Undecided/);
  assert.equal(await byId(page, 'ask').innerText(), 'Ask');
});

browserTest('a search whose time is used up waits, goes on, and ends', { at: `#/board?${HARD}&seconds=1`, asks: false }, async (page) => {
  await byId(page, 'board').waitFor();
  await byId(page, 'ask').click();
  const search = byId(page, 'search');
  await reads(byId(page, 'paused'), /used up/);
  const before = number(await figure(search, 'nodes'));
  await byId(page, 'more').first().click();
  await until('it goes on', () => byId(page, 'paused').count(), (n) => n === 0);
  await until('more nodes', () => figure(search, 'nodes'), (text) => number(text) > before);
  await byId(page, 'stop').click();
  await reads(byId(page, 'answer'), /Undecided/);
});

browserTest('two searches are watched side by side', { at: '#/study?game=connect-four&searches=pn%2Bdag,pp%2Bdag' }, async (page) => {
  await until('two cards', () => byId(page, 'study-card').count(), (n) => n === 2);
  await until('they can start', () => byId(page, 'start-all').isEnabled());
  await byId(page, 'start-all').click();
  for (let i = 0; i < 2; i++) {
    const card = byId(page, 'study-card').nth(i);
    await until(`nodes of search ${i + 1}`, () => figure(card, 'nodes'), (text) => number(text) > 0);
  }
  await byId(page, 'study-plot').locator('canvas, svg').first().waitFor();
  await byId(page, 'stop-all').click();
  for (let i = 0; i < 2; i++) {
    await until(`search ${i + 1} ended`, () => byId(page, 'study-card').nth(i).getByTestId('stop').isDisabled());
  }
  await byId(page, 'add-search').click();
  await until('three cards', () => byId(page, 'study-card').count(), (n) => n === 3);
});

browserTest('two tabs are served at once', { at: '#/board?game=tic-tac-toe' }, async (page, { open }) => {
  const other = await open('#/board?game=connect-four:4x4');
  await Promise.all([cell(page, 'b2').click(), byId(other, 'board').locator('.hit.can').first().click()]);
  await Promise.all([reads(byId(page, 'answer'), 'A draw'), reads(byId(other, 'answer'), /draw|wins/)]);
  assert.match(hashOf(page), /game=tic-tac-toe.*moves=b2/);
  assert.match(hashOf(other), /game=connect-four:4x4.*moves=1/);
});

// The browser tells of each request that nobody answers, and of an answer that breaks off.
const NOBODY = /ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET|ERR_NETWORK|status of 404/;

test('the server is lost in the middle of a search, comes back on the same port, and the page goes on', { timeout: 120_000 }, async () => {
  const first = await startServer();
  let second = null;
  try {
    await withPage({ allow: [NOBODY], asks: false }, async (open) => {
      const page = await open(`#/board?${HARD}&seconds=60`, first.address);
      await byId(page, 'ask').click();
      await until('nodes', () => figure(byId(page, 'search'), 'nodes'), (text) => number(text) > 0);
      const banner = byId(page, 'connection');
      assert.equal((await banner.innerText()).trim(), '');
      await first.end();
      await reads(banner, /can.t be reached/);
      second = await startServer('--port', first.port);
      await until('the banner goes away', () => banner.innerText(), (text) => text.trim() === '');
      await reads(byId(page, 'search'), /no longer knows|failed|Searching/);
      // The page works again: a move, and an answer.
      await page.goto(`${second.address}#/board?game=tic-tac-toe`);
      await cell(page, 'b2').click();
      await reads(byId(page, 'state'), /o to move/i);
      await byId(page, 'ask').click();
      await reads(byId(page, 'answer'), 'A draw');
    });
  } finally {
    await first.end();
    await second?.end();
  }
});

test('a page that is idle when the server goes away finds it again by itself', { timeout: 120_000 }, async () => {
  const first = await startServer();
  let second = null;
  try {
    await withPage({ allow: [NOBODY] }, async (open) => {
      const page = await open('#/board?game=tic-tac-toe', first.address);
      await reads(byId(page, 'answer'), 'A draw');
      await first.end();
      await cell(page, 'b2').click();
      await reads(byId(page, 'connection'), /can.t be reached/);
      second = await startServer('--port', first.port);
      await until('the banner goes away', () => byId(page, 'connection').innerText(), (text) => text.trim() === '');
      // The move that was made meanwhile is there.
      await reads(byId(page, 'state'), /o to move/i);
      await says(page, 'b1', /loses/);
    });
  } finally {
    await first.end();
    await second?.end();
  }
});
