"""Games of OpenSpiel, and Foregone's games in OpenSpiel. It needs the package ``open_spiel``.

>>> import foregone, foregone.openspiel
>>> game = foregone.openspiel.load("tic_tac_toe")
>>> foregone.solve(game, proof=True).number
Fraction(0, 1)
>>> boxes = foregone.openspiel.load("dots_and_boxes(num_rows=1,num_cols=4)")
>>> answer = foregone.solve(boxes, proof=True)
>>> answer.number, foregone.verify(answer)["status"]
(Fraction(0, 1), 'proved')

The other way round, ``register`` makes Foregone's games those of ``pyspiel``:

>>> import pyspiel
>>> foregone.openspiel.register()
>>> state = pyspiel.load_game("foregone(game=tic-tac-toe)").new_initial_state()
>>> [state.action_to_string(action) for action in state.legal_actions()][:3]
['a1', 'b1', 'c1']
"""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union
from urllib.parse import quote

from ._ask import AnyGame
from ._foregone import Error, RulesError
from ._game import BOTH, CHANCE, Game
from ._spiel_keys import GivenKey, Rule, rule_for

__all__ = ["Position", "SpielRules", "as_spiel", "fraction", "load", "register", "rules"]

# The numbers that OpenSpiel has instead of players.
_CHANCE, _ALL, _OVER = -1, -2, -4
# What keys begin with: who is to move.
_PREFIXES = {player: f"{player} " for player in range(_ALL, 10)}

#: Fractions have at most this denominator. Between two of them there are thousands of floats.
LARGEST_DENOMINATOR = 10**6

# So many outcomes are declared at most.
_MOST_OUTCOMES = 1 << 15
# A meeting of histories that is looked at is followed to the end of a random play once in so many times.
_FOLLOWED = 32


def load(
    game: Union[str, Any],
    *,
    key: GivenKey = None,
    outcomes: Union[None, str, Iterable[Any]] = None,
    payoff_of: Optional[int] = None,
    unit: int = 1,
) -> Game:
    """A game of OpenSpiel, for ``solve`` and all the rest: its name, with parameters or without, or a ``pyspiel.Game``.

    What the value is depends on the game. Of two players it is what the first one gets (``answer.number``), or each
    of them where they do not play for the same points (``scheme="maxn"``, ``answer.scores``); of one player, and of
    more than two, likewise. Where both move at the same time it is the Nash value.

    ``key`` says which histories lead to the same position, so that it is searched once. None is what is known of
    the game; ``"history"`` merges nothing; ``"string"`` merges those with the same drawing and player to move; or it
    is a function from a state to something that tells positions apart. The last two are vouched for by who says
    it. They are checked wherever histories meet, which finds out most mistakes, but is no proof.

    ``outcomes`` are all values that a play may have, where OpenSpiel's bounds are too wide; ``"find"`` looks for
    them in all positions. ``payoff_of`` asks what one player can be sure of where both move at the same time, and
    not for the same points.
    ``unit=100`` counts in hundredths of a point, if returns are not whole.

    >>> import foregone.openspiel
    >>> foregone.openspiel.load("nim(pile_sizes=1;2;3)")
    <Game: python:openspiel:nim(pile_sizes=1;2;3)@read>
    """
    return Game(rules(game, key=key, outcomes=outcomes, payoff_of=payoff_of, unit=unit))


def rules(
    game: Union[str, Any],
    *,
    key: GivenKey = None,
    outcomes: Union[None, str, Iterable[Any]] = None,
    payoff_of: Optional[int] = None,
    unit: int = 1,
) -> "Union[TurnSpiel, JointSpiel]":
    """The same, before it is opened: an object like a game of your own."""
    pyspiel = _pyspiel()
    spiel = pyspiel.load_game(game) if isinstance(game, str) else game
    if not isinstance(spiel, pyspiel.Game):
        raise TypeError(f"expected the name of a game of OpenSpiel, or a pyspiel.Game, not {game!r}")
    _fits(pyspiel, spiel)
    rule = rule_for(spiel, key, str(pyspiel.__version__))
    if spiel.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return JointSpiel(spiel, rule, outcomes, unit, payoff_of)
    if payoff_of is not None:
        raise ValueError(
            "payoff_of is for games in which both players move at the same time: in others, ask "
            "solve(game, player=...), or all by scheme='maxn'"
        )
    if spiel.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC:
        return ChanceSpiel(spiel, rule, outcomes, unit)
    return TurnSpiel(spiel, rule, outcomes, unit)


