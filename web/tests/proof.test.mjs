// The proof explorer: proofs are made, dropped, verified, refused, and walked through.
import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REFUSED, browserTest, byId, cell, dropFiles, foregone, hashOf, reads, root, scratch, setUp, until } from './support.mjs';

const GRAPH = 'examples/figure-2-2.game';
let damagedLine = 0;

setUp({ prepare: certificates });

async function certificates() {
  await foregone('solve', 'tic-tac-toe', '--no-knowledge', '--proof', scratch('right.txt'));
  await foregone('solve', `explicit:${GRAPH}`, '--proof', scratch('needs-rules.txt'));
  await mkdir(scratch('rules'));
  await copyFile(join(root, GRAPH), scratch('rules/figure-2-2.game'));
  const lines = (await readFile(scratch('right.txt'), 'utf8')).split('\n');
  const at = lines.findIndex((line, number) => number > 8 && line.includes(': ! '));
  damagedLine = at + 1;
  await writeFile(scratch('damaged.txt'), lines.with(at, lines[at].replace(/! .*$/, '! z9')).join('\n'));
  await writeFile(scratch('cut.txt'), lines.slice(0, 40).join('\n'));
}

const verdict = (page) => byId(page, 'verify-result');
const rows = (page) => byId(page, 'proof-row');
const pathOf = (page) => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('path')?.split(',') ?? [];
const pick = (page, ...names) => byId(page, 'proof-file').setInputFiles(names.map(scratch));

