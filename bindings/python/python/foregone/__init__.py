"""Who wins this game, and how do you know?

>>> import foregone
>>> answer = foregone.solve("domineering:5x5")
>>> answer.winner, answer.proof.checked
('horizontal', True)

A game is the name of one that is built in (``games()`` lists them), or an object of a class of your own: see
``Rules``. An answer comes with a proof that a small checker has replayed, or says that it has none.
"""

from . import gdl, table
from ._answer import Answer, Proof
from ._ask import (
    Comparison,
    Match,
    Nash,
    check,
    compare,
    games,
    match,
    nash,
    schemes,
    solve,
    verify,
)
from ._foregone import Error, ProofError, RulesError, __version__
from ._game import BOTH, CHANCE, Game, Position, Rules
from ._play import Play, play

__all__ = [
    "BOTH",
    "CHANCE",
    "Answer",
    "Comparison",
    "Error",
    "Game",
    "Match",
    "Nash",
    "Play",
    "Position",
    "Proof",
    "ProofError",
    "Rules",
    "RulesError",
    "__version__",
    "check",
    "compare",
    "games",
    "gdl",
    "match",
    "nash",
    "play",
    "schemes",
    "solve",
    "table",
    "verify",
]
