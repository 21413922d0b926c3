"""A second, slow program for the known answers in problems/*.toml.

It plays the games straight from their rules with plain strings and tuples, and
shares nothing with the Rust code: no code, no data, no way of representing a
position.  Numbers in problems/*.toml that have no other source come from here;
numbers that have one were computed here as well where that is feasible, and
their source then names both.

    python3 problems/oracle.py perft GAME DEPTH [POSITION]
        the number of move sequences of length 1..DEPTH; a game that has ended
        contributes nothing to greater lengths
    python3 problems/oracle.py value GAME [POSITION]
        win, draw or loss for Max under best play, or his score
    python3 problems/oracle.py nash GAME [POSITION]
        where both players move at the same time: what Max gets, as an exact
        number, when both choose by chance as well as they can
    python3 problems/oracle.py nodes GAME [POSITION]
        what `size` in the files goes by: the nodes of a plain depth-first
        search without a table, the worst of a few move orders, and their class;
        where both move at once, all positions of the tree that are not over
    python3 problems/oracle.py check [BUDGET]
        recompute every entry of problems/*.toml whose source names oracle.py,
        giving up on one that needs more than BUDGET positions

GAME is one of (sizes are rows x columns)
    tic-tac-toe        domineering:6x6   nogo:3x4           atari-go:3x3
    nim:1,3,5,7        hex:3             y:4                breakthrough:5x4
    race:100,10        race:100,10,misere                   connect-four:6x7
    woodpush:8,3       seki:3,3          left-right:20
    same-game:4x4,3,1  othello:4x4       kalah:3,2          chinese-checkers:1,3
    gomoku:4,3         go-capture:5x5,3,white               havannah:3
    gomoku:5,4,exact   connect6:4,4,2    phutball:3x3       go-capture:5x5,3,white,wide
    lines-of-action:6  domineering-three:3x3x2              dark-chess-ending:4x8
    dominoes:3,3,1     dominoes:3,3,1,draw                  dobutsu-shogi:LC
    awari:2,2          clobber:4x5       clobber:4x5,impartial
    cram:4x5           col:4x4           snort:4x4          kayles:5,7
    octal:0.77,5,7     toppling-dominoes:xog/xxo
    toads-and-frogs:xxx..ooo             toads-and-frogs:x.o,1,2,1,0,impartial
or, with both players moving at the same time, one of
    goofspiel:5        goofspiel:4,points                   goofspiel:3,points,2-3-1
    oshi-zumo:10,3,1   bidding-tic-tac-toe:2                pursuit:4x4,5
    tron:5x5           pursuit:4x4,5,steps                  rock-paper-scissors
    joint:examples/example-11.joint                         matrix:examples/example-15.csv
POSITION is "moves:" and the moves from the start, separated by commas: columns
1, 2, ... from the left for connect-four, squares a1 to c3 for tic-tac-toe, and
for the later games what the class says.  Of moves at the same time Max's comes
first: "moves:6/1,5/4".

A state is (board, player, result).  `player` is to move: 1 is Max, who moves
first, -1 is Min.  `result` is None while the game goes on, then 1, 0 or -1 as
Max has won, drawn or lost, or a score.  In every game a player who has to move
and cannot has lost.  A game is a class with three members: `start` (the first
board), `moves(board, player)` and `play(board, player, move)`, which returns the
next board and the result.  It may have more: `name(score)` says how a score is
written, and that results are scores; `loops` that positions can come up again,
and that play without end scores 0, or what `endless(board)` says; `layer(board)`
then is a number that never grows, and is the same on boards that can come up again
from each other; `next_player(board, player)` who moves on a
board after `player` did, if not always the other one; `read(text)` the state of
a position that is no list of moves.  Where more than two play, 1 is Max and every
other number is one of those who play against him.

Where both players move at the same time, the class is a JointGame: a move is the
pair of the texts of both moves, and `player` is always 1.
"""

import collections
import fractions
import itertools
import math
import pathlib
import random
import re
import sys
import tomllib

MARK = {1: "X", -1: "O"}
EMPTY = "."
NAMES = {1: "win", 0: "draw", -1: "loss"}
CHECK_BUDGET = 60_000
SMALL, MEDIUM = 20_000, 2_000_000
JOINT_SMALL = 2_000


# ---------------------------------------------------------------- boards

def put(board, cell, mark):
    return board[:cell] + mark + board[cell + 1:]


def grid_neighbours(rows, columns):
    """For each cell of a rectangle, the cells above, below, left and right."""
    return [
        [
            r * columns + c
            for r, c in ((row - 1, column), (row + 1, column),
                         (row, column - 1), (row, column + 1))
            if 0 <= r < rows and 0 <= c < columns
        ]
        for row in range(rows)
        for column in range(columns)
    ]


def group(board, cell, neighbours):
    """The connected cells that hold the same mark as `cell`."""
    seen = {cell}
    todo = [cell]
    while todo:
        for next_cell in neighbours[todo.pop()]:
            if board[next_cell] == board[cell] and next_cell not in seen:
                seen.add(next_cell)
                todo.append(next_cell)
    return seen


def has_liberty(board, cell, neighbours):
    """Does the block of `cell` touch an empty point?"""
    return any(
        board[point] == EMPTY
        for stone in group(board, cell, neighbours)
        for point in neighbours[stone]
    )


def lines_through(rows, columns, length):
    """For each cell, the straight lines of `length` cells that contain it."""
    lines = [[] for _ in range(rows * columns)]
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                end_row = row + down * (length - 1)
                end_column = column + right * (length - 1)
                if end_row < rows and 0 <= end_column < columns:
                    line = [(row + down * i) * columns + column + right * i
                            for i in range(length)]
                    for cell in line:
                        lines[cell].append([other for other in line if other != cell])
    return lines


def completes_line(board, cell, lines):
    mark = board[cell]
    return any(all(board[other] == mark for other in line) for line in lines[cell])


# ----------------------------------------------------------------- games

class TicTacToe:
    draws = True

    def __init__(self):
        self.start = EMPTY * 9
        self.lines = lines_through(3, 3, 3)

    def moves(self, board, player):
        return [cell for cell in range(9) if board[cell] == EMPTY]

    def play(self, board, player, cell):
        board = put(board, cell, MARK[player])
        if completes_line(board, cell, self.lines):
            return board, player
        return board, None if EMPTY in board else 0

    def parse_move(self, text):
        return (int(text[1]) - 1) * 3 + "abc".index(text[0])


class Gomoku:
    """Cells are a1, b1, ... from the lower left.  `length` in a row win, and more
    do so too unless the rule is "exact"."""

    draws = True

    def __init__(self, size, length, rule=None):
        self.size, self.length = size, length
        self.exact = rule == "exact"
        self.start = EMPTY * (size * size)
        self.lines = lines_through(size, size, length)
        # Any order is right; from the middle outwards is the quickest here.
        self.order = sorted(range(size * size), key=lambda cell: sum(
            (2 * i + 1 - size) ** 2 for i in divmod(cell, size)))

    def moves(self, board, player):
        return [cell for cell in self.order if board[cell] == EMPTY]

    def play(self, board, player, cell):
        board = put(board, cell, MARK[player])
        if completes_line(board, cell, self.lines) and not (
                self.exact and self.length not in self.runs(board, cell)):
            return board, player
        return board, None if EMPTY in board else 0

    def runs(self, board, cell):
        """How many like marks stand in an unbroken line with a cell, four ways."""
        def ahead(down, right):
            row, column = divmod(cell, self.size)
            count = 0
            while True:
                row, column = row + down, column + right
                inside = 0 <= row < self.size and 0 <= column < self.size
                if not inside or board[row * self.size + column] != board[cell]:
                    return count
                count += 1
        return [1 + ahead(down, right) + ahead(-down, -right)
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))]

    def parse_move(self, text):
        return (int(text[1:]) - 1) * self.size + ord(text[0]) - ord("a")


class Connect6(Gomoku):
    """A board is its marks, who is to move and how many stones are left in the
    turn.  Black's first turn has one stone, each later one `stones`."""

    def __init__(self, size, length, stones=2):
        super().__init__(size, length)
        self.stones = stones
        self.start = (self.start, 1, 1)

    def moves(self, board, player):
        return super().moves(board[0], player)

    def play(self, board, player, cell):
        marks, _, left = board
        marks, result = super().play(marks, player, cell)
        if left > 1:
            return (marks, player, left - 1), result
        return (marks, -player, self.stones), result

    def next_player(self, board, player):
        return board[1]


