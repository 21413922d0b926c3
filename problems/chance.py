#!/usr/bin/env python3
"""The values in chance.toml, computed from the rules by other code: fractions by recursion, and Pig and Can't Stop
by sweeps until nothing changes. Prints a line for each."""

import collections
import functools
import itertools
import sys
from fractions import Fraction

sys.setrecursionlimit(100_000)


def pig(target, sides, sweeps=4000):
    """The chance of the first player, in floating point."""
    value = {}
    keys = [(a, b, t) for a in range(target) for b in range(target) for t in range(target - a)]
    for key in keys:
        value[key] = 0.5

    def worth(a, b, t):
        """The chance of who is to move with `a` points, the turn's total being `t`."""
        if a + t >= target:
            return 1.0
        return value[a, b, t]

    for _ in range(sweeps):
        change = 0.0
        for a, b, t in keys:
            roll = (1 - worth(b, a, 0)) / sides
            for face in range(2, sides + 1):
                roll += worth(a, b, t + face) / sides
            # A turn begins with a roll.
            best = roll if t == 0 else max(roll, 1 - worth(b, a + t if a + t < target else a, 0))
            change = max(change, abs(best - value[a, b, t]))
            value[a, b, t] = best
        if change < 1e-15:
            break
    return value[0, 0, 0]


def bear_off(points, sides):
    """The chance of the first player, both with `points[i]` checkers on point i + 1."""

    def uses(board, die):
        """Boards after one use of a die."""
        found = set()
        highest = max((i for i, n in enumerate(board) if n), default=None)
        if highest is None:
            return {board}
        for i, n in enumerate(board):
            if not n:
                continue
            to = i - die
            if to >= 0 or to == -1 or (to < -1 and i == highest):
                new = list(board)
                new[i] -= 1
                if to >= 0:
                    new[to] += 1
                found.add(tuple(new))
        return found

    def after(board, dice):
        """All boards that a roll can lead to."""
        first, second = dice
        orders = [[first] * 4] if first == second else [[first, second], [second, first]]
        found = set()
        for order in orders:
            boards = {board}
            for die in order:
                boards = {new for old in boards for new in uses(old, die)}
            found |= boards
        return found

    @functools.cache
    def chance(mine, theirs):
        total = Fraction(0)
        for first in range(1, sides + 1):
            for second in range(1, sides + 1):
                boards = after(mine, (first, second))
                total += max(Fraction(1) if not any(b) else 1 - chance(theirs, b) for b in boards)
        return total / sides**2

    return chance(tuple(points), tuple(points))


def einstein(size, stones):
    """Red's chance; Red begins."""
    corner = {1: [(0, 0)], 3: [(0, 0), (1, 0), (0, 1)], 6: [(0, 0), (1, 1), (2, 0), (0, 2), (0, 1), (1, 0)]}
    if stones == 6:
        # 1 6 3 / 5 2 / 4 from the corner, along the rows.
        places = {1: (0, 0), 6: (1, 0), 3: (2, 0), 5: (0, 1), 2: (1, 1), 4: (0, 2)}
    else:
        places = {number + 1: place for number, place in enumerate(corner[stones])}
    last = size - 1
    red = tuple(sorted(places.items()))
    blue = tuple(sorted((n, (last - x, last - y)) for n, (x, y) in places.items()))

    @functools.cache
    def chance(mine, theirs, step):
        """The chance of who is to roll, whose stones go by `step` in both directions."""
        total = Fraction(0)
        numbers = [n for n, _ in mine]
        for die in range(1, stones + 1):
            if die in numbers:
                movable = [die]
            else:
                lower = [n for n in numbers if n < die]
                higher = [n for n in numbers if n > die]
                movable = ([max(lower)] if lower else []) + ([min(higher)] if higher else [])
            best = Fraction(0)
            for number, (x, y) in mine:
                if number not in movable:
                    continue
                for dx, dy in ((step, 0), (0, step), (step, step)):
                    place = (x + dx, y + dy)
                    if not (0 <= place[0] <= last and 0 <= place[1] <= last):
                        continue
                    own = tuple(sorted([(n, p) for n, p in mine if n != number and p != place] + [(number, place)]))
                    other = tuple((n, p) for n, p in theirs if p != place)
                    goal = (last, last) if step == 1 else (0, 0)
                    won = place == goal or not other
                    best = max(best, Fraction(1) if won else 1 - chance(other, own, -step))
            total += best
        return total / stones

    return chance(red, blue, 1)


def dice_race(squares, tokens, sides, chips):
    """The chance of the first player."""
    home = squares + 1

    @functools.cache
    def chance(places, left, player):
        """Before a roll of `player`, 0 or 1."""
        for who in (0, 1):
            if all(place == home for place in places[who]):
                return Fraction(1 - who)
        total = Fraction(0)
        for die in range(1, sides + 1):
            found = []
            for place in set(places[player]) - {home}:
                to = min(place + die, home)
                own = list(places[player])
                own.remove(place)
                new = list(places)
                new[player] = tuple(sorted(own + [to]))
                again = to != home and to in places[1 - player]
                found.append(chance(tuple(new), left, player if again else 1 - player))
            if left[player] > 0:
                less = list(left)
                less[player] -= 1
                found.append(chance(places, tuple(less), player))
            total += max(found) if player == 0 else min(found)
        return total / sides

    return chance(((0,) * tokens,) * 2, (chips, chips), 0)


