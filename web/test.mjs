// Bundles every src/**/*.test.ts into a temporary folder and runs node's test runner on it.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const files = (await readdir(join(here, 'src'), { recursive: true }))
  .filter((name) => name.endsWith('.test.ts') || name.endsWith('.test.tsx'))
  .sort();
const out = await mkdtemp(join(tmpdir(), 'foregone-web-'));
try {
  await build({
    absWorkingDir: here,
    entryPoints: files.map((name) => join('src', name)),
    outdir: out,
    outbase: 'src',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: ['node20'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const built = files.map((name) => join(out, name.replace(/\.tsx?$/, '.mjs')));
  const { status } = spawnSync(process.execPath, ['--test', ...built], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  await rm(out, { recursive: true, force: true });
}
