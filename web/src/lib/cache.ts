// Positions that were looked at, so that going through a game does not ask again.

import type { View, Where } from '../api';
import { backend } from '../backend';

const MOST = 300;
const kept = new Map<string, Promise<View>>();

export function whereKey(where: Where): string {
  return JSON.stringify([where.game, where.files ?? null, where.position, where.moves ?? []]);
}

/** The view of a position; failures are not kept. */
export function viewOf(where: Where): Promise<View> {
  const key = whereKey(where);
  const known = kept.get(key);
  if (known) return known;
  const asked = backend.view(where);
  kept.set(key, asked);
  asked.catch(() => kept.delete(key));
  if (kept.size > MOST) kept.delete(kept.keys().next().value as string);
  return asked;
}
