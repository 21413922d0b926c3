// Problems to begin with, and what stipulations mean.

export interface Example {
  name: string;
  fen: string;
  stipulation: string;
}

export const EXAMPLES: Example[] = [
  { name: 'Morphy, 1856', fen: 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1', stipulation: '#2' },
  { name: 'A pawn walks', fen: '8/8/4P3/7p/5K1k/1p3P2/6P1/8 w - - 0 1', stipulation: '#3' },
  { name: 'Two helpmates', fen: '4R3/8/8/8/1b2K3/8/8/6k1 b - - 0 1', stipulation: 'h#2' },
  { name: 'Selfmate', fen: '8/8/8/2p5/2R5/kp5P/p7/K7 w - - 0 1', stipulation: 's#2' },
  { name: 'Reflexmate', fen: '8/8/8/2p5/2R5/kp5P/p7/K7 w - - 0 1', stipulation: 'r#2' },
  { name: 'White alone', fen: '8/8/8/8/8/k7/8/1K5R w - - 0 1', stipulation: 'ser-#3' },
];

export const STIPULATIONS: [string, string][] = [
  ['#n', 'the side to move mates within n moves'],
  ['h#n', 'helpmate: the side to move begins, helps, and is mated'],
  ['h#n.5', 'the same with half a move more: the side to move begins and mates'],
  ['s#n', 'selfmate: the side to move forces the other side to mate it'],
  ['r#n', 'reflexmate: the same, and both sides must mate where they can by one move'],
  ['hs#n, hs#n.5', 'help-selfmate: both help until a s#1 is there'],
  ['=n, h=n, h=n.5, s=n', 'stalemate instead of mate'],
  ['ser-#n', 'the side to move makes n moves in a row and mates by the last'],
  ['ser-h#n', 'it makes n moves in a row, and then the other side mates by one'],
  ['ser-s#n, ser-r#n', 'it makes n moves in a row, and then the other side must mate'],
];
