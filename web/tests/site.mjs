// The static site as tests and figures use it: its folder is served below a path, to show that its addresses are
// relative, and what pages ask is asked through their own backend (src/backend/worker.ts), bundled for this.
// `node tests/site.mjs DIR [CERTIFICATE]` measures searches in the worker, and how fast a certificate is verified.
import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch, watched } from './support.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const KINDS = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json',
  '.svg': 'image/svg+xml', '.wasm': 'application/wasm',
};
const BELOW = '/some/where/';

/** Serves a folder, and some texts beside it, on loopback. */
async function serve(folder, texts) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const name = path === BELOW ? 'index.html' : path.slice(BELOW.length);
    try {
      if (!path.startsWith(BELOW) || !/^[a-z_]+\.[a-z]+$/.test(name)) throw new Error('not here');
      const body = texts[name] ?? (await readFile(join(folder, name)));
      response.writeHead(200, { 'Content-Type': KINDS[extname(name)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}${BELOW}`, close: () => server.close() };
}

/** The page's own backend as a script of its own. */
async function backendScript() {
  const built = await build({
    absWorkingDir: web, entryPoints: ['src/backend/worker.ts'], bundle: true, format: 'esm', write: false,
    target: ['es2022'], logLevel: 'warning',
  });
  return built.outputFiles[0].text;
}

/** In the page: a backend, and work as a list of its events. */
async function prepare(page) {
  await page.evaluate(async () => {
    const { workerBackend } = await import(new URL('backend_test.js', document.baseURI).href);
    const backend = workerBackend();
    /** Does work until its end, or until `until` says so of an event; then `then` is called. */
    const events = (work, until = () => false, then = () => {}) => new Promise((resolve) => {
      const heard = [];
      let called = false;
      const running = backend.run(work, (event) => {
        heard.push(event);
        if (!called && until(event)) {
          called = true;
          then(running);
        }
      });
      running.done.then(() => resolve(heard));
    });
    window.site = { backend, events };
  });
}

const solvesAndWalks = async (page) => {
  const found = await page.evaluate(async () => {
    const { backend, events } = window.site;
    const words = await backend.words();
    const games = await backend.games();
    const heard = await events({ work: 'solve', job: { game: 'tic-tac-toe', moves: true } });
    const { answer, proof } = heard.at(-1);
    let outline;
    do outline = await backend.outline(proof.proof); while (outline.indexed < 1);
    const node = await backend.node({ proof: proof.proof, certificate: 0, path: [] });
    window.site.proof = proof.proof;
    window.site.text = await (await backend.download(proof.proof)).text();
    return { words, games: games.length, answer, proof, outline, node, text: window.site.text, heard: heard.map((e) => e.event) };
  });
  assert.ok(found.words.limits.bytes <= 1.5e9 && found.games > 10);
  assert.equal(found.answer.value, 'draw');
  assert.ok(found.answer.proof.checked, 'the checker has replayed the proof');
  assert.ok(found.heard.includes('started') && found.heard.includes('proof-checked'));
  assert.equal(found.proof.bytes, Buffer.byteLength(found.text));
  assert.ok(found.text.startsWith('foregone certificate '));
  assert.equal(found.outline.proof, found.proof.proof, 'the name that the page knows');
  assert.ok(found.node.children.length > 0 && found.node.children.every((child) => child.size > 0));
};

const verifiesAndRefuses = async (page) => {
  const found = await page.evaluate(async () => {
    const { backend, events, text } = window.site;
    const verified = async (of, strict = false) => {
      const { proof } = await backend.openProof(new Blob([of]));
      return (await events({ work: 'verify', proof, strict })).at(-1);
    };
    const lines = text.split('\n');
    const at = lines.findIndex((line, number) => number > 8 && line.includes(': ! '));
    const damaged = lines.with(at, lines[at].replace(/! .*$/, '! z9')).join('\n');
    const other = `${text.split('\n\n', 1)[0].replace('tic-tac-toe', 'no-such-game')}\n\n`;
    return {
      right: await verified(text), strict: await verified(text, true), damaged: await verified(damaged), at,
      cut: await verified(text.slice(0, text.length / 2)), empty: await verified(''), other: await verified(other),
    };
  });
  assert.equal(found.right.event, 'verified');
  assert.ok(found.right.claims > 0 && found.right.sentences.length > 0);
  assert.ok(['verified', 'refused'].includes(found.strict.event));
  assert.equal(found.damaged.event, 'refused');
  assert.equal(found.damaged.line, found.at + 1, 'the line that was damaged');
  assert.equal(found.cut.event, 'refused');
  assert.notEqual(found.empty.event, 'verified');
  assert.notEqual(found.other.event, 'verified');
};

/** A search that takes longer than any test. */
const HARD = { game: 'connect-four', scheme: 'pn', driver: 'dag', proof: 'never' };

const answersWhileItSearches = async (page) => {
  const found = await page.evaluate(async (job) => {
    const { backend, events, proof } = window.site;
    let view;
    const heard = await events({ work: 'solve', job }, (event) => event.event === 'progress', async (running) => {
      const began = performance.now();
      view = await backend.view({ game: 'chess', position: 'start', moves: ['e2e4'] });
      window.site.took = performance.now() - began;
      running.stop();
    });
    // What was made before is still there, in new workers, too.
    const again = await events({ work: 'verify', proof });
    const node = await backend.node({ proof, certificate: 0, path: [] });
    return { heard, view, took: window.site.took, again: again.at(-1).event, node: node.kind };
  }, HARD);
  const [last, progress] = [found.heard.at(-1), found.heard.filter((event) => event.event === 'progress')];
  assert.ok(progress.length >= 1 && progress[0].nodes > 0);
  assert.equal(found.view.shown.to_move, 'black');
  assert.ok(found.took < 2000, `a view took ${found.took} ms while a search went on`);
  assert.equal(last.event, 'failed');
  assert.equal(last.failure.kind, 'stopped');
  assert.equal(found.again, 'verified');
  assert.ok(found.node);
};

const pausesAndGoesOn = async (page) => {
  const found = await page.evaluate((job) => new Promise((resolve) => {
    const heard = [];
    const running = window.site.backend.run({ work: 'solve', job: { ...job, budget: { time: 0.3 } } }, (event) => {
      if (event.event !== 'progress') heard.push(event);
      const pauses = heard.filter((other) => other.event === 'paused').length;
      if (event.event === 'paused') setTimeout(() => (pauses === 1 ? running.more(0.3) : running.stop()));
    });
    running.done.then(() => resolve(heard));
  }), HARD);
  const events = found.map((event) => event.event).filter((name) => name !== 'done');
  assert.deepEqual(events, ['started', 'paused', 'resumed', 'started', 'paused', 'solved']);
  assert.equal(found.at(-1).answer.status, 'undecided');
  const waits = found.filter((event) => event.event === 'paused');
  assert.ok(waits[1].seconds > waits[0].seconds, 'it was given more time');
};

const saysWhatIsWrong = async (page) => {
  const found = await page.evaluate(async () => {
    const { backend, events } = window.site;
    const failure = (asked) => asked.then(() => null, (error) => error.failure ?? String(error));
    return {
      position: await failure(backend.view({ game: 'chess', position: 'nonsense' })),
      file: await failure(backend.view({ game: 'gdl:/etc/passwd', position: 'start' })),
      proof: await failure(backend.outline('p999')),
      request: (await events({ work: 'dance' })).at(-1),
    };
  });
  assert.equal(found.position.kind, 'input');
  assert.equal(found.file.kind, 'input');
  assert.equal(found.proof.kind, 'gone');
  assert.equal(found.request.event, 'failed');
};

export const CASES = {
  'a game is solved, and its proof is walked through': solvesAndWalks,
  'a certificate is verified, damaged ones are refused': verifiesAndRefuses,
  'requests are answered while a search goes on, which can be stopped': answersWhileItSearches,
  'a search waits for more, and begins anew with it': pausesAndGoesOn,
  'what is wrong is said': saysWhatIsWrong,
};

/** Serves the site of a folder, with the script that `prepare` needs. */
export async function serveSite(folder) {
  return serve(folder, { 'backend_test.js': await backendScript() });
}

/** Opens the site of a folder in a browser; `use` gets its page. Nothing may be wrong on it. */
export async function withSite(folder, use) {
  const server = await serveSite(folder);
  const browser = await launch();
  const wrong = [];
  try {
    const page = await browser.newPage();
    await watched(page, wrong);
    page.on('requestfailed', (request) => wrong.push(`${request.url()} was not loaded`));
    await page.goto(server.address);
    await prepare(page);
    await use(page);
  } finally {
    await browser.close();
    server.close();
  }
  assert.deepEqual(wrong, []);
}

/** Nodes a second of searches in a worker, and how fast a certificate from a file picker is verified. */
export async function measureSite(folder, certificate, log = console.log) {
  await withSite(folder, async (page) => {
    for (const [game, scheme, driver] of [
      ['connect-four:5x4', 'pn', 'dag'], ['connect-four:5x4', 'pn', 'tree'], ['connect-four:5x4', 'pn', 'df'],
      ['connect-four:5x4', null, 'alphabeta'], ['connect-four:5x5', 'pn', 'dag'],
    ]) {
      for (const proof of ['never', 'if-cheap']) {
        const runs = await page.evaluate(async ([job, count]) => {
          const answers = [];
          for (let i = 0; i < count; i++) answers.push((await window.site.events({ work: 'solve', job })).at(-1).answer);
          return answers;
        }, [{ game, scheme, driver, proof, knowledge: false }, game.endsWith('5x4') ? 7 : 1]);
        const seconds = Math.min(...runs.map((run) => run.seconds));
        const rate = (runs[0].nodes / seconds / 1e6).toFixed(2);
        log(`${game} ${scheme ?? ''} ${driver} proof ${proof}: ${runs[0].nodes} nodes, ${seconds.toFixed(3)} s, ${rate} M nodes/s`);
      }
    }
    if (certificate === undefined) return;
    await page.evaluate(() => {
      const picker = document.createElement('input');
      picker.type = 'file';
      picker.id = 'picker';
      document.body.append(picker);
    });
    await page.setInputFiles('#picker', certificate);
    const took = await page.evaluate(async () => {
      const { backend, events } = window.site;
      const [file] = document.getElementById('picker').files;
      const times = [];
      const began = performance.now();
      const { proof } = await backend.openProof(file);
      const first = await backend.node({ proof, certificate: 0, path: [] });
      const screen = performance.now() - began;
      let outline;
      do {
        await new Promise((resolve) => setTimeout(resolve, 50));
        outline = await backend.outline(proof);
      } while (outline.indexed < 1);
      const indexed = performance.now() - began;
      for (let i = 0; i < 3; i++) {
        const from = performance.now();
        const last = (await events({ work: 'verify', proof })).at(-1);
        times.push({ last, seconds: (performance.now() - from) / 1000 });
      }
      return { bytes: file.size, first: first.kind, screen, indexed, times };
    });
    log(JSON.stringify(took));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, certificate] = process.argv.slice(2);
  await measureSite(folder, certificate);
}
