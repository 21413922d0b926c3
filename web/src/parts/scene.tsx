// A scene as SVG, layer by layer, as crates/foregone/src/picture.rs draws it; colours are in app.css, so that
// they follow the theme.

import type { Point, Quality, Scene, SceneMark } from '../api';
import {
  MOST_SEEDS, cellSize, cellWidth, direction, extentOf, head, inset, seedPlaces, widthOf, type Cell,
} from '../lib/geometry';

/** Pixels of the picture for one unit: letters smaller than a pixel are not drawn well. */
export const UNIT = 50;

const px = (x: number) => Math.round(x * UNIT * 100) / 100;
export const corners = (points: Point[]) => points.map(([x, y]) => `${px(x)},${px(y)}`).join(' ');

export function viewBox(scene: Scene): string {
  const { left, top, right, bottom } = extentOf(scene);
  return [left, top, right - left, bottom - top].map(px).join(' ');
}

/** The height of letters on values: on a board of few large cells they are not that large. */
export function badgeSize(scene: Scene): number {
  const { left, top, right, bottom } = extentOf(scene);
  return Math.min(0.24, 0.036 * Math.max(right - left, bottom - top));
}

/** Everything below the pieces. */
export function Ground({ scene }: { scene: Scene }) {
  const areas = scene.shapes.filter((shape) => shape.kind === 'area');
  const others = scene.shapes.filter((shape) => shape.kind !== 'area');
  return (
    <>
      <g class="shapes">{areas.map((shape, i) => <Shape key={i} shape={shape} />)}</g>
      <g class="cells">
        {scene.cells.map((cell, i) => (
          <polygon key={i} class={`cell p-${cell.paint}`} points={corners(cell.outline)} />
        ))}
      </g>
      <g class={onWood(scene) ? 'shapes on-wood' : 'shapes'}>
        {others.map((shape, i) => <Shape key={i} shape={shape} />)}
      </g>
      <g class="labels">{scene.labels.map((label, i) => <Label key={i} label={label} />)}</g>
    </>
  );
}

/** Lines on wood keep their colour in the dark. */
function onWood(scene: Scene): boolean {
  return [...scene.shapes, ...scene.cells].some(({ paint }) => paint === 'wood' || paint === 'felt');
}

function Shape({ shape }: { shape: Scene['shapes'][number] }) {
  switch (shape.kind) {
    case 'area':
      return <polygon class={`area p-${shape.paint}`} points={corners(shape.points)} />;
    case 'dot':
      return (
        <circle class={`f-${shape.paint}`} cx={px(shape.at[0])} cy={px(shape.at[1])} r={px(shape.radius)} />
      );
    case 'line': {
      const [before, last] = shape.points.slice(-2);
      const size = Math.max(0.16, shape.width * 2.5);
      return (
        <>
          <polyline
            class={`line s-${shape.paint}`}
            points={corners(shape.points)}
            stroke-width={px(shape.width)}
          />
          {shape.arrow && before && last && (
            <polygon class={`f-${shape.paint}`} points={corners(head(before, last, size))} />
          )}
        </>
      );
    }
  }
}

function Label({ label }: { label: Scene['labels'][number] }) {
  return (
    <Text
      at={label.at}
      text={label.text}
      size={label.size}
      anchor={label.anchor}
      class={`${label.mono ? 'mono ' : ''}f-${label.paint}`}
    />
  );
}

interface TextProps {
  at: Point;
  text: string;
  size: number;
  anchor?: 'start' | 'middle' | 'end';
  class: string;
  stroke?: number;
}

/** A line of text whose letters stand around the height of a place. */
export function Text({ at: [x, y], text, size, anchor = 'middle', class: name, stroke }: TextProps) {
  return (
    <text
      x={px(x)}
      y={px(y + size * 0.35)}
      font-size={px(size)}
      text-anchor={anchor}
      class={name}
      stroke-width={stroke === undefined ? undefined : px(stroke)}
    >
      {text}
    </text>
  );
}

export function Pieces({ scene, without }: { scene: Scene; without?: number | null }) {
  return (
    <g class="pieces">
      {scene.pieces.map((piece, i) => {
        const cell = scene.cells[piece.cell];
        return cell && piece.cell !== without ? <Piece key={i} piece={piece} cell={cell} /> : null;
      })}
    </g>
  );
}

