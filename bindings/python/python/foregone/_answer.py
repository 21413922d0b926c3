"""Answers: plain data, with a text, a table and a picture."""

from __future__ import annotations

import json
import os
import re
import textwrap
from fractions import Fraction
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from . import _foregone, _html
from ._game import Game

Data = Dict[str, Any]


class Proof:
    """The proof of an answer: certificates that the checker has replayed.

    >>> import foregone
    >>> proof = foregone.solve("tic-tac-toe", proof=True).proof
    >>> proof.checked, proof.proved, proof.text.splitlines()[0]
    (True, True, 'foregone certificate 2')
    """

    def __init__(self, data: Data, found: _foregone.Found) -> None:
        self._data = data
        self._found = found

    @property
    def claims(self) -> int:
        """How many claims it has."""
        return int(self._data["claims"])

    @property
    def checked(self) -> bool:
        """Whether the checker replayed it."""
        return bool(self._data["checked"])

    @property
    def proved(self) -> bool:
        """Whether every claim was checked, and none only recomputed."""
        return bool(self._data["proved"])

    @property
    def file(self) -> Optional[str]:
        """Where it was written, if it was."""
        file: Optional[str] = self._data["file"]
        return file

    @property
    def text(self) -> str:
        """The text of the certificates."""
        return self._found.certificate

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the certificates to a file, which ``foregone verify`` reads."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.text)

    def tree(self, depth: Optional[int] = None) -> Optional[str]:
        """The proof as a tree of text, so many moves deep; None unless it was asked with ``tree=True``."""
        return self._found.tree(depth)

    def to_dot(self) -> Optional[str]:
        """The tree for Graphviz."""
        return self._found.tree_dot()

    def to_dict(self) -> Data:
        """The numbers of ``--json``."""
        return dict(self._data)

    def _repr_svg_(self) -> Optional[str]:
        return self._found.tree_svg()

    def _repr_html_(self) -> str:
        """A tree that one can open, where it was asked for."""
        told = self._found.tree_json()
        if told is None:
            return _html.paragraph(repr(self))
        halves: List[Data] = json.loads(told)

        def text(depth: int) -> str:
            drawn = self.tree(depth) or ""
            if len(halves) == 1:
                drawn = f"{halves[0]['proves']}:\n{textwrap.indent(drawn, '  ')}"
            return drawn

        # The deepest tree that is not too long.
        low, high = 1, max(node["depth"] for half in halves for node in half["nodes"]) + 1
        while high - low > 1:
            middle = (low + high) // 2
            fits = text(middle).count("\n") <= _html.MOST_LINES
            low, high = (middle, high) if fits else (low, middle)
        return _html.tree(text(low))

    def __repr__(self) -> str:
        word = "proved" if self.proved else "replayed"
        return f"<Proof: {word}, {self.claims} claims>"


