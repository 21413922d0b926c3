// Moves that no click on a cell can tell: buttons below the board.

import { useEffect, useRef } from 'preact/hooks';
import type { Touch } from '../api';
import { valueOf, type MoveValue } from '../lib/values';

type Values = Record<string, MoveValue> | undefined;

interface ListProps {
  moves: Touch[];
  name(move: Touch): string;
  values: Values;
  onChoose(move: Touch): void;
}

/** So many buttons stand below a board; the list of moves has all of them. */
const MOST = 60;

export function MoveButtons({ moves, name, values, onChoose }: ListProps) {
  return (
    <div class="move-buttons" role="group" aria-label="Moves" data-testid="move-buttons">
      {moves.slice(0, MOST).map((move) => {
        const value = valueOf(values, move);
        return (
          <button key={`${move.player} ${move.move}`} type="button" onClick={() => onChoose(move)} data-move={move.move}>
            {name(move)}
            {value && <ValueChip value={value} />}
          </button>
        );
      })}
      {moves.length > MOST && <span class="quiet">and {moves.length - MOST} more in the list of moves</span>}
    </div>
  );
}

/** A value in a line of text. */
export function ValueChip({ value }: { value: MoveValue }) {
  return (
    <span class={`chip q-${value.quality}${value.best ? ' best' : ''}`} title={value.detail}>
      <span class="chip-icon" aria-hidden="true">{ICON[value.quality]}</span>
      {value.label}
    </span>
  );
}

export const ICON = { good: '●', even: '■', bad: '▽', neutral: '' } as const;

/** Several moves fit: which one? */
export function Chooser({ moves, name, values, onChoose, onClose }: ListProps & { onClose(): void }) {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => group.current?.querySelector('button')?.focus(), [moves]);
  return (
    <div
      class="chooser"
      role="group"
      aria-label="Which move?"
      data-testid="chooser"
      ref={group}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <span class="chooser-title">Which move?</span>
      {moves.map((move) => {
        const value = valueOf(values, move);
        return (
          <button key={move.move} type="button" onClick={() => onChoose(move)} data-move={move.move}>
            {name(move)}
            {value && <ValueChip value={value} />}
          </button>
        );
      })}
      <button type="button" class="plain" onClick={onClose}>None</button>
    </div>
  );
}

/** Both choose in turn; what was chosen first stays hidden. */
export function JointState({ players, chosen, active, onReset }: {
  players: string[]; chosen: Record<string, string>; active: string | undefined; onReset(): void;
}) {
  return (
    <p class="joint-state" data-testid="joint-state">
      {players.map((player) => (
        <span key={player} class={player === active ? 'joint-player active' : 'joint-player'}>
          {player}: {player in chosen ? 'has chosen' : player === active ? 'choose a move' : 'waits'}
        </span>
      ))}
      <button type="button" class="plain" onClick={onReset} disabled={Object.keys(chosen).length === 0}>Choose anew</button>
    </p>
  );
}

/** Chance rolls by its weights, or one picks what it does. */
export function ChanceButtons({ moves, weights, onChoose }: {
  moves: Touch[]; weights: number[]; onChoose(move: Touch): void;
}) {
  const sum = weights.reduce((a, b) => a + b, 0);
  const roll = () => {
    const at = rolled(weights, Math.random());
    const move = moves[at];
    if (move) onChoose(move);
  };
  return (
    <div class="move-buttons chance" role="group" aria-label="Chance" data-testid="chance">
      <button type="button" class="primary" onClick={roll} data-testid="roll">Roll</button>
      <span class="quiet">or pick:</span>
      {moves.slice(0, MOST).map((move, i) => (
        <button key={move.move} type="button" onClick={() => onChoose(move)} data-move={move.move}>
          {move.move} <span class="quiet">{share(weights[i] ?? 0, sum)}</span>
        </button>
      ))}
    </div>
  );
}

/** The place in a list of weights that a number from 0 to 1 falls on. */
export function rolled(weights: number[], at: number): number {
  let left = at * weights.reduce((a, b) => a + b, 0);
  for (const [i, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

function share(weight: number, sum: number): string {
  let [a, b] = [weight, sum];
  while (b > 0) [a, b] = [b, a % b];
  return a > 0 ? `${weight / a}/${sum / a}` : '0';
}
