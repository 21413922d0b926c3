// What browser tests share: a server of their own, a browser, pages on which nothing may go wrong, and waiting
// for what will be so instead of for time to pass.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumPath } from './chromium.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** So long a condition may take on a busy machine. */
export const PATIENCE_MS = Number(process.env.FOREGONE_PATIENCE_MS ?? 30_000);

// ---------------------------------------------------------------- the program

/** The program under test: `FOREGONE_BIN`, else what cargo has built. */
export function programPath() {
  const built = ['target/debug/foregone', 'target/release/foregone'].map((path) => join(root, path));
  const path = process.env.FOREGONE_BIN ?? built.find((each) => existsSync(each));
  if (path === undefined || !existsSync(path)) throw new Error('no program to test: run `cargo build -p foregone-cli`');
  return resolve(path);
}

/** Runs the program to its end, in the folder of the repository. */
export async function foregone(...args) {
  return (await promisify(execFile)(programPath(), args, { cwd: root, timeout: 120_000 })).stdout;
}

const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Starts `foregone serve`; its address ends in a slash. `end` kills it and waits until it is gone. */
export async function startServer(...more) {
  const args = ['serve', ...(more.includes('--port') ? [] : ['--port', '0']), '--json', ...more];
  const child = spawn(programPath(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const end = async () => {
    child.kill('SIGKILL');
    await gone;
    children.delete(child);
  };
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    new Promise((resolve) => lines.once('line', resolve)),
    gone.then((code) => Promise.reject(new Error(`the server ended with ${code}`))),
  ]);
  const { address } = JSON.parse(first);
  return { address, port: new URL(address).port, end };
}

// ---------------------------------------------------------------- the browser

/** A browser without a window. */
export async function launch() {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('no Chromium was found: set FOREGONE_CHROMIUM to one');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
}

/** Everything that a page may not do: errors, policies that are broken, dialogs. `allow` names what a test provokes. */
export function watched(page, wrong) {
  page.on('pageerror', (error) => wrong.push(`error on the page: ${error.stack ?? error}`));
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('dialog', (dialog) => {
    wrong.push(`a dialog says ${dialog.message()}`);
    void dialog.dismiss();
  });
  return page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy broken: ${event.violatedDirective} by ${event.blockedURI}`);
    });
  });
}

/** With `FOREGONE_ASSETS` pages are taken from that folder instead of the program, as they will be in its next build. */
async function withAssets(context) {
  const folder = process.env.FOREGONE_ASSETS;
  if (folder === undefined) return;
  await context.route(/\/(app\.js|app\.css|samples\.json)$/, async (route) => {
    const name = basename(new URL(route.request().url()).pathname);
    const response = await route.fetch();
    await route.fulfill({ response, body: await readFile(join(folder, name)) });
  });
}

const state = { browser: null, server: null, folder: null };

/** Called once by a file of tests: a server, a browser and a folder for files as long as it runs; `prepare`
 *  puts files there. */
export function setUp({ args = [], serves = true, prepare = async () => {} } = {}) {
  before(async () => {
    [state.browser, state.server] = await Promise.all([launch(), serves ? startServer(...args) : null]);
    state.folder = await mkdtemp(join(tmpdir(), 'foregone-browser-'));
    await prepare();
  });
  after(async () => {
    await state.browser?.close();
    await state.server?.end();
    if (state.folder) await rm(state.folder, { recursive: true, force: true });
  });
}

export const address = () => state.server.address;
export const browser = () => state.browser;
/** A path in a folder that is taken away after the tests. */
export const scratch = (name) => join(state.folder, name);

/** A context of its own with a page, on which nothing may go wrong but what `allow` says. Without `asks` the board page
 *  asks nothing by itself. */
export async function withPage({ allow = [], asks = true, context: options = {} } = {}, use) {
  const wrong = [];
  const context = await state.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  await withAssets(context);
  if (!asks) await context.addInitScript(() => location.protocol !== 'about:' && localStorage.setItem('auto', 'no'));
  const open = async (hash = '#/', at = state.server?.address ?? 'about:blank') => {
    const page = await context.newPage();
    await watched(page, wrong);
    await page.goto(hash === null ? at : at + hash);
    return page;
  };
  try {
    await use(open, context);
  } catch (error) {
    await tell(error, context, wrong);
    throw error;
  } finally {
    await context.close();
  }
  assert.deepEqual(wrong.filter((text) => !allow.some((pattern) => pattern.test(text))), [], 'nothing goes wrong on the page');
}

/** Adds to an error what can be seen on the pages, and what went wrong there. */
async function tell(error, context, wrong) {
  const pages = context.pages();
  const seen = await Promise.all(pages.map(async (page) => {
    const text = await page.locator('main').innerText({ timeout: 2000 }).catch(() => 'nothing');
    return `${page.url()} shows:\n${text.slice(0, 1000)}`;
  }));
  if (process.env.FOREGONE_SHOTS) await pages.at(-1)?.screenshot({ path: process.env.FOREGONE_SHOTS });
  // The stack was written with the message when the error was made.
  error.stack = `${error.stack}\n${[...wrong, ...seen].join('\n')}`;
}

/** A test with a page at an address; `allow` is for errors that the browser tells when a server says no. */
export function browserTest(name, { at = '#/', ...options }, use) {
  test(name, { timeout: 90_000 }, () => withPage(options, async (open, context) => use(await open(at), { open, context })));
}

/** What a browser tells when the server refuses a request, as it must. */
export const REFUSED = /status of 4\d\d/;

// ---------------------------------------------------------------- waiting and looking

/** Waits until `look` gives something that `is` accepts, and returns it; `what` tells what was waited for. */
export async function until(what, look, is = Boolean, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  let seen;
  for (;;) {
    seen = await look();
    if (is(seen)) return seen;
    if (Date.now() > end) assert.fail(`${what}: not within ${patience / 1000} s; last seen: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

export const byId = (page, id) => page.getByTestId(id);

/** Waits until the text of something has what is wanted, and returns it. */
export async function reads(locator, wanted) {
  const has = (text) => (wanted instanceof RegExp ? wanted.test(text) : text.includes(wanted));
  return until(`the text ${wanted}`, async () => (await locator.allInnerTexts()).join('\n'), has);
}

export const cell = (page, name, board = 'board') => byId(page, board).locator(`[data-cell="${name}"]`);

/** The label of a cell as a screen reader says it: `b2, x, can be played, draws`. */
export async function says(page, name, wanted, board = 'board') {
  return until(`cell ${name} says ${wanted}`, async () => (await cell(page, name, board).getAttribute('aria-label')) ?? '', (text) => wanted.test(text));
}

/** The part of the address that says what is shown. */
export const hashOf = (page) => decodeURIComponent(new URL(page.url()).hash);

/** Drops files on the page as a person does who drags them from a folder. */
export async function dropFiles(page, ...paths) {
  const files = await Promise.all(paths.map(async (path) => ({ name: basename(path), text: await readFile(path, 'utf8') })));
  await page.evaluate((list) => {
    const held = new DataTransfer();
    for (const { name, text } of list) held.items.add(new File([text], name, { type: 'text/plain' }));
    const target = document.querySelector('main');
    for (const kind of ['dragenter', 'dragover', 'drop']) {
      target.dispatchEvent(new DragEvent(kind, { dataTransfer: held, bubbles: true, cancelable: true }));
    }
  }, files);
}
