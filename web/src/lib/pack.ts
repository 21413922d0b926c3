// Lists and texts as they stand in an address.

import type { Files } from '../api';

/** A list as one text: `a,b`. Commas in its items are written `~1`. */
export function packList(items: string[]): string {
  return items.map((item) => item.replace(/~/g, '~0').replace(/,/g, '~1')).join(',');
}

export function unpackList(text: string | undefined): string[] {
  if (!text) return [];
  return text.split(',').map((item) => item.replace(/~1/g, ',').replace(/~0/g, '~'));
}

/** What a store of texts must be able to do; localStorage is one. */
export interface TextStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Texts that are longer than this are kept in the browser, and the address holds their digest. */
export const MOST_IN_LINK = 6000;

export function packFiles(files: Files, store: TextStore | null): string {
  const names = Object.keys(files).sort();
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, files[name]])));
  const packed = `b.${toBase64(text)}`;
  if (packed.length <= MOST_IN_LINK || store === null) return packed;
  const key = digest(text);
  try {
    store.setItem(`files.${key}`, text);
  } catch {
    return packed;
  }
  return `d.${key}`;
}

export function unpackFiles(packed: string, store: TextStore | null): Files | undefined {
  try {
    const rest = packed.slice(2);
    const text = packed.startsWith('b.') ? fromBase64(rest) : (store?.getItem(`files.${rest}`) ?? '');
    return textsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** An address can hold anything: only texts by names are taken. */
function textsOf(value: unknown): Files | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const pairs = Object.entries(value);
  return pairs.every(([, text]) => typeof text === 'string') ? (value as Files) : undefined;
}

function toBase64(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function fromBase64(text: string): string {
  const bytes = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
}

/** Two hashes of 53 bits: enough to tell the texts of one person apart. `crypto.subtle` is missing on plain
 *  HTTP beyond loopback. */
export function digest(text: string): string {
  return [1, 2].map((seed) => hash53(text, seed).toString(36)).join('-');
}

function hash53(text: string, seed: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