def register(name: str = "foregone") -> None:
    """Make Foregone's games known to pyspiel: ``pyspiel.load_game("foregone(game=hex:3)")``.

    They are games like those that are written in Python there, so that OpenSpiel's algorithms run on them. A name
    with commas is passed as a parameter: ``pyspiel.load_game("foregone", {"game": "nim:1,2,3"})``.
    """
    _pyspiel()
    from . import _spiel_game

    _spiel_game.register(name)


def as_spiel(game: AnyGame, max_length: int = 1000) -> Any:
    """A game of Foregone, or a class of your own, as a ``pyspiel.Game``.

    A play of ``max_length`` moves is over, and nobody gets anything: games of OpenSpiel have to end.
    """
    _pyspiel()
    from . import _spiel_game

    return _spiel_game.as_spiel(game, max_length)


def _pyspiel() -> Any:
    try:
        import pyspiel
        from open_spiel.python import games  # noqa: F401  (those that are written in Python)
    except ImportError as error:
        raise ImportError("games of OpenSpiel need the package open_spiel: pip install open_spiel") from error
    return pyspiel


def _fits(pyspiel: Any, spiel: Any) -> None:
    """Refuses games that are of another kind, by name, and says why."""
    kind = spiel.get_type()
    of = pyspiel.GameType

    def refuse(why: str) -> None:
        raise Error(f"{kind.short_name} can't be solved here: {why}")

    if kind.dynamics == of.Dynamics.MEAN_FIELD:
        refuse("it is a mean-field game, whose rules depend on what a whole population does")
    if kind.information == of.Information.IMPERFECT_INFORMATION:
        refuse("players do not see all of the position (imperfect information)")
    if kind.chance_mode == of.ChanceMode.SAMPLED_STOCHASTIC:
        refuse("it does not say how likely the moves of chance are (sampled stochastic)")
    if spiel.num_players() < 1:
        refuse("it has no players")
    if kind.dynamics == of.Dynamics.SIMULTANEOUS:
        if spiel.num_players() != 2:
            refuse(f"{spiel.num_players()} players move at the same time, and that is solved for two only")


@lru_cache(maxsize=1 << 12)
def fraction(number: float) -> Optional[Fraction]:
    """The fraction that a float stands for, if there is one with a denominator up to a million.

    It may be off by what a few roundings of a computation do (four units of its last digit). There is no second
    fraction that close. None if there is not even one.

    >>> fraction(1 / 6), fraction(0.1 + 0.2), fraction(2.0), fraction(3.141592653589793)
    (Fraction(1, 6), Fraction(3, 10), Fraction(2, 1), None)
    """
    if not math.isfinite(number):
        return None
    exact = Fraction(number)
    if exact.denominator == 1:
        return exact
    near = exact.limit_denominator(LARGEST_DENOMINATOR)
    # The distance of floats around it.
    step = Fraction(2) ** (math.frexp(number)[1] - 53)
    return near if abs(near - exact) <= 4 * step else None


@lru_cache(maxsize=1 << 12)
def weights(probabilities: Tuple[float, ...]) -> Tuple[Fraction, ...]:
    """Probabilities as fractions that add up to one; ValueError if they are none.

    >>> weights((1 / 3, 2 / 3))
    (Fraction(1, 3), Fraction(2, 3))
    """
    told = []
    for probability in probabilities:
        exact = fraction(probability)
        if exact is None or exact <= 0:
            raise ValueError(
                f"the probability {probability!r} is not a fraction above 0 with a denominator up to "
                f"{LARGEST_DENOMINATOR}"
            )
        told.append(exact)
    if sum(told) != 1:
        raise ValueError(
            f"as fractions, the probabilities {', '.join(map(str, told))} add up to {sum(told)}"
        )
    return tuple(told)


class Position(str):
    """A position: its key, with a state of OpenSpiel as long as that is needed, or the way that leads to it."""

    __slots__ = ("action", "end", "left", "live", "parent", "turn")

    #: A state of pyspiel, or None if it is not needed any more: the way that leads here makes another one.
    live: Any
    #: The position from which a move leads here, and that move.
    parent: Optional["Position"]
    action: Any
    #: Who is to move: a number of pyspiel's.
    turn: int
    #: The outcome, if it is over.
    end: Any
    #: How many moves were not made yet.
    left: int


_NOT_PLAIN = re.compile(r"[\s,:/\"\x00-\x1f\x7f]+")


