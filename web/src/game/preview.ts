// A line on the board before it is played: the position that one points at, and an arrow for its last move.

import { useEffect, useState } from 'preact/hooks';
import type { Scene, Touch } from '../api';
import { viewOf } from '../lib/cache';
import type { BoardArrow } from '../parts/board';
import type { GameOnPage } from './usegame';

export interface Preview {
  scene: Scene | null;
  arrows: BoardArrow[];
  /** Shows the position after so many moves of the line; none for 0. */
  show(plies: number): void;
}

export function usePreview(game: GameOnPage, line: string[]): Preview {
  const [plies, setPlies] = useState(0);
  const [shown, setShown] = useState<{ scene: Scene; arrows: BoardArrow[] } | null>(null);
  const { where, moves } = game;
  useEffect(() => setPlies(0), [game.view]);
  useEffect(() => {
    if (plies === 0) {
      setShown(null);
      return;
    }
    let current = true;
    const at = (count: number) => viewOf({ ...where, moves: [...moves, ...line.slice(0, count)] });
    Promise.all([at(plies - 1), at(plies)]).then(
      ([before, after]) => {
        if (!current) return;
        const touch = before.scene.moves.find((move) => move.move === line[plies - 1]);
        setShown({ scene: after.scene, arrows: touch ? arrowsOf(touch) : [] });
      },
      () => current && setShown(null),
    );
    return () => {
      current = false;
    };
  }, [plies, where]);
  return { scene: shown?.scene ?? null, arrows: shown?.arrows ?? [], show: setPlies };
}

/** A move as an arrow, or as a mark on what it takes. */
export function arrowsOf(touch: Touch, text?: string): BoardArrow[] {
  const [from, to] = [touch.cells[0], touch.cells.at(-1)];
  if (from === undefined || to === undefined) return [];
  const label = text === undefined ? {} : { text };
  if (touch.travels) return [{ from, to, tone: 'mine', best: true, ...label }];
  return touch.cells.map((cell) => ({ from: cell, to: cell, tone: 'mine' as const }));
}

/** So many moves of a line are drawn at once; more would cover each other. */
const MOST_MARKED = 6;
const MOST_ARROWS = 3;

/** The first moves of a line on the board, numbered: all of them, or only those that go from cell to cell. */
export function useLineArrows(game: GameOnPage, line: string[], which: 'all' | 'travels' | 'none'): BoardArrow[] {
  const [arrows, setArrows] = useState<BoardArrow[]>([]);
  const { where, moves, settled } = game;
  const most = which === 'all' ? MOST_MARKED : MOST_ARROWS;
  const text = line.slice(0, most).join(' ');
  useEffect(() => {
    setArrows([]);
    if (which === 'none' || !settled || line.length === 0) return;
    let current = true;
    const draw = async () => {
      const found: BoardArrow[] = [];
      const marked = new Set<number>();
      for (const [i, move] of line.slice(0, most).entries()) {
        const { scene } = await viewOf({ ...where, moves: [...moves, ...line.slice(0, i)] });
        const touch = scene.moves.find((legal) => legal.move === move);
        const cell = touch?.cells[0];
        if (!current || !touch || cell === undefined || (which === 'travels' && !touch.travels)) break;
        if (touch.travels ? found.length < MOST_ARROWS : !marked.has(cell)) {
          found.push({ from: cell, to: touch.travels ? touch.cells.at(-1)! : cell, text: String(i + 1), tone: i % 2 === 0 ? 'mine' : 'theirs', best: i === 0 });
        }
        marked.add(cell);
      }
      if (current) setArrows(found);
    };
    draw().catch(() => {});
    return () => {
      current = false;
    };
  }, [which, where, text, settled]);
  return arrows;
}
