// A board that one plays on: by clicks, drags and keys. It draws whatever scene a game gives.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Quality, Scene, Touch } from '../api';
import { DIRECTIONS, cellSize, cellWidth, extentOf, neighbour, turned } from '../lib/geometry';
import { columnMoves, drag, firstCells, nextCells, pick, type Pick } from '../lib/picks';
import { isUnlike, valueOf, type MoveValue } from '../lib/values';
import { cellName, usualText } from '../lib/words';
import { ChanceButtons, Chooser, JointState, MoveButtons } from './choices';
import { Arrow, Badge, Ground, Hint, MarksAbove, MarksBelow, Outlined, Piece, Pieces, UNIT, badgeSize, corners, viewBox } from './scene';

export { MiniBoard } from './scene';

export type { MoveValue };

/** An arrow or, where `from` is `to`, a mark on a cell: indices into `scene.cells`. */
export interface BoardArrow {
  from: number;
  to: number;
  text?: string;
  quality?: Quality;
  best?: boolean;
  /** Moves of a line: those of who is to move, and the replies. They tell nothing of how good they are. */
  tone?: 'mine' | 'theirs';
}

export interface BoardProps {
  scene: Scene;
  /** What a screen reader says of the whole board. */
  label: string;
  /** Moves as people write them, one for each of `scene.moves` (or `shown.moves[0]`). */
  usual?: (string | null)[] | undefined;
  /** Called with the move as the game writes it; of joint moves `a/b`, the player is then ''. Without it
   *  the board can be looked at, but not played on. */
  onMove?: ((move: string, player: string) => void) | undefined;
  /** For boards that have no moves: every cell can be clicked. Called instead of any move. */
  onCell?: ((cell: number) => void) | undefined;
  /** For boards that pieces are put on by hand: a drag from cell to cell. */
  onDrag?: ((from: number, to: number) => void) | undefined;
  flipped?: boolean | undefined;
  /** What is known of moves, by the move as the game writes it; of joint moves `PLAYER/MOVE`. */
  values?: Record<string, MoveValue> | undefined;
  /** Whether values are drawn (default: yes). */
  showValues?: boolean | undefined;
  arrows?: BoardArrow[] | undefined;
  /** The names of the players whose moves are chosen at the same time: joint games. */
  joint?: string[] | undefined;
  /** Joint games: moves that the machine has chosen for its players; they stay hidden. */
  presets?: Record<string, string> | undefined;
  /** How often chance makes each of `scene.moves`. */
  weights?: number[] | undefined;
  /** The machine is to move: nothing can be played by hand. */
  locked?: boolean | undefined;
  testid?: string | undefined;
}

type Selected = { picked: number[]; moves: Touch[] };
const NOTHING: Selected = { picked: [], moves: [] };