class Phutball:
    """A board is the set of men and the point of the ball, as (row, column) with
    row 0 at the bottom.  A move is the point of a man, or the names of the
    directions of jumps."""

    loops = True
    ways = {"n": (1, 0), "ne": (1, 1), "e": (0, 1), "se": (-1, 1),
            "s": (-1, 0), "sw": (-1, -1), "w": (0, -1), "nw": (1, -1)}

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.start = (frozenset(), ((rows - 1) // 2, (columns - 1) // 2))

    def name(self, score):
        return {1: "win", -1: "loss", 0: "nothing is forced"}[score]

    def parse_move(self, text):
        if text[-1].isdigit():
            return (int(text[1:]) - 1, ord(text[0]) - ord("a"))
        return tuple(text.split("-"))

    def read(self, text):
        rows, player = text.split(" ")
        men, ball = set(), None
        for row, line in enumerate(reversed(rows.split("/"))):
            for column, mark in enumerate(line):
                if mark == "x":
                    men.add((row, column))
                elif mark == "@":
                    ball = (row, column)
        board = (frozenset(men), ball)
        return board, 1 if player == "black" else -1, self.result(ball)

    def result(self, ball):
        row, _ = ball
        return 1 if row >= self.rows - 1 else -1 if row <= 0 else None

    def jump(self, men, ball, way):
        (row, column), (up, right) = ball, self.ways[way]
        over = set()
        while (row + up, column + right) in men:
            row, column = row + up, column + right
            over.add((row, column))
        row, column = row + up, column + right
        if not over or not 0 <= column < self.columns:
            return None
        return men - over, (row, column)

    def jumps(self, men, ball):
        """All lists of jumps from here, one jump at least."""
        if not 0 <= ball[0] < self.rows:
            return
        for way in self.ways:
            after_jump = self.jump(men, ball, way)
            if after_jump:
                yield (way,)
                for more in self.jumps(*after_jump):
                    yield (way, *more)

    def moves(self, board, player):
        men, ball = board
        points = itertools.product(range(self.rows), range(self.columns))
        return [p for p in points if p not in men and p != ball] + list(self.jumps(men, ball))

    def play(self, board, player, move):
        men, ball = board
        if isinstance(move[0], int):
            men = men | {move}
        else:
            for way in move:
                men, ball = self.jump(men, ball, way)
        return (men, ball), self.result(ball)


class ConnectFour:
    draws = True

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.start = EMPTY * (rows * columns)  # the bottom row comes first
        self.lines = lines_through(rows, columns, 4)
        # Any order is right; from the middle outwards is the quickest here.
        self.order = sorted(range(columns), key=lambda c: abs(2 * c + 1 - columns))

    def moves(self, board, player):
        top = (self.rows - 1) * self.columns
        return [column for column in self.order if board[top + column] == EMPTY]

    def play(self, board, player, column):
        cell = column
        while board[cell] != EMPTY:
            cell += self.columns
        board = put(board, cell, MARK[player])
        if completes_line(board, cell, self.lines):
            return board, player
        return board, None if EMPTY in board else 0

    def parse_move(self, text):
        return int(text) - 1


class Nim:
    draws = False

    def __init__(self, *heaps):
        self.start = heaps

    def moves(self, heaps, player):
        return [(heap, take)
                for heap, size in enumerate(heaps)
                for take in range(1, size + 1)]

    def play(self, heaps, player, move):
        heap, take = move
        return heaps[:heap] + (heaps[heap] - take,) + heaps[heap + 1:], None


class Race:
    """Add 1 to `step` in turn.  Who brings the total to `target` or beyond has
    won, or in the misère game lost; no step is forbidden for being too long."""

    draws = False

    def __init__(self, target, step, misere=False):
        self.start = 0
        self.target, self.step, self.misere = target, step, misere

    def moves(self, total, player):
        return range(1, self.step + 1)

    def play(self, total, player, step):
        total += step
        if total < self.target:
            return total, None
        return total, -player if self.misere else player


class Domineering:
    """Max covers two cells one above the other, Min two cells side by side."""

    draws = False

    def __init__(self, rows, columns):
        self.start = EMPTY * (rows * columns)
        self.places = {
            1: [(r * columns + c, (r + 1) * columns + c)
                for r in range(rows - 1) for c in range(columns)],
            -1: [(r * columns + c, r * columns + c + 1)
                 for r in range(rows) for c in range(columns - 1)],
        }

    def moves(self, board, player):
        return [(one, two) for one, two in self.places[player]
                if board[one] == EMPTY and board[two] == EMPTY]

    def play(self, board, player, cells):
        one, two = cells
        return put(put(board, one, "#"), two, "#"), None


def read_rows(text, players):
    """The state of a position: the board is one string, the lowest row first, with pieces
    as X and O."""
    rows, mover = text.rsplit(" ", 1)
    board = "".join(reversed(rows.split("/"))).replace("x", "X").replace("o", "O")
    return board, 1 if mover == players[0] else -1, None


class NoGo:
    """After a move every block on the board has a liberty.  Only the block of
    the new stone and the opponent's blocks beside it can have lost one."""

    draws = False

    def __init__(self, rows, columns):
        self.start = EMPTY * (rows * columns)
        self.neighbours = grid_neighbours(rows, columns)

    def read(self, text):
        return read_rows(text, ("black", "white"))

    def moves(self, board, player):
        return [cell for cell in range(len(board))
                if board[cell] == EMPTY and self.is_legal(board, player, cell)]

    def is_legal(self, board, player, cell):
        board = put(board, cell, MARK[player])
        touched = [cell] + [n for n in self.neighbours[cell] if board[n] == MARK[-player]]
        return all(has_liberty(board, stone, self.neighbours) for stone in touched)

    def play(self, board, player, cell):
        return put(board, cell, MARK[player]), None


class Clobber:
    """A stone goes onto a stone of the other colour beside it.  In the impartial
    game both players may do so with the stones of both colours."""

    draws = False

    def __init__(self, rows, columns, kind=None):
        squares = [(r, c) for r in reversed(range(rows)) for c in range(columns)]
        self.start = "".join(MARK[1 if (r + c) % 2 == 0 else -1] for r, c in squares)
        self.neighbours = grid_neighbours(rows, columns)
        self.impartial = kind == "impartial"

    def read(self, text):
        rows, _, player = text.partition(" ")
        board = rows.replace("/", "").replace("#", EMPTY).upper()
        return board, 1 if player in ("black", "left") else -1, None

    def moves(self, board, player):
        return [(one, two) for one, mark in enumerate(board)
                if mark == MARK[player] or self.impartial and mark == MARK[-player]
                for two in self.neighbours[one] if board[two] not in (EMPTY, mark)]

    def play(self, board, player, move):
        one, two = move
        return put(put(board, two, board[one]), one, EMPTY), None


class Cram:
    """Either player covers two cells side by side, in a row or in a column."""

    draws = False

    def __init__(self, rows, columns):
        self.start = EMPTY * (rows * columns)
        self.places = [(one, two) for one, near in enumerate(grid_neighbours(rows, columns))
                       for two in near if one < two]

    def read(self, text):
        rows, _, player = text.partition(" ")
        return rows.replace("/", ""), 1 if player == "left" else -1, None

    def moves(self, board, player):
        return [(one, two) for one, two in self.places
                if board[one] == EMPTY and board[two] == EMPTY]

    def play(self, board, player, cells):
        one, two = cells
        return put(put(board, one, "#"), two, "#"), None


class Col:
    """A stone beside which there is none of its own colour.  On a cell marked b only
    Max may play, on one marked w only Min."""

    draws = False
    forbidden = 1  # the stones of whom, as seen by the player

    def __init__(self, rows, columns):
        self.start = EMPTY * (rows * columns)
        self.neighbours = grid_neighbours(rows, columns)

    def read(self, text):
        rows, _, player = text.partition(" ")
        board = rows.replace("/", "").replace("x", MARK[1]).replace("o", MARK[-1])
        return board, 1 if player == "black" else -1, None

    def moves(self, board, player):
        free = EMPTY + {1: "b", -1: "w"}[player]
        near = MARK[self.forbidden * player]
        return [cell for cell, mark in enumerate(board)
                if mark in free and all(board[n] != near for n in self.neighbours[cell])]

    def play(self, board, player, cell):
        return put(board, cell, MARK[player]), None


class Snort(Col):
    """A stone beside which there is none of the other colour."""

    forbidden = -1


class Kayles:
    """Rows of pins.  A board is a text with a gap behind each row; one pin goes, or
    two that stand side by side."""

    draws = False

    def __init__(self, *rows):
        self.start = " ".join("i" * pins for pins in rows)

    def read(self, text):
        rows, _, player = text.partition(" ")
        return rows.replace("/", " "), 1 if player == "left" else -1, None

    def moves(self, board, player):
        return [(pin, number) for number in (1, 2) for pin in range(len(board))
                if board[pin:pin + number] == "i" * number]

    def play(self, board, player, move):
        pin, number = move
        return board[:pin] + EMPTY * number + board[pin + number:], None


class Octal:
    """Heaps in order of their sizes.  A move names a heap, what is left of it, and
    is the same for heaps of one size."""

    draws = False

    def __init__(self, code, *heaps):
        self.digits = [int(digit) for digit in str(code).replace(".", "")]
        self.start = tuple(sorted(heaps))

    def moves(self, heaps, player):
        found = set()
        for heap in set(heaps):
            for taken, digit in enumerate(self.digits[:heap + 1]):
                left = heap - taken
                if digit & 1 and left == 0 and taken:
                    found.add((heap, ()))
                if digit & 2 and left and taken:
                    found.add((heap, (left,)))
                if digit & 4:
                    found.update((heap, (one, left - one)) for one in range(1, left // 2 + 1))
        return sorted(found)

    def play(self, heaps, player, move):
        heap, left = move
        rest = list(heaps)
        rest.remove(heap)
        return tuple(sorted(rest + list(left))), None


class ToadsAndFrogs:
    """Toads go to the right, frogs to the left.  A board is a text with walls between
    the rows.  A move is a pair of squares."""

    draws = False

    def __init__(self, rows, *words):
        self.start = self.board(rows)
        self.impartial = "impartial" in words
        numbers = [word for word in words if word != "impartial"]
        self.least, self.most, self.jump, self.friendly = numbers or (1, 1, 1, 0)

    @staticmethod
    def board(rows):
        return rows.replace("/", "#").replace("x", MARK[1]).replace("o", MARK[-1])

    def read(self, text):
        rows, _, player = text.partition(" ")
        return self.board(rows), 1 if player == "left" else -1, None

    def moves(self, board, player):
        found = []
        for square, mark in enumerate(board):
            for kind in (1, -1):
                if mark == MARK[kind] and (kind == player or self.impartial):
                    ahead = board[square + 1:] if kind == 1 else board[:square][::-1]
                    found += [(square, square + kind * far) for far in self.reach(ahead, kind)]
        return found

    def reach(self, ahead, kind):
        """How far an animal gets that sees these squares."""
        empty = len(ahead) - len(ahead.lstrip(EMPTY))
        if empty:
            return range(self.least, min(self.most, empty) + 1)
        passed = MARK[-kind] + (MARK[kind] if self.friendly else "")
        over = len(ahead) - len(ahead.lstrip(passed))
        return [over + 1] if 0 < over <= self.jump and ahead[over:over + 1] == EMPTY else []

    def play(self, board, player, move):
        one, two = move
        return put(put(board, two, board[one]), one, EMPTY), None


class TopplingDominoes:
    """A board is a text with gaps between the rows.  A move names the dominoes that
    fall, from the first to the one behind the last, and how."""

    draws = False

    def __init__(self, rows):
        self.start = rows.replace("/", EMPTY)

    def read(self, text):
        rows, _, player = text.partition(" ")
        return rows.replace("/", EMPTY), 1 if player == "black" else -1, None

    def moves(self, board, player):
        found = []
        for domino, mark in enumerate(board):
            if mark in {1: "xg", -1: "og"}[player]:
                start = board.rfind(EMPTY, 0, domino) + 1
                end = (board + EMPTY).find(EMPTY, domino)
                found += [(start, domino + 1, "left"), (domino, end, "right")]
        return found

    def play(self, board, player, move):
        start, end, _ = move
        return board[:start] + EMPTY * (end - start) + board[end:], None


class Amazons:
    """A queen's move, then an arrow that flies like a queen from there; where it lands
    stays blocked.  Cells are (row, column); a move is three of them."""

    draws = False
    ways = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]

    def __init__(self, rows=4, columns=4):
        self.rows, self.columns = rows, columns
        board = [["."] * columns for _ in range(rows)]
        places = [(0, (columns - 1) // 3), (0, columns - 1 - (columns - 1) // 3)]
        if min(rows, columns) >= 6:
            places += [((rows - 1) // 3, 0), ((rows - 1) // 3, columns - 1)]
        for row, column in places:
            board[rows - 1 - row][column] = "O"
        for row, column in places:
            board[row][column] = "X"
        self.start = "".join(map("".join, board))

    def read(self, text):
        return read_rows(text, ("black", "white"))

    def reach(self, board, cell):
        row, column = divmod(cell, self.columns)
        for down, right in self.ways:
            for distance in range(1, max(self.rows, self.columns)):
                r, c = row + distance * down, column + distance * right
                if not (0 <= r < self.rows and 0 <= c < self.columns):
                    break
                if board[r * self.columns + c] != EMPTY:
                    break
                yield r * self.columns + c

    def moves(self, board, player):
        found = []
        for cell, mark in enumerate(board):
            if mark == MARK[player]:
                gone = put(board, cell, EMPTY)
                for to in self.reach(board, cell):
                    found += [(cell, to, arrow) for arrow in self.reach(gone, to)]
        return found

    def play(self, board, player, move):
        cell, to, arrow = move
        return put(put(put(board, cell, EMPTY), to, MARK[player]), arrow, "#"), None


class Elephants:
    """X steps to the right and O to the left; who may move what depends on the game."""

    draws = False

    def __init__(self, squares=12, impartial=None):
        self.start = "".join("X..O"[i % 4] for i in range(squares))
        self.impartial = impartial is not None

    def read(self, text):
        return read_rows(text, ("black", "white"))

    def moves(self, board, player):
        return [(i, mark) for i in range(len(board) - 1)
                for sign, mark in ((1, "X."), (-1, ".O"))
                if board[i:i + 2] == mark and (self.impartial or sign == player)]

    def play(self, board, player, move):
        i, mark = move
        return board[:i] + mark[::-1] + board[i + 2:], None


class Fission:
    """Max splits a stone into those above and below it, Min to the left and right."""

    draws = False

    def __init__(self, rows=5, columns=5):
        self.rows, self.columns = rows, columns
        self.start = put(EMPTY * (rows * columns),
                         (rows - 1) // 2 * columns + (columns - 1) // 2, "X")

    def read(self, text):
        return read_rows(text, ("left", "right"))

    def moves(self, board, player):
        found = []
        for cell, mark in enumerate(board):
            row, column = divmod(cell, self.columns)
            if player == 1:
                ends = (cell - self.columns, cell + self.columns)
                inside = 0 < row < self.rows - 1
            else:
                ends, inside = (cell - 1, cell + 1), 0 < column < self.columns - 1
            if mark == "X" and inside and all(board[end] == EMPTY for end in ends):
                found.append((cell, *ends))
        return found

    def play(self, board, player, move):
        cell, one, other = move
        return put(put(put(board, cell, EMPTY), one, "X"), other, "X"), None


class Hackenbush:
    """A board is the edges, each two nodes and a colour, in order; node 0 is the ground.  Who
    removes which of several edges that are alike makes no difference."""

    draws = False

    def __init__(self, *words):
        self.start = self.board(words)

    @staticmethod
    def board(words):
        found = [re.fullmatch(r"(\d+)([brg])(\d+)", word).groups() for word in words]
        return tuple(sorted((min(int(a), int(b)), max(int(a), int(b)), c) for a, c, b in found))

    def read(self, text):
        edges, mover = text.rsplit(" ", 1)
        board = () if edges == "-" else self.board(edges.split(","))
        return board, 1 if mover == "left" else -1, None

    def moves(self, board, player):
        own = "bg" if player == 1 else "rg"
        return sorted({edge for edge in board if edge[2] in own})

    def play(self, board, player, move):
        left = list(board)
        left.remove(move)
        held, todo = {0}, [0]
        while todo:
            node = todo.pop()
            for a, b, _ in left:
                if node in (a, b):
                    todo += {a, b} - held
                    held |= {a, b}
        return tuple(edge for edge in left if edge[0] in held), None


class Konane:
    """Jumps over single stones of the other player in one line take them off."""

    draws = False

    def __init__(self, rows=5, columns=5):
        self.rows, self.columns = rows, columns
        self.start = "".join("XO"[(i // columns + i % columns) % 2] for i in range(rows * columns))
        middle = (rows - 1) // 2 * columns + (columns - 1) // 2
        beside = middle + (1 if columns > 1 else columns)
        for cell in (middle, beside):
            if cell < rows * columns:
                self.start = put(self.start, cell, EMPTY)

    def read(self, text):
        return read_rows(text, ("black", "white"))

    def moves(self, board, player):
        found = []
        for row in range(self.rows):
            for column in range(self.columns):
                if board[row * self.columns + column] != MARK[player]:
                    continue
                for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    taken = ()
                    for jumps in range(1, max(self.rows, self.columns)):
                        end = row + 2 * jumps * down, column + 2 * jumps * right
                        if not (0 <= end[0] < self.rows and 0 <= end[1] < self.columns):
                            break
                        to = end[0] * self.columns + end[1]
                        over = to - down * self.columns - right
                        if board[over] != MARK[-player] or board[to] != EMPTY:
                            break
                        taken += (over,)
                        found.append((row * self.columns + column, to, taken))
        return found

    def play(self, board, player, move):
        cell, to, taken = move
        for over in taken:
            board = put(board, over, EMPTY)
        return put(put(board, cell, EMPTY), to, MARK[player]), None


class Sheep:
    """Herds are numbers, Min's below 0, None is blocked.  A part of a herd runs to the
    end of a line of empty cells.  The highest row comes first in a board, and a cell
    touches those beside it in its row and column and along one diagonal."""

    draws = False

    def __init__(self, rows=4, columns=4, sheep=4):
        self.rows, self.columns = rows, columns
        board = [0] * (rows * columns)
        board[columns - 1] = -sheep
        board[(rows - 1) * columns] = sheep
        self.start = tuple(board)

    def read(self, text):
        rows, mover = text.rsplit(" ", 1)
        words = {".": 0, "#": None}
        board = [words[w] if w in words else int(w) for w in re.split("[,/]", rows)]
        return tuple(board), 1 if mover == "black" else -1, None

    def moves(self, board, player):
        found = []
        for cell, herd in enumerate(board):
            if herd is None or herd * player < 2:
                continue
            for down, right in ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)):
                row, column = divmod(cell, self.columns)
                end = cell
                while True:
                    row, column = row + down, column + right
                    there = row * self.columns + column
                    inside = 0 <= row < self.rows and 0 <= column < self.columns
                    if not inside or board[there] != 0:
                        break
                    end = there
                if end != cell:
                    found += [(cell, end, sheep * player) for sheep in range(1, abs(herd))]
        return found

    def play(self, board, player, move):
        cell, end, sheep = move
        board = list(board)
        board[cell] -= sheep
        board[end] += sheep
        return tuple(board), None


class AtariGo:
    """The first capture wins.  A stone that captures nothing needs a liberty."""

    draws = False

    def __init__(self, rows, columns):
        self.start = EMPTY * (rows * columns)
        self.neighbours = grid_neighbours(rows, columns)

    def captures(self, board, player, cell):
        """Does `player`'s stone, already on `cell`, take a block away?"""
        return any(board[n] == MARK[-player] and not has_liberty(board, n, self.neighbours)
                   for n in self.neighbours[cell])

    def is_legal(self, board, player, cell):
        board = put(board, cell, MARK[player])
        return (has_liberty(board, cell, self.neighbours)
                or self.captures(board, player, cell))

    def moves(self, board, player):
        return [cell for cell in range(len(board))
                if board[cell] == EMPTY and self.is_legal(board, player, cell)]

    def play(self, board, player, cell):
        board = put(board, cell, MARK[player])
        return board, player if self.captures(board, player, cell) else None


class Y:
    """A triangle: row r (from 0) has r + 1 cells.  Connect its three sides."""

    draws = False

    def __init__(self, side):
        cells = [(r, c) for r in range(side) for c in range(r + 1)]
        number = {cell: i for i, cell in enumerate(cells)}
        self.start = EMPTY * len(cells)
        self.neighbours = [
            [number[cell] for cell in ((r, c - 1), (r, c + 1), (r - 1, c - 1),
                                       (r - 1, c), (r + 1, c), (r + 1, c + 1))
             if cell in number]
            for r, c in cells
        ]
        self.sides = [
            {number[r, c] for r, c in cells if c == 0},
            {number[r, c] for r, c in cells if c == r},
            {number[r, c] for r, c in cells if r == side - 1},
        ]

    def moves(self, board, player):
        return [cell for cell in range(len(board)) if board[cell] == EMPTY]

    def play(self, board, player, cell):
        board = put(board, cell, MARK[player])
        chain = group(board, cell, self.neighbours)
        return board, player if all(chain & side for side in self.sides) else None


class Hex:
    """A rhombus: cell (r, c) touches (r, c±1), (r±1, c), (r-1, c+1), (r+1, c-1).
    Max connects the first row with the last, Min the first column with the last."""

    draws = False

    def __init__(self, side):
        def number(r, c):
            return r * side + c

        self.start = EMPTY * (side * side)
        self.neighbours = [
            [number(*cell) for cell in ((r, c - 1), (r, c + 1), (r - 1, c),
                                        (r + 1, c), (r - 1, c + 1), (r + 1, c - 1))
             if 0 <= cell[0] < side and 0 <= cell[1] < side]
            for r in range(side) for c in range(side)
        ]
        self.edges = {
            1: ({number(0, i) for i in range(side)},
                {number(side - 1, i) for i in range(side)}),
            -1: ({number(i, 0) for i in range(side)},
                 {number(i, side - 1) for i in range(side)}),
        }

    def moves(self, board, player):
        return [cell for cell in range(len(board)) if board[cell] == EMPTY]

    def play(self, board, player, cell):
        board = put(board, cell, MARK[player])
        chain = group(board, cell, self.neighbours)
        return board, player if all(chain & edge for edge in self.edges[player]) else None


class Havannah:
    """A hexagon; a cell is (row, column) from the middle, and touches the next ones in
    its row and column and on one diagonal.  A chain with two corners or three sides
    wins, and so does a ring: a cell that cannot be left without stepping on a stone.
    Moves are a1: letters count cells in their row, rows are counted from the top."""

    draws = True

    def __init__(self, size):
        n = size - 1
        cells = [(r, c) for r in range(-n, n + 1) for c in range(-n, n + 1) if abs(r + c) <= n]
        number = {cell: i for i, cell in enumerate(cells)}
        rows = collections.Counter()
        self.names = {}
        for i, (r, c) in enumerate(cells):
            self.names["abcdefghijk"[rows[r]] + str(r + size)] = i
            rows[r] += 1
        around = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))
        self.start = EMPTY * len(cells)
        self.neighbours = [[number[r + dr, c + dc] for dr, dc in around
                            if (r + dr, c + dc) in number] for r, c in cells]
        sides = [{i for i, (r, c) in enumerate(cells) if (r, c, r + c)[axis] == limit}
                 for axis in range(3) for limit in (n, -n)]
        self.corners = {i for i in range(len(cells)) if sum(i in side for side in sides) == 2}
        self.sides = [side - self.corners for side in sides]
        self.edge = set().union(*sides)

    def parse_move(self, text):
        return self.names[text]

    def moves(self, board, player):
        return [cell for cell in range(len(board)) if board[cell] == EMPTY]

    def leaves(self, board, cell, mark):
        """Whether a way over cells without this mark leads from the cell to the edge."""
        seen, todo = {cell}, [cell]
        while todo:
            here = todo.pop()
            if here in self.edge:
                return True
            for there in self.neighbours[here]:
                if board[there] != mark and there not in seen:
                    seen.add(there)
                    todo.append(there)
        return False

    def play(self, board, player, cell):
        mark = MARK[player]
        board = put(board, cell, mark)
        chain = group(board, cell, self.neighbours)
        won = (len(chain & self.corners) >= 2
               or sum(bool(chain & side) for side in self.sides) >= 3
               or not all(self.leaves(board, c, mark) for c in range(len(board))))
        return board, player if won else None if EMPTY in board else 0


class LinesOfAction:
    """A board is a tuple of the squares of X, who is Max, and of those of O; a square
    is (column, row).  Moves are a1-b2, or a1xb2 for a capture, and pass."""

    loops = True
    parse_move = staticmethod(str)

    def __init__(self, size):
        self.size = size
        inner, ends = range(1, size - 1), (0, size - 1)
        self.start = (frozenset((i, end) for i in inner for end in ends),
                      frozenset((end, i) for i in inner for end in ends))

    def name(self, score):
        return NAMES[score]

    def sides(self, board, player):
        return board if player == 1 else board[::-1]

    def steps(self, board, player):
        own, others = self.sides(board, player)
        ways = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
        for x, y in own:
            for dx, dy in ways:
                line = {(x + n * dx, y + n * dy) for n in range(-self.size, self.size + 1)}
                count = len(line & (own | others))
                path = [(x + n * dx, y + n * dy) for n in range(1, count + 1)]
                to = path[-1]
                inside = all(0 <= i < self.size for i in to)
                if inside and to not in own and not others.intersection(path[:-1]):
                    sign = "x" if to in others else "-"
                    yield f"{square(x, y)}{sign}{square(*to)}", (x, y), to

    def moves(self, board, player):
        return [text for text, _, _ in self.steps(board, player)] or ["pass"]

    def play(self, board, player, move):
        own, others = self.sides(board, player)
        for text, start, to in self.steps(board, player):
            if text == move:
                own, others = own - {start} | {to}, others - {to}
        board = (own, others) if player == 1 else (others, own)
        results = [connected(pieces) for pieces in board]
        return board, results[0] - results[1] if any(results) else None


def square(column, row):
    return "abcdefgh"[column] + str(row + 1)


def connected(pieces):
    """Whether these squares hang together by edges or corners."""
    first = next(iter(pieces))
    seen, todo = {first}, [first]
    while todo:
        x, y = todo.pop()
        near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        todo += (near & pieces) - seen
        seen |= near & pieces
    return seen == pieces


class DomineeringThree:
    """Players are 1, 2 and 3 and place dominoes along the rows, the columns and the
    layers; who cannot move is out and passes, and the last one left wins.  A board is
    the set of covered cells (row, column, layer).  A score is 1 when player 1 has won,
    -1 for player 3 and -2 for player 2."""

    start = frozenset()
    parse_move = staticmethod(str)

    def __init__(self, *size):
        self.cells = list(itertools.product(*map(range, size)))
        self.all = set(self.cells)

    def name(self, score):
        # To Vertical it is the same who of the others wins.
        return "vertical" if score == 1 else "horizontal or deep"

    def dominoes(self, board, player):
        free = self.all - board
        for cell in self.cells:
            other = tuple(n + (axis == player - 1) for axis, n in enumerate(cell))
            if cell in free and other in free:
                text = "-".join(f"{'abcdefgh'[c]}{r + 1}.{d + 1}" for r, c, d in (cell, other))
                yield text, {cell, other}

    def moves(self, board, player):
        return [text for text, _ in self.dominoes(board, player)] or ["pass"]

    def next_player(self, board, player):
        return player % 3 + 1

    def play(self, board, player, move):
        if move == "pass":
            return board, None
        board |= dict(self.dominoes(board, player))[move]
        left = [p for p in (1, 2, 3) if self.moves(board, p) != ["pass"]]
        # Who cannot move is out at its next turn; if nobody can, the last mover is left.
        winner = left[0] if left else player
        return board, None if len(left) > 1 else {1: 1, 2: -2, 3: -1}[winner]


class Breakthrough:
    """Two full rows each; Max starts on the first rows and moves towards the last."""

    draws = False

    def __init__(self, rows, columns):
        if rows < 4 or columns < 2:
            raise ValueError("breakthrough needs four rows and two columns")
        self.rows, self.columns = rows, columns
        self.start = (MARK[1] * (2 * columns)
                      + EMPTY * ((rows - 4) * columns)
                      + MARK[-1] * (2 * columns))

    def moves(self, board, player):
        moves = []
        for cell, mark in enumerate(board):
            if mark != MARK[player]:
                continue
            row, column = divmod(cell, self.columns)
            for side in (-1, 0, 1):
                if not (0 <= row + player < self.rows and 0 <= column + side < self.columns):
                    continue
                to = (row + player) * self.columns + column + side
                if board[to] == EMPTY or (side != 0 and board[to] == MARK[-player]):
                    moves.append((cell, to))
        return moves

    def play(self, board, player, move):
        cell, to = move
        board = put(put(board, cell, EMPTY), to, MARK[player])
        goal = self.rows - 1 if player == 1 else 0
        won = to // self.columns == goal or MARK[-player] not in board
        return board, player if won else None


class DobutsuShogi:
    """A board is a tuple of the pieces on it and of those that are held.  A piece on the
    board is (column, row, letter), one that is held only a letter; Max has capital
    letters.  Moves are b2-b3, b2xb3, either with a + where a chick becomes a hen, and C*b2.
    Who comes home with the lion has won if it is not caught by the next move."""

    loops = True
    parse_move = staticmethod(str)
    around = {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}
    ways = {"L": around, "G": {(x, y) for x, y in around if x * y == 0},
            "E": {(x, y) for x, y in around if x * y != 0}, "C": {(0, 1)},
            "H": around - {(-1, -1), (1, -1)}}
    cells = [(x, y) for x in range(3) for y in range(4)]

    def __init__(self, pieces="LGEC"):
        places = {"E": (0, 0), "L": (1, 0), "G": (2, 0), "C": (1, 1)}
        board = [(*places[letter], letter) for letter in pieces]
        board += [(2 - x, 3 - y, letter.lower()) for x, y, letter in board]
        self.start = (frozenset(board), "")

    def name(self, score):
        return NAMES[score]

    @staticmethod
    def owner(letter):
        return 1 if letter.isupper() else -1

    def steps(self, board, player):
        """The squares that the pieces of a player go to, and from where."""
        there = {(x, y): letter for x, y, letter in board}
        for (x, y), letter in there.items():
            if self.owner(letter) != player:
                continue
            for right, ahead in self.ways[letter.upper()]:
                to = x + right, y + player * ahead
                taken = there.get(to)
                if to in self.cells and not (taken and self.owner(taken) == player):
                    yield (x, y), to, letter, taken

    def moves(self, board, player):
        pieces, held = board
        moves = []
        for start, to, letter, taken in self.steps(pieces, player):
            hatches = "+" if letter.upper() == "C" and to[1] == (3 if player == 1 else 0) else ""
            moves.append(f"{square(*start)}{'x' if taken else '-'}{square(*to)}{hatches}")
        taken = {(x, y) for x, y, _ in pieces}
        for letter in sorted(set(held)):
            if self.owner(letter) == player:
                moves += [f"{letter.upper()}*{square(*to)}" for to in self.cells if to not in taken]
        return moves

    def play(self, board, player, move):
        pieces, held = board
        named = {square(x, y): (x, y) for x, y in self.cells}
        to = named[move.rstrip("+")[-2:]]
        case = str.upper if player == 1 else str.lower
        caught = None
        if "*" in move:
            letter = case(move[0])
            held = held.replace(letter, "", 1)
        else:
            start = named[move[:2]]
            letter = next(letter for x, y, letter in pieces if (x, y) == start)
            caught = next((letter for x, y, letter in pieces if (x, y) == to), None)
            pieces = frozenset(piece for piece in pieces if piece[:2] not in (start, to))
            letter = case("H") if move.endswith("+") else letter
            if caught and caught not in "Ll":
                held = "".join(sorted(held + case(caught).replace("H", "C").replace("h", "c")))
        pieces |= {(*to, letter)}
        return (pieces, held), self.result(pieces, player, caught)

    def result(self, pieces, player, caught):
        if caught and caught in "Ll":
            return player
        lions = {self.owner(letter): (x, y) for x, y, letter in pieces if letter in "Ll"}
        if lions[-player][1] == (0 if player == 1 else 3):
            return -player  # it came home with the move before, and was not caught
        home = lions[player][1] == (3 if player == 1 else 0)
        reached = {to for _, to, _, _ in self.steps(pieces, -player)}
        return player if home and lions[player] not in reached else None


def signed(score):
    return f"{score:+}" if score else "0"


class Woodpush:
    """A board is the strip, Left's pieces X and Right's O, and the strip before
    the last move.  Moves are written 3-5 or 3-off for a slide, push3 for a push."""

    loops = True
    name = staticmethod(signed)
    parse_move = staticmethod(str)

    def __init__(self, squares, pieces):
        middle = EMPTY * (squares - 2 * pieces)
        self.start = (MARK[1] * pieces + middle + MARK[-1] * pieces, None)

    def after_moves(self, board, player):
        """The strip after each move, by its name."""
        strip, forbidden = board
        after = {}
        for square, mark in enumerate(strip):
            if mark != MARK[player]:
                continue
            left = put(strip, square, EMPTY)
            to = square + player
            while 0 <= to < len(strip) and strip[to] != EMPTY:
                to += player
            if 0 <= to < len(strip):
                after[f"{square + 1}-{to + 1}"] = put(left, to, mark)
            else:
                after[f"{square + 1}-off"] = left
            behind = square - player
            if 0 <= behind < len(strip) and strip[behind] == MARK[-player]:
                pushed = left
                carried = mark
                while 0 <= behind < len(strip) and carried != EMPTY:
                    pushed = put(pushed, behind, carried)
                    carried = strip[behind]
                    behind -= player
                if pushed != forbidden:
                    after[f"push{square + 1}"] = pushed
        return after

    def moves(self, board, player):
        return list(self.after_moves(board, player))

    def play(self, board, player, move):
        strip = self.after_moves(board, player)[move]
        after = (strip, board[0])
        if MARK[-1] not in strip:
            return after, sum(len(strip) - i for i, c in enumerate(strip) if c == MARK[1])
        if MARK[1] not in strip:
            return after, -sum(i + 1 for i, c in enumerate(strip) if c == MARK[-1])
        return after, None


class Seki:
    """A board is the set of empty liberties and the number of passes just made.
    A liberty is b1, b2, ... for Max's string, w1, ... for Min's, s1 or s2 for both."""

    draws = True
    parse_move = staticmethod(str)

    def __init__(self, outside, opposite):
        points = [f"b{i + 1}" for i in range(outside)]
        points += [f"w{i + 1}" for i in range(opposite)]
        self.start = (frozenset(points + ["s1", "s2"]), 0)

    def breathes(self, empty, player):
        return any(point[0] in ("s", "b" if player == 1 else "w") for point in empty)

    def moves(self, board, player):
        empty, _ = board
        fills = [point for point in sorted(empty)
                 if self.breathes(empty - {point}, player)
                 or not self.breathes(empty - {point}, -player)]
        return fills + ["pass"]

    def play(self, board, player, move):
        empty, passes = board
        if move == "pass":
            return (empty, passes + 1), 0 if passes == 1 else None
        empty = empty - {move}
        return (empty, 0), None if self.breathes(empty, -player) else player


class LeftRight:
    """One player.  A board is the steps taken, L and R, sorted."""

    name = staticmethod(str)
    parse_move = staticmethod(str)

    def __init__(self, steps):
        self.start = ""
        self.steps = steps

    def next_player(self, board, player):
        return 1

    def moves(self, board, player):
        return ["left", "right"]

    def play(self, board, player, move):
        board = "".join(sorted(board + move[0].upper()))
        return board, board.count("L") if len(board) == self.steps else None


def splitmix64(seed):
    """The numbers of the published generator SplitMix64."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        yield z ^ (z >> 31)


class SameGame:
    """One player.  A board is the columns from left to right, each a string from
    below, and the points so far.  The board of a seed is filled row by row from
    the top; a number times the colours, without its fraction, is a colour.  A
    move is the lowest cell of the leftmost column of a group."""

    name = staticmethod(str)
    parse_move = staticmethod(str)

    def __init__(self, rows, columns, colours, seed):
        numbers = splitmix64(seed)
        lines = [[str(1 + (next(numbers) * colours >> 64)) for _ in range(columns)]
                 for _ in range(rows)]
        self.start = (tuple("".join(column) for column in zip(*reversed(lines))), 0)

    def next_player(self, board, player):
        return 1

    def groups(self, columns):
        left = {(c, r) for c, column in enumerate(columns) for r in range(len(column))}
        while left:
            first = min(left)
            cells, todo = {first}, [first]
            while todo:
                c, r = todo.pop()
                for cell in ((c - 1, r), (c + 1, r), (c, r - 1), (c, r + 1)):
                    if (cell in left and cell not in cells
                            and columns[cell[0]][cell[1]] == columns[c][r]):
                        cells.add(cell)
                        todo.append(cell)
            left -= cells
            if len(cells) > 1:
                yield first, cells

    def moves(self, board, player):
        return ["abcdefghijklmnopqrstuvwxyz"[c] + str(r + 1) for (c, r), _ in self.groups(board[0])]

    def play(self, board, player, move):
        columns, points = board
        first = (ord(move[0]) - ord("a"), int(move[1:]) - 1)
        cells = dict(self.groups(columns))[first]
        rest = ("".join(mark for r, mark in enumerate(column) if (c, r) not in cells)
                for c, column in enumerate(columns))
        columns = tuple(column for column in rest if column)
        points += (len(cells) - 2) ** 2
        over = next(self.groups(columns), None) is None
        return (columns, points), points if over else None


class Othello:
    """Cells are a1, b1, ... from the lower left; the score is Max's discs less
    Min's.  A board is a string, the lowest row first."""

    name = staticmethod(signed)
    parse_move = staticmethod(str)

    def __init__(self, rows, columns):
        self.columns = columns
        self.cells = {"abcdefgh"[c] + str(r + 1): (r, c)
                      for r in range(rows) for c in range(columns)}
        board = EMPTY * (rows * columns)
        for r, c, player in ((0, 0, -1), (0, 1, 1), (1, 0, 1), (1, 1, -1)):
            cell = (rows // 2 - 1 + r) * columns + columns // 2 - 1 + c
            board = put(board, cell, MARK[player])
        self.start = board
        # For each cell the lines that lead away from it.
        self.lines = {name: [] for name in self.cells}
        numbers = {place: place[0] * columns + place[1] for place in self.cells.values()}
        for name, (r, c) in self.cells.items():
            for up in (-1, 0, 1):
                for right in (-1, 0, 1):
                    line = [(r + up * i, c + right * i) for i in range(1, 8)]
                    line = [numbers[place] for place in line if place in numbers]
                    if (up, right) != (0, 0) and len(line) > 1:
                        self.lines[name].append(line)

    def turned(self, board, player, name):
        r, c = self.cells[name]
        if board[r * self.columns + c] != EMPTY:
            return []
        turned = []
        for line in self.lines[name]:
            length = 0
            while length < len(line) and board[line[length]] == MARK[-player]:
                length += 1
            if length < len(line) and board[line[length]] == MARK[player]:
                turned += line[:length]
        return turned

    def moves(self, board, player):
        return [name for name in self.cells if self.turned(board, player, name)] or ["pass"]

    def play(self, board, player, name):
        if name == "pass":
            return board, None
        r, c = self.cells[name]
        for cell in self.turned(board, player, name) + [r * self.columns + c]:
            board = put(board, cell, MARK[player])
        if self.moves(board, 1) == self.moves(board, -1) == ["pass"]:
            return board, board.count(MARK[1]) - board.count(MARK[-1])
        return board, None


class Kalah:
    """A board is the rest of both rows, each from its owner's left, both stores,
    and who moves.  A move is the number of a pit from its owner's left."""

    name = staticmethod(signed)
    parse_move = staticmethod(str)

    def __init__(self, pits, seeds):
        self.pits = pits
        row = (seeds,) * pits
        self.start = (row, row, 0, 0, 1)

    def next_player(self, board, player):
        return board[4]

    def moves(self, board, player):
        row = board[0] if player == 1 else board[1]
        return [str(pit + 1) for pit, seeds in enumerate(row) if seeds]

    def play(self, board, player, move):
        rows = {1: list(board[0]), -1: list(board[1])}
        stores = {1: board[2], -1: board[3]}
        side, pit = player, int(move) - 1
        hand, rows[player][pit] = rows[player][pit], 0
        while hand:
            pit += 1
            if pit == self.pits and side == player:
                stores[player] += 1
                hand -= 1
            if pit == self.pits and hand:
                side, pit = -side, 0
            if pit < self.pits:
                rows[side][pit] += 1
                hand -= 1
        in_store = pit == self.pits
        if not in_store and side == player and rows[side][pit] == 1:
            opposite = self.pits - 1 - pit
            if rows[-side][opposite]:
                stores[player] += 1 + rows[-side][opposite]
                rows[side][pit] = rows[-side][opposite] = 0
        result = None
        if not any(rows[1]) or not any(rows[-1]):
            for each in (1, -1):
                stores[each] += sum(rows[each])
                rows[each] = [0] * self.pits
            result = stores[1] - stores[-1]
        after = player if in_store else -player
        return (tuple(rows[1]), tuple(rows[-1]), stores[1], stores[-1], after), result


class Awari:
    """A board is the pits in a circle, South's first, and what South and North have
    captured.  A move is the number of a pit from its owner's left."""

    loops = True
    name = staticmethod(signed)
    parse_move = staticmethod(str)

    def __init__(self, pits, seeds, slam="takes-nothing"):
        self.pits, self.slam = pits, slam
        self.start = ((seeds,) * (2 * pits), 0, 0)

    def endless(self, board):
        return board[1] - board[2]

    def layer(self, board):
        return sum(board[0])

    def own(self, player):
        return range(self.pits) if player == 1 else range(self.pits, 2 * self.pits)

    def sown(self, board, player, place):
        """The board after a move, with what it captured, and whether it gave the
        opponent a seed."""
        circle, stores = list(board[0]), {1: board[1], -1: board[2]}
        hand, circle[place], at, fed = circle[place], 0, place, False
        theirs = self.own(-player)
        while hand:
            at = (at + 1) % len(circle)
            if at != place:
                circle[at] += 1
                hand -= 1
                fed |= at in theirs
        taken = list(circle)
        while at in theirs and taken[at] in (2, 3):
            stores[player] += taken[at]
            taken[at] = 0
            at -= 1
        if taken != circle and not any(taken[i] for i in theirs) and self.slam == "takes-nothing":
            return (tuple(circle), board[1], board[2]), fed
        return (tuple(taken), stores[1], stores[-1]), fed

    def moves(self, board, player):
        places = [i for i in self.own(player) if board[0][i]]
        theirs = self.own(-player)
        good = []
        for place in places:
            after, fed = self.sown(board, player, place)
            if self.slam == "forbidden":
                fine = any(after[0][i] for i in theirs)
            else:
                fine = fed or any(board[0][i] for i in theirs)
            if fine:
                good.append(place)
        return [str(i % self.pits + 1) for i in good or places]

    def result(self, board, player):
        """The score, if `player` cannot move."""
        if any(board[0][i] for i in self.own(player)):
            return None
        rest = [sum(board[0][i] for i in self.own(side)) for side in (1, -1)]
        return board[1] + rest[0] - board[2] - rest[1]

    def play(self, board, player, move):
        board, _ = self.sown(board, player, self.own(player)[int(move) - 1])
        return board, self.result(board, -player)

    def read(self, text):
        rows, mover = text.split()
        halves = [row.split("+") for row in rows.split("/")]
        circle = tuple(int(n) for half in halves for n in half[0].split(","))
        board = (circle, int(halves[0][1]), int(halves[1][1]))
        player = 1 if mover == "south" else -1
        return board, player, self.result(board, player)


class ChineseCheckers:
    """Players are 1, 2, ... clockwise from the top; 1 is Max.  A board is a string
    over the cells in reading order, a digit for a piece.  A cell is a complex
    number: its row counts down, and cells of a row are 2 apart.  A score is 1 when
    player 1 has won, 0 for nobody, and negative for another player, the second
    the lowest.  Moves are a1b2: letters count cells in their row."""

    loops = True
    parse_move = staticmethod(str)
    colours = ("red", "green", "blue", "yellow", "orange", "violet")

    def __init__(self, size, players):
        self.players = players
        tip = 2 * size  # the middle row; the star is a triangle and its half turn
        triangle = {complex(x, y) for y in range(-tip, size + 1)
                    for x in range(-(y + tip), y + tip + 1, 2)}
        cells = sorted(triangle | {-cell for cell in triangle}, key=lambda c: (c.imag, c.real))
        self.number = {cell: i for i, cell in enumerate(cells)}
        rows = collections.Counter()
        self.names = []
        for cell in cells:
            row = int(cell.imag) + tip
            self.names.append("abcdefghijklm"[rows[row]] + str(row + 1))
            rows[row] += 1
        self.cell = dict(zip(self.names, cells))
        # Points are what one triangle has and the other has not, each in three parts.
        upright = [c for c in triangle if -c not in triangle]
        hanging = [-c for c in upright]
        points = [
            [c for c in upright if c.imag < 0],
            [c for c in hanging if c.imag < 0 < c.real],
            [c for c in upright if c.imag > 0 and c.real > 0],
            [c for c in hanging if c.imag > 0],
            [c for c in upright if c.imag > 0 and c.real < 0],
            [c for c in hanging if c.imag < 0 and c.real < 0],
        ]
        seats = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: range(6)}[players]
        board = EMPTY * len(cells)
        self.goals = {}
        for player, seat in enumerate(seats, 1):
            for cell in points[seat]:
                board = put(board, self.number[cell], str(player))
            self.goals[player] = [self.number[-cell] for cell in points[seat]]
        self.start = board

    def name(self, score):
        if score >= 0:
            return "red" if score else "nobody"
        return self.colours[self.players + score]

    def next_player(self, board, player):
        return player % self.players + 1

    def at(self, board, cell):
        return board[self.number[cell]] if cell in self.number else None

    def moves(self, board, player):
        ways = (2, -2, 1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j)
        moves = []
        for name, start in self.cell.items():
            if self.at(board, start) != str(player):
                continue
            lifted = put(board, self.number[start], EMPTY)
            reached = [start]
            for cell in reached:
                for way in ways:
                    to = cell + 2 * way
                    if (self.at(lifted, cell + way) not in (None, EMPTY)
                            and self.at(lifted, to) == EMPTY and to not in reached):
                        reached.append(to)
            steps = [start + way for way in ways if self.at(board, start + way) == EMPTY]
            moves += [name + self.names[self.number[to]]
                      for to in dict.fromkeys(reached[1:] + steps)]
        return moves or ["pass"]

    def play(self, board, player, move):
        if move != "pass":
            split = next(i for i, c in enumerate(move) if i and c.isalpha())
            for name, mark in ((move[:split], EMPTY), (move[split:], str(player))):
                board = put(board, self.number[self.cell[name]], mark)
        inside = {board[cell] for cell in self.goals[player]}
        if str(player) in inside and EMPTY not in inside:
            return board, 1 if player == 1 else player - 1 - self.players
        return board, None


class DarkChessEnding:
    """Chinese dark chess with all pieces face up.  A board is a dictionary's items:
    squares (column, row) with letters, capital ones for X, who is Max.  Moves are
    a1-b1.  Positions are rows from the top, a space and red or black."""

    loops = True
    parse_move = staticmethod(str)
    # What a piece takes beside it; a cannon takes nothing there.
    prey = {"k": "kaerhc", "a": "aerhcp", "e": "erhcp", "r": "rhcp", "h": "hcp", "c": "",
            "p": "pk"}

    def __init__(self, rows=4, columns=8):
        self.rows, self.columns = rows, columns
        cells = [(c, r) for r in range(rows) for c in range(columns)]
        pieces = {cell: "p" for cell in cells[1:][-2:]}
        pieces[cells[0]] = "K"
        self.start = frozenset(pieces.items())

    def name(self, score):
        return NAMES[score]

    def read(self, text):
        rows, mover = text.split(" ")
        pieces = {(c, self.rows - 1 - r): letter
                  for r, row in enumerate(rows.split("/"))
                  for c, letter in enumerate(row) if letter != EMPTY}
        return frozenset(pieces.items()), 1 if mover == "red" else -1, None

    def steps(self, board, player):
        pieces = dict(board)
        for (x, y), letter in pieces.items():
            if letter.isupper() != (player == 1):
                continue
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                met = 0
                for n in range(1, max(self.rows, self.columns)):
                    to = (x + n * dx, y + n * dy)
                    if not (0 <= to[0] < self.columns and 0 <= to[1] < self.rows):
                        break
                    there = pieces.get(to)
                    enemy = there is not None and there.isupper() != letter.isupper()
                    if there is None:
                        allowed = n == 1
                    elif letter in "Cc":
                        allowed = enemy and met == 1
                    else:
                        allowed = enemy and n == 1 and there.lower() in self.prey[letter.lower()]
                    if allowed:
                        yield (x, y), to
                    met += there is not None

    def moves(self, board, player):
        return [f"{square(*a)}-{square(*b)}" for a, b in self.steps(board, player)]

    def play(self, board, player, move):
        pieces = dict(board)
        for start, to in list(self.steps(board, player)):
            if f"{square(*start)}-{square(*to)}" == move:
                pieces[to] = pieces.pop(start)
        board = frozenset(pieces.items())
        # Who has no piece has no move.
        stuck = next(self.steps(board, -player), None) is None
        return board, player if stuck else None


class Dominoes:
    """A board is the hands of Max and Min, each a set of pairs, and the pair of ends or
    nothing.  Bones are listed as 0-0, 0-1, ... and drawn one after the other from what is
    left, which stands in the order of a list whose places are exchanged; Max's come first.
    A move is a bone, the number that it is put to the line with first, or pass.  A
    blocked game is a draw with `draw`; otherwise the fewest pips win."""

    draws = True
    parse_move = staticmethod(str)

    def __init__(self, spots=3, hand=3, seed=1, blocked="pips"):
        bones = [(a, b) for a in range(spots + 1) for b in range(a, spots + 1)]
        numbers = splitmix64(seed)
        for at in range(2 * hand):
            other = at + (next(numbers) * (len(bones) - at) >> 64)
            bones[at], bones[other] = bones[other], bones[at]
        self.blocked = blocked
        self.start = (frozenset(bones[:hand]), frozenset(bones[hand:2 * hand]), None)

    def read(self, text):
        *hands, line, mover = text.split(" ")
        pair = lambda word, sign: tuple(int(n) for n in word.split(sign))
        hands = [frozenset(pair(b, "-") for b in hand.split(",")) if hand != "-" else frozenset()
                 for hand in hands]
        ends = pair(line, "|") if line != "-" else None
        return (*hands, ends), 1 if mover == "first" else -1, None

    def fits(self, hand, ends):
        for a, b in sorted(hand):
            if ends is None:
                yield f"{a}-{b}", (a, b), (a, b)
                continue
            for end, other in dict.fromkeys((ends, ends[::-1])):
                for meets, new in dict.fromkeys(((a, b), (b, a))):
                    if meets == end:
                        yield f"{meets}-{new}", (a, b), tuple(sorted((new, other)))

    def moves(self, board, player):
        hand = board[0 if player == 1 else 1]
        found = [text for text, _, _ in self.fits(hand, board[2])]
        return list(dict.fromkeys(found)) or ["pass"]

    def play(self, board, player, move):
        hands, ends = [board[0], board[1]], board[2]
        own = 0 if player == 1 else 1
        for text, bone, after in list(self.fits(hands[own], ends)):
            if text == move:
                hands[own] = hands[own] - {bone}
                ends = after
                break
        board = (hands[0], hands[1], ends)
        if not hands[own]:
            return board, player
        if any(next(self.fits(hand, ends), None) for hand in hands):
            return board, None
        pips = [sum(map(sum, hand)) for hand in hands]
        return board, 0 if self.blocked == "draw" else sign(pips[1] - pips[0])


class GoCapture:
    """Hunts a block of Go stones.  Points are a1, b1, ... from the lower left.  A
    board is a string, the lowest row first, the point of the target, and the
    point that a ko closes to the player to move, or None.  The position `rows
    PLAYER` or `rows PLAYER ko:POINT` has the highest row first and the target in
    capitals.  Play without end saves the block.  In the wide game stones may also
    be put up to two steps over empty points away from a liberty, and the hunter
    may save weak blocks beside the target's."""

    loops = True

    def __init__(self, rows, columns, escape=3, hunted="white", rule=None):
        self.wide = rule == "wide"
        self.rows, self.columns, self.escape = rows, columns, escape
        self.hunted = 1 if hunted == "black" else -1
        self.neighbours = grid_neighbours(rows, columns)
        target = min(columns - 1, 2)
        board = put(EMPTY * (rows * columns), target, MARK[self.hunted])
        self.start = (put(board, target - 1, MARK[-self.hunted]), target, None)

    def name(self, score):
        return NAMES[score or self.hunted]

    def parse_move(self, text):
        return text if text == "pass" else self.point(text)

    def point(self, text):
        return (int(text[1:]) - 1) * self.columns + ord(text[0]) - ord("a")

    def read(self, text):
        rows, player, *ko = text.split(" ")
        board = "".join(reversed(rows.split("/")))
        target, = [cell for cell, mark in enumerate(board) if mark in "XO"]
        player = 1 if player == "black" else -1
        board = (board.upper(), target, self.point(ko[0].removeprefix("ko:")) if ko else None)
        return board, player, self.result(board, player)

    def liberties(self, marks, cell):
        return {point for stone in group(marks, cell, self.neighbours)
                for point in self.neighbours[stone] if marks[point] == EMPTY}

    def place(self, marks, player, cell):
        """The stones after a move, and the points of those that it took."""
        marks = put(marks, cell, MARK[player])
        taken = set()
        for point in self.neighbours[cell]:
            if marks[point] == MARK[-player] and not self.liberties(marks, point):
                taken |= group(marks, point, self.neighbours)
        for point in taken:
            marks = put(marks, point, EMPTY)
        return marks, taken

    def moves(self, board, player):
        marks, target, ko = board
        points = set(self.liberties(marks, target))
        for _ in range(2 if self.wide else 0):
            points |= {point for near in points for point in self.neighbours[near]
                       if marks[point] == EMPTY}
        if player == self.hunted or self.wide:
            for stone in group(marks, target, self.neighbours):
                for point in self.neighbours[stone]:
                    if marks[point] == MARK[-self.hunted]:
                        few = self.liberties(marks, point)
                        if len(few) <= 2:
                            points |= few
                            points |= self.rescues(marks, point) if player != self.hunted else set()
        legal = [cell for cell in sorted(points) if cell != ko
                 and self.liberties(self.place(marks, player, cell)[0], cell)]
        return legal + ["pass"] * (player == self.hunted)

    def rescues(self, marks, cell):
        """Where the block of a cell is saved by taking one that touches it."""
        points = set()
        for stone in group(marks, cell, self.neighbours):
            for point in self.neighbours[stone]:
                if marks[point] not in (EMPTY, marks[cell]):
                    last = self.liberties(marks, point)
                    points |= last if len(last) == 1 else set()
        return points

    def play(self, board, player, move):
        marks, target, _ = board
        ko = None
        if move != "pass":
            marks, taken = self.place(marks, player, move)
            alone = len(group(marks, move, self.neighbours)) == 1
            if alone and len(taken) == 1 and self.liberties(marks, move) == taken:
                ko, = taken
        board = (marks, target, ko)
        return board, self.result(board, -player)

    def result(self, board, player):
        """The result on a board with this player to move."""
        marks, target, _ = board
        if marks[target] != MARK[self.hunted]:
            return -self.hunted
        if player != self.hunted and len(self.liberties(marks, target)) >= self.escape:
            return self.hunted
        return None


# ----------------------------------------- games with moves at the same time

class JointGame:
    """Has `start` (the first board), `choices(board, player)` (the texts of a
    player's moves), `step(board, ours, theirs)` (the next board) and
    `payoff(board)`: what Max gets if it is over, else None."""

    def moves(self, board, player):
        return list(itertools.product(self.choices(board, 1), self.choices(board, -1)))

    def play(self, board, player, move):
        board = self.step(board, *move)
        return board, self.payoff(board)

    def next_player(self, board, player):
        return player

    def parse_move(self, text):
        ours, theirs = text.split("/")
        return ours, theirs


def sign(number):
    return (number > 0) - (number < 0)


def cell_name(row, column):
    return f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row + 1}"


class Goofspiel(JointGame):
    """Cards 1 to n for each; the higher one takes the prize, equal ones nobody.
    Over with one card each, and, where only the winner counts, when the lead is
    greater than all prizes left.  A board is both hands and the lead of Max."""

    def __init__(self, cards=5, *options):
        self.prizes = list(range(cards, 0, -1))
        self.points = "points" in options
        for option in options:
            if option in ("ascending", "descending"):
                self.prizes.sort(reverse=option == "descending")
            elif option not in ("points", "win"):
                self.prizes = [int(prize) for prize in str(option).split("-")]
        hand = tuple(range(1, cards + 1))
        assert sorted(self.prizes) == list(hand)
        self.start = (hand, hand, 0)

    def choices(self, board, player):
        return [str(card) for card in board[0 if player == 1 else 1]]

    def step(self, board, ours, theirs):
        hands = [tuple(card for card in hand if card != int(played))
                 for hand, played in zip(board, (ours, theirs))]
        prize = self.prizes[-len(board[0])]
        return (*hands, board[2] + prize * sign(int(ours) - int(theirs)))

    def payoff(self, board):
        ours, theirs, lead = board
        left = self.prizes[len(self.prizes) - len(ours):]
        if len(ours) == 1:
            lead += left[0] * sign(ours[0] - theirs[0])
        elif self.points or abs(lead) <= sum(left):
            return None
        return lead if self.points else sign(lead)


class OshiZumo(JointGame):
    """A board is the coins of both and how far the wrestler is on Min's side."""

    def __init__(self, coins=10, fields=3, least=1):
        self.fields, self.least = fields, least
        self.start = (coins, coins, 0)

    def choices(self, board, player):
        coins = board[0 if player == 1 else 1]
        return [str(bid) for bid in range(coins + 1) if bid >= self.least or bid == coins]

    def step(self, board, ours, theirs):
        ours, theirs = int(ours), int(theirs)
        return board[0] - ours, board[1] - theirs, board[2] + sign(ours - theirs)

    def payoff(self, board):
        ours, theirs, place = board
        if ours == theirs == 0 or not -self.fields <= place <= self.fields:
            return sign(place)
        return None


class BiddingTicTacToe(JointGame):
    """A move is a bid and a cell: 2@b3.  A board is the marks, the chips of X and
    O, and who wins when bids are equal."""

    def __init__(self, chips=2):
        self.names = [cell_name(row, column) for row in range(3) for column in range(3)]
        self.lines = [range(0, 3), range(3, 6), range(6, 9), range(0, 9, 3),
                      range(1, 9, 3), range(2, 9, 3), range(0, 9, 4), range(2, 7, 2)]
        self.start = (EMPTY * 9, chips, chips, 1)

    def choices(self, board, player):
        chips = board[1 if player == 1 else 2]
        return [f"{bid}@{name}" for bid in range(chips + 1)
                for name, mark in zip(self.names, board[0]) if mark == EMPTY]

    def step(self, board, ours, theirs):
        marks, our_chips, their_chips, holder = board
        (our_bid, our_cell), (their_bid, their_cell) = ours.split("@"), theirs.split("@")
        our_bid, their_bid = int(our_bid), int(their_bid)
        winner = sign(our_bid - their_bid) or holder
        paid = our_bid if winner == 1 else -their_bid
        marks = put(marks, self.names.index(our_cell if winner == 1 else their_cell), MARK[winner])
        holder = -holder if our_bid == their_bid else holder
        return marks, our_chips - paid, their_chips + paid, holder

    def payoff(self, board):
        lines = [{board[0][cell] for cell in line} for line in self.lines]
        for player, mark in MARK.items():
            if {mark} in lines:
                return player
        return 0 if all(set(MARK.values()) <= line for line in lines) else None


class Pursuit(JointGame):
    """Cells are a1, b1, ... from the lower left.  Max moves the evader to a cell,
    Min the pursuers to two, b1-c2: first that of the one on the lower row, in a row
    on the left.  A board is the evader, the pursuers, the steps done, and whether it
    is caught.  A cell is (row, column)."""

    def __init__(self, rows=4, columns=4, steps=5, count="win"):
        self.rows, self.columns, self.steps, self.count = rows, columns, steps, count
        corner = (0, columns - 1)
        before = (0, columns - 2) if columns > 1 else (1, 0)
        self.start = ((rows - 1, 0), tuple(sorted((corner, before))), 0, False)
        self.cells = {cell_name(*cell): cell
                      for cell in itertools.product(range(rows), range(columns))}

    def beside(self, cell):
        row, column = cell
        return [(name, (r, c)) for name, (r, c) in self.cells.items()
                if abs(r - row) + abs(c - column) == 1]

    def choices(self, board, player):
        evader, pursuers, *_ = board
        if player == 1:
            return [name for name, _ in self.beside(evader)]
        first, second = pursuers
        # From one cell, it does not matter which of them goes where.
        return [f"{one}-{two}" for one, to_one in self.beside(first)
                for two, to_two in self.beside(second) if first != second or to_one <= to_two]

    def step(self, board, ours, theirs):
        evader, pursuers, done, _ = board
        to = self.cells[ours]
        places = tuple(self.cells[name] for name in theirs.split("-"))
        exchanged = any(start == to and end == evader for start, end in zip(pursuers, places))
        return to, tuple(sorted(places)), done + 1, exchanged or to in places

    def payoff(self, board):
        *_, done, caught = board
        if not caught and done < self.steps:
            return None
        if self.count == "steps":
            return done - caught
        return -1 if caught else 1


class Tron(JointGame):
    """Max starts in the upper left corner, Min in the lower right one.  Moves are
    up, down, left and right, to free cells only.  A board is the cells, the highest
    row first, and where both are.  Over when one of them cannot move, or both are on
    one cell."""

    def __init__(self, rows=5, columns=5):
        self.columns = columns
        last = rows * columns - 1
        self.neighbours = grid_neighbours(rows, columns)
        self.start = (put(put(EMPTY * (last + 1), 0, "#"), last, "#"), 0, last)

    def ways(self, board, player):
        walls, ours, theirs = board
        cell = ours if player == 1 else theirs
        ways = {}
        for to in self.neighbours[cell]:
            if walls[to] == EMPTY:
                if to // self.columns == cell // self.columns:
                    ways["left" if to < cell else "right"] = to
                else:
                    ways["up" if to < cell else "down"] = to
        return ways

    def choices(self, board, player):
        return list(self.ways(board, player))

    def step(self, board, ours, theirs):
        ours, theirs = self.ways(board, 1)[ours], self.ways(board, -1)[theirs]
        return put(put(board[0], ours, "#"), theirs, "#"), ours, theirs

    def payoff(self, board):
        if board[1] == board[2]:
            return 0
        ours, theirs = bool(self.ways(board, 1)), bool(self.ways(board, -1))
        return None if ours and theirs else ours - theirs


def text_of_file(path):
    """The lines of a file, named from the root of the repository, less comments."""
    text = (pathlib.Path(__file__).parent.parent / path).read_text()
    return [line for line in (line.partition("#")[0].strip() for line in text.splitlines()) if line]


class Matrix(JointGame):
    """One pair of moves, which are numbered from 1.  A board is what was chosen."""

    start = None

    def __init__(self, path):
        self.read_rows(line.split(",") for line in text_of_file(path))

    def read_rows(self, rows):
        self.rows = [[fractions.Fraction(word) for word in row] for row in rows]
        self.words = [str(number) for number in range(1, len(self.rows) + len(self.rows[0]))]

    def choices(self, board, player):
        return self.words[:len(self.rows if player == 1 else self.rows[0])]

    def step(self, board, ours, theirs):
        return ours, theirs

    def payoff(self, board):
        if board is None:
            return None
        row, column = map(self.words.index, board)
        return self.rows[row][column]


class RockPaperScissors(Matrix):
    def __init__(self):
        self.read_rows([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
        self.words = ["rock", "paper", "scissors"]


class JointFile(JointGame):
    """Tables of states.  `-` is an end with the least payoff of all."""

    def __init__(self, path):
        self.tables, self.ends = {}, {}
        self.start = None
        for line in text_of_file(path):
            match line.split():
                case ["start", name]:
                    self.start = name
                case ["end", name, payoff]:
                    self.ends[name] = fractions.Fraction(payoff)
                    self.start = self.start or name
                case ["state", state]:
                    self.tables[state] = rows = {}
                    self.start = self.start or state
                case ["min", *columns]:
                    pass
                case ["max", name, "->", *states]:
                    rows[name] = dict(zip(columns, states, strict=True))
                case _:
                    raise ValueError(f"not a line of a game: {line}")
        self.ends["-"] = min(self.ends.values())

    def choices(self, board, player):
        rows = self.tables[board]
        return list(rows if player == 1 else next(iter(rows.values())))

    def step(self, board, ours, theirs):
        return self.tables[board][ours][theirs]

    def payoff(self, board):
        return self.ends.get(board)


GAMES = {
    "tic-tac-toe": TicTacToe,
    "gomoku": Gomoku,
    "connect6": Connect6,
    "phutball": Phutball,
    "connect-four": ConnectFour,
    "nim": Nim,
    "race": Race,
    "domineering": Domineering,
    "nogo": NoGo,
    "atari-go": AtariGo,
    "amazons": Amazons,
    "elephants": Elephants,
    "fission": Fission,
    "hackenbush": Hackenbush,
    "konane": Konane,
    "sheep": Sheep,
    "clobber": Clobber,
    "cram": Cram,
    "col": Col,
    "snort": Snort,
    "kayles": Kayles,
    "octal": Octal,
    "toads-and-frogs": ToadsAndFrogs,
    "toppling-dominoes": TopplingDominoes,
    "y": Y,
    "hex": Hex,
    "havannah": Havannah,
    "lines-of-action": LinesOfAction,
    "domineering-three": DomineeringThree,
    "breakthrough": Breakthrough,
    "dobutsu-shogi": DobutsuShogi,
    "woodpush": Woodpush,
    "seki": Seki,
    "left-right": LeftRight,
    "same-game": SameGame,
    "othello": Othello,
    "kalah": Kalah,
    "awari": Awari,
    "chinese-checkers": ChineseCheckers,


    "dark-chess-ending": DarkChessEnding,
    "dominoes": Dominoes,
    "go-capture": GoCapture,
    "goofspiel": Goofspiel,
    "oshi-zumo": OshiZumo,
    "bidding-tic-tac-toe": BiddingTicTacToe,
    "pursuit": Pursuit,
    "tron": Tron,
    "rock-paper-scissors": RockPaperScissors,
}
FILES = {"joint": JointFile, "matrix": Matrix}


def parse_game(spec):
    name, _, text = spec.partition(":")
    if name in FILES:
        return FILES[name](text)
    if not text:
        return GAMES[name]()
    words = re.sub(r"(?<=\d)x(?=\d)", ",", text).split(",")
    return GAMES[name](*[int(word) if word.isdigit() else word for word in words])


def parse_position(game, text):
    result = game.payoff(game.start) if isinstance(game, JointGame) else None
    state = (game.start, 1, result)
    if text:
        if hasattr(game, "read") and not text.startswith("moves:"):
            return game.read(text)
        if not text.startswith("moves:"):
            raise ValueError(f"not a list of moves: {text}")
        for word in text.removeprefix("moves:").split(","):
            board, player, result = state
            move = game.parse_move(word)
            if result is not None or move not in game.moves(board, player):
                raise ValueError(f"illegal move {word} in {text}")
            state = after(game, state, move)
    return state


# ------------------------------------------------------------- questions

class OverBudget(Exception):
    pass


class Budget:
    """Counts the positions whose moves were generated."""

    def __init__(self, limit=None):
        self.spent, self.limit = 0, limit

    def spend(self):
        self.spent += 1
        if self.limit is not None and self.spent > self.limit:
            raise OverBudget


def legal_moves(game, state):
    board, player, result = state
    return [] if result is not None else game.moves(board, player)


def after(game, state, move):
    board, player, _ = state
    board, result = game.play(board, player, move)
    if hasattr(game, "next_player"):
        return board, game.next_player(board, player), result
    return board, -player, result


def result_at_end(state):
    """The result where there is no legal move."""
    _, player, result = state
    return -player if result is None else result


def perft(game, state, depth, budget):
    """Move sequences by length.  Sequences that lead to one state are counted
    together, so this differs from walking the tree in method too."""
    counts = []
    level = {state: 1}
    for length in range(1, depth + 1):
        count = 0
        next_level = collections.Counter()
        for state, sequences in level.items():
            budget.spend()
            moves = legal_moves(game, state)
            count += sequences * len(moves)
            if length < depth:
                for move in moves:
                    next_level[after(game, state, move)] += sequences
        counts.append(count)
        level = next_level
    return counts


def secures(game, state, goal, known, budget):
    """Can Max make sure of a result of at least `goal`?  `known` maps the
    states already answered for this goal to their answers."""
    if state in known:
        return known[state]
    moves = legal_moves(game, state)
    budget.spend()
    if not moves:
        answer = result_at_end(state) >= goal
    else:
        wanted = state[1] == 1  # Max needs one child that says yes, Min one that says no
        children = [after(game, state, move) for move in moves]
        # What needs no search comes first: it may settle the matter.
        open_children = []
        answer = not wanted
        for child in children:
            if child[2] is not None:
                child_answer = child[2] >= goal
            elif child in known:
                child_answer = known[child]
            else:
                open_children.append(child)
                continue
            if child_answer == wanted:
                answer = wanted
                break
        else:
            for child in open_children:
                if secures(game, child, goal, known, budget) == wanted:
                    answer = wanted
                    break
    known[state] = answer
    return answer


def value(game, state, budget):
    """The value for Max: the greatest result he can make sure of."""
    if secures(game, state, 1, {}, budget):
        return 1
    if game.draws and secures(game, state, 0, {}, budget):
        return 0
    return -1


def score(game, state, known, budget):
    """The score under best play.  `known` maps states to theirs."""
    if state not in known:
        budget.spend()
        moves = legal_moves(game, state)
        if moves:
            scores = [score(game, after(game, state, move), known, budget) for move in moves]
            known[state] = max(scores) if state[1] == 1 else min(scores)
        else:
            known[state] = result_at_end(state)
    return known[state]


def score_with_loops(game, start, budget):
    """The score under best play where positions can come up again: what cannot
    be settled in any number of moves is play without end.  What that is worth may
    differ between layers, so the lower ones come first."""
    if getattr(game, "wide", False):
        # All positions are too many, but catching takes few moves.
        if any(forces(game, start, -game.hunted, depth, {}, budget) for depth in range(1, 8, 2)):
            return -game.hunted
    states = [start]
    children = {}
    for state in states:
        if state not in children:
            budget.spend()
            children[state] = [after(game, state, move) for move in legal_moves(game, state)]
            states.extend(children[state])
    scores = {state: endless(game, state) if state[2] is None else state[2] for state in children}
    layers = collections.defaultdict(list)
    for state in children:
        layers[game.layer(state[0]) if hasattr(game, "layer") else 0].append(state)
    for layer in sorted(layers):
        changed = True
        while changed:
            changed = False
            for state in layers[layer]:
                if children[state]:
                    pick = max if state[1] == 1 else min
                    best = pick(scores[option] for option in children[state])
                    changed |= best != scores[state]
                    scores[state] = best
    return scores[start]


def forces(game, state, player, depth, known, budget):
    """Does a player win within so many moves, whatever the other one does?"""
    if not legal_moves(game, state):
        return result_at_end(state) == player
    if depth == 0:
        return False
    if (state, depth) not in known:
        budget.spend()
        pick = any if state[1] == player else all
        known[state, depth] = pick(
            forces(game, after(game, state, move), player, depth - 1, known, budget)
            for move in legal_moves(game, state))
    return known[state, depth]


def endless(game, state):
    """What play without end is worth that comes back to a state."""
    return game.endless(state[0]) if hasattr(game, "endless") else 0


def best_mixture(rows):
    """The value of a matrix game, and the shares of the rows and the columns in a
    best choice of Max and of Min.  A simplex method: with all payoffs above zero,
    Min wants sum(y) as great as it can be where no row times y exceeds 1.  Numbers
    are integers over one common denominator, which is the last pivot."""
    whole = math.lcm(*(cell.denominator for row in rows for cell in row))
    shift = 1 - min(cell for row in rows for cell in row)
    height, width = len(rows), len(rows[0])
    # Columns of the table: those of the matrix, one for each row's slack, and the
    # right hand side.  The last line is what is made great.
    table = [[int((cell + shift) * whole) for cell in row]
             + [int(i == j) for j in range(height)] + [1] for i, row in enumerate(rows)]
    table.append([-1] * width + [0] * (height + 1))
    basis = list(range(width, width + height))
    common = 1
    while True:
        # Bland's rule: the first column that helps, and of the tightest rows the one
        # that holds the first variable.  So it comes to an end.
        column = next((j for j, cost in enumerate(table[-1][:-1]) if cost < 0), None)
        if column is None:
            break
        tight = [i for i in range(height) if table[i][column] > 0]
        row = min(tight, key=lambda i: (fractions.Fraction(table[i][-1], table[i][column]),
                                        basis[i]))
        pivot = table[row][column]
        for i, line in enumerate(table):
            if i != row:
                factor = line[column]
                table[i] = [(pivot * a - factor * b) // common for a, b in zip(line, table[row])]
        basis[row], common = column, pivot
    total = table[-1][-1]
    theirs = [fractions.Fraction(0)] * width
    for i, variable in enumerate(basis):
        if variable < width:
            theirs[variable] = fractions.Fraction(table[i][-1], total)
    ours = [fractions.Fraction(table[-1][width + i], total) for i in range(height)]
    return fractions.Fraction(common, total) / whole - shift, ours, theirs


def matrix_value(rows):
    """What Max, who chooses a row, gets when both choose as well as they can."""
    low = max(map(min, rows))
    high = min(map(max, zip(*rows)))
    if low == high:
        return low
    found, ours, theirs = best_mixture(rows)
    # Neither can do better against these choices, and so they are best.
    for shares in ours, theirs:
        assert min(shares) >= 0 and sum(shares) == 1
    assert min(sum(map(lambda a, b: a * b, ours, column)) for column in zip(*rows)) == found
    assert max(sum(map(lambda a, b: a * b, theirs, row)) for row in rows) == found
    return found


def nash(game, state, known, budget):
    """What Max gets when both choose as well as they can.  `known` maps the states
    already answered to their answers."""
    board, _, result = state
    if result is not None:
        return fractions.Fraction(result)
    if state not in known:
        budget.spend()
        known[state] = matrix_value([
            [nash(game, after(game, state, (ours, theirs)), known, budget)
             for theirs in game.choices(board, -1)]
            for ours in game.choices(board, 1)])
    return known[state]


def joint_nodes(game, state):
    """The positions of the tree that are not over, each as often as it comes up."""
    nodes = 0
    level = {state: 1} if state[2] is None else {}
    while level:
        nodes += sum(level.values())
        next_level = collections.Counter()
        for state, sequences in level.items():
            for move in legal_moves(game, state):
                child = after(game, state, move)
                if child[2] is None:
                    next_level[child] += sequences
        level = next_level
    return nodes


def answer(game, state, budget):
    """What the files call `value`."""
    if isinstance(game, JointGame):
        return str(nash(game, state, {}, budget))
    if hasattr(game, "loops"):
        return game.name(score_with_loops(game, state, budget))
    if hasattr(game, "name"):
        return game.name(score(game, state, {}, budget))
    return NAMES[value(game, state, budget)]


def plain_search(game, state, goal, order, budget, path):
    """`secures` without a table and without looking ahead: the first child that
    settles a node ends it.  Coming back to a state is as good as play without end."""
    if state in path:
        return endless(game, state) >= goal
    budget.spend()
    moves = legal_moves(game, state)
    if not moves:
        return result_at_end(state) >= goal
    wanted = state[1] == 1
    below = path | {state} if hasattr(game, "loops") else path
    for move in order(moves):
        if plain_search(game, after(game, state, move), goal, order, budget, below) == wanted:
            return wanted
    return not wanted


def goals(game, state):
    """The questions that settle the value."""
    if not hasattr(game, "name"):
        return (1, 0) if game.draws else (1,)
    loops = hasattr(game, "loops")
    found = score_with_loops(game, state, Budget()) if loops else score(game, state, {}, Budget())
    return (found + 1, found)


def plain_nodes(game, state, limit):
    """Nodes of the plain search in the worst of four move orders, all goals
    together; None when one of them needs more than `limit`."""
    orders = [list, lambda moves: list(reversed(moves))]
    for seed in (1, 2):
        generator = random.Random(seed)
        orders.append(lambda moves, g=generator: g.sample(list(moves), len(moves)))
    questions = goals(game, state)
    worst = 0
    for order in orders:
        budget = Budget(limit)
        try:
            for goal in questions:
                plain_search(game, state, goal, order, budget, frozenset())
        except OverBudget:
            return None
        worst = max(worst, budget.spent)
    return worst


# --------------------------------------------------------------- commands

def recompute(kind, entry, limit):
    """What the files call `counts` or `value`."""
    game = parse_game(entry["game"])
    state = parse_position(game, entry.get("position"))
    if kind.endswith("perft"):
        return perft(game, state, len(entry["counts"]), Budget(limit))
    return answer(game, state, Budget(limit))


def check(limit):
    right = wrong = skipped = 0
    for path in sorted(pathlib.Path(__file__).parent.glob("*.toml")):
        with path.open("rb") as file:
            problems = tomllib.load(file)
        for kind, key in (("perft", "counts"), ("value", "value"),
                          ("joint_perft", "counts"), ("nash", "value")):
            for entry in problems.get(kind, []):
                if "oracle.py" not in entry["source"]:
                    continue
                try:
                    found = recompute(kind, entry, limit)
                except OverBudget:
                    skipped += 1
                    continue
                if found == entry[key]:
                    right += 1
                else:
                    wrong += 1
                    where = " ".join(filter(None, (entry["game"], entry.get("position"))))
                    print(f"{path.name}: {kind} of {where} is {found}, not {entry[key]}")
    print(f"{right} right, {wrong} wrong, {skipped} skipped as needing more than "
          f"{limit} positions")
    return 1 if wrong else 0


def main(arguments):
    match arguments:
        case ["perft", spec, depth, *position] if len(position) < 2:
            game = parse_game(spec)
            print(*perft(game, parse_position(game, *position or [None]), int(depth), Budget()))
        case ["value" | "nash" as kind, spec, *position] if len(position) < 2:
            game = parse_game(spec)
            if isinstance(game, JointGame) != (kind == "nash"):
                raise ValueError("`nash` is for moves at the same time, and `value` for others")
            print(answer(game, parse_position(game, *position or [None]), Budget()))
        case ["nodes", spec, *position] if len(position) < 2:
            game = parse_game(spec)
            state = parse_position(game, *position or [None])
            if isinstance(game, JointGame):
                nodes, small = joint_nodes(game, state), JOINT_SMALL
            else:
                nodes, small = plain_nodes(game, state, MEDIUM), SMALL
            if nodes is None or nodes >= MEDIUM:
                print("large")
            else:
                print(nodes, "small" if nodes < small else "medium")
        case ["check", *limit] if len(limit) < 2:
            return check(int(limit[0]) if limit else CHECK_BUDGET)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
