"""What a game in Python costs: microseconds for each position that is looked at, and for each node of a search that
comes after it and finds the positions where they are.

python examples/cost.py
"""

import time

import foregone

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    name = "tic-tac-toe"
    players = ("x", "o")
    endless = "impossible"

    def start(self):
        return "........."

    def turn(self, s):
        full = "." not in s
        return None if full or self.line(s) else s.count("x") - s.count("o")

    def line(self, s):
        return any(s[a] == s[b] == s[c] != "." for a, b, c in LINES)

    def moves(self, s):
        return [at for at, c in enumerate(s) if c == "."]

    def play(self, s, at):
        mark = "xo"[s.count("x") - s.count("o")]
        return s[:at] + mark + s[at + 1 :]

    def outcome(self, s):
        if not self.line(s):
            return "draw"
        return "win" if s.count("x") > s.count("o") else "loss"


class ConnectFour:
    """Four in a row, as two sets of bits: a column has a bit more than it has rows."""

    players = ("first", "second")
    endless = "impossible"

    def __init__(self, rows, columns):
        self.name = f"connect-four-{rows}x{columns}"
        self.rows, self.columns, self.step = rows, columns, rows + 1
        self.full = sum(((1 << rows) - 1) << (c * self.step) for c in range(columns))
        self.bottom = sum(1 << (c * self.step) for c in range(columns))

    def start(self):
        return (0, 0)  # the stones of who is to move, and all stones

    def four(self, stones):
        for way in (1, self.step, self.step - 1, self.step + 1):
            pairs = stones & (stones >> way)
            if pairs & (pairs >> (2 * way)):
                return True
        return False

    def turn(self, s):
        own, both = s
        if both == self.full or self.four(own ^ both):
            return None
        return bin(both).count("1") & 1

    def moves(self, s):
        free = (s[1] + self.bottom) & self.full
        return [c for c in range(self.columns) if free >> (c * self.step) & ((1 << self.rows) - 1)]

    def play(self, s, column):
        own, both = s
        bit = (both + (1 << (column * self.step))) & (((1 << self.rows) - 1) << (column * self.step))
        return (own ^ both, both | bit)

    def outcome(self, s):
        own, both = s
        if not self.four(own ^ both):
            return "draw"
        return "win" if bin(both).count("1") & 1 else "loss"


def measure(rules, spec):
    took = known = float("inf")
    for _ in range(3):
        game = foregone.Game(rules)
        began = time.perf_counter()
        answer = foregone.solve(game, scheme="pn", driver="dag")
        took = min(took, time.perf_counter() - began)
        began = time.perf_counter()
        again = foregone.solve(game, scheme="pn", driver="dag")
        known = min(known, time.perf_counter() - began)
    built = foregone.solve(spec, scheme="pn", driver="dag", knowledge=False, symmetry=False)
    assert answer.value == again.value == built.value
    positions = game.seen
    print(
        f"{rules.name}: {answer.value}, {positions:,} positions, {answer.nodes:,} nodes; "
        f"{1e6 * (took - known) / positions:.1f} us a position, "
        f"{1e6 * known / again.nodes:.2f} us a node that is known; "
        f"built in {1e6 * built.seconds / built.nodes:.2f} us a node"
    )


if __name__ == "__main__":
    measure(TicTacToe(), "tic-tac-toe")
    measure(ConnectFour(4, 4), "connect-four:4x4")
    measure(ConnectFour(4, 5), "connect-four:4x5")
