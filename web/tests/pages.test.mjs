// Rules that people type, graphs, chess problems, experiments.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REFUSED, browserTest, byId, cell, hashOf, reads, root, setUp, until } from './support.mjs';

setUp();

const NIM = await readFile(join(root, 'rulesheets/nim.kif'), 'utf8');

browserTest('a broken rulesheet shows its line and column, is repaired, and played', { at: '#/rulesheet', allow: [REFUSED] }, async (page) => {
  const field = byId(page, 'editor-field');
  const errors = byId(page, 'editor-error');
  await until('the sample', () => field.inputValue(), (text) => text.includes('(role'));
  await field.fill(NIM);
  await until('the rules are read', () => byId(page, 'rules-play').isEnabled());
  const lines = NIM.split('\n');
  const at = lines.findIndex((line) => line.startsWith('(') && line.includes(')'));
  await field.fill(lines.with(at, lines[at].slice(0, -1)).join('\n'));
  await reads(errors, /line \d+, column \d+/);
  assert.ok(await byId(page, 'rules-play').isDisabled());
  // A word that is wrong is underlined where it stands.
  const wrong = lines.with(at, `${lines[at]}\n(<= terminal (true (control`).join('\n');
  await field.fill(wrong);
  await reads(errors, new RegExp(`line ${at + 2}, column \\d+`));
  await until('it is underlined', () => page.locator('.editor-marks u').count(), (n) => n > 0);
  await field.fill(NIM);
  await until('no error', () => errors.count(), (n) => n === 0);
  await until('it can be played', () => byId(page, 'rules-play').isEnabled());
  await byId(page, 'rules-solve').click();
  await reads(byId(page, 'rules-answer'), /wins/);
  await byId(page, 'rules-play').click();
  await byId(page, 'board').waitFor();
  assert.match(hashOf(page), /game=gdl:mine\.kif/);
  await byId(page, 'legal-moves').locator('summary').click();
  await byId(page, 'legal-moves').locator('button').first().click();
  await until('a move is played', () => byId(page, 'move-list').locator('.move-button').count(), (n) => n === 1);
});

browserTest('a proof of own rules is opened and verified', { at: '#/rulesheet' }, async (page) => {
  const field = byId(page, 'editor-field');
  await until('the sample', () => field.inputValue(), (text) => text.includes('(role'));
  await field.fill(NIM);
  await until('the rules are read', () => byId(page, 'rules-solve').isEnabled());
  await byId(page, 'rules-solve').click();
  await byId(page, 'open-proof').click();
  await byId(page, 'verify').click();
  await reads(byId(page, 'verify-result'), /proved/);
  await byId(page, 'proof-board').waitFor();
});

/** Two turns; facts and moves have names that would do harm if they became HTML. */
const [FACT, MOVE] = ['<img/src=x/onerror=alert`1`>', '<script>alert`2`</script>'];
const EVIL = [
  '(role white)', '(role black)', '(init (control white))', `(init (${FACT} 2))`,
  `(<= (legal ?p ${MOVE}) (true (control ?p)))`, '(<= (legal ?p <svg/onload=alert`3`>) (true (control ?p)))',
  '(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))',
  '(<= (next (control white)) (true (control black)))', '(<= (next (control black)) (true (control white)))',
  `(<= (next (${FACT} 1)) (true (${FACT} 2)))`, `(<= (next (${FACT} 0)) (true (${FACT} 1)))`,
  `(<= terminal (true (${FACT} 0)))`, `(<= (goal white 100) (true (${FACT} 0)))`, `(<= (goal black 0) (true (${FACT} 0)))`,
  `(<= (goal white 50) (not (true (${FACT} 0))))`, `(<= (goal black 50) (not (true (${FACT} 0))))`, '',
].join('\n');

