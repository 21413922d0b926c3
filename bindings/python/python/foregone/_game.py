"""Games and positions as objects, and what a game of your own in Python is."""

from __future__ import annotations

import json
import warnings
from typing import Any, Dict, Hashable, Iterator, List, Optional, Protocol, Sequence, Tuple, Union

from . import _foregone

#: What ``turn`` gives where chance moves: a game with chance has a method ``chances``.
CHANCE = "chance"
#: What ``turn`` gives where both players move at the same time: such a game says ``simultaneous = True``.
BOTH = "both"


class Rules(Protocol):
    """A game of your own: five methods. States are hashable, and are not changed.

    Nothing need inherit from this. What else a class may have:

    ``players``
        the names of the players, ``("first", "second")`` where nothing is said. One player plays for points.
    ``outcomes``
        all outcomes: words, the worst for the first player first, or whole numbers, or tuples of a score for
        each player. Without it, they are ``("loss", "draw", "win")``, or else all positions are looked at.
    ``endless``
        ``"impossible"``, ``"undetermined"``, or the outcome of a play that never ends. Without it, it is found
        out whether a position can come up again; such plays are then undetermined.
    ``simultaneous``
        True if both players move at the same time somewhere. ``turn`` gives ``"both"`` there, ``moves`` two
        lists, and ``play`` takes a pair. Outcomes are what the first player gets: numbers or fractions.
    ``chances(state)``
        where ``turn`` gives ``"chance"``: pairs of what may happen and its weight, a whole number or a Fraction.
    ``name``
        one word, by which certificates call the game; that of the class if there is none. A game with
        parameters has them in its name.
    ``expand(states)``
        for ``Game.explore``: a list of states in, and for each of them ``(turn, moves, next states)``, or
        ``(None, outcome)`` if it is over. It says the same as the five methods, of thousands of states at once.
    ``move_text(move)``, ``position_text(state)`` with ``read_position(text)``, ``draw(state)``
        how moves and positions are written. Without them, a move is its ``str``, and a position is the moves
        that lead to it.
    ``move_texts(state)``
        instead of ``move_text`` where that depends on the state: a list with the texts of all moves there, those
        of the first player before those of the second one.
    """

    def start(self) -> Hashable:
        """The first state."""

    def turn(self, state: Any) -> Union[int, str, None]:
        """Who is to move: a number from 0, a player's name, ``"chance"`` or ``"both"``; None if it is over."""

    def moves(self, state: Any) -> Sequence[Any]:
        """The moves of who is to move, at least one."""

    def play(self, state: Any, move: Any) -> Hashable:
        """The state behind a move. The one before it stays as it is."""

    def outcome(self, state: Any) -> Any:
        """How it ended, if it is over: a word or a number for the first player, or everybody's score."""