browserTest('a proof is made on the board, and opened from there', { at: '#/board?game=tic-tac-toe' }, async (page) => {
  await byId(page, 'open-proof').click();
  await reads(byId(page, 'proof-outline'), /tic-tac-toe/);
  await until('rows', () => rows(page).count(), (n) => n >= 2);
  assert.match(hashOf(page), /#\/proof\?proof=/);
  await byId(page, 'verify').click();
  await reads(verdict(page), /proved/);
  assert.equal(await verdict(page).getAttribute('data-status'), 'proved');
});

browserTest('a right certificate is picked, verified, and walked down to a leaf by the tree', { at: '#/proof' }, async (page) => {
  await pick(page, 'right.txt');
  await reads(verdict(page), /proved.*draw/s);
  await reads(verdict(page), /claims replayed/);
  // Down by keys: open, go to the first child, show it; the walk ends where nothing can be opened any more.
  await until('the first rows', () => rows(page).count(), (n) => n >= 2);
  await byId(page, 'proof-tree').focus();
  await page.keyboard.press('Home');
  const active = async () => {
    const id = await byId(page, 'proof-tree').getAttribute('aria-activedescendant');
    const row = page.locator(`#${id}`);
    const [path, open, busy] = await Promise.all(['data-path', 'aria-expanded', 'aria-busy'].map((name) => row.getAttribute(name)));
    return { path, open, busy };
  };
  let depth = 0;
  for (; depth < 12; depth++) {
    const here = await until('the row is loaded', active, ({ busy }) => busy === null);
    if (here.open === null) break;
    if (here.open === 'false') {
      await page.keyboard.press('ArrowRight');
      await until('it is open', active, ({ open, path }) => open === 'true' && path === here.path);
    }
    await until('it has children', () => page.locator(`[data-testid="proof-row"][aria-level="${depth + 2}"]`).count(), (n) => n > 0);
    await page.keyboard.press('ArrowRight');
    await until('one deeper', active, ({ path }) => path !== here.path);
  }
  assert.ok(depth >= 4, `a leaf was reached ${depth} moves deep`);
  const leaf = await active();
  await page.keyboard.press('Enter');
  await until('the leaf is shown', () => pathOf(page).join(' '), (path) => path === leaf.path);
  await reads(byId(page, 'proof-claim'), /over|refers to/i);
  await page.keyboard.press('ArrowLeft');
  assert.notEqual((await active()).path, leaf.path, 'the left key leads up');
});

browserTest('a proof is walked down to its end on the board', { at: '#/proof' }, async (page) => {
  await pick(page, 'right.txt');
  await byId(page, 'proof-board').waitFor();
  const claim = byId(page, 'proof-claim');
  const size = async () => Number(((await claim.innerText()).match(/([\d,]+) claim/)?.[1] ?? '0').replaceAll(',', ''));
  let smaller = await until('the size of the whole', size, (n) => n > 100);
  for (let step = 0; step < 12; step++) {
    const path = pathOf(page);
    const own = byId(page, 'proof-follow');
    await until('a way on, or the end', async () => (await own.count()) + (await byId(page, 'proof-board').locator('.hit.can').count()) > 0 || /over/.test(await claim.innerText()));
    if (await own.count()) await own.click();
    else if (await byId(page, 'proof-board').locator('.hit.can').count()) await byId(page, 'proof-board').locator('.hit.can').first().click();
    else break;
    await until('one move on', () => pathOf(page), (now) => now.length === path.length + 1);
    await until('the board has followed', () => byId(page, 'proof-board').locator('.pieces > *').count(), (n) => n === path.length + 1);
    const now = await size();
    assert.ok(now <= smaller || /label/.test(await claim.innerText()), 'what is below gets smaller');
    smaller = now;
  }
  assert.ok(pathOf(page).length >= 5);
  await reads(claim, /over/i);
});

browserTest('the prover needs one move only, replies show the answer', { at: '#/proof' }, async (page) => {
  await pick(page, 'right.txt');
  const board = byId(page, 'proof-board');
  await byId(page, 'proof-follow').waitFor();
  const own = (await byId(page, 'proof-follow').innerText()).replace('Follow ', '');
  const other = await board.locator(`.hit.can:not([data-cell="${own}"])`).first().getAttribute('data-cell');
  await cell(page, other, 'proof-board').click();
  await reads(page.locator('.proof-note').first(), /only one move/);
  assert.deepEqual(pathOf(page), []);
  await cell(page, own, 'proof-board').click();
  await until('the prover has moved', () => pathOf(page).join(), (path) => path === own);
  await until('a reply says its answer', () => board.locator('.hit.can').first().getAttribute('aria-label'), (label) => /answered by/.test(label));
  await page.goBack();
  await until('back at the start', () => pathOf(page).length, (n) => n === 0);
});

browserTest('a reference is followed, a position is found, another is not there', { at: '#/proof', allow: [REFUSED] }, async (page) => {
  await pick(page, 'right.txt');
  await reads(verdict(page), /proved/);
  await byId(page, 'proof-find').fill('no such position');
  await page.keyboard.press('Enter');
  await byId(page, 'failure').first().waitFor();
  const path = await referring(scratch('right.txt'));
  await page.goto(`${page.url().split('?')[0]}?proof=${new URLSearchParams(hashOf(page).split('?')[1]).get('proof')}&path=${path.join(',')}`);
  await reads(byId(page, 'proof-claim'), /refers to the one labelled/);
  const shown = await page.locator('.proof-claim dt:text-is("position") + dd').innerText();
  await byId(page, 'proof-jump').click();
  await until('another place', () => pathOf(page).join(), (now) => now !== path.join());
  await until('the line itself', () => byId(page, 'proof-claim').innerText(), (text) => !/refers to/.test(text) && text.includes(shown));
  // The position of the place is found again by its text.
  await page.goto(`${page.url().split('&path')[0]}`);
  await until('at the start', () => pathOf(page).length, (n) => n === 0);
  await byId(page, 'proof-find').fill(shown);
  await page.keyboard.press('Enter');
  await reads(page.locator('.proof-find'), /found, \d+ moves? deep/);
  await until('it is shown', () => byId(page, 'proof-claim').innerText(), (text) => text.includes(shown));
  await byId(page, 'proof-find').fill('x.o/.../... x');
  await page.keyboard.press('Enter');
  await until('it says no', () => page.locator('.proof-find').innerText(), (text) => /not in the proof/.test(text));
});

/** The moves to the first line of a certificate that refers to another one. */
async function referring(file) {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const body = lines.slice(lines.indexOf('') + 1);
  let at = 0;
  // `MOVE: ` in front of what a line says; `#n ` a label; `! m` the prover moves, `? n` so many replies follow.
  const walk = (text, path) => {
    const said = text.replace(/^#\d+ /, '');
    if (said.startsWith('=')) return path;
    if (said.startsWith('!')) {
      const next = body[at++];
      return walk(next, [...path, said.slice(2).trim()]);
    }
    if (said.startsWith('?')) {
      for (let left = Number(said.slice(2)); left > 0; left--) {
        const [move, rest] = body[at++].split(/: (.*)/s);
        const found = walk(rest, [...path, move]);
        if (found) return found;
      }
    }
    return null;
  };
  const path = walk(body[at++], []);
  assert.ok(path, 'the certificate refers to a line somewhere');
  return path;
}

browserTest('replies are filtered', { at: '#/proof' }, async (page) => {
  await pick(page, 'right.txt');
  await byId(page, 'proof-follow').click();
  await until('its replies', () => rows(page).count(), (n) => n >= 9);
  await byId(page, 'proof-filter').fill('c');
  await until('fewer rows', async () => {
    const moves = await rows(page).evaluateAll((all) => all.filter((row) => row.ariaLevel === '3').map((row) => row.dataset.path.split(' ').at(-1)));
    return moves.length > 0 && moves.length < 8 && moves.every((move) => move.includes('c'));
  });
  await reads(byId(page, 'proof-tree'), /hidden by the filter/);
});

browserTest('a part is saved as picture, DOT and text, and the whole proof as it was', { at: '#/proof' }, async (page) => {
  await pick(page, 'right.txt');
  await byId(page, 'proof-follow').waitFor();
  const saved = async (id) => {
    const [download] = await Promise.all([page.waitForEvent('download'), byId(page, id).click()]);
    await until('it can be saved again', () => byId(page, id).isEnabled());
    return readFile(await download.path(), 'utf8');
  };
  assert.match(await saved('export-svg'), /^<svg[\s\S]*<\/svg>\s*$/);
  assert.match(await saved('export-dot'), /digraph[\s\S]*->/);
  assert.match(await saved('export-text'), /a1/);
  assert.equal(await saved('proof-download'), await readFile(scratch('right.txt'), 'utf8'));
});

browserTest('a damaged certificate that is dropped is refused with its line', { at: '#/proof' }, async (page) => {
  await dropFiles(page, scratch('damaged.txt'));
  await reads(verdict(page), new RegExp(`refused, line ${damagedLine}\\b.*z9`, 's'));
  assert.equal(await verdict(page).getAttribute('data-status'), 'refused');
  const first = await verdict(page).innerText();
  await dropFiles(page, scratch('cut.txt'));
  await until('the next one is refused for another reason', () => verdict(page).innerText(), (text) => /refused/.test(text) && text !== first);
  await dropFiles(page, scratch('right.txt'));
  await reads(verdict(page), /proved/);
});

browserTest('a text that is no certificate is refused', { at: '#/proof', allow: [REFUSED] }, async (page) => {
  await writeFile(scratch('letter.txt'), 'Dear checker,\nplease believe me.\n');
  await pick(page, 'letter.txt');
  await until('a refusal', async () => [await verdict(page).allInnerTexts(), await byId(page, 'failure').allInnerTexts()].flat().join(' '),
    (text) => /certificate|refused/i.test(text));
  assert.notEqual(await verdict(page).getAttribute('data-status'), 'proved');
});

browserTest('a certificate that needs a file of rules asks for it, and takes it', { at: '#/proof', allow: [REFUSED] }, async (page) => {
  await dropFiles(page, scratch('needs-rules.txt'));
  await until('it says which file', async () => (await page.locator('main').innerText()), (text) => /figure-2-2\.game/.test(text) && /refused|not there|can.t|no file|missing|needs|was not/i.test(text));
  assert.notEqual(await verdict(page).getAttribute('data-status'), 'proved');
  await dropFiles(page, scratch('rules/figure-2-2.game'));
  await reads(verdict(page), /proved.*max/s);
  await cell(page, 's2', 'proof-board').waitFor();
});

browserTest('certificate and rules are dropped together', { at: '#/proof' }, async (page) => {
  await dropFiles(page, scratch('rules/figure-2-2.game'), scratch('needs-rules.txt'));
  await reads(verdict(page), /proved.*max/s);
  await byId(page, 'proof-follow').click();
  await until('one move on', () => pathOf(page).join(), (path) => path === 's2');
});

browserTest('a link leads to a place in a proof', { at: '#/proof' }, async (page, { open }) => {
  await pick(page, 'right.txt');
  await byId(page, 'proof-follow').click();
  await until('one move on', () => pathOf(page).length, (n) => n === 1);
  const claim = await until('the claim', () => byId(page, 'proof-claim').innerText(), (text) => /8 moves.*182 claims.*line 8/s.test(text));
  const other = await open(null, page.url());
  await until('the same claim', () => byId(other, 'proof-claim').innerText(), (text) => text === claim);
});

for (const [name, said] of [
  ['A mate in two', /asks/], ['Goofspiel 3', /guarantees|How often/], ['Pig to 10', /How often|guarantees/],
]) {
  browserTest(`${name}: its own kind of proof is made, verified and walked`, { at: '#/proof' }, async (page) => {
    await byId(page, 'proof-demo').filter({ hasText: name }).click();
    await until('rows', () => rows(page).count(), (n) => n >= 2);
    await byId(page, 'verify').click();
    await reads(verdict(page), /proved/);
    for (let step = 0; step < 3; step++) {
      const text = await page.locator('.proof-place').innerText();
      if (said.test(text)) return;
      const before = pathOf(page).length;
      await rows(page).nth(before + 1).click();
      await until('one deeper', () => pathOf(page).length, (n) => n > before);
      await until('it is shown', () => page.locator('.proof-place').getAttribute('aria-busy'), (busy) => busy === 'false');
    }
    assert.match(await page.locator('.proof-place').innerText(), said);
  });
}
