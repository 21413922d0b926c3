// Chess positions as FEN, as far as a page needs them: to set up pieces, and to show the position behind moves that
// the solver found. Nothing here knows which moves are legal.

export interface Diagram {
  /** 64 letters or blanks, a8 first, h1 last. */
  squares: string[];
  side: 'w' | 'b';
  castling: string;
  passant: string;
}

export const PIECES = ['K', 'Q', 'R', 'B', 'N', 'P', 'k', 'q', 'r', 'b', 'n', 'p'];

const NAMES: Record<string, string> = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
const FIGURES: Record<string, string> = { k: '♚', q: '♛', r: '♜', b: '♝', n: '♞', p: '♟' };

export function pieceName(piece: string): string {
  return `${piece === piece.toUpperCase() ? 'white' : 'black'} ${NAMES[piece.toLowerCase()] ?? piece}`;
}

export function figure(piece: string): string {
  return FIGURES[piece.toLowerCase()] ?? piece;
}

export function isWhite(piece: string): boolean {
  return piece !== '' && piece === piece.toUpperCase();
}

export function squareName(index: number): string {
  return `${'abcdefgh'[index % 8]}${8 - Math.floor(index / 8)}`;
}

export function squareIndex(name: string): number {
  const [file, rank] = ['abcdefgh'.indexOf(name[0] ?? ''), Number(name[1])];
  return file < 0 || !(rank >= 1 && rank <= 8) ? -1 : (8 - rank) * 8 + file;
}

export function emptyDiagram(): Diagram {
  return { squares: Array<string>(64).fill(''), side: 'w', castling: '-', passant: '-' };
}

/** The diagram of a FEN, or what is wrong with it. Fields behind the board may be missing. */
export function readFen(text: string): Diagram | string {
  const [board = '', side = 'w', castling = '-', passant = '-'] = text.trim().split(/\s+/);
  const ranks = board.split('/');
  if (ranks.length !== 8) return `a board has 8 ranks with / between them, not ${ranks.length}`;
  const squares: string[] = [];
  for (const [i, rank] of ranks.entries()) {
    const before = squares.length;
    for (const letter of rank) {
      if (letter >= '1' && letter <= '8') squares.push(...Array<string>(Number(letter)).fill(''));
      else if (PIECES.includes(letter)) squares.push(letter);
      else return `rank ${8 - i} holds "${letter}", which is no piece`;
    }
    if (squares.length !== before + 8) return `rank ${8 - i} has ${squares.length - before} squares, not 8`;
  }
  if (side !== 'w' && side !== 'b') return `the side to move is w or b, not "${side}"`;
  return { squares, side, castling, passant };
}

export function writeFen(diagram: Diagram): string {
  const ranks: string[] = [];
  for (let rank = 0; rank < 8; rank += 1) {
    let text = '';
    let empty = 0;
    for (const piece of diagram.squares.slice(rank * 8, rank * 8 + 8)) {
      if (piece === '') {
        empty += 1;
        continue;
      }
      text += (empty > 0 ? empty : '') + piece;
      empty = 0;
    }
    ranks.push(text + (empty > 0 ? empty : ''));
  }
  return `${ranks.join('/')} ${diagram.side} ${diagram.castling} ${diagram.passant} 0 1`;
}

/** Castling and en passant only make sense while the men stand where they were. */
export function withPiece(diagram: Diagram, square: number, piece: string): Diagram {
  const squares = [...diagram.squares];
  squares[square] = piece;
  return { ...diagram, squares, castling: castlingLeft(squares, diagram.castling), passant: '-' };
}

export function moved(diagram: Diagram, from: number, to: number): Diagram {
  if (from === to) return diagram;
  const piece = diagram.squares[from] ?? '';
  return withPiece(withPiece(diagram, from, ''), to, piece);
}

function castlingLeft(squares: string[], castling: string): string {
  const homes: Record<string, [string, string]> = { K: ['e1', 'h1'], Q: ['e1', 'a1'], k: ['e8', 'h8'], q: ['e8', 'a8'] };
  const left = [...castling].filter((right) => {
    const [king, rook] = homes[right] ?? [];
    if (!king || !rook) return false;
    const [k, r] = isWhite(right) ? ['K', 'R'] : ['k', 'r'];
    return squares[squareIndex(king)] === k && squares[squareIndex(rook)] === r;
  });
  return left.join('') || '-';
}

/** The position behind a move in coordinates, whoever's turn it is said to be: threats and series leave turns out. */
export function play(diagram: Diagram, move: string): Diagram {
  const [from, to] = [squareIndex(move.slice(0, 2)), squareIndex(move.slice(2, 4))];
  const piece = diagram.squares[from] ?? '';
  if (from < 0 || to < 0 || piece === '') return diagram;
  const squares = [...diagram.squares];
  const pawn = piece.toLowerCase() === 'p';
  const promoted = move[4];
  if (pawn && from % 8 !== to % 8 && squares[to] === '') squares[Math.floor(from / 8) * 8 + (to % 8)] = '';
  squares[from] = '';
  squares[to] = promoted ? (isWhite(piece) ? promoted.toUpperCase() : promoted.toLowerCase()) : piece;
  castle(squares, piece, from, to);
  const double = pawn && Math.abs(from - to) === 16;
  return {
    squares,
    side: isWhite(piece) ? 'b' : 'w',
    castling: castlingLeft(squares, diagram.castling),
    passant: double && canTake(squares, to, piece) ? squareName((from + to) / 2) : '-',
  };
}

/** The rook's half of castling; a king that is written to take its own rook castles, too. */
function castle(squares: string[], piece: string, from: number, to: number) {
  if (piece.toLowerCase() !== 'k' || Math.abs(from - to) !== 2 || Math.floor(from / 8) !== Math.floor(to / 8)) return;
  const rank = Math.floor(from / 8) * 8;
  const [corner, beside] = to > from ? [rank + 7, to - 1] : [rank, to + 1];
  squares[beside] = squares[corner] ?? '';
  squares[corner] = '';
}

/** Whether a pawn of the other side stands beside the one that made two steps. */
function canTake(squares: string[], at: number, pawn: string): boolean {
  const other = isWhite(pawn) ? 'p' : 'P';
  const beside = [at % 8 > 0 ? squares[at - 1] : '', at % 8 < 7 ? squares[at + 1] : ''];
  return beside.includes(other);
}

/** The position behind several moves, with the side that moves next, where one is to be named. */
export function after(diagram: Diagram, moves: string[], side?: 'w' | 'b'): Diagram {
  const behind = moves.reduce(play, diagram);
  return side && side !== behind.side ? { ...behind, side, passant: '-' } : behind;
}
