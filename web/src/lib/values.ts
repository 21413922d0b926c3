// What answers and progress say about moves, as it is drawn on a board.

import type { Answer, ExpectedMove, MoveAnswer, Progress, Quality, Shown, Touch } from '../api';
import { short } from './format';
import { numberOf } from './scale';
import { readingOf } from './work';

/** What is known of a move. */
export interface MoveValue {
  /** What is written on it: `win`, `+3`, `7/12`. */
  label: string;
  quality: Quality;
  best: boolean;
  /** The same in more words, for the tooltip and the screen reader. */
  detail?: string;
}

/** By the move as the game writes it; of joint moves by `PLAYER/MOVE`. */
export type Values = Record<string, MoveValue>;

export function valueOf(values: Values | undefined, move: Touch): MoveValue | undefined {
  return values?.[`${move.player}/${move.move}`] ?? values?.[move.move];
}

/** Whether two values differ and nobody chooses between them. */
export function isUnlike(a: MoveValue, b: MoveValue): boolean {
  return a.label !== b.label && !a.best && !b.best && a.quality === 'neutral' && b.quality === 'neutral';
}

const DOWN: Record<Quality, string> = { good: 'wins', even: 'draws', bad: 'loses', neutral: 'is not known' };

/** How good a winner is for who moves. */
export function qualityFor(winner: string | null, mover: string | null): Quality {
  if (winner === null) return 'even';
  return winner === mover ? 'good' : 'bad';
}

/** How good an outcome is for who moves. Of more than two players, a value may be all that can still win. */
function qualityOf(answer: MoveAnswer, shown: Shown): Quality {
  // Where neither side can force anything, nobody draws either.
  if (answer.value === 'undetermined') return 'neutral';
  if (shown.own_scores && answer.winner === null) return 'neutral';
  if (shown.players.length <= 2 || answer.winner !== null) return qualityFor(answer.winner, shown.to_move);
  const winners = (answer.value ?? '').split(' or ');
  if (!winners.every((name) => shown.players.includes(name))) return 'neutral';
  return shown.to_move !== null && winners.includes(shown.to_move) ? 'neutral' : 'bad';
}

/** A move of a game in turn. Wins and losses are those of who moves; numbers stay as they are. */
export function turnValue(answer: MoveAnswer, shown: Shown, asked?: string | null): MoveValue {
  const plain = shown.numbers || shown.own_scores === true || shown.players.length > 2;
  const best = answer.best === true;
  if (answer.holds !== undefined && answer.holds !== null && answer.value === null) {
    const mine = (asked ?? shown.players[0]) === shown.to_move;
    const quality = answer.holds === mine ? 'good' : 'bad';
    return { label: answer.holds ? 'yes' : 'no', quality, best, detail: answer.holds ? 'reaches what is asked' : 'does not reach it' };
  }
  if (answer.value === null) {
    const [low, high] = answer.bounds;
    const label = low === high ? low : '?';
    return { label, quality: 'neutral', best, detail: `between ${low} and ${high}` };
  }
  const quality = shown.one_player ? (best ? 'good' : 'neutral') : qualityOf(answer, shown);
  const word = plain ? answer.value : quality === 'good' ? 'win' : quality === 'bad' ? 'loss' : answer.value;
  // Two numbers side by side would be read as one thing.
  const label = answer.distance === null || plain ? word : `${word} ${answer.distance}`;
  const how = plain ? `worth ${answer.value}` : answer.value === 'undetermined' ? 'is undetermined' : DOWN[quality];
  const detail = `${how}${answer.distance === null ? '' : ` in ${answer.distance}`}${best ? ', best' : ''}${answer.proved ? ', proved' : ''}`;
  return { label, quality, best, detail };
}

/** A move of a game of chance: how often it wins, or what it brings. */
export function expectedValue(answer: ExpectedMove, asChance: boolean, player: string | null): MoveValue {
  const best = answer.best === true;
  const known = answer.value ?? null;
  const label = known === null ? '?' : shortNumber(known, asChance);
  const chance = answer.chance === null ? '' : `, comes ${answer.chance} of the time`;
  const whose = player === null ? '' : ` for ${player}`;
  const detail = known === null
    ? `between ${answer.bounds[0]} and ${answer.bounds[1]}${whose}`
    : `${label}${whose}${label === known ? '' : ` (${known})`}${chance}${best ? ', best' : ''}`;
  return { label, quality: best ? 'good' : 'neutral', best, detail };
}

/** `0.637` of `0.63722503601`, or `64 %` of a chance. */
export function shortNumber(text: string, asChance: boolean): string {
  const n = numberOf(text);
  if (n === null) return text;
  if (asChance) return `${Number((n * 100).toFixed(1))}%`;
  return text.length > 6 ? String(Number(n.toPrecision(3))) : text;
}

