// Values of states on the picture of a graph: a frame in the colour of the value, and its sign and word beside the
// word for who moves.

import type { Quality, Scene, SceneMark, WorkEvent } from '../../api';
import { cellWidth, widthOf } from '../../lib/geometry';

export type Valued = Extract<WorkEvent, { event: 'valued' }>;

/** What the library calls positions in which nobody can force an end. */
export const UNDETERMINED = 'undetermined';

const SIGNS: Record<Quality, string> = { good: '●', even: '■', bad: '▽', neutral: '?' };

/** How good a value is for the first player: by who wins, else by its place among the outcomes. */
export function qualityOf(value: string | null, winner: string | null, players: string[], outcomes: string[]): Quality {
  if (value === null || value === UNDETERMINED) return 'neutral';
  if (winner !== null) return winner === players[0] ? 'good' : 'bad';
  const place = outcomes.indexOf(value);
  // With chance, the value is how likely the first player wins, or points.
  if (place < 0 && (value === '1' || value === '0')) return value === '1' ? 'good' : 'bad';
  if (place >= 0 && place === outcomes.length - 1) return 'good';
  return place === 0 ? 'bad' : 'even';
}

/** A value in few letters. */
export function shortValue(value: string | null): string {
  return value === null || value === UNDETERMINED ? 'open' : value;
}

/** The scene with the value of each state in its cell. */
export function withValues(scene: Scene, values: Map<string, Valued>, players: string[], outcomes: string[]): Scene {
  const labels = [...scene.labels];
  const marks = scene.cells.flatMap((cell, i): SceneMark[] => {
    const known = values.get(cell.name);
    if (!known) return [];
    const quality = qualityOf(known.value, known.winner, players, outcomes);
    const at = labels.findIndex((label) => label.at[0] === cell.at[0] && Math.abs(label.at[1] - cell.at[1]) < 0.6);
    const caption = labels[at];
    if (caption) {
      const word = shortValue(known.value);
      const text = caption.text === word ? `${SIGNS[quality]} ${word}` : `${caption.text} ${SIGNS[quality]} ${word}`;
      labels[at] = { ...caption, text, size: Math.min(0.2, (cellWidth(cell) * 0.78) / widthOf(text)) };
    }
    return [{ kind: 'value', cells: [i], text: caption ? '' : shortValue(known.value), quality, best: true }];
  });
  return { ...scene, labels, marks: [...scene.marks.filter((mark) => mark.kind !== 'value'), ...marks] };
}
