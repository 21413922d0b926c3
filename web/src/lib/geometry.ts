// Where things of a scene are drawn. One unit of a scene is the width of a cell.

import type { Point, Scene } from '../api';

export type Cell = Scene['cells'][number];

export interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How far a picture is larger than what is on it. */
const MARGIN = 0.4;
/** Letters are about this wide, in units of their size. */
const LETTER = 0.56;
const MONO_LETTER = 0.61;

export function widthOf(text: string): number {
  return [...text].length * LETTER;
}

/** What a scene covers, with a margin; its notes are not drawn, but written below the board. */
export function extentOf(scene: Scene): Extent {
  const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const hold = ([x, y]: Point, around = 0) => {
    extent.left = Math.min(extent.left, x - around);
    extent.right = Math.max(extent.right, x + around);
    extent.top = Math.min(extent.top, y - around);
    extent.bottom = Math.max(extent.bottom, y + around);
  };
  scene.cells.forEach((cell) => cell.outline.forEach((point) => hold(point)));
  for (const shape of scene.shapes) {
    if (shape.kind === 'dot') hold(shape.at, shape.radius);
    else shape.points.forEach((point) => hold(point, shape.kind === 'line' ? shape.width / 2 : 0));
  }
  for (const { at: [x, y], text, size, anchor, mono } of scene.labels) {
    const width = (mono ? [...text].length * MONO_LETTER : widthOf(text)) * size;
    const begin = anchor === 'start' ? x : anchor === 'middle' ? x - width / 2 : x - width;
    hold([begin, y - size / 2]);
    hold([begin + width, y + size / 2]);
  }
  if (extent.left > extent.right) return { left: 0, top: 0, right: 1, bottom: 1 };
  return {
    left: extent.left - MARGIN,
    top: extent.top - MARGIN,
    right: extent.right + MARGIN,
    bottom: extent.bottom + MARGIN,
  };
}

/** The scene turned by half a circle; words stay upright. */
export function turned(scene: Scene): Scene {
  const { left, top, right, bottom } = extentOf(scene);
  const turn = ([x, y]: Point): Point => [left + right - x, top + bottom - y];
  const other = { start: 'end', middle: 'middle', end: 'start' } as const;
  return {
    ...scene,
    cells: scene.cells.map((cell) => ({ ...cell, at: turn(cell.at), outline: cell.outline.map(turn) })),
    shapes: scene.shapes.map((shape) =>
      shape.kind === 'dot' ? { ...shape, at: turn(shape.at) } : { ...shape, points: shape.points.map(turn) },
    ),
    labels: scene.labels.map((label) => ({ ...label, at: turn(label.at), anchor: other[label.anchor] })),
  };
}

function span(cell: Cell, axis: 0 | 1): number {
  const places = cell.outline.map((point) => point[axis]);
  return places.length > 0 ? Math.max(...places) - Math.min(...places) : 0;
}

export function cellWidth(cell: Cell): number {
  return span(cell, 0);
}

export function cellSize(cell: Cell): number {
  return Math.min(span(cell, 0), span(cell, 1));
}

/** The corners of a cell, this far inside of it. */
export function inset(cell: Cell, by: number): Point[] {
  const kept = ([0, 1] as const).map((axis) => {
    const half = span(cell, axis) / 2;
    return half > 0 ? 1 - Math.min(by, half * 0.4) / half : 1;
  }) as [number, number];
  return cell.outline.map(([x, y]) => [
    cell.at[0] + (x - cell.at[0]) * kept[0],
    cell.at[1] + (y - cell.at[1]) * kept[1],
  ]);
}

export function direction(from: Point, to: Point): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  return length === 0 ? [0, 1] : [dx / length, dy / length];
}

/** The corners of an arrow head of this length whose tip is a little beyond `to`. */
export function head(from: Point, to: Point, length: number): Point[] {
  const [dx, dy] = direction(from, to);
  const half = length / 2;
  const back: Point = [to[0] - dx * half, to[1] - dy * half];
  return [
    [to[0] + dx * half, to[1] + dy * half],
    [back[0] - dy * half, back[1] + dx * half],
    [back[0] + dy * half, back[1] - dx * half],
  ];
}

/** So many seeds are drawn one by one; more are a number. */
export const MOST_SEEDS = 60;
const GOLDEN_ANGLE = 2.399963229728653;

/** The places of small stones as a sunflower has its seeds, and their radius. */
export function seedPlaces(count: number, [x, y]: Point, size: number): { places: Point[]; radius: number } {
  const apart = Math.min(0.14, 0.37 / Math.sqrt(Math.max(count, 1))) * size;
  const places = Array.from({ length: count }, (_, seed): Point => {
    const away = count === 1 ? 0 : Math.sqrt(seed + 0.4) * apart;
    return [x + away * Math.cos(seed * GOLDEN_ANGLE), y + away * Math.sin(seed * GOLDEN_ANGLE)];
  });
  return { places, radius: apart * 0.68 };
}

export const DIRECTIONS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest cell in a direction; cells far off that line count as farther away. */
export function neighbour(cells: Cell[], from: number, [dx, dy]: Point): number {
  const here = cells[from]?.at;
  if (!here) return from;
  let best = from;
  let least = Infinity;
  cells.forEach(({ at }, index) => {
    const [x, y] = [at[0] - here[0], at[1] - here[1]];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    const far = along + aside * 2.2;
    if (along > 0.05 && aside <= along * 2.5 && far < least) {
      least = far;
      best = index;
    }
  });
  return best;
}
