// Who plays: people, or the machine at some strength. It can be changed at any time.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { View, Word, WorkEvent } from '../api';
import { rolled } from '../parts/choices';
import { FailureBox } from '../parts/failure';
import { nodeOf } from '../lib/tree';
import { useWork } from '../parts/search';
import type { GameOnPage } from './usegame';

export interface Seats {
  /** The level of each player that the machine plays. */
  level: Record<string, string>;
  set(player: string, level: string): void;
  chance: 'by hand' | 'rolls';
  setChance(how: 'by hand' | 'rolls'): void;
  /** Whether the machine is to move. */
  locked: boolean;
  /** Whether the machine would be to move, but the game goes on from here already. */
  waiting: boolean;
  goOn(): void;
  thinking: boolean;
  note: string;
  failure: ReturnType<typeof useWork>['state']['failure'];
  /** Of joint moves: what the machine has chosen already. */
  presets: Record<string, string>;
}

/** Machine moves come at most this fast, so that one can follow. */
const PACE_MS = 350;

/** `waits`: something must be decided by a person first. */
export function useSeats(game: GameOnPage, waits: boolean): Seats {
  const [level, setLevel] = useState<Record<string, string>>({});
  const [chance, setChance] = useState<'by hand' | 'rolls' | null>(null);
  const [note, setNote] = useState('');
  const [told, setTold] = useState(-1);
  const [presets, setPresets] = useState<Record<string, string>>({});
  const work = useWork();
  const { view, settled } = game;
  const play = useRef(game.play);
  play.current = game.play;

  const anyMachine = Object.values(level).some((word) => word !== '');
  const rolls = chance ?? (anyMachine ? 'rolls' : 'by hand');
  const over = view?.shown.over !== null;
  const mover = view && !view.joint ? view.shown.to_move : null;
  // Who goes back through the game looks at it: the machine goes on where the line ends, or when it is told to.
  const ended = nodeOf(game.tree, game.tree.current).children.length === 0;
  const seated = mover !== null ? (level[mover] ?? '') : '';
  const machine = ended || told === game.moves.length ? seated : '';
  const isChance = (view?.shown.weights?.length ?? 0) > 0;
  const due = view && view.joint && !over ? (view.shown.players.find((p) => level[p] && !(p in presets)) ?? '') : '';

  useEffect(() => {
    setPresets({});
    setTold((before) => (before === game.moves.length ? before : -1));
  }, [view]);
  useEffect(() => {
    if (!view || !settled || over || waits || (!machine && !due)) {
      work.clear();
      return;
    }
    const began = performance.now();
    let timer = 0;
    const chosen = (event: WorkEvent) => {
      if (event.event !== 'chosen') return;
      const { move, san, note: why } = event;
      timer = window.setTimeout(() => {
        if (due) return setPresets((before) => ({ ...before, [due]: move }));
        setNote(`${mover} played ${san ?? move}${why ? `: ${why}` : ''}`);
        play.current(move);
      }, Math.max(0, PACE_MS - (performance.now() - began)));
    };
    const who = due ? { player: due } : {};
    work.start({ work: 'choose', level: due ? level[due]! : machine, ...who, ...game.where }, chosen);
    return () => {
      clearTimeout(timer);
      work.clear();
    };
  }, [view, settled, machine, due, waits, over]);
  useEffect(() => {
    const full = view?.joint ? view.shown.players.map((player) => presets[player]) : [];
    if (settled && !waits && full.length > 0 && full.every((move) => move !== undefined)) play.current(full.join('/'));
  }, [presets]);
  useEffect(() => {
    if (!view || !settled || !isChance || rolls !== 'rolls' || waits || over) return;
    const timer = setTimeout(() => {
      const move = view.shown.moves[0]?.[rolled(view.shown.weights ?? [], Math.random())];
      if (move !== undefined) play.current(move);
    }, PACE_MS);
    return () => clearTimeout(timer);
  }, [view, settled, isChance, rolls, waits]);

  return {
    level,
    set: (player, word) => setLevel((before) => ({ ...before, [player]: word })),
    chance: rolls,
    setChance,
    locked: machine !== '' && !over,
    waiting: seated !== '' && machine === '' && !over,
    goOn: () => setTold(game.moves.length),
    thinking: machine !== '' && work.state.status !== 'idle' && work.state.last === null,
    note,
    failure: work.state.failure,
    presets,
  };
}

export function SeatsPanel({ seats, view, levels }: { seats: Seats; view: View | null; levels: Word[] }) {
  return (
    <section class="panel seats" aria-label="Who plays">
      <h2>Who plays</h2>
      <div class="field-grid">
        {view?.shown.players.map((player) => (
          <label key={player}>
            <span>{player}</span>
            <select value={seats.level[player] ?? ''} onChange={(event) => seats.set(player, event.currentTarget.value)} data-testid="level" data-player={player}>
              <option value="">by hand</option>
              {levels.map(({ word, about }) => <option key={word} value={word} title={about}>{word}: {about}</option>)}
            </select>
          </label>
        ))}
        {view?.chance && (
          <label>
            <span>chance</span>
            <select value={seats.chance} onChange={(event) => seats.setChance(event.currentTarget.value as Seats['chance'])} data-testid="chance-seat">
              <option value="by hand">by hand</option>
              <option value="rolls">rolls by itself</option>
            </select>
          </label>
        )}
      </div>
      {seats.waiting && <button type="button" onClick={seats.goOn} data-testid="machine-move">Let the machine move here</button>}
      <p class="seat-note" aria-live="polite">{seats.thinking ? 'The machine thinks…' : seats.note}</p>
      <FailureBox failure={seats.failure} />
    </section>
  );
}
