"""Questions and commands. They read like the command line: ``--time 60s`` is ``time="60s"`` or ``time=60``."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _foregone, _html
from ._answer import Answer
from ._game import Game, Position, Rules
from ._words import Listener, OnProgress, words

AnyGame = Union[str, Rules, Game, Position]
PathText = Union[str, "os.PathLike[str]"]
Amount = Union[int, float, str]


def _opened(game: AnyGame, position: Optional[Union[str, Position]]) -> Tuple[Game, Optional[str]]:
    """The game, and the position if one is named."""
    if isinstance(game, Position):
        if position is not None:
            raise TypeError("the position is said twice: a Position is one already")
        return game.game, game.text
    opened = game if isinstance(game, Game) else Game(game)
    return opened, position.text if isinstance(position, Position) else position


def solve(
    game: AnyGame,
    *,
    position: Optional[Union[str, Position]] = None,
    question: Optional[str] = None,
    player: Optional[str] = None,
    moves: bool = False,
    scheme: Optional[str] = None,
    driver: Optional[str] = None,
    time: Optional[Amount] = None,
    nodes: Optional[Amount] = None,
    memory: Optional[Amount] = None,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    proof: Union[None, bool, PathText] = None,
    tree: bool = False,
    on_progress: Optional[OnProgress] = None,
    progress: bool = False,
    **options: Any,
) -> Answer:
    """Solve a position of a game: what it is worth when everybody plays perfectly, with a proof.

    ``proof`` is a path to write the certificate to, or True to have it in ``answer.proof.text`` however long it
    takes; ``tree=True`` keeps the proof as a tree, too. ``on_progress`` is called with a dict now and then;
    ``progress=True`` shows a bar of tqdm where that is installed. Further options are those of
    ``foregone solve --help``: ``opponent``, ``contempt``, ``knowledge=False``, ``symmetry=False``, ``tables``, and
    so on.

    Python's lock is not held meanwhile. Ctrl-C ends the search, and the answer tells what was found:
    ``answer.stop`` is then ``"interrupted"``. A second one raises KeyboardInterrupt.

    >>> import foregone
    >>> answer = foregone.solve("connect-four:4x4", question="win", scheme="pn", driver="df", time=60)
    >>> answer.holds, answer.bounds
    (False, ('loss', 'draw'))
    >>> foregone.solve("domineering:4x4", proof=True).proof.checked
    True
    """
    opened, place = _opened(game, position)
    told: Dict[str, Any] = {
        "position": place,
        "question": question,
        "player": player,
        "moves": moves,
        "scheme": scheme,
        "driver": driver,
        "time": time,
        "nodes": nodes,
        "memory": memory,
        "threads": threads,
        "seed": seed,
        **options,
    }
    kept, path = _kept(proof)
    told["proof"] = path
    with Listener(on_progress, progress, opened.name) as hears:
        found = _foregone.solve(opened._game, words(told), kept, tree, hears)
    return Answer(found, opened)


def _kept(proof: Union[None, bool, PathText]) -> Tuple[bool, Optional[str]]:
    """Whether a proof is wanted, and the file for it."""
    if proof is None or isinstance(proof, bool):
        return bool(proof), None
    return True, os.fspath(proof)


def check(
    game: AnyGame,
    formula: str,
    *,
    position: Optional[Union[str, Position]] = None,
    protagonist: Optional[str] = None,
    algorithm: Optional[str] = None,
    define: str = "",
    all: bool = False,
    time: Optional[Amount] = None,
    nodes: Optional[Amount] = None,
    memory: Optional[Amount] = None,
    proof: Union[None, bool, PathText] = None,
    tree: bool = False,
    on_progress: Optional[OnProgress] = None,
    progress: bool = False,
    **options: Any,
) -> Answer:
    """Ask whether a formula holds in a position; of chess, a stipulation such as ``#2``.

    ``define`` is the text of definitions that the formula may use. Further options are those of
    ``foregone check --help``: of problems ``tries``, ``set_play``, ``figurine`` and ``notation``, for example. What is
    found of a problem besides its keys is in ``answer.problem``.

    >>> import foregone
    >>> answer = foregone.check("chess", "#2", position="kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", all=True)
    >>> answer.holds, answer.keys
    (True, ['a1a6'])
    """
    opened, place = _opened(game, position)
    told: Dict[str, Any] = {
        "position": place,
        "protagonist": protagonist,
        "algorithm": algorithm,
        "all": all,
        "tree": tree,
        "time": time,
        "nodes": nodes,
        "memory": memory,
        **options,
    }
    kept, path = _kept(proof)
    told["proof"] = path
    with Listener(on_progress, progress, opened.name) as hears:
        found = _foregone.check(opened._game, formula, define, words(told), kept, tree, hears)
    return Answer(found, opened)


def verify(
    proof: Union[PathText, Answer],
    *,
    game: Union[None, Rules, Game, Iterable[Union[Rules, Game]]] = None,
    strict: bool = False,
    trust: Sequence[str] = (),
    expand: bool = False,
    rules: Optional[PathText] = None,
    on_progress: Optional[OnProgress] = None,
) -> Dict[str, Any]:
    """Replay the certificates of a file, of an answer, or of a text that begins like one.

    What was proved is a dict, the object of ``foregone verify --json``. A certificate that is wrong raises
    ProofError. Certificates of a game of your own need the game.

    >>> import foregone
    >>> answer = foregone.solve("tic-tac-toe", proof=True)
    >>> foregone.verify(answer, strict=True)["status"]
    'proved'
    >>> forged = answer.proof.text.replace("draw", "win", 1)
    >>> foregone.verify(forged)
    Traceback (most recent call last):
    ...
    foregone.ProofError: ...
    """
    if isinstance(proof, Answer):
        name, text = "answer", proof.proof.text if proof.proof else ""
    elif isinstance(proof, str) and proof.startswith("foregone certificate"):
        name, text = "text", proof
    else:
        name = os.fspath(proof)
        text = Path(name).read_text(encoding="utf-8")
    several: Any = game
    if game is None:
        several = [proof._game] if isinstance(proof, Answer) else []
    elif not (isinstance(game, (list, tuple, set)) or hasattr(game, "__next__")):
        several = [game]
    games = [Game(one) for one in several]
    with Listener(on_progress, False, name) as hears:
        told = _foregone.verify(
            name, text, [one._game for one in games], strict, list(trust), expand, rules, hears
        )
    proved: Dict[str, Any] = json.loads(told)
    return proved


class Nash:
    """The Nash value of a matrix, and strategies that reach it, both checked.

    ``value``, ``max`` and ``min`` are exact fractions unless ``exact`` is False, where the matrix is large: then
    ``bounds`` are the numbers between which the value lies, and all of them are floats.
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self._data = data
        self.exact: bool = data["exact"]
        read: Any = Fraction if self.exact else float
        low, high = data["bounds"]
        self.bounds: Tuple[Any, Any] = (read(low), read(high))
        self.max: List[Any] = [read(often) for often in data["max"]]
        self.min: List[Any] = [read(often) for often in data["min"]]

    @property
    def value(self) -> Any:
        """What the row player gets on average: a Fraction, or the middle of the bounds."""
        return self.bounds[0] if self.exact else (self.bounds[0] + self.bounds[1]) / 2

    def to_dict(self) -> Dict[str, Any]:
        """The object that ``foregone matrix --json`` prints, but for the file."""
        return dict(self._data)

    def __repr__(self) -> str:
        return f"<Nash: value {self.value}>"

    def _repr_html_(self) -> str:
        """The value, and how often each row and each column is played."""
        low, high = self.bounds
        value = str(self.value) if self.exact else f"between {low} and {high}"
        counts = [str(at) for at in range(1, max(len(self.max), len(self.min)) + 1)]
        rows = [["rows", *map(str, self.max)], ["columns", *map(str, self.min)]]
        return _html.paragraph(f"value {value} for the rows") + _html.table(rows, ["how often", *counts])


