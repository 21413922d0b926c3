// What the page holds of a proof: the lists of moves below the open places, piece by piece. A proof may have
// millions of claims, so a place that is closed is forgotten, lists are held a page at a time, and where more
// than so many rows are open, the places that were looked at longest ago are closed.

import type { ProofChild, ProofNodeView } from '../../api';
import { keyOf, startsWith } from './path';

export const PAGE = 100;
export const MOST_ROWS = 3000;

export type Kind = ProofNodeView['kind'];

/** What is held of an open place. Pictures are not: only the place on the board has one. */
export interface Open {
  path: string[];
  kind: Kind;
  to_move: string | null;
  children: ProofChild[];
  from: number;
  total: number;
  pending: boolean;
  used: number;
}

export interface Filter {
  text: string;
  kinds: Kind[];
  /** Only blocks with at least so many claims. */
  longer: number;
}

export const NO_FILTER: Filter = { text: '', kinds: [], longer: 0 };

export function filters(filter: Filter): boolean {
  return filter.text.trim() !== '' || filter.kinds.length > 0 || filter.longer > 0;
}

export function passes(child: ProofChild, filter: Filter): boolean {
  const text = filter.text.trim().toLowerCase();
  if (text !== '') {
    const words = [child.move, child.san, child.answer, child.answer_san].map((word) => (word ?? '').toLowerCase());
    if (!words.some((word) => word.includes(text))) return false;
  }
  if (filter.kinds.length > 0 && !filter.kinds.includes(kindOf(child))) return false;
  // A size that is not known yet is large.
  return child.size === null || child.size >= filter.longer;
}

/** What stands behind a move; a reference is one, whatever it refers to. */
export function kindOf(child: ProofChild): Kind {
  if (child.same_as !== null) return 'same';
  return child.kind ?? 'plays';
}

export type Row =
  | {
      what: 'place';
      key: string;
      path: string[];
      level: number;
      child: ProofChild | null;
      /** Whose move leads here, and what kind of place it is made at. */
      mover: string | null;
      above: Kind | null;
      place: number;
      siblings: number;
      open: boolean | null;
      loading: boolean;
    }
  | { what: 'earlier' | 'later'; key: string; path: string[]; level: number; from: number; count: number }
  | { what: 'hidden'; key: string; path: string[]; level: number; count: number };

/** Whether nothing can follow. */
export function isEnd(kind: Kind | null): boolean {
  return kind === 'over' || kind === 'known' || kind === 'not-covered';
}

export class ProofStore {
  private open = new Map<string, Open>();
  private wanted = new Set<string>();
  private tick = 0;

  constructor(readonly certificate: number) {}

  key(path: string[]): string {
    return keyOf(this.certificate, path);
  }

  at(path: string[]): Open | undefined {
    return this.open.get(this.key(path));
  }

  /** How many rows are held. */
  rowsHeld(): number {
    let held = 1;
    for (const place of this.open.values()) held += place.children.length;
    return held;
  }

  openPlaces(): Open[] {
    return [...this.open.values()];
  }

  isWanted(path: string[]): boolean {
    return this.wanted.has(this.key(path));
  }

  want(path: string[]) {
    this.wanted.add(this.key(path));
  }

  unwant(path: string[]) {
    this.wanted.delete(this.key(path));
  }

  /** Holds what came. With `behind`, the list goes on; else it takes the place of what was there. */
  put(path: string[], view: ProofNodeView, behind = false) {
    const key = this.key(path);
    this.wanted.delete(key);
    const before = this.open.get(key);
    const goesOn = behind && before !== undefined && view.from === before.from + before.children.length;
    this.open.set(key, {
      path,
      kind: view.kind,
      to_move: view.to_move,
      children: goesOn ? [...before.children, ...view.children] : view.children,
      from: goesOn ? before.from : view.from,
      total: view.children_total,
      pending: view.pending,
      used: ++this.tick,
    });
  }

  touch(path: string[]) {
    const place = this.at(path);
    if (place) place.used = ++this.tick;
  }

  /** Closes a place: everything below it is forgotten. */
  close(path: string[]) {
    this.unwant(path);
    for (const [key, place] of this.open) {
      if (startsWith(place.path, path)) this.open.delete(key);
    }
  }

  /** Closes what was looked at longest ago until no more rows are held than may be; the way to `keep` stays. */
  trim(keep: string[], most = MOST_ROWS) {
    if (this.rowsHeld() <= most) return;
    const oldest = [...this.open.values()].sort((a, b) => a.used - b.used);
    for (const place of oldest) {
      if (this.rowsHeld() <= most) return;
      if (!startsWith(keep, place.path)) this.close(place.path);
    }
  }

  /** Places whose sizes the index did not know yet. */
  unsized(): Open[] {
    const unknown = (place: Open) => place.pending || place.children.some((child) => child.size === null);
    return this.openPlaces().filter(unknown);
  }

  rows(filter: Filter, current: string[]): Row[] {
    const rows: Row[] = [];
    this.addPlace(rows, [], null, null, 0, 1, filter, current);
    return rows;
  }

  private addPlace(
    rows: Row[], path: string[], child: ProofChild | null, above: Open | null,
    place: number, siblings: number, filter: Filter, current: string[],
  ) {
    // An own stack would be needed for proofs that are opened ten thousand moves deep; the page opens one move at a
    // time, and a path in an address is opened place by place as well.
    const held = this.at(path);
    rows.push({
      what: 'place', key: this.key(path), path, level: path.length + 1, child,
      mover: above?.to_move ?? null, above: above?.kind ?? null, place, siblings,
      open: child && isEnd(child.kind) ? null : held !== undefined, loading: this.isWanted(path),
    });
    if (held) this.addChildren(rows, held, filter, current);
  }

  private addChildren(rows: Row[], held: Open, filter: Filter, current: string[]) {
    const { path } = held;
    const level = path.length + 2;
    const key = this.key(path);
    if (held.from > 0) {
      rows.push({ what: 'earlier', key: `${key}<`, path, level, from: Math.max(0, held.from - PAGE), count: held.from });
    }
    let hidden = 0;
    held.children.forEach((child, i) => {
      const below = [...path, child.move];
      const stays = this.at(below) !== undefined || startsWith(current, below);
      if (!stays && filters(filter) && !passes(child, filter)) {
        hidden += 1;
        return;
      }
      this.addPlace(rows, below, child, held, held.from + i, held.total, filter, current);
    });
    if (hidden > 0) rows.push({ what: 'hidden', key: `${key}~`, path, level, count: hidden });
    const end = held.from + held.children.length;
    if (end < held.total) {
      rows.push({ what: 'later', key: `${key}>`, path, level, from: end, count: held.total - end });
    }
  }
}
