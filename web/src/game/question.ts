// A question about a position, as the address and the job hold it.

import type { Files, Job, Limits, View, Words } from '../api';
import type { Params } from '../route';

export interface Question {
  kind: 'value' | 'win' | 'at-least' | 'nash' | 'formula';
  /** The outcome of `at-least`, the text of a formula. */
  of: string;
  player: string;
  scheme: string;
  driver: string;
  solver: string;
  seconds: number;
  /** In MiB. */
  memory: number;
}

/** Seconds of a question that the page asks by itself. */
export const SHORT_SECONDS = 3;
const USUAL_SECONDS = 20;
const MIB = 2 ** 20;

export function questionOf(params: Params, limits: Limits | null): Question {
  const [word = 'value', of = ''] = (params.question ?? 'value').split(/ (.*)/s);
  const kinds = ['value', 'win', 'at-least', 'nash', 'formula'] as const;
  const most = limits ? Math.floor(limits.bytes / MIB) : 1024;
  return {
    kind: kinds.find((kind) => kind === word) ?? 'value',
    of,
    player: params.player ?? '',
    scheme: params.scheme ?? '',
    driver: params.driver ?? '',
    solver: params.solver ?? '',
    seconds: clamp(Number(params.seconds) || USUAL_SECONDS, 1, limits?.seconds ?? 60),
    memory: clamp(Number(params.memory) || Math.min(most, 1024), 16, most),
  };
}

function clamp(n: number, least: number, most: number): number {
  return Math.min(Math.max(n, Math.min(least, most)), most);
}

export function questionText({ kind, of }: Question): string {
  return kind === 'at-least' || kind === 'formula' ? `${kind} ${of}` : kind;
}

/** The solvers of games that schemes and drivers are not for. */
export function solversFor(words: Words, view: View): { word: string; about: string }[] {
  if (view.joint) return words.joint;
  if (view.chance) return words.chance;
  return view.shown.own_scores ? words.many : [];
}

/** Whether schemes and drivers are for this game. */
export function takesSchemes(view: View): boolean {
  return !view.joint && !view.chance;
}

/** Whether every player plays for itself: then a question is about one of them against all others. */
export function isForMany({ shown }: View): boolean {
  return shown.players.length > 2 || shown.own_scores === true;
}

/** Who is asked about: who is to move where many play, as the board shows the mover's values; else the first player. */
export function askedFor(view: View, question: Question): string {
  return question.player || (isForMany(view) && !view.joint ? view.shown.to_move ?? '' : '');
}

export function jobOf(view: View, question: Question, moves: boolean, seconds: number): Job {
  const { solver } = question;
  const player = solver === '' || question.player ? askedFor(view, question) : '';
  const eachMove = moves && !view.joint && question.kind !== 'formula' && solver === '';
  return {
    game: view.game,
    position: view.position,
    question: questionText(question),
    ...(player ? { player } : {}),
    ...(solver ? { solver } : {}),
    ...(takesSchemes(view) && !solver && question.scheme ? { scheme: question.scheme } : {}),
    ...(takesSchemes(view) && !solver && question.driver ? { driver: question.driver } : {}),
    ...(eachMove ? { moves: true } : {}),
    budget: { time: seconds, memory: Math.round(question.memory * MIB) },
  };
}

/** What tells rules apart: own rules of different texts have the same names. */
export function rulesKey(game: string, files: Files | undefined): string {
  return JSON.stringify([game, files ?? null]);
}

/** What an answer is kept by: the same question about the same position by the same rules has the same answer. */
export function answerKey(view: View, files: Files | undefined, question: Question): string {
  return JSON.stringify([rulesKey(view.game, files), view.position, questionText(question), question.player, question.solver]);
}
