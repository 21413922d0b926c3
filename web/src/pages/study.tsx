// Several searches on the same position, side by side.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { View, Words } from '../api';
import { backend } from '../backend';
import { jobOf, questionOf, solversFor, takesSchemes, type Question } from '../game/question';
import { fits } from '../game/asking';
import { Setup } from '../game/setup';
import { useGame, type GameOnPage } from '../game/usegame';
import { useAsked } from '../lib/hooks';
import { packList, unpackList } from '../lib/pack';
import { readingOf, shareOf, type WorkState } from '../lib/work';
import { headline } from '../parts/answer';
import { Board } from '../parts/board';
import { FailureBox } from '../parts/failure';
import { Plot } from '../parts/plot';
import { IDLE, SearchPanel, isBusy, useWork } from '../parts/search';
import { href } from '../route';
import type { PageProps } from './index';

/** A search as the address holds it: `pn+dag`, or the word of a solver. */
interface Subject {
  scheme: string;
  driver: string;
}

/** Each search holds a connection open, and a browser has six for a server: some must stay free. */
const MOST = 4;

function subjectsOf(text: string | undefined, view: View | null, words: Words | null): Subject[] {
  if (text) {
    return unpackList(text).slice(0, MOST).map((pair) => {
      const [scheme = '', driver = ''] = pair.split('+');
      return { scheme, driver };
    });
  }
  if (!view || !words) return [];
  if (!takesSchemes(view)) return solversFor(words, view).slice(0, 2).map(({ word }) => ({ scheme: word, driver: '' }));
  const pairs = [['pn', 'dag'], ['pp', 'dag'], ['mcts', 'tree']] as const;
  return pairs.filter(([scheme, driver]) => words.schemes.some(({ word }) => word === scheme) && fits(words, scheme, driver))
    .map(([scheme, driver]) => ({ scheme, driver }));
}

