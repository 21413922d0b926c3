"""Tables of all positions, as ``foregone table`` makes them.

>>> import foregone, tempfile
>>> folder = tempfile.mkdtemp()
>>> built = foregone.table.build("nim:1,2,3", dir=folder)
>>> built["complete"]
True
>>> foregone.table.probe("nim:1,2,3", dir=folder)["value"]
'loss'
>>> foregone.table.verify("nim:1,2,3", dir=folder)["complete"]
True
"""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Union

from . import _foregone
from ._ask import AnyGame, PathText, _opened
from ._game import Position
from ._words import Listener, OnProgress

Data = Dict[str, Any]


def build(
    game: AnyGame,
    classes: str = "",
    *,
    dir: PathText = "tables",
    threads: Optional[int] = None,
    memory: Union[None, int, str] = None,
    on_progress: Optional[OnProgress] = None,
    progress: bool = False,
) -> Data:
    """Build the tables of some classes, with all that they lead to."""
    opened, _ = _opened(game, None)
    amount = None if memory is None else str(memory)
    with Listener(on_progress, progress, opened.name) as hears:
        told = _foregone.table_build(opened._game, classes, dir, threads, amount, hears)
    return _data(told)


def probe(
    game: AnyGame, position: Union[None, str, Position] = None, *, dir: PathText = "tables"
) -> Data:
    """Look a position up: its value, how far the end is, and what each move is worth."""
    opened, place = _opened(game, position)
    return _data(_foregone.table_probe(opened._game, dir, place or "start"))


def info(game: AnyGame, table: str = "", *, dir: PathText = "tables") -> Data:
    """What a table holds: outcomes, distances, the longest way."""
    opened, _ = _opened(game, None)
    return _data(_foregone.table_info(opened._game, table, dir))


def verify(
    game: AnyGame,
    classes: str = "",
    *,
    dir: PathText = "tables",
    threads: Optional[int] = None,
    on_progress: Optional[OnProgress] = None,
    progress: bool = False,
) -> Data:
    """Check every entry by the rules."""
    opened, _ = _opened(game, None)
    with Listener(on_progress, progress, opened.name) as hears:
        return _data(_foregone.table_verify(opened._game, classes, dir, threads, hears))


def list(dir: PathText = "tables") -> List[Data]:
    """The tables in a folder."""
    told: List[Data] = json.loads(_foregone.table_list(dir))
    return told


def _data(text: str) -> Data:
    data: Data = json.loads(text)
    return data
