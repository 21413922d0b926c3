// Paths through proofs: the moves that lead to a place.

import { packList } from '../../lib/pack';

/** The key of a place: no two places share one. */
export function keyOf(certificate: number, path: string[]): string {
  return `${certificate}:${path.length}:${packList(path)}`;
}

export function startsWith(path: string[], start: string[]): boolean {
  return start.length <= path.length && start.every((move, i) => move === path[i]);
}