export function StudyPage({ params }: PageProps) {
  const game = useGame('study', params);
  const { view } = game;
  const words = useAsked(() => backend.words(), []).value;
  const games = useAsked(() => backend.games(), []).value;
  const question = useMemo(() => questionOf(params, words?.limits ?? null), [params, words]);
  const subjects = subjectsOf(params.searches, view, words);
  const [turn, setTurn] = useState({ start: 0, stop: 0 });
  const [states, setStates] = useState<Record<number, WorkState>>({});
  const entry = games?.find((known) => known.name === game.where.game.split(':')[0]);
  const set = (list: Subject[]) => game.set({ searches: packList(list.map(({ scheme, driver }) => `${scheme}+${driver}`)) });
  const running = subjects.some((_, i) => isBusy(states[i] ?? IDLE));
  const limit = words ? Math.min(MOST, Math.max(words.limits.jobs, 1)) : MOST;
  return (
    <div class="study-page">
      <h1>Study: {game.where.game}</h1>
      <p class="quiet">The same position, searched in several ways at the same time.</p>
      <div class="study-top">
        <div>
          {view
            ? <Board scene={view.scene} usual={view.usual} label={`Board of ${view.game}`} onMove={game.settled ? game.play : undefined} joint={view.joint ? view.shown.players : undefined} weights={view.shown.weights} />
            : <div class="board"><div class="board-frame board-wait" /></div>}
          <FailureBox failure={game.failure} />
        </div>
        <div>
          <div class="tools">
            <button type="button" class="primary" onClick={() => setTurn({ ...turn, start: turn.start + 1 })} disabled={!game.settled || view?.shown.over !== null} data-testid="start-all">Start all</button>
            <button type="button" onClick={() => setTurn({ ...turn, stop: turn.stop + 1 })} disabled={!running} data-testid="stop-all">Stop all</button>
            <button type="button" onClick={() => set([...subjects, { scheme: '', driver: '' }])} disabled={!words || subjects.length >= MOST} data-testid="add-search">Add a search</button>
            <button type="button" onClick={() => game.goToMoves(game.moves.slice(0, -1))} disabled={game.moves.length === 0}>Undo</button>
            <a class="button" href={href('board', { ...params, searches: '' })}>Board</a>
          </div>
          {subjects.length > limit && <p class="quiet">Only {limit} searches run at a time here; the others wait.</p>}
          <CommonPlot subjects={subjects} states={states} />
          <Setup game={game} entry={entry} view={view} />
        </div>
      </div>
      <div class="study-grid">
        {words && view && subjects.map((subject, i) => (
          <Lane
            key={i}
            subject={subject}
            game={game}
            view={view}
            words={words}
            question={question}
            turn={turn}
            onState={(state) => setStates((before) => ({ ...before, [i]: state }))}
            onChange={(next) => set(subjects.map((old, at) => (at === i ? next : old)))}
            onRemove={() => {
              setStates({});
              set(subjects.filter((_, at) => at !== i));
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface LaneProps {
  subject: Subject;
  game: GameOnPage;
  view: View;
  words: Words;
  question: Question;
  turn: { start: number; stop: number };
  onState(state: WorkState): void;
  onChange(subject: Subject): void;
  onRemove(): void;
}

/** One search. */
function Lane({ subject, game, view, words, question, turn, onState, onChange, onRemove }: LaneProps) {
  const work = useWork();
  const first = useRef(turn);
  const { scheme, driver } = subject;
  const schemes = takesSchemes(view);
  const start = () => {
    const asked = schemes ? { ...question, scheme, driver, solver: '' } : { ...question, solver: scheme };
    const files = game.where.files ? { files: game.where.files } : {};
    work.start({ work: 'solve', job: jobOf(view, asked, false, question.seconds), ...files });
  };
  useEffect(() => onState(work.state), [work.state]);
  useEffect(() => {
    if (turn.start !== first.current.start) start();
  }, [turn.start]);
  useEffect(() => {
    if (turn.stop !== first.current.stop) work.stop();
  }, [turn.stop]);
  useEffect(() => work.clear(), [view.position, scheme, driver]);
  const last = work.state.last;
  const busy = isBusy(work.state);
  return (
    <section class="panel study-card" aria-label={`Search ${nameOf(subject)}`} data-testid="study-card">
      <div class="field-grid">
        {schemes ? (
          <>
            <label>
              <span>Scheme</span>
              <select value={scheme} onChange={(event) => onChange({ driver, scheme: event.currentTarget.value })}>
                <option value="">the usual one</option>
                {words.schemes.map(({ word, about }) => <option key={word} value={word} title={about} disabled={!fits(words, word, driver)}>{word}</option>)}
              </select>
            </label>
            <label>
              <span>Driver</span>
              <select value={driver} onChange={(event) => onChange({ scheme, driver: event.currentTarget.value })}>
                <option value="">the usual one</option>
                {words.drivers.map(({ word, about }) => <option key={word} value={word} title={about} disabled={!fits(words, scheme, word)}>{word}</option>)}
              </select>
            </label>
          </>
        ) : (
          <label>
            <span>Solver</span>
            <select value={scheme} onChange={(event) => onChange({ driver: '', scheme: event.currentTarget.value })}>
              <option value="">the usual one</option>
              {solversFor(words, view).map(({ word, about }) => <option key={word} value={word} title={about}>{word}</option>)}
            </select>
          </label>
        )}
      </div>
      <p class="study-answer" role="status">{last?.event === 'solved' ? headline(last.answer, view) : ''}</p>
      <div class="tools">
        <button type="button" onClick={start} disabled={busy}>Start</button>
        <button type="button" class="plain" onClick={onRemove}>Remove</button>
      </div>
      <SearchPanel work={work} compact />
    </section>
  );
}

function nameOf({ scheme, driver }: Subject): string {
  return [scheme, driver].filter((word) => word !== '').join(' + ') || 'the usual one';
}

/** Nodes of all searches, and what they think of the root, over the same time. */
function CommonPlot({ subjects, states }: { subjects: Subject[]; states: Record<number, WorkState> }) {
  const [what, setWhat] = useState<'nodes' | 'root'>('nodes');
  const times = useMemo(() => {
    const all = subjects.flatMap((_, i) => states[i]?.history.map((point) => point.seconds) ?? []);
    return [...new Set(all)].sort((a, b) => a - b);
  }, [states, subjects.length]);
  const series = useMemo(() => subjects.map((subject, i) => {
    const known = new Map((states[i]?.history ?? []).map((point) => [
      point.seconds, what === 'nodes' ? point.nodes : shareOf(readingOf(point.root)),
    ]));
    return { label: `${i + 1}: ${nameOf(subject)}`, colour: i, values: times.map((time) => known.get(time) ?? null) };
  }), [times, what, subjects]);
  return (
    <section class="panel" aria-label="All searches over time">
      <div class="panel-head">
        <h2>{what === 'nodes' ? 'Nodes over time' : 'How far the root speaks for the first player'}</h2>
        <label>
          <span class="visually-hidden">What is plotted</span>
          <select value={what} onChange={(event) => setWhat(event.currentTarget.value as 'nodes' | 'root')}>
            <option value="nodes">nodes</option>
            <option value="root">root</option>
          </select>
        </label>
      </div>
      <Plot label="Searches" x={times} xLabel="seconds" series={series} log={what === 'nodes'} height={200} testid="study-plot" />
    </section>
  );
}