def _plain(texts: Sequence[str], actions: Sequence[int]) -> List[str]:
    """Texts of moves as single words, each of them once: where two are alike, with the number of the action.

    >>> _plain(["x(0,0)", "pile:1, take:2;", "", "x(0,0)"], [0, 1, 2, 3])
    ['x(0_0)#0', 'pile_1_take_2', '#2', 'x(0_0)#3']
    """
    words = [_NOT_PLAIN.sub("_", text).strip("_;") for text in texts]
    counts: Dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    told = [
        word if word and counts[word] == 1 else f"{word}#{action}" for word, action in zip(words, actions)
    ]
    if len(set(told)) < len(told):
        told = [f"{word}#{action}" for word, action in zip(words, actions)]
    return told


def _unit(unit: int) -> int:
    if isinstance(unit, bool) or not isinstance(unit, int) or unit < 1:
        raise ValueError(f"unit={unit!r}: expected a whole number above 0")
    return unit


class SpielRules:
    """What all games of OpenSpiel have in common: states, and which of them are the same position."""

    def __init__(self, spiel: Any, rule: Rule) -> None:
        #: The game of pyspiel.
        self.spiel = spiel
        #: How positions are told apart.
        self.rule = rule
        self._kind = spiel.get_type()
        self.players = [f"player{number}" for number in range(spiel.num_players())]
        self.name = f"openspiel:{quote(str(spiel), safe='()=,;_.+-')}@{rule.name}"
        self._key = rule.key
        self._known: Dict[str, Position] = {}
        self._ends: Dict[Tuple[float, ...], Tuple[str, Any]] = {}
        self.unit = 1
        self._every = rule.checked
        self._met = 0
        self._looked = 0
        self._random = random.Random(0)
        # States of reviewed games are forgotten as soon as all moves were made; others are compared more often.
        self._forgets = rule.checked != 1
        starts = spiel.new_initial_states()
        if len(starts) != 1:
            raise Error(f"{self._kind.short_name} can't be solved here: it has {len(starts)} starting states")
        self._starting = starts[0]
        self._start: Optional[Position] = None

    def start(self) -> Position:
        """The first position."""
        if self._start is None:
            self._start = self._reached(self._starting.clone(), None, None)
        return self._start

    def _reached(self, state: Any, parent: Optional[Position], action: Any) -> Position:
        """The position of a state to which a move has just led."""
        player = state.current_player()
        if player == _OVER:
            # What everybody gets is a part of the key: it tells all that there is to know.
            returns = tuple(state.returns())
            if returns not in self._ends:
                self._ends[returns] = (f"over {len(self._ends)} ", self._end(returns))
            prefix, end = self._ends[returns]
        else:
            prefix = _PREFIXES.get(player) or f"{player} "
        name = prefix + self._key(state)
        known = self._known.get(name)
        if known is not None:
            if self._every:
                self._met += 1
                if self._met % self._every == 0:
                    self._compare(known, state)
            return known
        position = self._known[name] = Position(name)
        position.parent = parent
        position.action = action
        position.turn = player
        if player == _OVER:
            position.live = None
            position.end = end
        else:
            position.live = state
        return position

    def _end(self, returns: Tuple[float, ...]) -> Any:
        """The outcome of a play with these returns."""
        raise NotImplementedError

    def outcome(self, position: Position) -> Any:
        """What everybody gets; of two players that are opposed, what the first one gets."""
        return position.end

    def state(self, position: Position) -> Any:
        """A state of pyspiel for a position. It is not to be changed."""
        way = []
        at: Optional[Position] = position
        state = None
        while at is not None:
            state = at.live
            if state is not None:
                break
            if at.parent is not None:
                way.append(at.action)
            at = at.parent
        if not way and state is not None:
            return state
        state = (self._starting if state is None else state).clone()
        for action in reversed(way):
            self._apply(state, action)
        return state

    def _apply(self, state: Any, action: Any) -> None:
        if isinstance(action, tuple):
            state.apply_actions(list(action))
        else:
            state.apply_action(action)

    def _compare(self, known: Position, state: Any) -> None:
        """Raises if the state that met a known position has another future, as far as one looks."""
        other = self.state(known)
        self._looked += 1
        self._alike(other, state)
        if self._looked % _FOLLOWED:
            return
        left, right = other.clone(), state.clone()
        while not left.is_terminal():
            if left.is_simultaneous_node():
                action: Any = tuple(self._random.choice(left.legal_actions(one)) for one in range(2))
            else:
                action = self._random.choice(left.legal_actions())
            self._apply(left, action)
            self._apply(right, action)
            self._alike(left, right)
            if self._key(left) != self._key(right):
                raise self._different(left, "the key " + self._key(left), right, "the key " + self._key(right))

    def _alike(self, left: Any, right: Any) -> None:
        seen, other = self._seen(left), self._seen(right)
        if seen != other:
            raise self._different(left, seen, right, other)

    def _different(self, left: Any, seen: Any, right: Any, other: Any) -> RulesError:
        return RulesError(
            f"two histories of {self.name} have the same key, but differ: behind [{left.history_str()}] there is "
            f"{seen}, and behind [{right.history_str()}] {other}; load(..., key='history') tells them apart"
        )

    def _seen(self, state: Any) -> Tuple[Any, ...]:
        """What one sees of a state: who moves, the moves, and how it ended."""
        player = state.current_player()
        if player == _OVER:
            return ("over", state.returns())
        if player == _CHANCE:
            return ("chance", state.chance_outcomes())
        if player == _ALL:
            moves = [state.legal_actions(one) for one in range(len(self.players))]
        else:
            moves = state.legal_actions()
        return (player, moves)

    def draw(self, position: Position) -> str:
        """The drawing that OpenSpiel has."""
        return str(self.state(position))

    def _number(self, number: float) -> Fraction:
        exact = fraction(number)
        if exact is None:
            raise RulesError(
                f"{self._kind.short_name} returns {number!r}, which is not a fraction with a denominator up to "
                f"{LARGEST_DENOMINATOR}"
            )
        return exact

    def _sums_up(self, returns: List[Fraction]) -> None:
        """Where one player's loss is the other's gain, the sum is always the same."""
        expected = fraction(self.spiel.utility_sum())
        if sum(returns) != expected:
            raise RulesError(
                f"{self._kind.short_name} says that returns add up to {expected}, and returns "
                f"{', '.join(map(str, returns))}"
            )

    def _whole(self, number: Fraction) -> int:
        points = number * self.unit
        if points.denominator > 1:
            raise RulesError(
                f"{self._kind.short_name} returns {number}, and outcomes are whole numbers: "
                f"load(..., unit={number.denominator}) counts in parts of {number.denominator}"
            )
        return int(points)

    def _declare(self, given: Union[None, str, Iterable[Any]], unit: int, width: int) -> None:
        """Says what all outcomes are: those that are given, or all that OpenSpiel's bounds allow."""
        if given == "find":
            return
        if isinstance(given, str):
            raise ValueError(f"outcomes={given!r}: expected 'find', or a list of all outcomes")
        if given is not None:
            self.outcomes = list(given)
            return
        name = self._kind.short_name
        low, high = (bound * unit for bound in (self.spiel.min_utility(), self.spiel.max_utility()))
        wide = not (math.isfinite(low) and math.isfinite(high)) or high - low > _MOST_OUTCOMES
        numbers = [] if wide else list(range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1))
        if wide or len(numbers) ** width > _MOST_OUTCOMES:
            raise Error(
                f"{name} may return anything from {low:g} to {high:g}, and those are too many outcomes; "
                "load(..., outcomes=[...]) says which come up, and outcomes='find' looks at all positions for them"
            )
        every: List[Any] = list(numbers)
        if width > 1:
            zero = self._kind.utility == type(self._kind.utility).ZERO_SUM
            every = [scores for scores in product(numbers, repeat=width) if not zero or sum(scores) == 0]
        # One outcome is none to search for: what comes up is looked for.
        if len(every) > 1:
            self.outcomes = every

    def _opposed(self) -> bool:
        """Whether one player's loss is the other's gain."""
        utility = type(self._kind.utility)
        return len(self.players) == 2 and self._kind.utility in (utility.ZERO_SUM, utility.CONSTANT_SUM)


