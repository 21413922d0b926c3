// Kinds of claims in words and shapes, and sizes for people.

import type { ProofChild } from '../../api';
import type { Kind } from './store';

/** A shape beside each word: colours alone would not do. */
export const KINDS: Record<Kind, { word: string; shape: string; about: string }> = {
  plays: { word: 'plays', shape: '▶', about: 'the prover has a move, which follows' },
  replies: { word: 'replies', shape: '◇', about: 'the other side moves: all its moves are answered' },
  over: { word: 'over', shape: '■', about: 'the game is over, as claimed' },
  known: { word: 'known', shape: '★', about: 'a rule of the game sees it without a search' },
  same: { word: 'same', shape: '↩', about: 'the position of an earlier line' },
  mixes: { word: 'mixes', shape: '◐', about: 'the prover picks at random, by these weights' },
  chance: { word: 'chance', shape: '⚄', about: 'chance decides, by these weights' },
  opponent: { word: 'opponent', shape: '○', about: 'the opponent plays as it is known to' },
  'not-covered': { word: 'not covered', shape: '∅', about: 'the proof says nothing about this' },
};

/** `1,234,567`, or `…` while it is not known. */
export function sizeText(size: number | null): string {
  return size === null ? '…' : size.toLocaleString('en');
}

export function claimsText(size: number | null): string {
  if (size === null) return 'size not known yet';
  return size === 1 ? '1 claim' : `${sizeText(size)} claims`;
}

/** A fraction `a/b` or a number as a share from 0 to 1; null where it is none. Parts of any length are read. */
export function shareOf(weight: string | null): number | null {
  if (weight === null) return null;
  const [above, below] = weight.split('/');
  const share = below === undefined ? Number(above) : quotient(above ?? '', below);
  return Number.isFinite(share) && share >= 0 && share <= 1 ? share : null;
}

/** Numbers too long for a float are cut by the same number of digits. */
function quotient(above: string, below: string): number {
  const cut = Math.max(0, below.length - 300);
  const shorter = (digits: string) => Number(cut < digits.length ? digits.slice(0, digits.length - cut) : '0');
  return below === '' || above === '' ? NaN : shorter(above) / shorter(below);
}

export function percentText(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

export function shareText(weight: string | null): string {
  const share = shareOf(weight);
  if (weight === null || share === null) return weight ?? '';
  return weight.includes('/') && weight.length <= 9 ? `${weight} (${percentText(share)})` : percentText(share);
}

/** The prover's answer to a reply, as people write it. */
export function answerText(child: ProofChild): string | null {
  return child.answer_san ?? child.answer;
}

export interface Weight {
  move: string;
  weight: string;
}

/** How often moves are made. Of joint moves those of one player, each once: `a/b` and `a/c` have the weight of `a`. */
export function weightsOf(children: ProofChild[], part: number | null): Weight[] {
  const weights = new Map<string, string>();
  for (const child of children) {
    const move = part === null ? (child.san ?? child.move) : (child.move.split('/')[part] ?? child.move);
    if (child.weight !== null && !weights.has(move)) weights.set(move, child.weight);
  }
  return [...weights].map(([move, weight]) => ({ move, weight }));
}

const LONGEST = 170;

/** A sentence without the middle of a position that would fill the page; what is claimed stands at the end. */
export function shortened(sentence: string): string {
  if (sentence.length <= LONGEST) return sentence;
  return `${sentence.slice(0, 60)} … ${sentence.slice(60 - LONGEST)}`;
}

/** What is said of work that stands in a queue. */
export function waitingText(ahead: number): string {
  return ahead > 0 ? `waiting, ${ahead} ahead…` : 'starting…';
}
