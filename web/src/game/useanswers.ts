// Answers to questions about positions of a game: asked by hand or by the page itself, kept as long as the
// page is open, and drawn while they come.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Answer, View, WorkEvent } from '../api';
import { useBack } from '../lib/hooks';
import { answerValues, progressValues, turnValue, type Values } from '../lib/values';
import { isBusy, useWork, type WorkHandle } from '../parts/search';
import { SHORT_SECONDS, answerKey, askedFor, jobOf, rulesKey, type Question } from './question';
import type { GameOnPage } from './usegame';

export type Solved = Extract<WorkEvent, { event: 'solved' }>;

/** What is known of a position, for the first player. */
export interface Known {
  value: string;
  winner: string | null;
}

export interface Answers {
  work: WorkHandle;
  busy: boolean;
  /** The answer about the position on the board, if it is known. */
  solved: Solved | null;
  /** What is known of its moves, also while the search goes on. */
  values: Values;
  /** Values of positions, by their texts. */
  known: ReadonlyMap<string, Known>;
  ask(): void;
  /** Adds what other work found out about a position. */
  learn(position: string, known: Known): void;
}

interface Settings {
  question: Question;
  /** Whether the values of all moves are asked. */
  moves: boolean;
  /** Whether the page asks by itself. */
  auto: boolean;
  /** Something else needs the machine: the page does not ask by itself now. */
  hold: boolean;
}

const NOTHING: ReadonlyMap<string, Known> = new Map();
const MOST_KEPT = 500;
const MOST_AGAIN = 3;

export function useAnswers(game: GameOnPage, { question, moves, auto, hold }: Settings): Answers {
  const work = useWork();
  const { view, settled } = game;
  const [solvedBy, setSolvedBy] = useState<Map<string, Solved>>(new Map());
  const files = game.where.files;
  const rules = view ? rulesKey(view.game, files) : '';
  const [facts, setFacts] = useState<{ rules: string; known: Map<string, Known> }>({ rules, known: new Map() });
  // Other rules may have positions of the same texts.
  const known = facts.rules === rules ? facts.known : NOTHING;
  const key = view ? answerKey(view, files, question) : '';
  const asked = useRef('');

  const learnBy = (by: string) => (position: string, fact: Known) => {
    setFacts((before) => ({ rules: by, known: new Map(before.rules === by ? before.known : NOTHING).set(position, fact) }));
  };
  const learn = learnBy(rules);
  const ask = (seconds: number) => {
    if (!view) return;
    asked.current = key;
    const job = jobOf(view, question, moves, seconds);
    work.start({ work: 'solve', job, ...(files ? { files } : {}) }, (event) => {
      if (event.event !== 'solved') return;
      setSolvedBy((before) => trimmed(new Map(before).set(key, event)));
      // What is kept are values for the first player.
      const first = ['', view.shown.players[0]].includes(askedFor(view, question));
      if (question.kind === 'value' && first) factsOf(view, event.answer).forEach(([at, fact]) => learn(at, fact));
    });
  };

  const turn = useBack(work.state.failure?.kind === 'lost');
  const before = useRef(turn);
  useEffect(() => {
    if (!settled || (asked.current === key && before.current === turn)) return;
    before.current = turn;
    work.clear();
    asked.current = '';
    if (!auto || hold || !view || view.shown.over !== null || solvedBy.has(key)) return;
    if (question.kind === 'formula' || (question.kind === 'at-least' && question.of === '')) return;
    const timer = setTimeout(() => ask(Math.min(SHORT_SECONDS, question.seconds)), 150);
    return () => clearTimeout(timer);
  }, [key, settled, auto, hold, turn]);

  // A server that was started anew knows nothing of the work: it is asked again, a few times at most.
  const gone = work.state.failure?.kind === 'gone';
  const again = useRef({ key: '', times: 0 });
  useEffect(() => {
    if (!gone || !auto || !settled) return;
    again.current = { key, times: again.current.key === key ? again.current.times + 1 : 1 };
    if (again.current.times > MOST_AGAIN) return;
    const timer = setTimeout(() => ask(Math.min(SHORT_SECONDS, question.seconds)), 300);
    return () => clearTimeout(timer);
  }, [gone, key]);

  const solved = solvedBy.get(key) ?? null;
  const running = asked.current === key ? work.state : null;
  const values = useMemo<Values>(() => {
    if (!view) return {};
    if (solved && (solved.answer.moves || solved.answer.strategies)) {
      return answerValues(solved.answer, view.shown, askedFor(view, question) || null);
    }
    if (!running) return {};
    const valued = running.valued.map((move) => [move.move, turnValue(move, view.shown, askedFor(view, question) || null)]);
    return { ...(running.root ? progressValues(running.root, view.shown) : {}), ...Object.fromEntries(valued) };
  }, [view, solved, running]);

  return { work, busy: isBusy(work.state), solved, values, known, ask: () => ask(question.seconds), learn };
}

function trimmed(map: Map<string, Solved>): Map<string, Solved> {
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value as string);
  return map;
}

/** What a position is called after a move whose position is not known yet. */
export function afterKey(position: string, move: string): string {
  return `${position}\n${move}`;
}

/** The value of the position of an answer, and those of the positions after its moves. */
function factsOf(view: View, answer: Answer): [string, Known][] {
  const facts: [string, Known][] = [];
  const { value } = answer;
  if (answer.status === 'solved' && typeof value === 'string') {
    facts.push([view.position, { value, winner: answer.winner ?? null }]);
  }
  for (const move of answer.moves ?? []) {
    if (move.value === null) continue;
    const winner = 'winner' in move ? move.winner : null;
    facts.push([afterKey(view.position, move.move), { value: move.value, winner }]);
  }
  return facts;
}
