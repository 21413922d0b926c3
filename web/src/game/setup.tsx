// Which game and which position: texts that one types or pastes.

import { useEffect, useState } from 'preact/hooks';
import type { Failure, GameEntry, View } from '../api';
import { FailureBox, failureOf } from '../parts/failure';
import { viewOf } from '../lib/cache';
import { packList } from '../lib/pack';
import type { GameOnPage } from './usegame';

interface SetupProps {
  game: GameOnPage;
  entry: GameEntry | undefined;
  view: View | null;
}

export function Setup({ game, entry, view }: SetupProps) {
  return (
    <details class="panel setup" data-testid="setup" open={game.failure !== null}>
      <summary>Game and position</summary>
      <GameField game={game} entry={entry} />
      <PositionField game={game} view={view} />
    </details>
  );
}

/** The game with its options; it is looked at before it is taken. */
function GameField({ game, entry }: { game: GameOnPage; entry: GameEntry | undefined }) {
  const [text, setText] = useState(game.where.game);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => setText(game.where.game), [game.where.game]);
  const take = async (event: Event) => {
    event.preventDefault();
    try {
      const files = game.where.files ? { files: game.where.files } : {};
      await viewOf({ game: text.trim(), position: 'start', ...files });
      setFailure(null);
      game.set({ game: text.trim(), position: undefined, moves: undefined }, false);
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <form class="field-row" onSubmit={(event) => void take(event)}>
      <label>
        <span>Game{entry?.options ? <span class="quiet"> · {entry.name}:{entry.options}</span> : ''}</span>
        <input value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} autocomplete="off" data-testid="game-field" />
      </label>
      <button type="submit">Set</button>
      <FailureBox failure={failure} text={text} class="field-failure" />
    </form>
  );
}

/** A position as FEN, `moves:…` or the game's own text. */
function PositionField({ game, view }: { game: GameOnPage; view: View | null }) {
  const here = view?.position ?? '';
  const [text, setText] = useState(here);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    setText(here);
    setFailure(null);
  }, [here]);
  const take = async (event: Event) => {
    event.preventDefault();
    const wanted = text.trim() || 'start';
    try {
      const moves = movesIn(wanted);
      await viewOf({ ...game.where, ...(moves ? { position: 'start', moves } : { position: wanted, moves: [] }) });
      setFailure(null);
      game.set(moves
        ? { position: undefined, moves: packList(moves) || undefined }
        : { position: wanted === 'start' ? undefined : wanted, moves: undefined }, false);
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <form class="field-row" onSubmit={(event) => void take(event)}>
      <label>
        <span>Position <span class="quiet">· its text, FEN, or moves:a,b</span></span>
        <textarea rows={2} value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} data-testid="position-field" />
      </label>
      <button type="submit" data-testid="set-position">Set</button>
      <FailureBox failure={failure} text={text} class="field-failure" />
    </form>
  );
}

/** The moves of `moves:a,b`, so that they stand in the list of moves. */
function movesIn(text: string): string[] | null {
  if (!text.startsWith('moves:')) return null;
  return text.slice('moves:'.length).split(',').map((move) => move.trim()).filter((move) => move !== '');
}
