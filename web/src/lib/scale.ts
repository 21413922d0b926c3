// Where values stand between the worst and the best: outcomes by their order, numbers by their size.

import type { View } from '../api';

export interface Scale {
  /** From 0 (worst for the first player) to 1; null where nothing is known. */
  shareOf(value: string | null): number | null;
  ticks: { share: number; label: string }[];
}

/** A number, also one written as a fraction. */
export function numberOf(text: string): number | null {
  const fraction = text.match(/^([-+]?\d+)\/(\d+)$/);
  const n = fraction ? Number(fraction[1]) / Number(fraction[2]) : Number(text);
  return text.trim() === '' || !Number.isFinite(n) ? null : n;
}

/** What a game that is over was worth. Among chances, a win is 1 and a loss 0. */
export function overValue({ shown, chance, outcomes }: Pick<View, 'shown' | 'chance' | 'outcomes'>): string | null {
  const { over } = shown;
  const place = over === null ? -1 : outcomes.indexOf(over);
  if (!chance || shown.numbers || place < 0) return over;
  return String(place / Math.max(outcomes.length - 1, 1));
}

export function placed(values: (string | null)[], outcomes: string[], numeric: boolean): Scale {
  const known = values.filter((value) => value !== null);
  const numbers = known.map(numberOf);
  const byNumber = known.length > 0 ? numbers.every((n) => n !== null) : numeric;
  return byNumber ? numberScale(numbers.filter((n) => n !== null)) : outcomeScale(outcomes);
}

function outcomeScale(outcomes: string[]): Scale {
  const last = Math.max(outcomes.length - 1, 1);
  return {
    shareOf: (value) => {
      const place = value === null ? -1 : outcomes.indexOf(value);
      return place < 0 ? null : place / last;
    },
    ticks: outcomes.map((label, place) => ({ share: place / last, label })).slice(0, 7),
  };
}

function numberScale(numbers: number[]): Scale {
  // Chances stand between 0 and 1; points have their zero in the picture.
  const chances = numbers.some((n) => !Number.isInteger(n)) && numbers.every((n) => n >= 0 && n <= 1);
  const least = chances ? 0 : Math.min(0, ...numbers);
  const most = chances ? 1 : Math.max(0, ...numbers);
  // Nothing but zeros stands in the middle.
  const [low, high] = most > least ? [least, most] : [least - 1, most + 1];
  const labels = [...new Set([low, chances ? 0.5 : 0, high])];
  const share = (n: number) => (n - low) / (high - low);
  return {
    shareOf: (value) => {
      const n = value === null ? null : numberOf(value);
      return n === null ? null : share(n);
    },
    ticks: labels.map((n) => ({ share: share(n), label: String(Number(n.toPrecision(3))) })),
  };
}
