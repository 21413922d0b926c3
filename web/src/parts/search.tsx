// A search while it goes on: its numbers, the moves of the root, a plot over time; stop, and go on.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Progress, RunningWork, Work, WorkEvent } from '../api';
import { backend } from '../backend';
import { bytes, seconds, short, whole } from '../lib/format';
import { IDLE, heard, rateOf, readingOf, shareOf, type WorkState } from '../lib/work';
import { FailureBox } from './failure';
import { Plot } from './plot';

export { IDLE, type WorkState };

export interface WorkHandle {
  state: WorkState;
  /** Stops what runs and starts this; `onEvent` hears every event at once. */
  start(work: Work, onEvent?: (event: WorkEvent) => void): RunningWork;
  stop(): void;
  more(seconds: number, bytes?: number): void;
  /** Stops what runs and forgets what is known. */
  clear(): void;
}

/** A page is drawn at most so often, however fast events come. */
const FRAME_MS = 60;

/** One piece of work at a time; it is stopped when the page is left or other work starts. */
export function useWork(): WorkHandle {
  const [state, setState] = useState(IDLE);
  const now = useRef({ running: null as RunningWork | null, state: IDLE, timer: 0, turn: 0 });
  const forget = () => {
    const it = now.current;
    it.turn += 1;
    clearTimeout(it.timer);
    it.timer = 0;
    if (it.state.last === null) it.running?.stop();
    it.running = null;
  };
  const show = () => {
    clearTimeout(now.current.timer);
    now.current.timer = 0;
    setState(now.current.state);
  };
  useEffect(() => forget, []);
  const handle = useMemo(() => ({
    start(work: Work, onEvent?: (event: WorkEvent) => void): RunningWork {
      forget();
      const it = now.current;
      const turn = it.turn;
      it.state = { ...IDLE, status: 'queued' };
      show();
      it.running = backend.run(work, (event) => {
        if (turn !== it.turn) return;
        it.state = heard(it.state, event);
        onEvent?.(event);
        if (it.state.last !== null || it.state.paused !== null) show();
        else if (it.timer === 0) it.timer = window.setTimeout(show, FRAME_MS);
      });
      return it.running;
    },
    stop: () => now.current.running?.stop(),
    more: (time: number, room?: number) => now.current.running?.more(time, room),
    clear() {
      forget();
      now.current.state = IDLE;
      show();
    },
  }), []);
  return { ...handle, state };
}

export function isBusy(state: WorkState): boolean {
  return state.status === 'queued' || state.status === 'running' || state.status === 'paused';
}

/** Numbers of a search while it goes on, and after it. */
export function SearchPanel({ work, compact }: { work: WorkHandle; compact?: boolean }) {
  const { state } = work;
  const { progress } = state;
  return (
    <section class="panel search" aria-label={compact ? undefined : 'Search'} data-testid="search">
      <div class="search-head">
        <p class="search-state" role="status">{statusText(state)}</p>
        <button type="button" onClick={work.stop} disabled={!isBusy(state)} data-testid="stop">Stop</button>
      </div>
      {state.paused && <Paused work={work} />}
      <FailureBox failure={state.failure} />
      <dl class="numbers">
        <Figure name="nodes" value={progress ? whole(progress.nodes) : '–'} />
        <Figure name="nodes a second" value={progress ? short(rateOf(state.history)) : '–'} />
        <Figure name="time" value={progress ? seconds(progress.seconds) : '–'} />
        <Figure name="memory" value={progress ? bytes(progress.bytes) : '–'} />
        <Figure name="bounds" value={progress ? boundsText(progress) : '–'} />
        <Figure name="root" value={progress?.root || '–'} />
      </dl>
      {state.working && state.status === 'running' && (
        <label class="share">
          {WORKING[state.working.work]}
          <progress value={state.working.share} max={1} />
        </label>
      )}
      {!compact && <SearchPlot history={state.history} />}
      {(state.root || state.valued.length > 0) && <RootMoves state={state} />}
    </section>
  );
}

const WORKING = {
  writing: 'Writing the proof', checking: 'Checking the proof', counting: 'Counting', comparing: 'Comparing',
} as const;

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function boundsText({ bounds: [low, high] }: Progress): string {
  return low === high ? low || '–' : `${low} to ${high}`;
}

