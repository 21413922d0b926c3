// Builds the pages: one script, one style sheet, the samples, and the page itself. The same sources give
// the same bytes: the output is committed, and CI compares.
import { build } from 'esbuild';
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const page = join(root, 'crates/server/assets');
const worker = join(root, 'crates/wasm/assets');

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  charset: 'utf8',
  format: 'esm',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
};

await mkdir(page, { recursive: true });
await mkdir(worker, { recursive: true });
await build({ ...common, entryPoints: { app: 'src/main.tsx' }, outdir: page });
// The script that wasm-bindgen writes stands beside the worker when the site is made.
await build({
  ...common,
  entryPoints: { worker: 'src/backend/worker-main.ts' },
  outdir: worker,
  external: ['./foregone_wasm.js'],
});
await copyFile(join(here, 'static/index.html'), join(page, 'index.html'));
await copyFile(join(here, 'static/favicon.svg'), join(page, 'favicon.svg'));
await writeFile(join(page, 'samples.json'), `${JSON.stringify(await samples())}\n`);

/** The rulesheets, graphs and matrices of the repository, in the order of their names. */
async function samples() {
  const kinds = { kif: 'gdl', game: 'explicit', joint: 'joint', csv: 'matrix' };
  const found = [];
  for (const folder of ['rulesheets', 'examples']) {
    for (const name of (await readdir(join(root, folder))).sort()) {
      const game = kinds[name.slice(name.lastIndexOf('.') + 1)];
      if (game === undefined) continue;
      const text = await readFile(join(root, folder, name), 'utf8');
      found.push({ path: `${folder}/${name}`, game, title: title(text, name), text });
    }
  }
  return found;
}

/** The first sentence of the first comment; the name of the file where there is none. */
function title(text, name) {
  const first = text.split('\n', 1)[0].replace(/^[;#\s]+/, '').trim();
  if (!/^[;#]/.test(text) || first === '') return name;
  // `A. Saffidine` ends no sentence.
  const end = first.match(/^(.*?[a-z0-9)"]{2})[.;](\s|$)/);
  return end ? end[1] : first.replace(/[.:;]$/, '');
}