def tiles(rows, cols, target):
    """The expected largest tile of 2048."""

    def together(line):
        old, new = [tile for tile in line if tile], []
        while old:
            double = len(old) > 1 and old[0] == old[1]
            new.append(old[0] * (2 if double else 1))
            del old[: 2 if double else 1]
        return new + [0] * (len(line) - len(new))

    def pushes(board):
        lines = [list(board[row * cols : (row + 1) * cols]) for row in range(rows)]
        for turned in (False, True):
            along = [list(line) for line in zip(*lines)] if turned else lines
            for back in (False, True):
                new = [together(line[::-1])[::-1] if back else together(line) for line in along]
                new = [list(line) for line in zip(*new)] if turned else new
                after = tuple(tile for line in new for tile in line)
                if after != board:
                    yield after

    @functools.cache
    def added(board, number):
        if number == 0:
            return pushed(board)
        total, free = Fraction(0), [cell for cell, tile in enumerate(board) if not tile]
        for cell in free:
            for tile, weight in ((2, 9), (4, 1)):
                total += Fraction(weight, 10) * added(board[:cell] + (tile,) + board[cell + 1 :], number - 1)
        return total / len(free)

    @functools.cache
    def pushed(board):
        after = list(pushes(board))
        if max(board) >= target or not after:
            return Fraction(max(board))
        return max(Fraction(target) if max(new) >= target else added(new, 1) for new in after)

    return added((0,) * (rows * cols), 2)


def dark_chess(rows, cols, letters, limit):
    """Half of a draw and all of a win of the first player. Red's pieces are capital letters."""
    ranks = "PCHREAK"

    def lines(cell):
        row, col = divmod(cell, cols)
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            line, y, x = [], row + down, col + right
            while 0 <= y < rows and 0 <= x < cols:
                line.append(y * cols + x)
                y, x = y + down, x + right
            yield line

    def takes(mine, other):
        if (mine, other) in (("K", "P"), ("P", "K")):
            return mine == "P"
        return mine != "C" and ranks.index(mine) >= ranks.index(other)

    def actions(board, red):
        """Cells to turn up, and pairs of cells; `red` is the colour of who moves, if it is known."""
        for cell, piece in enumerate(board):
            if piece == "?":
                yield cell, None
            if not piece.isalpha() or piece.isupper() != red:
                continue
            for line in lines(cell):
                standing = [to for to in line if board[to] != "."]
                enemies = [to for to in standing if board[to] != "?" and board[to].isupper() != red]
                if line and line[0] not in standing:
                    yield cell, line[0]
                if line and line[0] in enemies and takes(piece.upper(), board[line[0]].upper()):
                    yield cell, line[0]
                if piece.upper() == "C" and len(standing) > 1 and standing[1] in enemies:
                    yield cell, standing[1]

    @functools.cache
    def value(board, hidden, quiet, first, player):
        red = None if first is None else first == (player == 0)
        if first is not None:
            for who in (0, 1):
                if not any(p.isalpha() and p.isupper() == (first == (who == 0)) for p in board + hidden):
                    return Fraction(who)
        if quiet >= limit:
            return Fraction(1, 2)
        found = []
        for cell, to in actions(board, red):
            if to is None:
                total = Fraction(0)
                for piece in hidden:
                    colour = first
                    if colour is None:
                        colour = piece.isupper() == (player == 0)
                    up = board[:cell] + piece + board[cell + 1 :]
                    total += value(up, hidden.replace(piece, "", 1), 0, colour, 1 - player)
                found.append(total / len(hidden))
            else:
                new = list(board)
                new[to], new[cell] = board[cell], "."
                count = quiet + 1 if board[to] == "." else 0
                found.append(value("".join(new), hidden, count, first, 1 - player))
        if not found:
            return Fraction(player)
        return max(found) if player == 0 else min(found)

    cells = rows * cols
    board = ("?" * (2 * len(letters))).ljust(cells, ".")
    return value(board, "".join(sorted(letters + letters.lower())), 0, None, 0)


