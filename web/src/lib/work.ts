// What is known of long work, event by event.

import type { Answer, Failure, MoveAnswer, Progress, WorkEvent } from '../api';

type Event<E extends WorkEvent['event']> = Extract<WorkEvent, { event: E }>;

export interface WorkState {
  status: 'idle' | 'queued' | 'running' | 'paused' | 'done' | 'failed';
  /** How much other work stands before it. */
  ahead: number;
  started: Event<'started'> | null;
  progress: Progress | null;
  /** The newest progress that tells about the moves of the position itself. Once those are valued one by one,
   *  progress is about the positions behind them, which may have moves of the same names. */
  root: Progress | null;
  atRoot: boolean;
  working: Event<'working'> | null;
  paused: Event<'paused'> | null;
  /** The values of moves that came so far. */
  valued: MoveAnswer[];
  /** Points over time for plots, thinned out when they get many. */
  history: Progress[];
  /** The last event: `solved`, `verified`, `compared`, … */
  last: WorkEvent | null;
  failure: Failure | null;
}

export const IDLE: WorkState = {
  status: 'idle', ahead: 0, started: null, progress: null, root: null, atRoot: true, working: null, paused: null,
  valued: [], history: [], last: null, failure: null,
};

/** More points than a plot has pixels tell nothing. */
const MOST_POINTS = 400;

export function heard(state: WorkState, event: WorkEvent): WorkState {
  switch (event.event) {
    case 'queued':
      return { ...state, status: 'queued', ahead: event.ahead };
    case 'started':
      // Where work can't be continued it begins anew.
      return { ...state, status: 'running', started: event, progress: null, root: null, atRoot: true, valued: [], history: [] };
    case 'progress':
      return {
        ...state,
        status: 'running',
        progress: event,
        root: state.atRoot && event.moves.length > 0 ? event : state.root,
        history: thinned([...state.history, event]),
      };
    case 'move-started':
      return { ...state, status: 'running', atRoot: false };
    case 'move-valued':
      return { ...state, atRoot: false, valued: [...state.valued.filter((v) => v.move !== event.value.move), event.value] };
    case 'working':
      return { ...state, status: 'running', working: event };
    case 'paused':
      return { ...state, status: 'paused', paused: event };
    case 'resumed':
      return { ...state, status: 'running', paused: null };
    case 'failed':
      return { ...state, status: 'failed', last: event, failure: event.failure, paused: null };
    case 'solved': {
      const progress = ended(state.progress, event.answer);
      return { ...state, status: 'done', last: event, paused: null, progress, history: thinned([...state.history, progress]) };
    }
    case 'verified': case 'refused': case 'compared': case 'chosen': case 'all-valued':
      return { ...state, status: 'done', last: event, paused: null };
    default:
      return state.status === 'queued' ? { ...state, status: 'running' } : state;
  }
}

/** What a search took in the end; one that is quick has told nothing before. */
function ended(before: Progress | null, answer: Answer): Progress {
  return {
    seconds: answer.seconds,
    expansions: answer.expansions ?? 0,
    nodes: answer.nodes,
    playouts: answer.playouts ?? 0,
    bytes: answer.peak_bytes ?? before?.bytes ?? 0,
    bounds: answer.bounds ?? before?.bounds ?? ['', ''],
    root: before?.root ?? '',
    line: answer.line ?? [],
    moves: before?.moves ?? [],
  };
}

function thinned(points: Progress[]): Progress[] {
  return points.length <= MOST_POINTS ? points : points.filter((_, i) => i % 2 === 0 || i === points.length - 1);
}

/** Nodes a second over the last points. */
export function rateOf(history: Progress[]): number {
  const last = history.at(-1);
  if (!last) return 0;
  const before = history.findLast((point) => last.seconds - point.seconds >= 1) ?? null;
  const [nodes, seconds] = before
    ? [last.nodes - before.nodes, last.seconds - before.seconds]
    : [last.nodes, last.seconds];
  return seconds > 0 ? nodes / seconds : 0;
}

/** What a scheme says of a node: proof and disproof numbers, a chance, or just words. */
export type Reading =
  | { kind: 'effort'; proof: number; disproof: number }
  | { kind: 'share'; share: number; of: number | null }
  | { kind: 'text' };

export function readingOf(text: string): Reading {
  const effort = text.match(/(\d+|∞)\s*\/\s*(\d+|∞)\s*$/);
  if (effort) {
    const number = (word: string | undefined) => (word === '∞' ? Infinity : Number(word));
    return { kind: 'effort', proof: number(effort[1]), disproof: number(effort[2]) };
  }
  const share = text.match(/(?:^|\s)(\d(?:\.\d+)?)(?: of (\d+))?(?:\s|$)/);
  if (share && Number(share[1]) <= 1) {
    return { kind: 'share', share: Number(share[1]), of: share[2] ? Number(share[2]) : null };
  }
  return { kind: 'text' };
}

/** How far a reading speaks for the first player, from 0 to 1; efforts are compared by their logarithms. */
export function shareOf(reading: Reading): number | null {
  if (reading.kind === 'share') return reading.share;
  if (reading.kind === 'text') return null;
  const { proof, disproof } = reading;
  if (proof === 0 || disproof === Infinity) return 1;
  if (disproof === 0 || proof === Infinity) return 0;
  const [p, d] = [Math.log2(proof + 1), Math.log2(disproof + 1)];
  return d / (p + d);
}