browserTest('names that look like HTML stay text', { at: '#/rulesheet', allow: [REFUSED] }, async (page) => {
  const field = byId(page, 'editor-field');
  await until('the sample', () => field.inputValue(), (text) => text.includes('(role'));
  // An error that repeats the text.
  await field.fill(`(role ${MOVE})`);
  await reads(byId(page, 'editor-error'), MOVE);
  await nothingHarmful(page);
  await field.fill(EVIL);
  await until('the rules are read', () => byId(page, 'rules-play').isEnabled());
  await byId(page, 'rules-solve').click();
  await reads(byId(page, 'rules-answer'), /white wins/);
  await nothingHarmful(page);
  await byId(page, 'rules-play').click();
  await byId(page, 'legal-moves').locator('summary').click();
  await reads(byId(page, 'legal-moves'), '<script>alert`2`');
  await reads(byId(page, 'legal-moves'), '<svg');
  await reads(byId(page, 'line'), '<script>');
  await byId(page, 'setup').locator('summary').click();
  await until('the position', () => byId(page, 'position-field').inputValue(), (text) => text.includes(FACT));
  await byId(page, 'legal-moves').locator('button').first().click();
  await until('a move is played', () => byId(page, 'move-list').locator('.move-button').count(), (n) => n === 1);
  await nothingHarmful(page);
  await byId(page, 'open-proof').click();
  await reads(byId(page, 'proof-claim'), FACT);
  await reads(byId(page, 'proof-tree'), '<script>');
  await nothingHarmful(page);
  await page.goto(page.url().replace(/#.*/, '#/board?game=%3Cimg+src%3Dx+onerror%3Dalert(4)%3E'));
  await reads(byId(page, 'failure').first(), '<img');
  await nothingHarmful(page);
});

async function nothingHarmful(page) {
  const found = await page.evaluate(() => ({
    images: document.querySelectorAll('img, iframe, object, embed').length,
    scripts: [...document.scripts].filter((script) => !/\/app\.js$/.test(script.src)).length,
    handlers: document.querySelectorAll('[onerror], [onload], [onclick]').length,
  }));
  assert.deepEqual(found, { images: 0, scripts: 0, handlers: 0 });
}

browserTest('a graph is drawn with the values of its states, and edited', { at: '#/graph?sample=examples/figure-2-2.game', allow: [REFUSED] }, async (page) => {
  const graph = byId(page, 'graph-board');
  await reads(graph, '8 of 8 states valued');
  await reads(byId(page, 'graph-value'), /s0: max wins/);
  await cell(page, 's1', 'graph').click();
  await reads(byId(page, 'graph-value'), /s1: (min|nobody|.*draw|loss)/);
  await until('the state is in the address', () => hashOf(page), (hash) => hash.includes('position=s1'));
  await byId(page, 'graph-name').fill('s8');
  await byId(page, 'graph-rest').fill('s7');
  await byId(page, 'graph-add-state').click();
  await until('it stands in the text', () => byId(page, 'editor-field').inputValue(), (text) => /max s8 -> s7/.test(text));
  await byId(page, 'graph-to').fill('s8');
  await byId(page, 'graph-add-edge').click();
  await reads(graph, '9 of 9 states valued');
  await cell(page, 's8', 'graph').click();
  await reads(byId(page, 'graph-value'), /s8: max wins/);
  await byId(page, 'editor-field').fill('start a\nmax a -> nowhere\n');
  await reads(byId(page, 'editor-error'), /line 2, column \d+.*nowhere/s);
});

browserTest('a matrix is typed and solved', { at: '#/rulesheet?kind=matrix' }, async (page) => {
  await until('the sample', () => byId(page, 'editor-field').inputValue(), (text) => text.includes(','));
  await until('it is read', () => byId(page, 'rules-solve').isEnabled());
  await byId(page, 'rules-solve').click();
  await reads(byId(page, 'rules-answer'), /value 0 for Max/);
  await byId(page, 'rules-play').click();
  // Each of the three moves a third of the time.
  await reads(byId(page, 'answer'), /(1\/3.*){6}/s);
});

browserTest('a chess problem is solved, and its moves are clicked', { at: '#/problem', allow: [REFUSED] }, async (page) => {
  await byId(page, 'example').first().click();
  await byId(page, 'problem-solve').click();
  const solution = byId(page, 'solution');
  await reads(solution, /Ra6!/);
  await reads(byId(page, 'problem-answer'), /#2/);
  const key = solution.locator('button.move').filter({ hasText: 'Ra6' }).first();
  const at = Number(await key.getAttribute('data-index'));
  await key.click();
  const shown = byId(page, 'problem-board').locator('svg').first();
  await until('the board shows it', () => shown.getAttribute('aria-label'), (label) => /behind 1\.\s?Ra6/.test(label));
  assert.ok((await byId(page, 'problem-board').locator('.arrows > *').count()) > 0);
  await page.keyboard.press('ArrowRight');
  await until('the next move is shown', () => solution.locator('[aria-pressed="true"]').getAttribute('data-index'), (index) => index === String(at + 1));
  await byId(page, 'problem-setup').click();
  await byId(page, 'stipulation').fill('#0x');
  await byId(page, 'problem-solve').click();
  await reads(byId(page, 'problem-answer').getByTestId('failure'), /#0x/);
  await byId(page, 'fen').fill('8/8/9/8 w');
  await until('a wrong diagram is told', () => byId(page, 'fen').getAttribute('aria-invalid'), (invalid) => invalid === 'true');
});

browserTest('a helpmate is solved by keys alone', { at: '#/problem?fen=4R3/8/8/8/1b2K3/8/8/6k1+b+-+-+0+1&stipulation=h%232' }, async (page) => {
  await byId(page, 'stipulation').focus();
  await page.keyboard.press('Enter');
  await reads(byId(page, 'solution'), /1\./);
  await until('two lines', () => byId(page, 'solution').locator('.solution-line').count(), (n) => n >= 2);
});

browserTest('searches are compared in a table', { at: '#/experiments?games=tic-tac-toe&schemes=pn,minmax&drivers=tree,df' }, async (page) => {
  await byId(page, 'compare-run').click();
  const table = byId(page, 'compare-table');
  await until('rows', () => table.locator('tbody tr').count(), (n) => n >= 2);
  assert.match(await table.innerText(), /draw/);
  const nodes = async () => (await table.locator('tbody tr td:nth-child(5)').allInnerTexts()).map((text) => Number(text.replace(/[^\d]/g, '')));
  await table.getByRole('button', { name: 'Nodes' }).click();
  await until('sorted by nodes', nodes, (all) => all.every((n, i) => i === 0 || all[i - 1] <= n));
  await table.getByRole('button', { name: 'Nodes' }).click();
  await until('the other way round', nodes, (all) => all.every((n, i) => i === 0 || all[i - 1] >= n) && all[0] > all.at(-1));
  await byId(page, 'compare-plot').locator('svg, canvas').first().waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), byId(page, 'compare-csv').click()]);
  assert.match(await readFile(await download.path(), 'utf8'), /tic-tac-toe/);
});

browserTest('every page has a way in from the header, and a title of its own', {}, async (page) => {
  const links = page.locator('nav.site-nav a');
  const titles = new Set();
  await until('the links', () => links.count(), (n) => n >= 8);
  for (let i = 0; i < (await links.count()); i++) {
    await links.nth(i).click();
    await until('it is the page', () => links.nth(i).getAttribute('aria-current'), (current) => current === 'page');
    assert.equal(await page.locator('h1').count(), 1);
    titles.add(await page.title());
  }
  assert.equal(titles.size, await links.count());
});