export function statusText(state: WorkState): string {
  const what = state.started ? [state.started.scheme, state.started.driver].filter(Boolean).join(' + ') : '';
  switch (state.status) {
    case 'idle':
      return 'No search runs.';
    case 'queued':
      return state.ahead > 0 ? `Waits for ${state.ahead} other ${state.ahead === 1 ? 'search' : 'searches'}.` : 'Starts…';
    case 'running':
      if (state.valued.length > 0) return `Valuing moves, ${state.valued.length} so far…`;
      return what ? `Searching by ${what}…` : 'Working…';
    case 'paused':
      return 'Paused.';
    case 'done':
      return what ? `Done, by ${what}.` : 'Done.';
    case 'failed':
      return 'It failed.';
  }
}

/** The budget is used up: go on with more, or end it with what is known. */
function Paused({ work }: { work: WorkHandle }) {
  const { paused } = work.state;
  if (!paused) return null;
  const amounts: [string, number, number | undefined][] = paused.why === 'memory'
    ? [['twice the memory', 10, paused.bytes], ['four times the memory', 30, paused.bytes * 3]]
    : [['10 s more', 10, undefined], ['1 min more', 60, undefined], ['5 min more', 300, undefined]];
  return (
    <div class="paused" role="group" aria-label="Go on" data-testid="paused">
      <p>
        {paused.why === 'time' ? `${seconds(paused.seconds)} are used up.` : `${bytes(paused.bytes)} of memory are used up.`}{' '}
        Go on with
      </p>
      {amounts.map(([name, time, room]) => (
        <button key={name} type="button" onClick={() => work.more(time, room)} data-testid="more">{name}</button>
      ))}
    </div>
  );
}

/** Outcomes for the first player as bars. */
const OUTCOME_SHARE: Record<string, number> = { loss: 0, draw: 0.5, win: 1 };

/** The moves of the position with what is known of them: numbers of the search, then their values. */
function rootMoves(state: WorkState): Progress['moves'] {
  const valued = new Map(state.valued.map((move) => [move.move, move]));
  const seen = (state.root?.moves ?? []).map((move) => {
    const known = valued.get(move.text);
    valued.delete(move.text);
    return known ? { text: move.text, value: known.value ?? '', bounds: known.bounds } : move;
  });
  return [...seen, ...[...valued.values()].map((move) => ({ text: move.move, value: move.value ?? '', bounds: move.bounds }))];
}

/** So many moves get a bar; the list of moves tells the rest. */
const MOST_BARS = 12;

function RootMoves({ state }: { state: WorkState }) {
  const all = rootMoves(state);
  const moves = all.slice(0, MOST_BARS);
  return (
    <table class="root-moves" data-testid="root-moves">
      <caption>Moves of the root: outcomes and bars are those of the first player</caption>
      <colgroup><col class="col-move" /><col class="col-bar" /><col class="col-text" /></colgroup>
      <thead class="visually-hidden">
        <tr><th scope="col">Move</th><th scope="col">Bar</th><th scope="col">Numbers</th></tr>
      </thead>
      <tbody>
        {moves.map(({ text, value, bounds }) => {
          const share = shareOf(readingOf(value)) ?? OUTCOME_SHARE[bounds[0] === bounds[1] ? bounds[0] : ''] ?? null;
          return (
            <tr key={text}>
              <th scope="row">{text}</th>
              <td class="bar-cell">
                <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="bar-ground" width="100" height="8" />
                  {share !== null && <rect class="bar-fill" width={share * 100} height="8" />}
                </svg>
              </td>
              <td class="bar-text">{bounds[0] === bounds[1] && bounds[0] ? bounds[0] : value}</td>
            </tr>
          );
        })}
      </tbody>
      {all.length > MOST_BARS && (
        <tfoot><tr><td colSpan={3} class="quiet">and {all.length - MOST_BARS} more</td></tr></tfoot>
      )}
    </table>
  );
}

function SearchPlot({ history }: { history: Progress[] }) {
  const readings = history.map((point) => readingOf(point.root));
  const effort = readings.some((reading) => reading.kind === 'effort');
  const finite = (n: number) => (Number.isFinite(n) ? n : null);
  const series = [
    { label: 'nodes', values: history.map((point) => point.nodes) },
    ...(effort ? [
      { label: 'proof number', values: readings.map((r) => (r.kind === 'effort' ? finite(r.proof) : null)) },
      { label: 'disproof number', values: readings.map((r) => (r.kind === 'effort' ? finite(r.disproof) : null)) },
    ] : []),
  ];
  return <Plot label="Search over time" x={history.map((point) => point.seconds)} xLabel="seconds" series={series} log height={150} testid="search-plot" />;
}

