"""Games as other libraries want them: players and moves are numbers, and everybody has returns."""

from __future__ import annotations

import random
import re
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._ask import AnyGame
from ._game import Game, Position

# To know all moves that there are, so many positions are looked at,
_LOOKED_AT = 1500
# and if there are more, so many random plays are made,
_PLAYS = 60
# each up to so many moves.
_LONGEST = 400
# So many positions are kept.
_KEPT = 1 << 17


class Place:
    """A position: who is to move, the moves, and what everybody gets if it is over."""

    __slots__ = ("_position", "board", "moves", "over", "player", "returns", "text", "weights")

    def __init__(self, board: "Board", position: Position) -> None:
        shown = position.to_dict()
        self._position = position
        self.board = board
        self.text = position.text
        self.over = position.over is not None
        self.weights: List[int] = position.weights
        #: The moves of who is to move; where players move at the same time, those of each of them.
        self.moves: Tuple[List[str], ...] = position.joint_moves
        #: Who is to move: a number, None where it is over, chance moves, or all move at the same time.
        self.player: Optional[int] = None
        if shown["to_move"] is not None:
            self.player = board.players.index(shown["to_move"])
        self.returns: List[float] = [0.0] * len(board.players)
        if position.over is not None:
            self.returns = board.returns_of(position.over)

    @property
    def chance(self) -> bool:
        """Whether chance moves."""
        return bool(self.weights)

    @property
    def position(self) -> Position:
        """The position of this package."""
        return self._position

    def legal(self, player: int) -> List[str]:
        """The moves of a player here."""
        if self.over or self.chance:
            return []
        if self.player is None:
            return self.moves[player]
        return self.moves[0] if self.player == player else []

    def play(self, move: Union[str, Sequence[str]]) -> "Place":
        """The place behind a move, or behind a pair of them."""
        words = move if isinstance(move, str) else "/".join(move)
        return self.board.after(self, words)

    def __deepcopy__(self, memo: Any) -> "Place":
        return self

    def __reduce__(self) -> Any:
        if self.board.game.seen is not None:
            raise TypeError(f"{self.board.game.name} is an object: its positions can't be stored and read again")
        return _again, (self.board.game.name, self.text)


_boards: Dict[str, "Board"] = {}


def _again(name: str, text: str) -> Place:
    if name not in _boards:
        _boards[name] = Board(name)
    return _boards[name].place(text)


