// Figures of the pages in a real browser: `npm run figures`. It prints what experiments/browser.md holds. The program is
// FOREGONE_BIN or target/release/foregone; FOREGONE_PROOF names a large certificate for the proof explorer.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { byId, launch, root, startServer, until } from './support.mjs';

process.env.FOREGONE_BIN ??= join(root, 'target/release/foregone');

const FIRST_RUNS = 5;
const FRAMES_MS = 5000;
const STEPS = 30;
const MORE_STEPS = 300;
const STEP_PATIENCE_MS = 3000;

const sorted = (list) => [...list].sort((a, b) => a - b);
const quantile = (list, share) => sorted(list)[Math.min(list.length - 1, Math.floor(list.length * share))];
const median = (list) => quantile(list, 0.5);
const ms = (n) => `${n.toFixed(n < 10 ? 1 : 0)} ms`;
const mb = (n) => `${(n / 1e6).toFixed(1)} MB`;
const say = (name, text) => console.log(`  ${name.padEnd(34)} ${text}`);

/** The bytes of everything that a page loads, as they go over the wire, answers of the server included. */
async function wire(session) {
  const seen = { bytes: 0, requests: 0 };
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength;
    seen.requests += 1;
  });
  return seen;
}

/** In a fresh context, so that nothing is cached. */
async function firstPage(browser, address, hash, ready) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const seen = await wire(await context.newCDPSession(page));
  // The moment at which something is in the document, by the page's own clock.
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(selector)) return;
      observer.disconnect();
      requestAnimationFrame(() => { window.drawnAt = performance.now(); });
    }).observe(document, { childList: true, subtree: true });
  }, ready);
  await page.goto(address + hash);
  const drawn = await until('it is drawn', () => page.evaluate(() => window.drawnAt ?? 0));
  const paint = await until('a first paint', () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0));
  await page.waitForLoadState('networkidle');
  await context.close();
  return { paint, drawn, ...seen };
}

async function firstPages(browser, address) {
  console.log('first page on loopback, nothing cached');
  for (const [name, hash, ready] of [
    ['gallery', '#/', '[data-testid="game-card"] svg'],
    ['board', '#/board?game=connect-four:5x4', '[data-testid="board"] svg .hits'],
  ]) {
    const runs = [];
    for (let i = 0; i < FIRST_RUNS; i++) runs.push(await firstPage(browser, address, hash, ready));
    const of = (key) => runs.map((run) => run[key]);
    say(`${name}: over the wire`, `${(median(of('bytes')) / 1000).toFixed(1)} kB in ${median(of('requests'))} requests`);
    say(`${name}: first contentful paint`, `${ms(median(of('paint')))} (worst of ${FIRST_RUNS}: ${ms(Math.max(...of('paint')))})`);
    say(`${name}: first board drawn`, `${ms(median(of('drawn')))} (worst of ${FIRST_RUNS}: ${ms(Math.max(...of('drawn')))})`);
  }
}

/** The times between frames while something goes on. */
const frames = (page) => page.evaluate((length) => new Promise((resolve) => {
  const deltas = [];
  let before = performance.now();
  const end = before + length;
  const next = (now) => {
    deltas.push(now - before);
    before = now;
    if (now < end) requestAnimationFrame(next);
    else resolve(deltas.slice(1));
  };
  requestAnimationFrame(next);
}), FRAMES_MS);

async function framesWhileSearching(browser, address) {
  console.log(`frames a second during ${FRAMES_MS / 1000} s`);
  const rates = async (name, page) => {
    const deltas = await frames(page);
    const rate = deltas.map((delta) => 1000 / Math.max(delta, 0.1));
    say(name, `median ${median(rate).toFixed(1)}, 5th percentile ${quantile(rate, 0.05).toFixed(1)}, all ${(deltas.length / (FRAMES_MS / 1000)).toFixed(1)}, longest frame ${ms(Math.max(...deltas))}`);
  };
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(() => localStorage.setItem('auto', 'no'));
  await page.goto(`${address}#/board?game=connect-four&scheme=pn&driver=dag&seconds=60`);
  await byId(page, 'cell').first().waitFor();
  await rates('no search', page);
  await byId(page, 'ask').click();
  await until('it streams', () => byId(page, 'root-moves').locator('tbody tr').count());
  await rates('a search streams to the board', page);
  await byId(page, 'stop').click();
  await page.close();
}

// ---------------------------------------------------------------- proofs

/** Memory of the renderer that has the page, the largest one of the browser's processes: all that is resident, and
 *  what it shares with no other process. */
function rendererBytes(pid) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const [ppid] = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) \S+ /s, '').split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      const renderer = command.includes('--type=renderer');
      const kept = renderer ? readFileSync(`/proc/${name}/smaps_rollup`, 'utf8') : '';
      const sum = (pattern) => [...kept.matchAll(pattern)].reduce((all, [, kb]) => all + Number(kb) * 1024, 0);
      return [{ id: Number(name), parent: Number(ppid), renderer, rss: sum(/^Rss:\s+(\d+)/gm), own: sum(/^Private_\w+:\s+(\d+)/gm) }];
    } catch {
      return [];
    }
  });
  const family = new Set([pid]);
  for (let grew = true; grew;) {
    const more = all.filter(({ id, parent }) => family.has(parent) && !family.has(id));
    more.forEach(({ id }) => family.add(id));
    grew = more.length > 0;
  }
  const [largest] = all.filter(({ id, renderer }) => renderer && family.has(id)).sort((a, b) => b.rss - a.rss);
  return largest ?? { rss: 0, own: 0 };
}