class Answer:
    """What was found out. The fields are those of ``--json``.

    >>> import foregone
    >>> answer = foregone.solve("nim:1,2,3")
    >>> answer.value, answer.winner, answer.solved
    ('loss', 'second', True)
    >>> answer.to_dict()["status"]
    'solved'
    >>> print(answer)  # doctest: +ELLIPSIS
      1: I (1)
      2: II (2)
      3: III (3)
    <BLANKLINE>
    nim:1,2,3, first to move: second wins.
      best move  1-1
    ...
    """

    def __init__(self, found: _foregone.Found, game: Game) -> None:
        self._found = found
        self._game = game
        self._data: Data = json.loads(found.json)

    def to_dict(self) -> Data:
        """The answer as plain data: the object that ``--json`` prints."""
        data: Data = json.loads(self._found.json)
        return data

    def to_dataframe(self) -> Any:
        """The values of moves as a frame of pandas, a row for each; without them the answer as one row."""
        import pandas

        moves = self._data.get("moves")
        return pandas.DataFrame(moves if moves is not None else [self._data])

    @property
    def game(self) -> str:
        """The game, in full."""
        return str(self._data["game"])

    @property
    def position(self) -> str:
        """The position, in full."""
        return str(self._data["position"])

    @property
    def value(self) -> Optional[str]:
        """The value, if it is known: a word, or a number or fraction as text. Of formulas None: see ``holds``."""
        value: Optional[str] = self._data.get("value")
        return value

    @property
    def number(self) -> Optional[Fraction]:
        """The value as an exact number, where it is one.

        >>> import foregone
        >>> foregone.solve("goofspiel:4", position="moves:4/1").number
        Fraction(3, 19)
        """
        try:
            return None if self.value is None else Fraction(self.value)
        except ValueError:
            return None

    @property
    def winner(self) -> Optional[str]:
        """Who wins, if somebody does."""
        winner: Optional[str] = self._data.get("winner")
        return winner

    @property
    def bounds(self) -> Optional[Tuple[str, str]]:
        """The outcomes between which the value lies, both included."""
        bounds = self._data.get("bounds")
        return None if bounds is None else (bounds[0], bounds[1])

    @property
    def holds(self) -> Optional[bool]:
        """Whether the formula holds, or Max reaches the outcome that was asked about; None if that is open."""
        holds: Optional[bool] = self._data.get("holds")
        return holds

    @property
    def scores(self) -> Optional[Dict[str, int]]:
        """Every player's score, where many play and it is known."""
        scores = self._data.get("scores")
        return {one["player"]: one["score"] for one in scores} if scores else None

    @property
    def strategies(self) -> Optional[Tuple[Dict[str, Fraction], Dict[str, Fraction]]]:
        """How often each player makes which move, where both move at the same time and that is exact."""
        told = self._data.get("strategies")
        if told is None:
            return None
        first, second = ({m: Fraction(often) for m, often in one.items()} for one in told)
        return first, second

    @property
    def best_move(self) -> Optional[str]:
        """The best move, if it is known."""
        move: Optional[str] = self._data.get("best_move")
        return move

    @property
    def line(self) -> List[str]:
        """What both sides play."""
        return list(self._data.get("line", []))

    @property
    def keys(self) -> Optional[List[str]]:
        """All first moves, where that was asked of a formula."""
        keys: Optional[List[str]] = self._data.get("keys")
        return keys

    @property
    def problem(self) -> Optional[str]:
        """What else there is to tell of a problem, as problemists write it: set play, tries, the solution.

        ``set_play=True`` and ``tries=True`` ask for it. With ``tree=True`` there are the variations, and those of the
        keys where ``all=True`` asks for all of them.

        >>> import foregone
        >>> position = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
        >>> print(foregone.check("chess", "#2", position=position, tries=True, figurine=True).problem)
        tries:
          1.♖a5? but 1...a6!
          1.♖xa7+? but 1...♗xa7!
        """
        return self._found.problem()

    @property
    def moves(self) -> Optional[List[Data]]:
        """What each legal move is worth, where that was asked (``moves=True``)."""
        moves: Optional[List[Data]] = self._data.get("moves")
        return moves

    @property
    def status(self) -> str:
        """``solved`` or ``undecided``."""
        return str(self._data["status"])

    @property
    def solved(self) -> bool:
        """Whether the question is answered."""
        return self.status == "solved"

    @property
    def stop(self) -> str:
        """Why the search stopped: ``solved``, ``time``, ``nodes``, ``memory``, ``interrupted`` or ``orders``."""
        return str(self._data["stop"])

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it. What was found until then is here."""
        return self._found.interrupted

    @property
    def nodes(self) -> int:
        """States that were created."""
        return int(self._data["nodes"])

    @property
    def expansions(self) -> int:
        """States whose successors were looked at."""
        return int(self._data.get("expansions", 0))

    @property
    def seconds(self) -> float:
        """How long it took, the replay of the proof included."""
        return float(self._data["seconds"])

    @property
    def proof(self) -> Optional[Proof]:
        """The proof, if there is one."""
        data = self._data.get("proof")
        return None if data is None else Proof(data, self._found)

    @property
    def job(self) -> str:
        """The job in words, which ``foregone run`` takes."""
        return self._found.job

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __str__(self) -> str:
        told = self._found.text(True).rstrip("\n")
        return told if self.problem is None else f"{told}\n\n{self.problem}"

    def __repr__(self) -> str:
        if self._data.get("formula") is not None:
            found = f"{self._data['formula']} {self.holds}"
        elif self.value is not None:
            found = self.value
        elif self.holds is not None:
            found = f"{self._data['question']} {self.holds}"
        else:
            low, high = self.bounds or ("?", "?")
            found = f"between {low} and {high}"
        return f"<Answer: {self.game}: {found}>"

    def _repr_svg_(self) -> str:
        return self._found.svg()

    def _repr_html_(self) -> str:
        headline, *lines = self._found.text(False).strip("\n").splitlines()
        rows = [row for row in _rows(lines) if not (self.moves and row[0] == "moves")]
        told = _html.table(rows)
        if self.moves:
            every = ("move", "value", "best", "distance", "chance")
            heads = [head for head in every if head in self.moves[0]]
            # As everywhere, values are those of the first player; pictures have those of who is to move.
            players = self._game.players
            value = f"value for {players[0]}" if len(players) == 2 else "value"
            shown = [value if head == "value" else head for head in heads]
            told += _html.table([[_cell(one[head]) for head in heads] for one in self.moves], shown)
        if self.problem is not None:
            told += _html.tree(self.problem)
        return _html.beside(self._repr_svg_(), _html.paragraph(headline) + told)


def _rows(lines: List[str]) -> List[Tuple[str, str]]:
    """What stands below the headline, in two columns: the last line is about the search, and all are alike."""
    found = re.match(r"  search +", lines[-1]) if lines else None
    column = found.end() if found else 13
    rows: List[Tuple[str, str]] = []
    for line in lines:
        name, words = line[:column].strip(), line[column:].rstrip()
        if name or not rows:
            rows.append((name, words))
        else:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]}\n{words}")
    return rows


def _cell(value: Any) -> str:
    """What stands in a cell of a table."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