class TurnSpiel(SpielRules):
    """A game whose players move in turn, without chance."""

    def __init__(
        self, spiel: Any, rule: Rule, outcomes: Union[None, str, Iterable[Any]], unit: int
    ) -> None:
        super().__init__(spiel, rule)
        self.unit = _unit(unit)
        if unit != 1:
            self.name += f"@1/{unit}"
        self._alone = len(self.players) == 1 or self._opposed()
        self._declare(outcomes, unit, 1 if self._alone else len(self.players))

    def turn(self, position: Position) -> Union[int, str, None]:
        """Who is to move."""
        player = position.turn
        if player >= 0:
            return player
        if player == _OVER:
            return None
        if player == _CHANCE:
            return CHANCE
        raise RulesError(f"{self._kind.short_name} lets {player} move, which is no player and not chance")

    def moves(self, position: Position) -> List[int]:
        """The legal actions."""
        live = position.live
        actions: List[int] = (self.state(position) if live is None else live).legal_actions()
        position.left = len(actions)
        return actions

    def move_texts(self, position: Position) -> List[str]:
        """How they are written."""
        state = self.state(position)
        player, actions = state.current_player(), state.legal_actions()
        return _plain([state.action_to_string(player, action) for action in actions], actions)

    def play(self, position: Position, action: int) -> Position:
        """The position behind an action."""
        live = position.live
        child = (self.state(position) if live is None else live).child(action)
        position.left -= 1
        if position.left == 0 and self._forgets:
            position.live = None
        return self._reached(child, position, action)

    def _end(self, returns: Tuple[float, ...]) -> Any:
        exact = [self._number(number) for number in returns]
        if self._opposed():
            self._sums_up(exact)
        scores = [self._whole(number) for number in exact]
        return scores[0] if self._alone else tuple(scores)


