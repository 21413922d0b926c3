// Files that are dropped together: certificates, and the rules that they need.

import type { Files } from '../../api';

export const FIRST_LINE = 'foregone certificate ';

export function isCertificate(start: string): boolean {
  return start.startsWith(FIRST_LINE);
}

/** The path of rules in the name of a game: of `gdl:rules/mine.kif,for=red` that is `rules/mine.kif`. */
export function rulesPath(game: string): string | null {
  const match = /^(?:explicit|joint|matrix|gdl):(.+?)(?:,\w+=.*)?$/.exec(game);
  return match?.[1] ?? null;
}

/** The games that a text of certificates names in its headers, each once; only the beginning is looked at. */
export function gamesOf(text: string): string[] {
  const games = new Set<string>();
  for (const match of text.matchAll(/(?:^|\n)foregone certificate \d+\ngame ([^\n]*)/g)) games.add(match[1] ?? '');
  return [...games];
}

function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The files under the paths by which games name them: a dropped file has only its last part, and where one file and
 *  one wanted path remain, they belong together whatever they are called. */
export function namedAsWanted(games: string[], dropped: { name: string; text: string }[]): Files {
  const files: Files = {};
  const wanted = games.map(rulesPath).filter((path): path is string => path !== null);
  const left = [...dropped];
  const missing: string[] = [];
  for (const path of wanted) {
    const at = left.findIndex((file) => lastPart(path) === file.name);
    const [file] = at < 0 ? [] : left.splice(at, 1);
    if (file) files[path] = file.text;
    else missing.push(path);
  }
  const [path, file] = [missing[0], left[0]];
  if (missing.length === 1 && left.length === 1 && path && file) {
    files[path] = file.text;
    left.length = 0;
  }
  for (const other of left) files[other.name] = other.text;
  return files;
}