function isExpected(move: MoveAnswer | ExpectedMove): move is ExpectedMove {
  return 'chance' in move;
}

/** All that an answer says about the moves of its position. */
export function answerValues(answer: Answer, shown: Shown, asked?: string | null): Values {
  const values: Values = {};
  for (const move of answer.moves ?? []) {
    values[move.move] = isExpected(move)
      ? expectedValue(move, answer.value_is === 'chance-to-win', shown.one_player ? null : answer.player ?? shown.players[0] ?? null)
      : turnValue(move, shown, asked);
  }
  answer.strategies?.forEach((strategy, side) => {
    for (const [move, often] of Object.entries(strategy)) {
      if (often === '0') continue;
      values[`${shown.players[side]}/${move}`] = {
        label: often.length > 6 ? shortNumber(often, false) : often,
        quality: 'neutral', best: true, detail: `played ${often} of the time`,
      };
    }
  });
  return values;
}

/** What a search that goes on says about them: what bounds tell already, else its own numbers. */
export function progressValues(progress: Progress, shown: Shown): Values {
  const values: Values = {};
  for (const { text, value, bounds } of progress.moves) {
    const decided = bounds[0] === bounds[1] && bounds[0] !== '';
    const label = searchLabel(value, shown) || boundsLabel(bounds, shown);
    if (decided) values[text] = decidedValue(bounds[0], shown);
    else if (label !== '') values[text] = { label, quality: 'neutral', best: false, detail: `so far: ${value || label}` };
  }
  return values;
}

/** The number of a search that fits on a cell: of efforts the one that the mover wants to be small. */
function searchLabel(value: string, shown: Shown): string {
  // A bare number would be read as points where outcomes are numbers.
  if (shown.numbers || shown.own_scores) return '';
  const reading = readingOf(value);
  if (reading.kind === 'share') return `${Math.round(reading.share * 100)}%`;
  if (reading.kind === 'text') return value.length <= 6 ? value : '';
  const mine = shown.to_move === shown.players[0] ? reading.proof : reading.disproof;
  return mine === Infinity ? '∞' : short(mine).replace(' ', '');
}

/** `≥ draw` where one side of the outcomes is ruled out already, as the mover sees it. */
function boundsLabel([low, high]: [string, string], shown: Shown): string {
  if (shown.numbers || shown.own_scores) return '';
  const isFirst = shown.to_move === shown.players[0];
  if (low === 'draw' && high === 'win') return isFirst ? '≥ draw' : '≤ draw';
  if (low === 'loss' && high === 'draw') return isFirst ? '≤ draw' : '≥ draw';
  return '';
}

/** An outcome for the first player as the mover sees it. */
function decidedValue(outcome: string, shown: Shown): MoveValue {
  const first = shown.players[0] ?? null;
  const other = shown.players[1] ?? null;
  const winner = outcome === 'win' ? first : outcome === 'loss' ? other : null;
  if (shown.numbers || shown.own_scores || shown.players.length > 2) {
    return { label: outcome, quality: 'neutral', best: false, detail: `worth ${outcome}` };
  }
  const quality = qualityFor(winner, shown.to_move);
  return { label: quality === 'good' ? 'win' : quality === 'bad' ? 'loss' : outcome, quality, best: false, detail: DOWN[quality] };
}

/** Whether a move gives something away, and what would have kept it. */
export interface Mistake {
  played: string;
  before: MoveValue;
  after: MoveValue;
  better: string[];
}

const RANK: Record<Quality, number> = { good: 2, even: 1, bad: 0, neutral: -1 };

/** The best moves. While moves are still being valued nobody has said which they are: a win is one all the same. */
function bestOf(values: Values): [string, MoveValue][] {
  const all = Object.entries(values);
  const told = all.filter(([, value]) => value.best);
  if (told.length > 0) return told;
  const most = Math.max(...all.map(([, value]) => RANK[value.quality]));
  return most < 1 ? [] : all.filter(([, value]) => RANK[value.quality] === most);
}

export function mistakeOf(values: Values | undefined, played: string): Mistake | null {
  const after = values?.[played];
  if (!values || !after || after.best || after.quality === 'neutral' && !/\d/.test(after.label)) return null;
  const best = bestOf(values);
  const first = best[0]?.[1];
  if (!first || first.label === after.label) return null;
  // A longer way to the same win is no mistake worth a word.
  if (first.quality === after.quality && !/^[-+]?\d/.test(first.label)) return null;
  return { played, before: first, after, better: best.map(([move]) => move) };
}
