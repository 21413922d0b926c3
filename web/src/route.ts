// Addresses. All of them stand behind the `#`, so that any web host can serve the pages, and a link shows
// the same thing: `#/board?game=connect-four:5x4&moves=3,3`.

import { useEffect, useState } from 'preact/hooks';
import type { Files } from './api';
import { packFiles, unpackFiles } from './lib/pack';

export const PAGES = [
  'gallery', 'board', 'study', 'proof', 'problem', 'rulesheet', 'graph', 'experiments', 'help',
] as const;
export type PageName = (typeof PAGES)[number];
export type Params = Record<string, string>;

export interface Route {
  page: PageName;
  params: Params;
}

/** Signs that an address may hold as they are, so that links stay readable. */
const PLAIN: [RegExp, string][] = [
  [/%2C/g, ','], [/%3A/g, ':'], [/%2F/g, '/'], [/%40/g, '@'], [/%20/g, '+'],
];

function encoded(text: string): string {
  return PLAIN.reduce((done, [from, to]) => done.replace(from, to), encodeURIComponent(text));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, '%20'));
  } catch {
    return text;
  }
}

/** The address of a page. Parameters that are empty are left out. */
export function href(page: PageName, params: Params = {}): string {
  const path = page === 'gallery' ? '' : page;
  const pairs = Object.entries(params)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${encoded(key)}=${encoded(value)}`);
  return `#/${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** The page that an address names; the gallery where it names none. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const page = PAGES.find((name) => name === path) ?? 'gallery';
  const params: Params = {};
  for (const pair of query.split('&').filter((text) => text !== '')) {
    const [key = '', value = ''] = pair.split(/=(.*)/s);
    params[decoded(key)] = decoded(value);
  }
  return { page, params };
}

const listeners = new Set<() => void>();

/** Goes to a page. With `replace` the address changes and the way back does not grow. */
export function navigate(page: PageName, params: Params = {}, options: { replace?: boolean } = {}): void {
  const to = href(page, params);
  if (to === location.hash) return;
  if (options.replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  listeners.forEach((listener) => listener());
}

/** The address, as it changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const read = () => setRoute(parseRoute(location.hash));
    listeners.add(read);
    addEventListener('hashchange', read);
    addEventListener('popstate', read);
    return () => {
      listeners.delete(read);
      removeEventListener('hashchange', read);
      removeEventListener('popstate', read);
    };
  }, []);
  return route;
}

/** Own rules as one parameter: small ones themselves, large ones by a digest of what this browser keeps. */
export function filesParam(files: Files | undefined): string {
  return files ? packFiles(files, localStore()) : '';
}

/** The rules that `filesParam` packed; none where this browser does not know them. */
export function filesOf(params: Params): Files | undefined {
  return params.files ? unpackFiles(params.files, localStore()) : undefined;
}

function localStore(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