export function Board(props: BoardProps) {
  const { onMove, onCell, joint, locked, usual } = props;
  const scene = useMemo(
    () => (props.flipped ? turned(props.scene) : props.scene),
    [props.scene, props.flipped],
  );
  const [selected, setSelected] = useState(NOTHING);
  const [choice, setChoice] = useState<Touch[] | null>(null);
  const [own, setChosen] = useState<Record<string, string>>({});
  const chosen = { ...props.presets, ...own };
  const [said, setSaid] = useState('');
  useEffect(() => {
    setSelected(NOTHING);
    setChoice(null);
    setChosen({});
  }, [props.scene]);

  const open = onMove && !locked ? scene.moves : [];
  const active = joint ? joint.find((player) => !(player in chosen) && open.some((m) => m.player === player)) : undefined;
  const moves = joint ? open.filter((move) => move.player === active) : open;
  const columns = useMemo(() => columnMoves(scene, moves), [scene, moves.length, active]);

  const play = (move: Touch) => {
    setSelected(NOTHING);
    setChoice(null);
    if (!joint) {
      setSaid(`Played ${usualText(scene, usual, move)}.`);
      onMove?.(move.move, move.player);
      return;
    }
    const all = { ...chosen, [move.player]: move.move };
    const missing = joint.filter((player) => !(player in all));
    if (missing.every((player) => choicesOf(open, player).length <= 1)) {
      const full = joint.map((player) => all[player] ?? choicesOf(open, player)[0] ?? '-');
      setSaid(`Played ${full.join(' and ')}.`);
      onMove?.(full.join('/'), '');
    } else {
      setChosen({ ...own, [move.player]: move.move });
      setSaid(`${move.player} has chosen. ${missing[0]} chooses.`);
    }
  };
  const act = (result: Pick) => {
    setChoice(null);
    if (result.kind === 'play') return play(result.move);
    if (result.kind === 'choose') {
      // A click on the end of the move asks the same again.
      setSelected({ picked: result.picked, moves: result.moves });
      setChoice(result.moves);
      setSaid(`${result.moves.length} moves to choose from.`);
    } else if (result.kind === 'select') {
      setSelected({ picked: result.picked, moves: result.moves });
      const name = scene.cells[result.picked.at(-1) ?? -1]?.name ?? '';
      setSaid(`${name} selected, ${result.moves.length} moves.`);
    } else {
      setSelected(NOTHING);
    }
  };
  const point = (cell: number) => {
    if (onCell) return onCell(cell);
    const result = pick(moves, selected.picked, cell);
    const column = columns.get(cell);
    if (result.kind === 'none' && selected.picked.length === 0 && column) return play(column);
    act(result);
  };
  const dragged = (from: number, to: number) => {
    if (props.onDrag) return props.onDrag(from, to);
    act(drag(moves, from, to));
  };

  const unplaced = moves.filter((move) => move.cells.length === 0);
  return (
    <div class="board" data-testid={props.testid ?? 'board'}>
      {isText(scene) ? <TextBoard scene={scene} label={props.label} /> : <BoardPicture
        {...props}
        scene={scene}
        moves={moves}
        columns={columns}
        selected={selected}
        active={active}
        onPoint={point}
        onDragged={dragged}
        onEscape={() => act({ kind: 'none' })}
      />}
      <p class="visually-hidden" aria-live="polite">{said}</p>
      {joint && onMove && <JointState players={joint} chosen={chosen} active={active} onReset={() => setChosen({})} />}
      {choice && (
        <Chooser
          moves={choice}
          name={(move) => usualText(scene, usual, move)}
          values={props.values}
          onChoose={play}
          onClose={() => act({ kind: 'none' })}
        />
      )}
      {props.weights && props.weights.length > 0 && onMove && !locked && (
        <ChanceButtons moves={moves} weights={props.weights} onChoose={play} />
      )}
      {unplaced.length > 0 && !(props.weights && props.weights.length > 0) && (
        <MoveButtons
          moves={unplaced}
          name={(move) => usualText(scene, usual, move)}
          values={props.showValues === false ? undefined : props.values}
          onChoose={play}
        />
      )}
      {scene.notes.length > 0 && (
        <ul class="board-notes">{scene.notes.map((note, i) => <li key={i}>{note}</li>)}</ul>
      )}
    </div>
  );
}

/** Games that have no picture of their own are shown as the text that they give. */
function isText(scene: Scene): boolean {
  return scene.cells.length === 0 && scene.shapes.length === 0;
}

function TextBoard({ scene, label }: { scene: Scene; label: string }) {
  return (
    <pre class="board-text" role="img" aria-label={`${label}: ${scene.labels.map(({ text }) => text).join(' ')}`}>
      {scene.labels.map(({ text }) => text).join('\n')}
    </pre>
  );
}

function choicesOf(moves: Touch[], player: string): string[] {
  return moves.filter((move) => move.player === player).map((move) => move.move);
}

interface PictureProps extends BoardProps {
  moves: Touch[];
  columns: Map<number, Touch>;
  selected: Selected;
  active: string | undefined;
  onPoint(cell: number): void;
  onDragged(from: number, to: number): void;
  onEscape(): void;
}

