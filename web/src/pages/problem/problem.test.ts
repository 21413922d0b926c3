import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '../../api';
import { after, emptyDiagram, moved, play, readFen, squareIndex, withPiece, writeFen, type Diagram } from './fen';
import { asText, sections } from './solution';

function diagram(fen: string): Diagram {
  const read = readFen(fen);
  if (typeof read === 'string') throw new Error(read);
  return read;
}

test('a FEN is read and written again', () => {
  for (const fen of ['kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1', 'r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1']) {
    assert.equal(writeFen(diagram(fen)), fen);
  }
  assert.match(String(readFen('8/8')), /8 ranks/);
  assert.match(String(readFen('8/8/8/8/8/8/8/7 w')), /rank 1 has 7/);
  assert.match(String(readFen('8/8/8/8/8/8/8/7x w')), /"x"/);
  assert.match(String(readFen('8/8/8/8/8/8/8/8 z')), /"z"/);
});

test('moves of every kind are played', () => {
  const behind = (fen: string, move: string) => writeFen(play(diagram(fen), move));
  assert.equal(behind('4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', 'e1g1'), '4k3/8/8/8/8/8/8/R4RK1 b - - 0 1');
  assert.equal(behind('4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', 'e1c1'), '4k3/8/8/8/8/8/8/2KR3R b - - 0 1');
  assert.equal(behind('4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1', 'e2e4'), '4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1');
  assert.equal(behind('4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1', 'd4e3'), '4k3/8/8/8/8/4p3/8/4K3 w - - 0 1');
  assert.equal(behind('4k3/P7/8/8/8/8/8/4K3 w - - 0 1', 'a7a8n'), 'N3k3/8/8/8/8/8/8/4K3 b - - 0 1');
  assert.equal(behind('r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1', 'a1a8'), 'R3k3/8/8/8/8/8/8/4K3 b - - 0 1');
  const series = after(diagram('8/8/8/8/8/8/8/K6k w - - 0 1'), ['a1a2', 'a2a3'], 'w');
  assert.equal(writeFen(series), '8/8/8/8/8/K7/8/7k w - - 0 1');
});

test('pieces are set up', () => {
  const one = withPiece(emptyDiagram(), squareIndex('e4'), 'Q');
  assert.equal(writeFen(one), '8/8/8/8/4Q3/8/8/8 w - - 0 1');
  assert.equal(writeFen(moved(one, squareIndex('e4'), squareIndex('h8'))), '7Q/8/8/8/8/8/8/8 w - - 0 1');
  const castle = diagram('4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1');
  assert.equal(withPiece(castle, squareIndex('h1'), '').castling, 'Q');
});

const TWO: Problem = {
  keys: [{
    move: 'a1a6', san: 'Ra6', zugzwang: true,
    variations: [
      { move: 'b7a6', san: 'bxa6', continuations: [{ move: 'b6b7', san: 'b7#' }] },
      { move: 'b8h2', san: 'Bh2', continuations: [{ move: 'a6a7', san: 'Rxa7#' }] },
      { move: 'b8g3', san: 'Bg3', continuations: [{ move: 'a6a7', san: 'Rxa7#' }] },
    ],
  }],
  tries: [{ move: 'a1a7', san: 'Rxa7+', refutations: [{ move: 'b8a7', san: 'Bxa7' }] }],
  set_play: { variations: [{ move: 'b8h2', san: 'Bh2', continuations: [{ move: 'a1a7', san: 'Rxa7#' }] }] },
};

test('a problem is printed as problemists do', () => {
  assert.equal(asText(sections(TWO, '#2')), [
    'set play:', '  1...Bh2 2.Rxa7#', '',
    'tries:', '  1.Rxa7+? but 1...Bxa7!', '',
    'solution:', '  1.Ra6! zugzwang', '    1...bxa6 2.b7#', '    1...Bh2, 1...Bg3 2.Rxa7#',
  ].join('\n'));
});

test('every move has the moves that lead there', () => {
  const tokens = sections(TWO, '#2').flatMap((part) => part.lines).flatMap((line) => line.tokens);
  const mate = tokens.filter((token) => token.text === '2.Rxa7#').pop();
  assert.deepEqual(mate?.moves, ['a1a6', 'b8g3', 'a6a7']);
});

test('threats, deep ones and duals', () => {
  const problem: Problem = {
    keys: [
      { move: 'a', threats: [{ move: 'b' }], variations: [{ move: 'c', continuations: [{ move: 'd' }, { move: 'e' }], dual: true }] },
      { move: 'f', threats: [{ move: 'g', threats: [{ move: 'h' }] }] },
    ],
  };
  assert.equal(asText(sections(problem, '#3')), [
    'solution:', '  1.a! (2.b)', '    1...c 2.d 2.e  (dual)', '  1.f! threat:', '        2.g (3.h)',
  ].join('\n'));
});

test('lines are numbered by their stipulation', () => {
  const problem: Problem = { lines: [{ moves: ['a', 'b', 'c'].map((move) => ({ move })) }] };
  const line = (stipulation: string) => asText(sections(problem, stipulation)).split('\n')[1]?.trim();
  assert.equal(line('h#2'), '1.a b 2.c');
  assert.equal(line('h#1.5'), '1...a 2.b c');
  assert.equal(line('ser-h#2'), '1.a 2.b c');
  assert.equal(line('ser-#3'), '1.a 2.b 3.c');
});
