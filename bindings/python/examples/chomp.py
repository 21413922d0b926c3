"""Chomp: a move eats a square and all that is right of it or below. Who eats the first square loses."""

import foregone


class Chomp:
    outcomes = ("loss", "win")

    def __init__(self, rows: int, columns: int) -> None:
        self.name = f"chomp-{rows}x{columns}"
        self.full = (columns,) * rows

    def start(self):
        return self.full, 0  # the lengths of the rows, and who is to move

    def turn(self, state):
        rows, player = state
        return player if rows[0] else None

    def moves(self, state):
        return [(row, column) for row, length in enumerate(state[0]) for column in range(length)]

    def play(self, state, move):
        rows, player = state
        return tuple(min(n, move[1]) if at >= move[0] else n for at, n in enumerate(rows)), 1 - player

    def outcome(self, state):
        return "win" if state[1] == 0 else "loss"  # who is to move has been left nothing, and wins


if __name__ == "__main__":
    answer = foregone.solve(Chomp(3, 4), proof="chomp.txt")
    print(answer)
    print(foregone.verify("chomp.txt", game=Chomp(3, 4))["status"])