def nash(matrix: Any) -> Nash:
    """The Nash value of a payoff matrix for the row player: lists of lists, or an array of numpy.

    Whole numbers, fractions and decimals are taken exactly; a float is the decimal that Python prints.

    >>> import foregone
    >>> found = foregone.nash([[1, -1], [-1, 0]])
    >>> found.value, found.max, found.min
    (Fraction(-1, 3), [Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 3), Fraction(2, 3)])
    """
    lines = [",".join(_cell(cell) for cell in row) for row in matrix]
    return Nash(json.loads(_foregone.nash("\n".join(lines) + "\n")))


def _cell(cell: Any) -> str:
    if isinstance(cell, bool) or isinstance(cell, str):
        return str(cell)
    if hasattr(cell, "item"):
        cell = cell.item()
    return repr(cell) if isinstance(cell, float) else str(cell)


class Comparison:
    """Searches side by side.

    ``rows`` has one dict for each search of each game, ``runs`` one for each run; ``misfits`` are searches that
    cannot be made, ``contradictions`` should be empty.
    """

    def __init__(self, data: Dict[str, Any], svg: str) -> None:
        self._data = data
        self.svg = svg
        self.rows: List[Dict[str, Any]] = data["rows"]
        self.runs: List[Dict[str, Any]] = data["runs"]
        self.misfits: List[Dict[str, Any]] = data["misfits"]
        self.contradictions: List[str] = data["contradictions"]
        self.interrupted: bool = data["interrupted"]

    def to_dict(self) -> Dict[str, Any]:
        """The object that ``foregone compare --json`` prints."""
        return dict(self._data)

    def to_dataframe(self) -> Any:
        """Every run as a row of a frame of pandas."""
        import pandas

        return pandas.DataFrame(self.runs)

    def __repr__(self) -> str:
        return f"<Comparison: {len(self.rows)} searches>"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        """The plot, and a table below it; the first of many searches, as ``to_dataframe`` has all."""
        most = 40
        head = ["game", "search", "value", "nodes", "expansions", "seconds"]
        rows = [_compared(row) for row in self.rows[:most]]
        asked = {(row["game"], row["position"]) for row in self.rows}
        if len(asked) > len({game for game, _ in asked}):
            head.insert(1, "position")
            rows = [[one[0], row["position"], *one[1:]] for row, one in zip(self.rows, rows)]
        told = _html.table(rows, head)
        if len(self.rows) > most:
            told += _html.paragraph(f"… and {len(self.rows) - most} more searches: see to_dataframe()")
        for misfit in self.misfits:
            told += _html.paragraph(f"left out: {misfit['search']}: {misfit['why']}")
        for contradiction in self.contradictions:
            told += _html.paragraph(f"contradiction: {contradiction}")
        return f"<div><div style='overflow-x:auto'>{self.svg}</div>{told}</div>"


