// Things of a scene in words, for those who hear the page.

import type { Scene, Touch } from '../api';

const CHESSMEN: Record<string, string> = {
  '♔': 'king', '♕': 'queen', '♖': 'rook', '♗': 'bishop', '♘': 'knight', '♙': 'pawn',
  '♚': 'king', '♛': 'queen', '♜': 'rook', '♝': 'bishop', '♞': 'knight', '♟': 'pawn',
};

export function pieceName({ glyph, paint }: Scene['pieces'][number]): string {
  const colour = paint === 'ink' || paint === 'none' || paint === 'plain' ? '' : `${paint.replace('-', ' ')} `;
  switch (glyph.shape) {
    case 'disc':
      return `${colour}stone`;
    case 'block':
      return `${colour}block`;
    case 'seeds':
      return `${glyph.of} ${glyph.of === 1 ? 'stone' : 'stones'}`;
    case 'figure':
      return `${colour}${CHESSMEN[glyph.of] ?? glyph.of}`;
    case 'word':
      return glyph.of;
    default:
      return `${colour}${glyph.shape}`;
  }
}

/** `e4, white pawn` */
export function cellName(scene: Scene, cell: number): string {
  const pieces = scene.pieces.filter((piece) => piece.cell === cell).map(pieceName);
  return [scene.cells[cell]?.name ?? '', ...(pieces.length > 0 ? pieces : ['empty'])].join(', ');
}

/** A move as people write it. */
export function usualText(scene: Scene, usual: (string | null)[] | undefined, move: Touch): string {
  return usual?.[scene.moves.indexOf(move)] ?? move.move;
}