class Board:
    """A game with its moves numbered."""

    def __init__(self, game: AnyGame) -> None:
        self.game: Game = game.game if isinstance(game, Position) else Game(game)
        self._places: Dict[str, Place] = {}
        self._ways: Dict[Tuple[str, str], str] = {}
        told = self.game.describe()
        start = game if isinstance(game, Position) else self.game.start()
        self.alone: bool = start.to_dict()["one_player"]
        players: List[str] = start.to_dict()["players"]
        self.players = players[:1] if self.alone else players
        self.joint = self.game.joint
        self.chance = self.game.chance
        self.scored: bool = start.to_dict().get("own_scores", False)
        self.numbers: bool = start.to_dict()["numbers"]
        self._outcomes: List[str] = told["outcomes"]
        self.start = self._keep(start)
        self._number()

    def place(self, text: str) -> Place:
        """The place of a position's text."""
        found = self._places.get(text)
        return found if found is not None else self._keep(Position(self.game, text))

    def after(self, place: Place, move: str) -> Place:
        """The place behind a move."""
        way = (place.text, move)
        text = self._ways.get(way)
        if text is not None:
            return self.place(text)
        found = self._keep(place.position.play(move))
        if len(self._ways) >= _KEPT:
            self._ways.clear()
        self._ways[way] = found.text
        return found

    def _keep(self, position: Position) -> Place:
        found = self._places.get(position.text)
        if found is None:
            if len(self._places) >= _KEPT:
                self._places.clear()
            found = self._places[position.text] = Place(self, position)
        return found

    def returns_of(self, over: str) -> List[float]:
        """What everybody gets with an outcome. Words that are no numbers count by their order, a draw as 0."""
        if self.scored:
            scores = over.split("/")
            if len(scores) == len(self.players) > 1:
                return [_float(score) for score in scores]
            # Ends of other games are named by who wins.
            winners = over.split("+")
            return [float(name in winners) for name in self.players]
        if self.numbers:
            value = _float(over)
        else:
            place, most = self._outcomes.index(over), len(self._outcomes) - 1
            value = float(2 * place - most) if most % 2 else float(place - most // 2)
        if self.alone:
            return [value]
        return [value] + [-value] * (len(self.players) - 1)

    def bounds(self) -> Tuple[float, float]:
        """The least and the most that somebody may get."""
        if self.scored:
            every = [0.0, 1.0] + [float(part) for part in re.findall(r"-?\d+", " ".join(self._outcomes))]
        else:
            every = [value for one in self._outcomes for value in self.returns_of(one)]
        return min(every), max(every)

    def _number(self) -> None:
        """Gives every move a number, the same wherever it can be made.

        The moves of the start come first, in their order, and then all others that were found, by the alphabet. If
        not all positions were looked at there may be more: behind the numbers of moves there are ``spare`` ones for
        those that are not known, by their place among the legal moves.
        """
        seen: Dict[str, None] = {}
        self.widest = 1
        self.widest_chance = 1
        self.rows, self.columns = 1, 1
        complete = self._see_all(seen)
        if not complete:
            self._see_some(seen)
        first = [move for player in range(len(self.players)) for move in self.start.legal(player)]
        order = list(dict.fromkeys(first)) + sorted(set(seen) - set(first))
        self.move_texts: List[str] = order
        self._numbers = {move: number for number, move in enumerate(order)}
        #: Numbers for moves that were not found, so many.
        self.spare = 0 if complete else 2 * self.widest
        #: How many numbers of moves there are.
        self.actions = len(order) + self.spare

    def _see(self, place: Place, seen: Dict[str, None]) -> None:
        lines = str(place.position).split("\n")
        self.rows = max(self.rows, len(lines))
        self.columns = max(self.columns, *map(len, lines))
        if place.chance:
            self.widest_chance = max(self.widest_chance, len(place.weights))
            return
        for moves in place.moves:
            self.widest = max(self.widest, len(moves))
            seen.update(dict.fromkeys(moves))

    def _see_all(self, seen: Dict[str, None]) -> bool:
        """Looks at all positions, and says whether they were few enough."""
        todo = [self.start]
        known = {self.start.text}
        for place in todo:
            self._see(place, seen)
            for move in self._steps(place):
                behind = place.play(move)
                if behind.text not in known:
                    if len(known) >= _LOOKED_AT:
                        return False
                    known.add(behind.text)
                    todo.append(behind)
        return True

    def _see_some(self, seen: Dict[str, None]) -> None:
        """Looks at the positions of random plays, the same ones each time."""
        chooser = random.Random(0)
        for _ in range(_PLAYS):
            place = self.start
            for _ in range(_LONGEST):
                self._see(place, seen)
                steps = self._steps(place)
                if not steps:
                    break
                place = place.play(chooser.choice(steps))

    def _steps(self, place: Place) -> List[str]:
        """All moves, of whoever makes them; pairs where both do."""
        if place.over:
            return []
        if place.chance or place.player is not None:
            return place.moves[0]
        return [f"{first}/{second}" for first in place.moves[0] for second in place.moves[1]]

    def numbers_of(self, moves: Sequence[str]) -> List[int]:
        """The numbers of some legal moves, in their order."""
        told = []
        for at, move in enumerate(moves):
            number = self._numbers.get(move)
            if number is None:
                if at >= self.spare:
                    raise ValueError(f"the move {move} has no number: {len(moves)} moves are more than expected")
                number = len(self.move_texts) + at
            told.append(number)
        return told

    def move_of(self, number: int, moves: Sequence[str]) -> Optional[str]:
        """The legal move with a number, if there is one."""
        if 0 <= number < len(self.move_texts):
            move = self.move_texts[number]
            return move if move in moves else None
        at = number - len(self.move_texts)
        return moves[at] if 0 <= at < len(moves) and moves[at] not in self._numbers else None


def _float(text: str) -> float:
    numerator, _, denominator = text.partition("/")
    return float(numerator) / float(denominator or 1)
