"""Plays against the players of the library."""

from __future__ import annotations

import json
import random
from typing import Any, Dict, List, Optional, Union

from . import _foregone
from ._ask import Amount, AnyGame, _opened
from ._game import Position
from ._words import words


class Play:
    """A play of a game in turn: you make moves, a player of the library answers.

    ``position`` is where it stands, ``made`` the moves so far.
    """

    def __init__(
        self, position: Position, player: str, seed: int, budget: Dict[str, Optional[Amount]]
    ) -> None:
        self.position = position
        self.made: List[str] = []
        self._player = player
        self._seed = seed
        self._budget = words(budget)
        self._random = random.Random(seed)
        self._before: List[Position] = []

    @property
    def over(self) -> Optional[str]:
        """The outcome for the first player, if it is over."""
        return self.position.over

    def move(self, move: str) -> Position:
        """Make a move."""
        self._before.append(self.position)
        self.position = self.position.play(move)
        self.made.append(move)
        return self.position

    def undo(self) -> Position:
        """Take the last move back."""
        if not self._before:
            raise IndexError("there is no move to take back")
        self.position = self._before.pop()
        self.made.pop()
        return self.position

    def chance(self) -> str:
        """Let chance move, by its weights, where it is to move."""
        (move,) = self._random.choices(self.position.moves, self.position.weights)
        self.move(move)
        return move

    def choose(self) -> Dict[str, Any]:
        """What the player would do here, and what it knows: ``move``, ``known``, ``expects``, …"""
        chosen: Dict[str, Any] = json.loads(
            _foregone.choose(
                self.position.game._game, self.position.text, self._player, self._seed, self._budget
            )
        )
        return chosen

    def reply(self) -> str:
        """Let the player make a move for who is to move."""
        move = str(self.choose()["move"])
        self.move(move)
        return move

    def __repr__(self) -> str:
        return f"<Play: {self.position.game.name}: {' '.join(self.made) or 'start'}>"

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()


def play(
    game: AnyGame,
    player: str = "default",
    *,
    position: Union[None, str, Position] = None,
    seed: int = 0,
    time: Optional[Amount] = None,
    nodes: Optional[Amount] = None,
    playouts: Optional[Amount] = None,
    memory: Optional[Amount] = None,
) -> Play:
    """Begin a play against a player: ``default``, ``random``, or a search such as ``dag pn``.

    >>> import foregone
    >>> play = foregone.play("tic-tac-toe", "dag pn")
    >>> while play.over is None:
    ...     _ = play.reply()
    >>> play.over
    'draw'
    """
    opened, place = _opened(game, position)
    budget = {"time": time, "nodes": nodes, "playouts": playouts, "memory": memory}
    return Play(Position(opened, place or "start"), player, seed, budget)
