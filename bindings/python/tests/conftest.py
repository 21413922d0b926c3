"""What tests share: small games, and brute force to compare with."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Dict, Tuple

import pytest


class Nim:
    """Take from a heap; who takes the last one wins."""

    outcomes = ("loss", "win")

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps
        self.name = "nim-" + "-".join(map(str, heaps))

    def start(self) -> Tuple[Any, int]:
        return tuple(sorted(self.heaps)), 0

    def turn(self, state: Any) -> Any:
        return state[1] if any(state[0]) else None

    def moves(self, state: Any) -> Any:
        return [(heap, take) for heap, n in enumerate(state[0]) for take in range(1, n + 1)]

    def play(self, state: Any, move: Any) -> Any:
        heaps = list(state[0])
        heaps[move[0]] -= move[1]
        return tuple(sorted(heaps)), 1 - state[1]

    def outcome(self, state: Any) -> str:
        return "loss" if state[1] == 0 else "win"


class Random:
    """A random graph without loops: the state is a number, and all is drawn from it and the seed."""

    def __init__(self, seed: int, size: int = 40, players: int = 2, chance: bool = False) -> None:
        import random

        rng = random.Random(seed)
        self.name = f"random-{seed}-{size}-{players}-{chance}"
        self.players = [f"p{n}" for n in range(players)]
        self.graph: Dict[int, Any] = {}
        for at in range(size):
            left = size - at - 1
            if left == 0 or (at > 0 and rng.random() < 0.2):
                if players > 2:
                    end: Any = tuple(rng.randrange(4) for _ in range(players))
                else:
                    end = rng.randrange(-2, 3)
                self.graph[at] = (None, end)
                continue
            width = rng.randint(1, min(3, left))
            nexts = rng.sample(range(at + 1, min(size, at + 8)), min(width, min(size, at + 8) - at - 1))
            mover: Any = rng.randrange(players)
            if chance and rng.random() < 0.3:
                mover = "chance"
            weights = [rng.randint(1, 4) for _ in nexts]
            self.graph[at] = (mover, list(zip(nexts, weights)))
        if players == 2:
            self.outcomes = range(-2, 3)
        if chance:
            self.chances = lambda s: [(n, Fraction(w, 7)) for n, w in self.graph[s][1]]

    def start(self) -> int:
        return 0

    def turn(self, s: int) -> Any:
        return self.graph[s][0]

    def moves(self, s: int) -> Any:
        return [n for n, _ in self.graph[s][1]]

    def play(self, s: int, m: int) -> int:
        return m

    def outcome(self, s: int) -> Any:
        return self.graph[s][1]


def minimax(game: Any, state: Any, seen: Dict[Any, Any]) -> Any:
    """The value by brute force: numbers, or a score for each player, or the mean of what may happen."""
    if state in seen:
        return seen[state]
    mover = game.turn(state)
    if mover is None:
        value = game.outcome(state)
    elif mover == "chance":
        pairs = game.chances(state)
        total = sum(weight for _, weight in pairs)
        value = sum(
            (minimax(game, game.play(state, m), seen) * Fraction(weight) for m, weight in pairs),
            Fraction(0),
        ) / Fraction(total)
    else:
        values = [minimax(game, game.play(state, m), seen) for m in game.moves(state)]
        if isinstance(values[0], tuple):
            value = max(values, key=lambda scores: scores[mover])  # the first one of the best
        else:
            value = max(values) if mover == 0 else min(values)
    seen[state] = value
    return value


@pytest.fixture
def nim() -> Any:
    return Nim


@pytest.fixture
def random_game() -> Any:
    return Random


@pytest.fixture
def brute_force() -> Any:
    return lambda game: minimax(game, game.start(), {})