/** Paints that stay bright in the dark: words on them stay dark. */
const BRIGHT = new Set(['light', 'dark', 'wood', 'felt', 'yellow', 'green', 'orange', 'white', 'red', 'blue', 'violet']);

export function Piece({ piece, cell }: { piece: Scene['pieces'][number]; cell: Cell }) {
  const { glyph, paint } = piece;
  const [x, y] = cell.at;
  const size = cellSize(cell);
  switch (glyph.shape) {
    case 'disc': {
      // Stones on lines touch each other.
      const radius = size * (cell.paint === 'none' ? 0.46 : 0.38);
      return <circle class={`piece p-${paint}`} cx={px(x)} cy={px(y)} r={px(radius)} stroke-width={px(0.035)} />;
    }
    case 'ring':
      return (
        <circle class={`line s-${paint}`} cx={px(x)} cy={px(y)} r={px(size * 0.27)} stroke-width={px(size * 0.09)} />
      );
    case 'cross': {
      const r = size * 0.25;
      const path = `M${px(x - r)} ${px(y - r)}L${px(x + r)} ${px(y + r)}M${px(x - r)} ${px(y + r)}L${px(x + r)} ${px(y - r)}`;
      return <path class={`line s-${paint}`} d={path} stroke-width={px(size * 0.1)} />;
    }
    case 'block':
      return <polygon class={`block f-${paint} s-${paint}`} points={corners(inset(cell, 0.1))} />;
    case 'seeds':
      return <Seeds count={glyph.of} cell={cell} paint={paint} />;
    case 'figure':
      // The last character asks for a plain figure where a system has a coloured one.
      return (
        <Text
          at={cell.at}
          text={`${glyph.of}\ufe0e`}
          size={size * 0.82}
          class={`figure p-${paint}`}
          stroke={size * (paint === 'black' ? 0.03 : 0.05)}
        />
      );
    case 'word': {
      const room = (cellWidth(cell) * 0.88) / Math.max(widthOf(glyph.of), 0.5);
      const ink = paint === 'ink' && BRIGHT.has(cell.paint) ? 'fixed-ink' : paint;
      return <Text at={cell.at} text={glyph.of} size={Math.min(0.38, room)} class={`word f-${ink}`} />;
    }
  }
}

function Seeds({ count, cell, paint }: { count: number; cell: Cell; paint: string }) {
  if (count > MOST_SEEDS) return <Text at={cell.at} text={String(count)} size={0.38} class="f-ink" />;
  const { places, radius } = seedPlaces(count, cell.at, cellSize(cell));
  return (
    <>
      {places.map(([x, y], i) => (
        <circle key={i} class={`piece p-${paint}`} cx={px(x)} cy={px(y)} r={px(radius)} stroke-width={px(0.02)} />
      ))}
    </>
  );
}

/** The inside of a cell, tinted and with a thick edge. */
export function Outlined({ cell, class: name }: { cell: Cell; class: string }) {
  if (cell.paint === 'none') {
    return (
      <circle class={`outlined ${name}`} cx={px(cell.at[0])} cy={px(cell.at[1])} r={px(cellSize(cell) * 0.5)} />
    );
  }
  return <polygon class={`outlined ${name}`} points={corners(inset(cell, 0.04))} />;
}

/** A small point in the middle of a cell: one may click there. */
export function Hint({ cell, taken }: { cell: Cell; taken: boolean }) {
  const size = cellSize(cell);
  const r = taken ? size * 0.44 : size * 0.13;
  return <circle class={taken ? 'hint hint-taken' : 'hint'} cx={px(cell.at[0])} cy={px(cell.at[1])} r={px(r)} />;
}

export interface ArrowProps {
  from: Point;
  to: Point;
  quality: Quality;
  best: boolean;
}

export function Arrow({ from, to, quality, best }: ArrowProps) {
  const [dx, dy] = direction(from, to);
  const begin: Point = [from[0] + dx * 0.12, from[1] + dy * 0.12];
  const end: Point = [to[0] - dx * 0.24, to[1] - dy * 0.24];
  return (
    <g class={`arrow q-${quality}`}>
      <polyline points={corners([begin, end])} stroke-width={px(best ? 0.11 : 0.07)} />
      <polygon points={corners(head(begin, end, 0.36))} />
    </g>
  );
}