class Game:
    """A game, opened once for many questions: one that is built in, by its name, or an object of your own.

    >>> import foregone
    >>> game = foregone.Game("tic-tac-toe")
    >>> game.players, game.outcomes
    (['x', 'o'], ['loss', 'draw', 'win'])
    >>> position = game.start().play("b2").play("a1")
    >>> position.to_move, len(position.moves)
    ('x', 7)
    >>> foregone.solve(position).value
    'draw'
    """

    def __init__(self, game: Union[str, Rules, "Game"]) -> None:
        self._game: _foregone.Game
        if isinstance(game, Game):
            self._game = game._game
        elif isinstance(game, str):
            self._game = _foregone.Game.open(game)
            for warning in self._game.warnings:
                warnings.warn(warning, stacklevel=3)
        else:
            self._game = _foregone.Game.own(game)
        self._description: Optional[Dict[str, Any]] = None

    @property
    def name(self) -> str:
        """The name in full."""
        return self._game.name

    def describe(self) -> Dict[str, Any]:
        """What there is to know of it, as plain data."""
        if self._description is None:
            self._description = json.loads(self._game.describe())
        return dict(self._description)

    @property
    def players(self) -> List[str]:
        """The names of the players."""
        players: List[str] = self.describe()["start"]["players"]
        return players

    @property
    def outcomes(self) -> List[str]:
        """The outcomes, the worst for the first player first; of moves at the same time the ends of the range."""
        outcomes: List[str] = self.describe()["outcomes"]
        return outcomes

    @property
    def joint(self) -> bool:
        """Whether players move at the same time."""
        return bool(self.describe()["joint"])

    @property
    def chance(self) -> bool:
        """Whether there is chance."""
        return bool(self.describe()["chance"])

    @property
    def seen(self) -> Optional[int]:
        """How many positions of a game of your own were looked at so far; None of games that are built in."""
        return self._game.positions

    def explore(self) -> Optional[int]:
        """Look at all positions of a game of your own now, and say how many there are.

        Searches do not ask Python any more after it. Where the class has a method ``expand(states)``, it is asked
        about many positions at once, which may be much faster. None of games that are built in.
        """
        return self._game.explore()

    def start(self) -> "Position":
        """The starting position."""
        return Position(self, "start")

    def position(self, text: str) -> "Position":
        """A position: the game's own text, or ``moves:a1,b2``."""
        return Position(self, text)

    def perft(self, depth: int, position: str = "start") -> List[int]:
        """The numbers of sequences of 1, 2, … moves.

        >>> import foregone
        >>> foregone.Game("tic-tac-toe").perft(3)
        [9, 72, 504]
        """
        return self._game.perft(position, depth)

    def __repr__(self) -> str:
        return f"<Game: {self.name}>"

    def _repr_svg_(self) -> str:
        return self.start()._repr_svg_()


class Position:
    """A position of a game. It does not change; ``play`` gives the next one."""

    def __init__(self, game: Union[str, Rules, Game], text: str = "start") -> None:
        self.game = game if isinstance(game, Game) else Game(game)
        self._shown: Dict[str, Any] = json.loads(self.game._game.show(text))

    @property
    def text(self) -> str:
        """The position in the game's own text."""
        return str(self._shown["position"])

    @property
    def to_move(self) -> Optional[str]:
        """Who is to move; None where it is over, chance decides, or all move at the same time."""
        to_move: Optional[str] = self._shown["to_move"]
        return to_move

    @property
    def over(self) -> Optional[str]:
        """The outcome for the first player, if it is over."""
        over: Optional[str] = self._shown["over"]
        return over

    @property
    def moves(self) -> List[str]:
        """The legal moves; where all move at the same time, those of the first player: see ``joint_moves``."""
        return list(self._shown["moves"][0])

    @property
    def joint_moves(self) -> Tuple[List[str], ...]:
        """The legal moves of each player, where they move at the same time."""
        return tuple(list(moves) for moves in self._shown["moves"])

    @property
    def weights(self) -> List[int]:
        """How often chance makes each move, compared with the others, where it moves."""
        return list(self._shown.get("weights", []))

    def play(self, move: Union[str, Tuple[str, str]]) -> "Position":
        """The position behind a move; of moves at the same time, a pair of them."""
        text = move if isinstance(move, str) else "/".join(move)
        return Position(self.game, self.game._game.after(self.text, [text]))

    def to_dict(self) -> Dict[str, Any]:
        """The object that ``foregone show --json`` prints."""
        return dict(self._shown)

    def __iter__(self) -> Iterator["Position"]:
        """The positions behind all moves in turn."""
        return (self.play(move) for move in self.moves)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.game.name, self.text) == (other.game.name, other.text)

    def __hash__(self) -> int:
        return hash((self.game.name, self.text))

    def __str__(self) -> str:
        return str(self._shown["drawing"]).rstrip("\n")

    def __repr__(self) -> str:
        return f"<Position: {self.game.name}: {self.text}>"

    def _repr_svg_(self) -> str:
        return self.game._game.svg(self.text)