def _compared(row: Dict[str, Any]) -> List[str]:
    """A row of a comparison in words. What was stopped would have taken more."""
    search = row["driver"] if row["scheme"] is None else f"{row['scheme']} + {row['driver']}"
    value = row["value"] if row["value"] is not None else " to ".join(row["bounds"])
    counts = [row[name] for name in ("nodes", "expansions")]
    told = [f"{'> ' if count['at_least'] else ''}{count['value']:,.0f}" for count in counts]
    return [row["game"], search, value, *told, f"{row['seconds']['value']:.3f}"]


def compare(
    games: Union[AnyGame, Iterable[AnyGame]],
    schemes: Optional[Sequence[str]] = None,
    drivers: Optional[Sequence[str]] = None,
    *,
    question: Optional[str] = None,
    time: Optional[Amount] = None,
    nodes: Optional[Amount] = None,
    memory: Optional[Amount] = None,
    threads: Optional[int] = None,
    seeds: Optional[Sequence[int]] = None,
    repeat: Optional[int] = None,
    plot: Optional[str] = None,
    on_progress: Optional[OnProgress] = None,
    progress: bool = False,
    **options: Any,
) -> Comparison:
    """Solve games by several schemes and drivers, and say what each took: a frame, and a plot.

    ``plot`` is ``nodes``, ``seconds`` or ``cactus``. Further options are those of ``foregone compare --help``.

    >>> import foregone
    >>> compared = foregone.compare("nim:1,2,3", schemes=["pn", "pp"], drivers=["tree", "dag"])
    >>> [row["value"] for row in compared.rows], compared.contradictions
    (['loss', 'loss', 'loss', 'loss'], [])
    """
    several: Any = games
    if not (isinstance(games, (list, tuple, set)) or hasattr(games, "__next__")):
        several = [games]
    opened = [_opened(game, None) for game in several]
    places = {place for _, place in opened if place is not None}
    if places and len(opened) > 1:
        raise TypeError("positions are compared one at a time, or by `position=`")
    told: Dict[str, Any] = {
        "schemes": schemes,
        "drivers": drivers,
        "question": question,
        "time": time,
        "nodes": nodes,
        "memory": memory,
        "threads": threads,
        "seeds": seeds,
        "repeat": repeat,
        "plot": plot,
        **options,
    }
    if places:
        told["position"] = places.pop()
    with Listener(on_progress, progress, "compare") as hears:
        data, svg = _foregone.compare([game._game for game, _ in opened], words(told), hears)
    return Comparison(json.loads(data), svg)


