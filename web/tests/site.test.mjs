// The static site, without a server: `cargo xtask site --out DIR`, then FOREGONE_SITE=DIR.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CASES, serveSite, withSite } from './site.mjs';
import { byId, cell, dropFiles, foregone, hashOf, reads, root, says, scratch, setUp, until, withPage } from './support.mjs';

const folder = process.env.FOREGONE_SITE;
const skip = folder ? false : 'FOREGONE_SITE names no folder with the site; .ci/site makes one and runs this';
const PATIENT = { timeout: 120_000, skip };

let site = null;
let damagedLine = 0;
if (folder) {
  setUp({ serves: false, prepare: certificates });
  before(async () => {
    site = await serveSite(folder);
  });
  after(() => site?.close());
}

async function certificates() {
  await foregone('solve', 'tic-tac-toe', '--no-knowledge', '--proof', scratch('right.txt'));
  await foregone('solve', 'explicit:examples/figure-2-2.game', '--proof', scratch('needs-rules.txt'));
  const lines = (await readFile(scratch('right.txt'), 'utf8')).split('\n');
  const at = lines.findIndex((line, number) => number > 8 && line.includes(': ! '));
  damagedLine = at + 1;
  await writeFile(scratch('damaged.txt'), lines.with(at, lines[at].replace(/! .*$/, '! z9')).join('\n'));
}

/** A test with a page of the site, which may load nothing from anywhere else. */
function siteTest(name, hash, use, options = {}) {
  test(`site: ${name}`, PATIENT, async () => {
    const asked = [];
    await withPage(options, async (open, context) => {
      context.on('request', (request) => asked.push(request.url()));
      await use(await open(hash, site.address));
    });
    assert.ok(asked.some((url) => url.endsWith('.wasm')), 'the solver was loaded');
    assert.deepEqual(asked.filter((url) => !url.startsWith(site.address) && !url.startsWith('blob:')), [], 'nothing comes from elsewhere');
  });
}

test('site: what pages ask is answered in a worker', PATIENT, (t) => withSite(folder, async (page) => {
  for (const [name, run] of Object.entries(CASES)) await t.test(name, () => run(page));
}));

siteTest('a game is chosen and clicked, values come, and the proof is opened and walked', '#/', async (page) => {
  await byId(page, 'gallery-search').fill('tic-tac');
  await page.locator('[data-testid="game-card"][data-game="tic-tac-toe"] a').first().click();
  await cell(page, 'b2').click();
  await says(page, 'a1', /draws/);
  await says(page, 'b1', /loses/);
  await reads(byId(page, 'answer'), 'A draw');
  await byId(page, 'open-proof').click();
  await until('rows', () => byId(page, 'proof-row').count(), (n) => n >= 2);
  await byId(page, 'verify').click();
  await reads(byId(page, 'verify-result'), /proved/);
  await byId(page, 'proof-row').nth(1).click();
  await until('one move on', () => hashOf(page), (hash) => /path=\w/.test(hash));
  await reads(byId(page, 'proof-claim'), /line/);
});

siteTest('certificates are dropped: a right one, a damaged one, one with its rules', '#/proof', async (page) => {
  const verdict = byId(page, 'verify-result');
  await dropFiles(page, scratch('right.txt'));
  await reads(verdict, /proved.*draw/s);
  await dropFiles(page, scratch('damaged.txt'));
  await reads(verdict, new RegExp(`refused, line ${damagedLine}\\b`));
  await dropFiles(page, scratch('needs-rules.txt'), join(root, 'examples/figure-2-2.game'));
  await reads(verdict, /proved.*max/s);
  await cell(page, 's2', 'proof-board').waitFor();
});

siteTest('a hard search shows numbers, is stopped, and the page goes on', '#/board?game=connect-four&scheme=pn&driver=dag&seconds=60', async (page) => {
  await byId(page, 'ask').click();
  await reads(byId(page, 'search'), /[1-9][\d,]{3,}/);
  await byId(page, 'stop').click();
  await until('it has stopped', () => byId(page, 'stop').isDisabled());
  await page.goto(`${site.address}#/board?game=tic-tac-toe&moves=b2`);
  await byId(page, 'ask').click();
  await reads(byId(page, 'answer'), 'A draw');
}, { asks: false });

siteTest('perfect play, rules that are wrong, and a chess problem', '#/board?game=tic-tac-toe&moves=b2,b1,a1', async (page) => {
  await cell(page, 'b2').waitFor();
  for (const player of ['x', 'o']) await page.locator(`[data-testid="level"][data-player="${player}"]`).selectOption('perfect');
  await reads(byId(page, 'state'), /over.*x wins/i);
  await page.goto(`${site.address}#/rulesheet`);
  await until('it is read', () => byId(page, 'rules-play').isEnabled());
  await byId(page, 'editor-field').fill('(role x');
  await reads(byId(page, 'editor-error'), /line 1, column/);
  await page.goto(`${site.address}#/problem`);
  await byId(page, 'problem-solve').click();
  await reads(byId(page, 'solution'), /Ra6!/);
});

siteTest('a link shows the same', '#/board?game=connect-four:4x4&moves=1,2', async (page) => {
  await reads(byId(page, 'answer'), /draw|wins/);
  assert.equal(await byId(page, 'move-list').locator('.move-button').count(), 2);
});
