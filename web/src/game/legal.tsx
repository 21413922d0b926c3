// All legal moves with what is known of them, as a list: for those who don't click on boards.

import type { Touch, View } from '../api';
import { valueOf, type Values } from '../lib/values';
import { usualText } from '../lib/words';
import { ValueChip } from '../parts/choices';

export function LegalMoves({ view, values, show, onMove }: {
  view: View; values: Values; show: boolean; onMove?: ((move: string) => void) | undefined;
}) {
  const moves = view.scene.moves;
  const rank = (move: Touch) => {
    const value = show ? valueOf(values, move) : undefined;
    return value === undefined ? 0 : value.best ? 3 : value.quality === 'good' ? 2 : value.quality === 'even' ? 1 : value.quality === 'bad' ? -1 : 0;
  };
  const sorted = [...moves].sort((a, b) => rank(b) - rank(a));
  return (
    <details class="panel legal" data-testid="legal-moves">
      <summary>{moves.length === 1 ? '1 legal move' : `${moves.length} legal moves`}</summary>
      <ul>
        {sorted.map((move) => {
          const value = show ? valueOf(values, move) : undefined;
          const text = view.joint ? `${move.player}: ${move.move}` : usualText(view.scene, view.usual, move);
          return (
            <li key={`${move.player} ${move.move}`}>
              {onMove && !view.joint
                ? <button type="button" class="move-button" onClick={() => onMove(move.move)} data-move={move.move}>{text}</button>
                : <span>{text}</span>}
              {value && <ValueChip value={value} />}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