class Match:
    """How a match ended: ``wins``, ``draws`` and ``losses`` of the first player, ``score`` and ``elo``."""

    def __init__(self, data: Dict[str, Any], text: str) -> None:
        self._data = data
        self.text = text
        self.wins: int = data["wins"]
        self.draws: int = data["draws"]
        self.losses: int = data["losses"]
        self.score: float = data["score"]
        self.elo: Optional[Dict[str, Any]] = data["elo"]
        self.games: List[Dict[str, Any]] = data["games"]
        self.interrupted: bool = data["interrupted"]

    def to_dict(self) -> Dict[str, Any]:
        """The object that ``foregone match --json`` prints."""
        return dict(self._data)

    def to_dataframe(self) -> Any:
        """Every game as a row of a frame of pandas."""
        import pandas

        return pandas.DataFrame(self.games)

    def __repr__(self) -> str:
        return f"<Match: {self.wins} wins, {self.draws} draws, {self.losses} losses>"


def match(
    game: AnyGame,
    player: str,
    foe: str,
    *,
    games: Optional[int] = None,
    position: Optional[Union[str, Position]] = None,
    time: Optional[Amount] = None,
    nodes: Optional[Amount] = None,
    playouts: Optional[Amount] = None,
    openings: Optional[int] = None,
    threads: Optional[int] = None,
    seed: Optional[int] = None,
    on_progress: Optional[OnProgress] = None,
    progress: bool = False,
) -> Match:
    """Let two players play many games: ``default``, ``random``, or a search such as ``dag pn``.

    >>> import foregone
    >>> played = foregone.match("tic-tac-toe", "default", "random", games=4, playouts=100)
    >>> played.wins + played.draws + played.losses
    4
    """
    opened, place = _opened(game, position)
    told = {
        "games": games,
        "position": place,
        "time": time,
        "nodes": nodes,
        "playouts": playouts,
        "openings": openings,
        "threads": threads,
        "seed": seed,
    }
    with Listener(on_progress, progress, opened.name) as hears:
        data, text = _foregone.play_match(opened._game, [player, foe], words(told), hears)
    return Match(json.loads(data), text)


def games() -> List[Dict[str, Any]]:
    """The games that are built in, with their options and rules.

    >>> import foregone
    >>> [game["options"] for game in foregone.games() if game["name"] == "hex"]
    ['SIZE (4)']
    """
    told: List[Dict[str, Any]] = json.loads(_foregone.games())
    return told


def schemes() -> Dict[str, List[Tuple[str, str]]]:
    """The words for schemes and drivers, each with its meaning."""
    told = json.loads(_foregone.schemes())
    return {kind: [(word, about) for word, about in pairs] for kind, pairs in told.items()}
