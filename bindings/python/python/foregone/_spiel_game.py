"""Foregone's games as games of pyspiel."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ._ask import AnyGame
from ._walk import Board, Place

_OVER, _CHANCE, _ALL = (
    pyspiel.PlayerId.TERMINAL,
    pyspiel.PlayerId.CHANCE,
    pyspiel.PlayerId.SIMULTANEOUS,
)

# Every game of OpenSpiel ends: a play of so many moves is over, and nobody gets anything.
_LONGEST = 1000


def _type(name: str, board: Optional[Board]) -> Any:
    """What pyspiel is told of a game; of all of them if there is no board."""
    of = pyspiel.GameType
    joint, chance = (board.joint, board.chance) if board else (False, True)
    zero_sum = board is not None and len(board.players) == 2 and not board.scored
    return of(
        short_name=name,
        long_name="A game of Foregone",
        dynamics=of.Dynamics.SIMULTANEOUS if joint else of.Dynamics.SEQUENTIAL,
        chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC if chance else of.ChanceMode.DETERMINISTIC,
        information=of.Information.PERFECT_INFORMATION,
        utility=of.Utility.ZERO_SUM if zero_sum else of.Utility.GENERAL_SUM,
        reward_model=of.RewardModel.TERMINAL,
        max_num_players=len(board.players) if board else 200,
        min_num_players=len(board.players) if board else 1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        default_loadable=True,
        parameter_specification={"game": "tic-tac-toe", "max_length": _LONGEST},
    )


class ForegoneGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Foregone: ``ForegoneGame({"game": "hex:3"})``, or of an object by ``board``."""

    def __init__(
        self,
        params: Optional[Dict[str, Any]] = None,
        board: Optional[Board] = None,
        name: str = "foregone",
    ) -> None:
        told = {"game": "tic-tac-toe", "max_length": _LONGEST, **(params or {})}
        self.board = board or Board(str(told["game"]))
        self.longest = int(told["max_length"])
        low, high = self.board.bounds()
        kind = _type(name, self.board)
        zero_sum = kind.utility == pyspiel.GameType.Utility.ZERO_SUM
        info = pyspiel.GameInfo(
            num_distinct_actions=self.board.actions,
            max_chance_outcomes=self.board.widest_chance if self.board.chance else 0,
            num_players=len(self.board.players),
            min_utility=min(low, 0.0),
            max_utility=max(high, 0.0),
            utility_sum=0.0 if zero_sum else None,
            max_game_length=self.longest,
        )
        super().__init__(kind, info, told)

    def new_initial_state(self, state: Any = None) -> "ForegoneState":
        """A state at the start."""
        return ForegoneState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What players see: the position."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class ForegoneState(pyspiel.State):  # type: ignore[misc]
    """A state of it. ``place`` is where the play stands."""

    def __init__(self, game: ForegoneGame) -> None:
        super().__init__(game)
        self.place: Place = game.board.start
        self._left = game.longest

    def current_player(self) -> Any:
        """Who is to move."""
        if self.is_terminal():
            return _OVER
        if self.place.player is not None:
            return self.place.player
        return _CHANCE if self.place.chance else _ALL

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.place.over or self._left <= 0

    def _legal_actions(self, player: int) -> List[int]:
        place = self.place
        return sorted(place.board.numbers_of(place.legal(player)))

    def chance_outcomes(self) -> List[Any]:
        """What may happen, by its place among the moves of chance."""
        weights = self.place.weights
        total = sum(weights)
        return [(at, weight / total) for at, weight in enumerate(weights)]

    def _move(self, player: int, action: int) -> str:
        place = self.place
        if place.chance:
            moves = place.moves[0]
            found = moves[action] if 0 <= action < len(moves) else None
        else:
            found = place.board.move_of(action, place.legal(player))
        if found is None:
            raise ValueError(f"{action} is no legal action of player {player} in {place.text}")
        return found

    def _apply_action(self, action: int) -> None:
        player = self.place.player
        self.place = self.place.play(self._move(0 if player is None else player, action))
        self._left -= 1

    def _apply_actions(self, actions: List[int]) -> None:
        self.place = self.place.play([self._move(player, action) for player, action in enumerate(actions)])
        self._left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        return self._move(max(player, 0), action)

    def returns(self) -> List[float]:
        """What everybody gets."""
        return list(self.place.returns)

    def __str__(self) -> str:
        mover = "" if self.place.player is None else f"\n{self.place.board.players[self.place.player]} to move"
        return f"{self.place.position}{mover}\n{self.place.text}"


class _Observer:
    """Both players see the whole position."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters, and {params} were given")
        self.tensor = None
        self.dict: Dict[str, Any] = {}

    def set_from(self, state: ForegoneState, player: int) -> None:
        """There is no tensor."""

    def string_from(self, state: ForegoneState, player: int) -> str:
        """The position, as text."""
        return str(state.place.text)


def register(name: str) -> None:
    """Registers the game of all games."""

    class Named(ForegoneGame):
        def __init__(self, params: Optional[Dict[str, Any]] = None) -> None:
            super().__init__(params, name=name)

    if name not in pyspiel.registered_names():
        pyspiel.register_game(_type(name, None), Named)


def as_spiel(game: AnyGame, max_length: int = _LONGEST) -> ForegoneGame:
    """A game, or a class of your own, as a game of pyspiel."""
    board = Board(game)
    return ForegoneGame({"game": board.game.name, "max_length": max_length}, board)
