// The fields of an experiment, and its table: plain functions.

import type { Comparison } from '../../api';

export type CompareRow = Comparison['rows'][number];

/** Words with commas between them; commas in brackets belong to a word: `mo(pn,k=2)`. Lines separate, too. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let [word, depth] = ['', 0];
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if ((letter === ',' && depth <= 0) || letter === '\n') {
      words.push(word.trim());
      word = '';
    } else {
      word += letter;
    }
  }
  return [...new Set([...words, word.trim()].filter((each) => each !== ''))];
}

/** Games, one on each line; a position may stand behind `@` or a tab. Options of games hold commas. */
export function subjectsOf(text: string): [string, string][] {
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '').map((line) => {
    const [game = '', position = ''] = line.split(/\s*(?:\t| @ )\s*/, 2);
    return [game, position === '' ? 'start' : position];
  });
}

/** Seeds: `0`, `1..5`, `1,2,7`. Null where a word is none. */
export function seedsOf(text: string): number[] | null {
  const seeds: number[] = [];
  for (const part of text.split(',').map((each) => each.trim()).filter((each) => each !== '')) {
    const range = /^(\d{1,9})\s*(?:\.\.|-)\s*(\d{1,9})$/.exec(part);
    if (range) {
      const [first, last] = [Number(range[1]), Number(range[2])];
      if (last < first || last - first >= 1000) return null;
      for (let seed = first; seed <= last; seed += 1) seeds.push(seed);
    } else if (/^\d{1,9}$/.test(part)) {
      seeds.push(Number(part));
    } else {
      return null;
    }
  }
  return seeds.length > 0 ? [...new Set(seeds)] : [0];
}

export interface Median {
  value: number;
  at_least: boolean;
}

export function medianOf(row: CompareRow, column: string): Median | null {
  const value = row[column];
  if (typeof value === 'number') return { value, at_least: false };
  if (typeof value !== 'object' || value === null || !('value' in value)) return null;
  const { value: middle, at_least } = value as { value: unknown; at_least?: unknown };
  return typeof middle === 'number' ? { value: middle, at_least: at_least === true } : null;
}

export function searchOf(row: { scheme: string | null; driver: string }): string {
  return [row.scheme, row.driver].filter((word) => word !== null && word !== '').join(' + ');
}

export const NUMBERS = ['nodes', 'expansions', 'playouts', 'seconds', 'peak_bytes'] as const;
export type Column = 'game' | 'search' | 'value' | 'solved' | (typeof NUMBERS)[number];

/** Rows in the order of a column; rows that are equal there stay as they were. */
export function sorted(rows: CompareRow[], column: Column, down: boolean): CompareRow[] {
  const order = rows.map((row) => ({ row, key: keyOf(row, column) }));
  order.sort((a, b) => (down ? compare(b.key, a.key) : compare(a.key, b.key)));
  return order.map(({ row }) => row);
}

function keyOf(row: CompareRow, column: Column): string | number {
  switch (column) {
    case 'game': return `${row.game} ${row.position}`;
    case 'search': return searchOf(row);
    case 'value': return row.value ?? '';
    case 'solved': return row.solved / Math.max(1, row.runs);
    default: return medianOf(row, column)?.value ?? -1;
  }
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [String(a), String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Every run as CSV. A field that a table program would take for a formula gets a blank in front. */
export function csv(runs: Record<string, unknown>[]): string {
  const columns = ['game', 'position', 'question', 'scheme', 'driver', 'seed', 'repetition', 'status', 'stop', 'value',
    'expansions', 'nodes', 'playouts', 'seconds', 'peak_bytes'];
  const line = (run: Record<string, unknown>) => columns.map((column) => field(run[column])).join(',');
  return [columns.join(','), ...runs.map(line)].join('\n') + '\n';
}

function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = /^[=+@\t\r-]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? ` ${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** Where a number stands on a logarithmic scale between two powers of ten, from 0 to 1. */
export function logShare(value: number, low: number, high: number): number {
  if (!(value > 0) || !(high > low)) return 0;
  const share = (Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low));
  return Math.min(1, Math.max(0, share));
}

/** The powers of ten around some numbers. */
export function decades(values: number[]): [number, number] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [1, 10];
  const low = Math.floor(Math.log10(Math.min(...positive)) - 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive)) - 1e-9));
  return [10 ** low, 10 ** high];
}
