"""Which histories of a game of OpenSpiel lead to the same position.

OpenSpiel does not say it: a state knows the moves that led to it, and ``str(state)`` is a drawing that may leave
out who is to move, what may be repeated, or how many moves are left. Histories that are taken for one position
though their future differs make wrong values. So positions are histories, unless something better is known:

- For the games of ``_READ`` the classes of OpenSpiel were read: the key has all that the future of a play depends
  on. That holds for the version and the parameters that are named here, and for no others.
- ``key="string"`` and ``key=function`` are vouched for by whoever writes them.

Keys always have who is to move, and what everybody gets where it is over.
"""

from __future__ import annotations

import warnings
from typing import Any, Callable, Dict, FrozenSet, Hashable, Tuple, Union

#: From a state to a text that is the same for the same position.
Key = Callable[[Any], str]
#: What ``load`` takes.
GivenKey = Union[None, str, Callable[[Any], Hashable]]

#: The version of OpenSpiel whose games were read.
READ_VERSION = (2, 0)


def _drawing_and_moves(state: Any) -> str:
    """Games that end after so many moves: the number of moves is a part of the position."""
    return f"{len(state.history())} {state}"


def _drawing_and_turns(state: Any) -> str:
    """Pig ends after so many moves of players; those of chance do not count."""
    turns = sum(one.player >= 0 for one in state.full_history())
    return f"{turns} {state}"


def _without_last_move(state: Any) -> str:
    """The drawing has brackets around the last move, which changes nothing."""
    return str(state).replace("[", " ").replace("]", " ")


def _amazons(state: Any) -> str:
    """A turn has three parts: the drawing does not tell which amazon was chosen, and where it went."""
    made = state.history()
    parts = len(made) % 3
    return f"{made[len(made) - parts :]} {state}"


# What was read in OpenSpiel 2.0, of each game: the fields of its state that have a part in the moves, in the end
# and in the returns, are in the drawing, in the player to move, or follow from them. Counts of moves follow from
# the stones on the board. The names are those of all its parameters.
_READ: Dict[str, Tuple[Key, str]] = {
    "tic_tac_toe": (str, ""),
    "python_tic_tac_toe": (str, ""),
    "connect_four": (str, "columns egocentric_obs_tensor rows x_in_row"),
    "mnk": (str, "k m n"),
    "gomoku": (str, "anti connect dims size wrap"),
    "hex": (str, "board_size num_cols num_rows plain_obs_tensor string_rep swap"),
    "y": (_without_last_move, "ansi_color_output board_size"),
    "havannah": (_without_last_move, "ansi_color_output board_size swap"),
    "breakthrough": (str, "columns rows"),
    "clobber": (str, "columns rows"),
    "dots_and_boxes": (str, "num_cols num_rows utility_margin"),
    "nim": (str, "is_misere pile_sizes"),
    "mancala": (str, ""),
    "othello": (str, ""),
    "pentago": (str, "ansi_color_output"),
    "ultimate_tic_tac_toe": (str, ""),
    "amazons": (_amazons, "board_size"),
    "pig": (_drawing_and_turns, "diceoutcomes horizon piglet players winscore"),
    "catch": (str, "columns rows"),
    "cliff_walking": (_drawing_and_moves, "height horizon width"),
    "oshi_zumo": (_drawing_and_moves, "alesia coins horizon min_bid size"),
    "goofspiel": (
        str,
        "egocentric imp_info num_cards num_turns players points_order returns_type",
    ),
}


def history(state: Any) -> str:
    """Every history is a position of its own."""
    return str(state.history_str())


class Rule:
    """How positions are told apart."""

    def __init__(self, name: str, key: Key, checked: int) -> None:
        #: One word, which stands in the name of the game and so in certificates.
        self.name = name
        self.key = key
        #: One in so many meetings of histories is looked at; 0 where none meet.
        self.checked = checked


def rule_for(game: Any, given: GivenKey, version: str) -> Rule:
    """The rule for a game of pyspiel."""
    if callable(given):
        function = given
        name = str(getattr(given, "__qualname__", type(given).__name__))
        return Rule(f"key:{name}", lambda state: repr(function(state)), 1)
    if given == "string":
        return Rule("string", str, 1)
    if given == "history":
        return Rule("history", history, 0)
    if given is not None:
        raise ValueError(
            f"key={given!r}: expected 'history', 'string', a function of a state, or None for what is known of the game"
        )
    read = _read(game, version)
    return Rule("history", history, 0) if read is None else Rule("read", read, 16)


def _read(game: Any, version: str) -> Union[None, Key]:
    """The key of a game whose class was read, if this is that class."""
    name = game.get_type().short_name
    if name not in _READ:
        return None
    key, parameters = _READ[name]
    names: FrozenSet[str] = frozenset(parameters.split())
    of_this_version = tuple(version.split(".")[:2]) == tuple(str(part) for part in READ_VERSION)
    if not of_this_version or frozenset(game.get_parameters()) - names:
        warnings.warn(
            f"{name} was read in OpenSpiel {READ_VERSION[0]}.{READ_VERSION[1]}, and this is another one ({version}): "
            "every history is a position of its own, which is slow; load(..., key='string') merges those with the "
            "same drawing",
            stacklevel=4,
        )
        return None
    return key