class ChanceSpiel(TurnSpiel):
    """The same with chance."""

    def chances(self, position: Position) -> List[Tuple[int, Fraction]]:
        """What may happen, and how likely it is."""
        pairs = self.state(position).chance_outcomes()
        position.left = len(pairs)
        actions, probabilities = zip(*pairs)
        try:
            return list(zip(actions, weights(probabilities)))
        except ValueError as error:
            raise RulesError(f"{self._kind.short_name}: {error}") from None


class JointSpiel(SpielRules):
    """A game whose two players move at the same time, matrix games among them."""

    simultaneous = True

    def __init__(
        self,
        spiel: Any,
        rule: Rule,
        outcomes: Union[None, str, Iterable[Any]],
        unit: int,
        payoff_of: Optional[int],
    ) -> None:
        super().__init__(spiel, rule)
        # The one whose payoff counts is the first one here.
        self._order = (1, 0) if payoff_of == 1 else (0, 1)
        # Payoffs are multiples of one over this, where that is said.
        self._unit = 0
        self.unit = _unit(unit)
        self.turn(self.start())  # some begin with chance
        if payoff_of is None and not self._opposed():
            raise Error(
                f"{self._kind.short_name} has no single value: its players move at the same time, and not for the same "
                "points (general sum); load(..., payoff_of=0) asks what the first one can be sure of, and payoff_of=1 "
                "what the second one can"
            )
        if payoff_of not in (None, 0, 1):
            raise ValueError(f"payoff_of={payoff_of!r}: expected 0 or 1")
        if payoff_of is not None:
            self.name += f"@of{payoff_of}"
        self._single = payoff_of is not None
        self.players = [self.players[one] for one in self._order]
        # A matrix is looked at in any case, whatever payoffs it has.
        if self._kind.information != type(self._kind.information).ONE_SHOT:
            self._declare(outcomes, unit, 1)
        if hasattr(self, "outcomes"):
            self._unit = unit
            self.outcomes = [Fraction(points) / unit for points in self.outcomes]

    def turn(self, position: Position) -> Union[int, str, None]:
        """Who is to move: both, one of them, or nobody."""
        player = position.turn
        if player == _ALL:
            return BOTH
        if player == _OVER:
            return None
        if player >= 0:
            return self._order.index(player)
        if player == _CHANCE:
            raise Error(f"{self._kind.short_name} can't be solved here: it has chance besides moves at the same time")
        raise RulesError(f"{self._kind.short_name} lets {player} move, which is no player")

    def moves(self, position: Position) -> Any:
        """The actions of both, or those of one of them."""
        state = self.state(position)
        if position.turn == _ALL:
            return [state.legal_actions(one) for one in self._order]
        return state.legal_actions()

    def move_texts(self, position: Position) -> List[str]:
        """How they are written."""
        state = self.state(position)
        player = state.current_player()
        told: List[str] = []
        for one in self._order if player == _ALL else (player,):
            actions = state.legal_actions(one)
            told += _plain([state.action_to_string(one, action) for action in actions], actions)
        return told

    def play(self, position: Position, action: Any) -> Position:
        """The position behind a pair of actions, or behind one."""
        if isinstance(action, tuple):
            action = tuple(action[one] for one in self._order)
        state = self.state(position).clone()
        self._apply(state, action)
        return self._reached(state, position, action)

    def _end(self, returns: Tuple[float, ...]) -> Fraction:
        exact = [self._number(number) for number in returns]
        if self._opposed() and not self._single:
            self._sums_up(exact)
        if self._unit:
            self._whole(exact[self._order[0]])
        return exact[self._order[0]]