/** A value on the board: the shape tells as much as the colour. A win is a filled circle, a draw a square, a
 *  loss a hollow triangle. */
export function Badge({ at, text, quality, best, room, most = 0.24 }: {
  at: Point; text: string; quality: Quality; best: boolean; room: number; most?: number;
}) {
  const icon = quality === 'neutral' ? 0 : 0.85;
  // Thick letters are a little wider.
  const letters = widthOf(text) * 1.2;
  const wide = letters + icon + 0.9;
  const size = Math.min(most, (room * 0.94) / wide);
  const [width, height] = [wide * size, size * 1.6];
  const round = quality === 'even' ? size * 0.25 : height / 2;
  const left = at[0] - width / 2;
  return (
    <g class={`badge q-${quality}${best ? ' best' : ''}`}>
      <rect x={px(left)} y={px(at[1] - height / 2)} width={px(width)} height={px(height)} rx={px(round)} />
      <QualityIcon at={[left + size * 0.8, at[1]]} size={size} quality={quality} />
      <Text at={[left + (0.45 + icon + letters / 2) * size, at[1]]} text={text} size={size} class="badge-text" />
    </g>
  );
}

function QualityIcon({ at: [x, y], size, quality }: { at: Point; size: number; quality: Quality }) {
  const r = size * 0.3;
  switch (quality) {
    case 'good':
      return <circle class="icon" cx={px(x)} cy={px(y)} r={px(r)} />;
    case 'even':
      return <rect class="icon" x={px(x - r)} y={px(y - r)} width={px(2 * r)} height={px(2 * r)} />;
    case 'bad': {
      const points: Point[] = [[x - r * 1.1, y - r * 0.8], [x + r * 1.1, y - r * 0.8], [x, y + r * 1.1]];
      return <polygon class="icon hollow" points={corners(points)} stroke-width={px(size * 0.12)} />;
    }
    default:
      return null;
  }
}

/** The marks that a scene brings itself, below the pieces. */
export function MarksBelow({ scene }: { scene: Scene }) {
  const touched = (mark: SceneMark) => {
    if (mark.kind === 'last') return { cells: mark.cells, name: 'last' };
    if (mark.kind === 'value' && mark.best) return { cells: mark.cells, name: `q-${mark.quality}` };
    return { cells: [], name: '' };
  };
  return (
    <g class="marks">
      {scene.marks.map(touched).flatMap(({ cells, name }, i) =>
        cells.map((c) => {
          const cell = scene.cells[c];
          return cell ? <Outlined key={`${i} ${c}`} cell={cell} class={name} /> : null;
        }),
      )}
    </g>
  );
}

/** The same, over the pieces: values and arrows. */
export function MarksAbove({ scene }: { scene: Scene }) {
  return (
    <g class="marks">
      {scene.marks.map((mark, i) => {
        if (mark.kind === 'last') return null;
        const from = scene.cells[mark.kind === 'arrow' ? mark.from : (mark.cells[0] ?? -1)];
        const to = mark.kind === 'arrow' ? scene.cells[mark.to] : from;
        if (!from || !to) return null;
        const room = mark.kind === 'arrow' ? 0.6 : Math.max(cellWidth(to), 0.45);
        const most = badgeSize(scene);
        return (
          <g key={i}>
            {mark.kind === 'arrow' && <Arrow from={from.at} to={to.at} quality={mark.quality} best={mark.best} />}
            {mark.text && <Badge at={to.at} text={mark.text} quality={mark.quality} best={mark.best} room={room} most={most} />}
          </g>
        );
      })}
    </g>
  );
}

/** A picture of a position, to look at. */
export function MiniBoard({ scene, label }: { scene: Scene; label?: string }) {
  const name = label ? { role: 'img' as const, 'aria-label': label } : { 'aria-hidden': true as const };
  return (
    <svg class="mini-board" viewBox={viewBox(scene)} preserveAspectRatio="xMidYMid meet" {...name}>
      <Ground scene={scene} />
      <MarksBelow scene={scene} />
      <Pieces scene={scene} />
      <MarksAbove scene={scene} />
    </svg>
  );
}