def cant_stop(sides, needed, shortest, step):
    """The chance of the first player, in floating point, by sweeps over what both have kept."""
    columns = range(2 * sides - 1)
    lengths = [shortest + step * min(c, len(columns) - 1 - c) for c in columns]
    rolls = collections.Counter(tuple(sorted(r)) for r in itertools.product(range(1, sides + 1), repeat=4))

    def won(run):
        return sum(run[c] == lengths[c] for c in columns) >= needed

    def climbed(mine, theirs, run, column):
        if lengths[column] in (mine[column], theirs[column], run[column]):
            return None
        if run[column] == mine[column] and sum(a != b for a, b in zip(run, mine)) == 3:
            return None
        return run[:column] + (run[column] + 1,) + run[column + 1 :]

    def uses(mine, theirs, run, roll):
        a, b, c, d = roll
        found = set()
        for pair in ((a + b - 2, c + d - 2), (a + c - 2, b + d - 2), (a + d - 2, b + c - 2)):
            alone = [climbed(mine, theirs, run, column) for column in pair]
            both = [climbed(mine, theirs, one, other) for one, other in zip(alone, pair[::-1]) if one]
            both = [run for run in both if run]
            found |= set(both) if both else {one for one in alone if one}
        return found

    def kept(theirs, run):
        """What the other player is to roll with: that one's columns, and those of who stopped."""
        return tuple(0 if run[c] == lengths[c] else theirs[c] for c in columns), run

    def turn(mine, theirs):
        """For each place of the runners, what every roll may lead to."""
        known, todo = {}, [mine]
        while todo:
            run = todo.pop()
            if run not in known:
                known[run] = [(weight, uses(mine, theirs, run, roll)) for roll, weight in rolls.items()]
                todo += [new for _, found in known[run] for new in found if not won(new)]
        return known

    start = ((0,) * len(columns),) * 2
    turns, todo = {}, [start]
    while todo:
        mine, theirs = todo.pop()
        if (mine, theirs) not in turns:
            turns[mine, theirs] = turn(mine, theirs)
            todo += [(theirs, mine)] + [kept(theirs, run) for run in turns[mine, theirs] if run != mine]
    value = dict.fromkeys(turns, 0.5)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for (mine, theirs), places in turns.items():

            @functools.cache
            def rolled(run):
                total = 0.0
                for weight, found in places[run]:
                    worth = [1.0 if won(new) else max(rolled(new), 1 - value[kept(theirs, new)]) for new in found]
                    total += weight * max(worth, default=1 - value[theirs, mine])
                return total / sides**4

            new = rolled(mine)
            change = max(change, abs(new - value[mine, theirs]))
            value[mine, theirs] = new
    return value[start]


def random_chance(depth, moves, faces, step, seed):
    """What Max gets from a random tree."""
    mask, golden = (1 << 64) - 1, 0x9E3779B97F4A7C15

    def numbers(state):
        """SplitMix64 (Steele, Lea and Flood, 2014)."""
        while True:
            state = (state + golden) & mask
            z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
            yield z ^ (z >> 31)

    def value(key, points, made):
        if made == 2 * depth:
            return Fraction(points)
        found = []
        for move in range(faces if made % 2 else moves):
            random = numbers((key * golden & mask) ^ move)
            below, brings, weight = next(random), next(random), next(random)
            gain = (brings * (2 * step + 1) >> 64) - step
            found.append((value(below, points + gain, made + 1), 1 + (weight * 4 >> 64)))
        if made % 2:
            return sum(v * w for v, w in found) / sum(w for _, w in found)
        return (max if made % 4 == 0 else min)(v for v, _ in found)

    return value(seed, 0, 0)


def main():
    print("pig:5,4", pig(5, 4))
    print("pig:10,6", pig(10, 6))
    print("pig:20,6", pig(20, 6))
    for points, sides in (((0, 0, 0, 0, 0, 1), 6), ((0, 0, 0, 0, 1), 6), ((1, 1), 4), ((1, 1, 1), 4), ((2, 1, 1), 4), ((1, 1, 1, 1), 6)):
        print("bear-off:" + "-".join(map(str, points)) + f",{sides}", bear_off(points, sides))
    for size, stones in ((3, 1), (3, 3), (4, 1)):
        print(f"einstein:{size},{stones}", einstein(size, stones))
    for race in ((1, 1, 1, 0), (1, 1, 2, 0), (4, 1, 3, 1), (3, 2, 2, 1), (4, 2, 3, 0)):
        print("dice-race:" + ",".join(map(str, race)), dice_race(*race))
    for rows, cols, target in ((1, 2, 8), (1, 3, 16), (2, 2, 8), (2, 2, 16)):
        print(f"2048:{rows}x{cols},{target}", tiles(rows, cols, target))
    for rows, cols, letters, limit in ((1, 2, "K", 4), (2, 2, "K", 4), (2, 2, "KP", 4), (2, 2, "KC", 3), (2, 2, "KC", 10)):
        print(f"dark-chess:{rows}x{cols},{letters},{limit}", dark_chess(rows, cols, letters, limit))
    for board in ((2, 1, 1, 0), (2, 1, 2, 0), (2, 2, 1, 1), (2, 2, 2, 1), (3, 2, 1, 1)):
        print("cant-stop:" + ",".join(map(str, board)), cant_stop(*board))
    for tree in ((4, 3, 3, 10, 0), (3, 4, 2, 10, 1), (4, 3, 1, 10, 2)):
        print("random-chance:" + ",".join(map(str, tree)), random_chance(*tree))


if __name__ == "__main__":
    main()
