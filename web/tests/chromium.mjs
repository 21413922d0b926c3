// Where a Chromium is that has no window. `node tests/chromium.mjs` prints its path, or fails.
import { accessSync, constants } from 'node:fs';
import { pathToFileURL } from 'node:url';

const PLACES = [
  '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome',
  '/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium',
];

/** The path of a Chromium: `FOREGONE_CHROMIUM`, else one where systems have it; null where there is none. */
export function chromiumPath() {
  const places = process.env.FOREGONE_CHROMIUM ? [process.env.FOREGONE_CHROMIUM] : PLACES;
  return places.find(canRun) ?? null;
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = chromiumPath();
  if (path === null) process.exitCode = 1;
  else console.log(path);
}