function BoardPicture(props: PictureProps) {
  const { scene, selected, moves, columns } = props;
  const svg = useRef<SVGSVGElement>(null);
  const [focus, setFocus] = useState(-1);
  const [held, setHeld] = useState<{ cell: number; x: number; y: number; moved: boolean } | null>(null);
  const first = useMemo(() => firstCells(moves), [moves]);
  const next = useMemo(() => nextCells(selected.moves, selected.picked), [selected]);
  const plays = Boolean(props.onMove || props.onCell);
  const { left, top, right, bottom } = extentOf(scene);
  const ratio = Math.min(Math.max((right - left) / (bottom - top), 1), 1.8);

  const place = (event: PointerEvent) => {
    const matrix = svg.current?.getScreenCTM();
    const at = matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
    return { x: at?.x ?? 0, y: at?.y ?? 0 };
  };
  const cellAt = (event: PointerEvent) => {
    const element = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-index]');
    return svg.current?.contains(element ?? null) ? Number(element?.getAttribute('data-index')) : -1;
  };
  const begin = (event: PointerEvent) => {
    const cell = cellAt(event);
    if (cell < 0 || event.button !== 0 || !draggable(props, cell)) return;
    setHeld({ cell, ...place(event), moved: false });
    svg.current?.setPointerCapture?.(event.pointerId);
  };
  const go = (event: PointerEvent) => {
    if (!held) return;
    const at = place(event);
    const moved = held.moved || Math.hypot(at.x - held.x, at.y - held.y) > UNIT * 0.18;
    if (moved) setHeld({ cell: held.cell, ...at, moved });
  };
  const drop = (event: PointerEvent) => {
    const cell = cellAt(event);
    const was = held;
    setHeld(null);
    if (event.button !== 0 || (was === null && cell < 0)) return;
    if (was?.moved && cell !== was.cell) {
      if (cell >= 0) props.onDragged(was.cell, cell);
      else props.onEscape();
    } else if (cell >= 0) {
      setFocus(cell);
      props.onPoint(cell);
    }
  };
  const home = focus >= 0 && focus < scene.cells.length ? focus : ([...first][0] ?? 0);
  const key = (event: KeyboardEvent) => {
    const way = DIRECTIONS[event.key];
    if (way) {
      const to = neighbour(scene.cells, home, way);
      setFocus(to);
      svg.current?.querySelector<SVGElement>(`[data-index="${to}"]`)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') props.onPoint(home);
    else if (event.key === 'Escape' && selected.picked.length > 0) props.onEscape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const lifted = held?.moved ? held.cell : null;
  return (
    <div class="board-frame" style={{ aspectRatio: String(ratio) }}>
      <svg
        ref={svg}
        class={plays ? 'board-svg plays' : 'board-svg'}
        viewBox={viewBox(scene)}
        preserveAspectRatio="xMidYMid meet"
        role={plays ? 'application' : 'img'}
        aria-label={props.label}
        aria-roledescription={plays ? 'board' : undefined}
        {...(plays ? { onPointerDown: begin, onPointerMove: go, onPointerUp: drop, onPointerCancel: () => setHeld(null), onKeyDown: key } : {})}
      >
        <Ground scene={scene} />
        <MarksBelow scene={scene} />
        <g class="marks">
          {selected.picked.map((c) => scene.cells[c] && <Outlined key={c} cell={scene.cells[c]} class="selected" />)}
          <BestCells {...props} />
        </g>
        <Pieces scene={scene} without={lifted} />
        <g class="marks">
          {[...next].map((c) => scene.cells[c] && (
            <Hint key={c} cell={scene.cells[c]} taken={scene.pieces.some((piece) => piece.cell === c)} />
          ))}
        </g>
        <MarksAbove scene={scene} />
        {props.showValues !== false && <Values {...props} />}
        <Arrows scene={scene} arrows={props.arrows ?? []} />
        {plays && (
          <g class="hits">
            {scene.cells.map((cell, i) => (
              <polygon
                key={i}
                class={hitClass(i, first, next, columns, draggable(props, i))}
                points={corners(cell.outline)}
                role="button"
                tabIndex={i === home ? 0 : -1}
                aria-label={cellLabel(props, i, next.has(i))}
                data-cell={cell.name}
                data-index={i}
                data-testid="cell"
                onFocus={() => setFocus(i)}
                // A screen reader clicks without a pointer.
                onClick={(event) => event.detail === 0 && props.onPoint(i)}
              />
            ))}
          </g>
        )}
        {held?.moved && <Lifted scene={scene} held={held} />}
      </svg>
    </div>
  );
}

function hitClass(cell: number, first: Set<number>, next: Set<number>, columns: Map<number, Touch>, drags: boolean): string {
  const can = first.has(cell) || next.has(cell) || columns.has(cell);
  return `hit${can ? ' can' : ''}${drags ? ' drags' : ''}`;
}

/** Whether a drag can begin at a cell. */
function draggable({ onDrag, moves }: PictureProps, cell: number): boolean {
  if (onDrag) return true;
  return moves.some((move) => move.cells.length > 1 && (move.travels ? move.cells[0] === cell : move.cells.includes(cell)));
}

/** `e4, white pawn, win` */
function cellLabel(props: PictureProps, cell: number, isNext: boolean): string {
  const { scene, selected } = props;
  const here = isNext
    ? selected.moves.filter((move) => move.cells.at(-1) === cell || move.cells.includes(cell))
    : props.moves.filter((move) => (move.travels ? move.cells[0] === cell : move.cells.includes(cell)));
  const values = props.showValues === false ? [] : here.flatMap((move) => valueOf(props.values, move) ?? []);
  const unlike = values[0] && values.some((value) => isUnlike(values[0]!, value));
  const best = values.find((value) => value.best) ?? (unlike ? undefined : values[0]);
  const parts = [cellName(scene, cell)];
  if (here.length > 0 && !isNext && here[0]?.travels) parts.push(here.length === 1 ? '1 move' : `${here.length} moves`);
  else if (here.length > 0) parts.push(isNext ? 'can be chosen' : 'can be played');
  if (best) parts.push(best.detail ?? best.label);
  if (selected.picked.includes(cell)) parts.push('selected');
  return parts.join(', ');
}

/** So many best moves that travel get an arrow; more would cover the board. */
const MOST_ARROWS = 8;

/** The moves whose values are drawn now: of a selected piece its own, else all that take cells. */
function drawnValues({ scene, moves, selected, values, locked, joint }: PictureProps): { move: Touch; value: MoveValue }[] {
  // Of joint moves, both players' strategies are seen whoever chooses.
  const all = joint || locked || moves.length === 0;
  const shown = selected.moves.length > 0 ? selected.moves : all ? scene.moves : moves;
  return shown.flatMap((move) => {
    const value = valueOf(values, move);
    return value && move.cells.length > 0 ? [{ move, value }] : [];
  });
}

function Values(props: PictureProps) {
  const { scene, selected } = props;
  const known = drawnValues(props);
  const badges = new Map<number, MoveValue>();
  const put = (cell: number | undefined, value: MoveValue) => {
    if (cell === undefined) return;
    const before = badges.get(cell);
    if (!before || better(value, before)) badges.set(cell, value);
    // Of what chance may do in one place, such as a die, no one value stands for all.
    else if (isUnlike(before, value)) badges.set(cell, { ...value, label: '…', detail: 'several values' });
  };
  for (const { move, value } of known) {
    if (!move.travels) put(move.cells[0], value);
    else put(selected.moves.length > 0 ? move.cells.at(-1) : move.cells[0], value);
  }
  const best = known.filter(({ move, value }) => move.travels && value.best && value.quality !== 'neutral');
  return (
    <g class="values">
      {selected.moves.length === 0 && best.length <= MOST_ARROWS && best.map(({ move, value }) => {
        const [from, to] = [scene.cells[move.cells[0] ?? -1], scene.cells[move.cells.at(-1) ?? -1]];
        return from && to && <Arrow key={move.move} from={from.at} to={to.at} quality={value.quality} best />;
      })}
      {[...badges].map(([c, value]) => {
        const cell = scene.cells[c];
        if (!cell) return null;
        const taken = scene.pieces.some((piece) => piece.cell === c);
        const at: [number, number] = taken ? [cell.at[0], cell.at[1] + cellSize(cell) * 0.34] : cell.at;
        return (
          <Badge key={c} at={at} text={value.label} quality={value.quality} best={value.best} room={Math.max(cellWidth(cell), 0.45)} most={badgeSize(scene)} />
        );
      })}
    </g>
  );
}

const RANK: Record<Quality, number> = { good: 3, even: 2, neutral: 1, bad: 0 };

function better(a: MoveValue, b: MoveValue): boolean {
  return a.best !== b.best ? a.best : RANK[a.quality] > RANK[b.quality];
}

/** Best moves: the cell that has the value, tinted; a move that takes several has a bar through all of them. */
function BestCells(props: PictureProps) {
  if (props.showValues === false) return null;
  const best = drawnValues(props).filter(({ move, value }) => !move.travels && value.best && value.quality !== 'neutral');
  return (
    <>
      {best.map(({ move, value }) => {
        const [first, ...others] = move.cells.flatMap((c) => props.scene.cells[c] ?? []);
        if (!first) return null;
        return (
          <g key={move.move}>
            <Outlined cell={first} class={`q-${value.quality}`} />
            {others.length > 0 && <polyline class={`reach q-${value.quality}`} points={corners([first, ...others].map((cell) => cell.at))} />}
          </g>
        );
      })}
    </>
  );
}

function Arrows({ scene, arrows }: { scene: Scene; arrows: BoardArrow[] }) {
  return (
    <g class="arrows">
      {arrows.map((arrow, i) => {
        const [from, to] = [scene.cells[arrow.from], scene.cells[arrow.to]];
        if (!from || !to) return null;
        const quality = arrow.quality ?? 'neutral';
        const at: [number, number] = from === to ? to.at : [(from.at[0] + to.at[0]) / 2, (from.at[1] + to.at[1]) / 2];
        return (
          <g key={i} class={arrow.tone ? `tone-${arrow.tone}` : undefined}>
            {from === to
              ? <Outlined cell={to} class={`q-${quality}`} />
              : <Arrow from={from.at} to={to.at} quality={quality} best={arrow.best ?? false} />}
            {arrow.text && <Badge at={at} text={arrow.text} quality={quality} best={false} room={Math.max(cellWidth(to), 0.45)} most={badgeSize(scene)} />}
          </g>
        );
      })}
    </g>
  );
}

/** The piece that is dragged, under the pointer. */
function Lifted({ scene, held }: { scene: Scene; held: { cell: number; x: number; y: number } }) {
  const cell = scene.cells[held.cell];
  if (!cell) return null;
  const [dx, dy] = [held.x - cell.at[0] * UNIT, held.y - cell.at[1] * UNIT];
  return (
    <g class="lifted" transform={`translate(${dx} ${dy})`}>
      {scene.pieces.filter((piece) => piece.cell === held.cell).map((piece, i) => (
        <Piece key={i} piece={piece} cell={cell} />
      ))}
    </g>
  );
}