/** What a page holds now, and after its garbage is collected. */
async function sayMemory(name, page, pid) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const heap = async () => (await session.send('Performance.getMetrics')).metrics.find((metric) => metric.name === 'JSHeapUsedSize')?.value ?? 0;
  const [before, { rss, own }] = [await heap(), rendererBytes(pid)];
  await session.send('HeapProfiler.collectGarbage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  const after = rendererBytes(pid);
  say(name, `heap ${mb(before)}, ${nodes} nodes; renderer ${mb(own)} of its own, ${mb(rss)} resident`);
  say('  garbage collected', `heap ${mb(await heap())}; renderer ${mb(after.own)} of its own, ${mb(after.rss)} resident`);
  await session.detach();
}

async function upload(address, file) {
  const body = readFileSync(file);
  const answer = await fetch(`${address}api/proofs`, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body });
  return (await answer.json()).proof;
}

/** A step on the page: from the click until the claim of the new place is in the document and a frame was drawn.
 *  Null at the end of a line; infinite where nothing came. */
const step = (page, choice) => page.evaluate(([pick, patience]) => new Promise((resolve) => {
  const claim = () => document.querySelector('[data-testid="proof-claim"]')?.textContent ?? '';
  const before = claim();
  const follow = document.querySelector('[data-testid="proof-follow"]');
  const rows = [...document.querySelectorAll('[data-testid="proof-row"]')];
  const here = rows.findIndex((row) => row.getAttribute('aria-selected') === 'true');
  const level = Number(rows[here]?.getAttribute('aria-level') ?? 0);
  const below = rows.slice(here + 1).filter((row) => Number(row.getAttribute('aria-level')) === level + 1);
  const target = follow ?? below[pick % Math.max(below.length, 1)];
  if (!target) return resolve(null);
  const began = performance.now();
  const look = () => {
    if (claim() !== before) requestAnimationFrame(() => resolve(performance.now() - began));
    else if (performance.now() - began > patience) resolve(Infinity);
    else setTimeout(look, 1);
  };
  target.click();
  look();
}), [choice, STEP_PATIENCE_MS]);

/** So many steps, from the start again where a line ends: their times, and how many led nowhere. */
async function walk(page, count, start) {
  const times = [];
  let failed = 0;
  for (let i = 0; times.length < count && i < count * 3; i++) {
    const took = await step(page, i * 7 + 3);
    if (took !== null && took !== Infinity) {
      times.push(took);
      continue;
    }
    if (took === Infinity) failed += 1;
    await page.goto(start);
    await until('the start', () => page.locator('.proof-way button').count(), (n) => n === 1);
  }
  return { times, failed };
}

async function proofs(browser, pid, address, file) {
  console.log('proof explorer');
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${address}#/help`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await sayMemory('a page of text, to compare', page, pid);
  const proof = await upload(address, file);
  const start = `${address}#/proof?proof=${proof}`;
  const outline = async () => (await fetch(`${address}api/outline`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ proof }) })).json();
  // The first screen, at once behind the upload: the index is still being made.
  const screen = async () => {
    await page.goto('about:blank');
    const from = performance.now();
    await page.goto(start);
    await page.locator('[data-testid="proof-row"]').nth(1).waitFor();
    await byId(page, 'proof-claim').waitFor();
    return performance.now() - from;
  };
  const early = await screen();
  const { indexed } = await outline();
  say('first screen, index unfinished', `${ms(early)} (index at ${Math.floor(indexed * 100)} %)`);
  const whole = await until('the index', outline, (now) => now.indexed >= 1, 300_000);
  say('the proof', `${mb(statSync(file).size)}, ${whole.claims.toLocaleString('en')} claims`);
  const screens = [];
  for (let i = 0; i < FIRST_RUNS; i++) screens.push(await screen());
  say('first screen, index complete', `${ms(median(screens))} (worst of ${FIRST_RUNS}: ${ms(Math.max(...screens))})`);
  const { times, failed } = await walk(page, STEPS, start);
  const late = (count) => (count === 0 ? '' : `; ${count} more led nowhere within ${STEP_PATIENCE_MS / 1000} s`);
  say(`${times.length} steps`, `median ${ms(median(times))}, worst ${ms(Math.max(...times))}${late(failed)}`);
  const more = await walk(page, MORE_STEPS, start);
  say(`${more.times.length} more steps`, `median ${ms(median(more.times))}, worst ${ms(Math.max(...more.times))}${late(more.failed)}`);
  await sayMemory('the page after them', page, pid);
  await page.close();
}

// ---------------------------------------------------------------- all

const load = () => loadavg().map((n) => n.toFixed(1)).join(' ');
const browser = await launch();
const server = await startServer();
try {
  console.log(`pages in headless Chromium ${browser.version()}, load ${load()}`);
  await firstPages(browser, server.address);
  await framesWhileSearching(browser, server.address);
  const file = process.env.FOREGONE_PROOF;
  if (file && existsSync(file)) await proofs(browser, process.pid, server.address, file);
  else console.log('proof explorer: SKIPPED, FOREGONE_PROOF names no certificate');
  console.log(`load at the end ${load()}`);
} finally {
  await browser.close();
  await server.end();
}
