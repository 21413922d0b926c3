"""Games in the Game Description Language."""

from __future__ import annotations

import json
import os
from typing import Any, Dict

from . import _foregone
from ._ask import PathText
from ._game import Game


def load(path: PathText, **options: str) -> Game:
    """The game of a rulesheet, for all that games are asked: ``load("chomp.kif")`` is ``gdl:chomp.kif``."""
    words = "".join(f",{name}={value}" for name, value in options.items())
    return Game(f"gdl:{os.fspath(path)}{words}")


def check(path: PathText, *, playouts: int = 20) -> Dict[str, Any]:
    """What GDL demands and a rulesheet breaks, and what random play shows."""
    told: Dict[str, Any] = json.loads(_foregone.gdl_check(path, playouts))
    return told
