// For everyone: an accessibility checker on every page, light and dark, wide and narrow; and no jumps.
import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserTest, byId, cell, hashOf, reads, says, setUp, until, withPage } from './support.mjs';

setUp();

const settled = async (page, id, text) => reads(byId(page, id).first(), text);

/** Every page, and what shows that it is complete. */
const PAGES = {
  gallery: ['#/', (page) => until('pictures', () => page.locator('[data-testid="game-card"] svg').count(), (n) => n > 5)],
  board: ['#/board?game=tic-tac-toe&moves=b2,b1', (page) => settled(page, 'answer', 'x wins')],
  'board of joint moves': ['#/board?game=goofspiel:3', (page) => settled(page, 'answer', /for/)],
  'board of chance': ['#/board?game=pig:10', (page) => settled(page, 'answer', /%/)],
  'board that is wrong': ['#/board?game=chess&position=nonsense', (page) => settled(page, 'failure', 'nonsense')],
  study: ['#/study?game=tic-tac-toe', async (page) => {
    await byId(page, 'start-all').click();
    await until('answers', () => page.locator('.study-answer').allInnerTexts(), (all) => all.length > 1 && all.every((text) => text !== ''));
  }],
  proofs: ['#/proof', (page) => byId(page, 'proof-demo').first().waitFor()],
  'a proof': ['#/proof', async (page) => {
    await byId(page, 'proof-demo').first().click();
    await byId(page, 'proof-follow').click();
    await until('rows', () => byId(page, 'proof-row').count(), (n) => n > 5);
    await byId(page, 'verify').click();
    await settled(page, 'verify-result', /proved/);
  }],
  problem: ['#/problem', async (page) => {
    await byId(page, 'problem-solve').click();
    await settled(page, 'solution', /Ra6/);
  }],
  rulesheet: ['#/rulesheet', (page) => until('it is read', () => byId(page, 'rules-play').isEnabled())],
  'rulesheet that is wrong': ['#/rulesheet', async (page) => {
    await until('it is read', () => byId(page, 'rules-play').isEnabled());
    await byId(page, 'editor-field').fill('(role x');
    await settled(page, 'editor-error', /line/);
  }],
  graph: ['#/graph?sample=examples/figure-2-2.game', (page) => settled(page, 'graph-board', '8 of 8')],
  experiments: ['#/experiments?games=tic-tac-toe&schemes=pn&drivers=tree', async (page) => {
    await byId(page, 'compare-run').click();
    await byId(page, 'compare-table').waitFor();
  }],
  help: ['#/help', (page) => page.getByText('Limits').waitFor()],
};

/** What the checker finds serious or critical, with the element. Only contrast depends on light and dark. */
async function serious(page, colorScheme) {
  const axe = new AxeBuilder({ page });
  const { violations, passes } = await (colorScheme === 'light' ? axe : axe.withRules(['color-contrast'])).analyze();
  assert.ok(passes.some(({ id }) => id === 'color-contrast'), 'the checker has looked at colours');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 3).map(textOf).join(' | ')}`);
}

const textOf = (node) => `${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1] ?? ''}`;

/** Things that a page asks to be scrolled sideways for. */
async function tooWide(page) {
  return page.evaluate(() => (document.documentElement.scrollWidth > innerWidth + 1 ? [`${document.documentElement.scrollWidth} pixels wide`] : []));
}

for (const [name, [hash, ready]] of Object.entries(PAGES)) {
  test(`nothing serious for screen readers and eyes: ${name}`, { timeout: 90_000 }, async () => {
    // The checker adds a script to the page, which its policy would not allow.
    await withPage({ allow: [/status of 4\d\d/], context: { bypassCSP: true, colorScheme: 'light' } }, async (open) => {
      const page = await open(hash);
      await ready(page);
      const found = [];
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 900 });
          const here = [...await serious(page, colorScheme), ...await tooWide(page)];
          found.push(...here.map((text) => `${colorScheme}, ${width} wide: ${text}`));
        }
      }
      assert.deepEqual(found, []);
    });
  });
}

browserTest('the board does not jump while a search fills in values', { at: '#/help' }, async (page) => {
  await page.addInitScript(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        window.shifts.push({ value: entry.value, what: entry.sources.map(({ node }) => node?.className?.baseVal ?? node?.className ?? node?.nodeName) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(page.url().replace(/#.*/, '#/board?game=connect-four:5x4&scheme=pn&driver=dag'));
  await page.reload();
  await reads(byId(page, 'answer'), 'A draw');
  await until('all values', () => byId(page, 'board').locator('.values > *').count(), (n) => n === 4);
  // Layout shifts are told with the next frames.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)))));
  const shifts = await page.evaluate(() => window.shifts);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  assert.ok(sum < 0.1, `layout shift ${sum}: ${JSON.stringify(shifts)}`);
  const moved = shifts.flatMap(({ what }) => what).filter((name) => /^(board|board-frame|board-svg plays)$/.test(name));
  assert.deepEqual(moved, [], 'the board stays where it is');
  console.log(`layout shift on the board: ${sum.toFixed(4)}`);
});

browserTest('what is played and found is told in live regions', { at: '#/board?game=tic-tac-toe' }, async (page) => {
  await cell(page, 'b2').click();
  await until('a region says what was played', () => page.locator('[data-testid="board"] [aria-live]').first().textContent(), (text) => /Played b2/.test(text));
  await says(page, 'b1', /can be played, loses/);
  assert.equal(await byId(page, 'state').getAttribute('role'), 'status');
  await reads(page.locator('[data-testid="answer"] [role="status"]'), 'A draw');
});

browserTest('colours can be chosen, and the page is skipped to', { at: '#/board?game=tic-tac-toe' }, async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await cell(page, 'b2').waitFor();
  await page.locator('.theme select').selectOption('light');
  const light = await ground();
  await page.locator('.theme select').selectOption('dark');
  await until('another ground', ground, (now) => now !== light);
  await page.reload();
  await cell(page, 'b2').waitFor();
  assert.notEqual(await ground(), light, 'the choice is kept');
  await page.keyboard.press('Tab');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Skip/);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'MAIN');
  assert.match(hashOf(page), /board/);
});
