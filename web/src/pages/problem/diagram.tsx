// The board of the problem page: pieces are put on it by hand, or it shows the position behind a move.

import { useMemo, useState } from 'preact/hooks';
import type { Scene } from '../../api';
import { backend } from '../../backend';
import { useAsked } from '../../lib/asked';
import { Board, type BoardArrow } from '../../parts/board';
import { figure, isWhite, moved, PIECES, pieceName, squareIndex, squareName, withPiece, type Diagram } from './fen';

/** An empty chess board as the game draws it. */
export function useChessBoard(): Scene | null {
  const { answer } = useAsked(() => backend.view({ game: 'chess', position: 'start' }), 'chess');
  return useMemo(() => answer && { ...answer.scene, pieces: [], moves: [], marks: [], notes: [] }, [answer]);
}

function paintOf(piece: string): 'white' | 'black' {
  return isWhite(piece) ? 'white' : 'black';
}

/** The board with these men. */
export function sceneOf(empty: Scene, diagram: Diagram, marked: string[] = []): Scene {
  const cells = new Map(empty.cells.map((cell, i) => [cell.name, i]));
  const pieces: Scene['pieces'] = [];
  diagram.squares.forEach((piece, i) => {
    const cell = cells.get(squareName(i));
    if (piece === '' || cell === undefined) return;
    pieces.push({ cell, glyph: { shape: 'figure', of: figure(piece) }, paint: paintOf(piece) });
  });
  const marks = marked.map((name) => cells.get(name)).filter((cell): cell is number => cell !== undefined);
  return { ...empty, pieces, marks: marks.length > 0 ? [{ kind: 'last', cells: marks }] : [] };
}

/** What a click does: a man to put down, or one of these. */
type Tool = string;
const HAND = 'hand';
const RUBBER = 'rubber';

interface SetupProps {
  empty: Scene;
  diagram: Diagram;
  flipped: boolean;
  onChange(diagram: Diagram): void;
}

export function SetupBoard({ empty, diagram, flipped, onChange }: SetupProps) {
  const [tool, setTool] = useState<Tool>(HAND);
  const [held, setHeld] = useState<number | null>(null);
  const click = (cell: number) => {
    const square = squareIndex(empty.cells[cell]?.name ?? '');
    if (square < 0) return;
    const there = diagram.squares[square] ?? '';
    if (tool === RUBBER) onChange(withPiece(diagram, square, ''));
    else if (tool !== HAND) onChange(withPiece(diagram, square, there === tool ? '' : tool));
    else if (held === null) setHeld(there === '' ? null : square);
    else {
      onChange(moved(diagram, held, square));
      setHeld(null);
    }
  };
  const drag = (from: number, to: number) => {
    const [a, b] = [empty.cells[from]?.name ?? '', empty.cells[to]?.name ?? ''];
    setHeld(null);
    if (squareIndex(a) >= 0 && squareIndex(b) >= 0 && diagram.squares[squareIndex(a)] !== '') {
      onChange(moved(diagram, squareIndex(a), squareIndex(b)));
    }
  };
  return (
    <>
      <Board
        scene={sceneOf(empty, diagram, held === null ? [] : [squareName(held)])} label="Chess board to set up"
        onCell={click} onDrag={drag} flipped={flipped} testid="problem-board"
      />
      <Palette tool={tool} onTool={(next) => { setTool(next); setHeld(null); }} />
    </>
  );
}

function Palette({ tool, onTool }: { tool: Tool; onTool(tool: Tool): void }) {
  const man = (piece: string) => (
    <button
      key={piece} type="button" class={isWhite(piece) ? 'man-white' : 'man-black'} data-piece={piece}
      aria-pressed={tool === piece} aria-label={pieceName(piece)} title={pieceName(piece)} onClick={() => onTool(piece)}
    >
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <text class={`figure p-${paintOf(piece)}`} x="20" y="31" font-size="31" text-anchor="middle" stroke-width="2">
          {figure(piece)}
        </text>
      </svg>
    </button>
  );
  const other = (which: Tool, name: string, sign: string) => (
    <button type="button" aria-pressed={tool === which} aria-label={name} title={name} onClick={() => onTool(which)}>
      {sign}
    </button>
  );
  return (
    <div class="palette" role="group" aria-label="What a click puts on the board" data-testid="palette">
      {other(HAND, 'Move men', '✥')}
      {PIECES.filter(isWhite).map(man)}
      {other(RUBBER, 'Take men away', '⌫')}
      {PIECES.filter((piece) => !isWhite(piece)).map(man)}
    </div>
  );
}

interface ShownProps {
  empty: Scene;
  diagram: Diagram;
  /** The last move in coordinates, and all that were played, in words. */
  move: string | undefined;
  way: string;
  flipped: boolean;
}

/** The position behind a move, with an arrow for it. */
export function ShownBoard({ empty, diagram, move, way, flipped }: ShownProps) {
  const cell = (name: string) => empty.cells.findIndex((each) => each.name === name);
  const [from, to] = move ? [cell(move.slice(0, 2)), cell(move.slice(2, 4))] : [-1, -1];
  const arrows: BoardArrow[] = from >= 0 && to >= 0 ? [{ from, to, quality: 'neutral', best: true }] : [];
  return (
    <>
      <Board
        scene={sceneOf(empty, diagram)} label={`The position behind ${way}`} arrows={arrows} flipped={flipped}
        testid="problem-board"
      />
      <p class="way-shown" role="status">Behind <strong>{way}</strong></p>
    </>
  );
}
