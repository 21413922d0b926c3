"""From keyword arguments to the words that the command line has for them."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

Event = Dict[str, Any]
OnProgress = Callable[[Event], Any]

# Words of the command line that are not names in Python, or that are better said with a yes.
_OTHERWISE = {"player": "for", "protagonist": "as"}
# Options that may be said several times, as their words have commas in them.
_SEVERAL = frozenset(["position", "twin"])
_USUALLY_YES = frozenset(["knowledge", "symmetry", "cover", "cuts", "zones"])


def words(options: Mapping[str, Any]) -> List[str]:
    """The words for some options.

    >>> words({"time": 60, "moves": True, "knowledge": False, "scheme": None})
    ['--time=60', '--moves', '--no-knowledge']
    >>> words({"schemes": ["pn", "pp"], "position": ["1,2 first", "1,1 first"]})
    ['--schemes=pn,pp', '--position=1,2 first', '--position=1,1 first']
    """
    told: List[str] = []
    for name, value in options.items():
        word = _OTHERWISE.get(name, name).replace("_", "-")
        if value is None:
            continue
        if name in _USUALLY_YES:
            if not value:
                told.append(f"--no-{word}")
        elif value is True:
            told.append(f"--{word}")
        elif value is False:
            continue
        elif isinstance(value, (str, bytes, os.PathLike)):
            told.append(f"--{word}={os.fspath(value)!s}")
        elif name in _SEVERAL:
            told += [f"--{word}={part}" for part in value]
        elif hasattr(value, "__iter__"):
            told.append(f"--{word}={','.join(str(part) for part in value)}")
        else:
            told.append(f"--{word}={value}")
    return told


class Listener:
    """Who hears of progress: a function, a bar of tqdm, or nobody."""

    def __init__(self, on_progress: Optional[OnProgress], progress: bool, title: str) -> None:
        self._function = on_progress
        self._bar: Any = None
        if progress:
            self._bar = _bar(title)

    def __enter__(self) -> Optional[Callable[[str], None]]:
        if self._function is None and self._bar is None:
            return None
        return self._hear

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _hear(self, text: str) -> None:
        event: Event = json.loads(text)
        if self._bar is not None:
            amount, note = _summary(event)
            if amount is not None:
                self._bar.update(max(0, amount - self._bar.n))
            if note:
                self._bar.set_postfix_str(note, refresh=False)
        if self._function is not None:
            self._function(event)


def _bar(title: str) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(desc=title, unit=" nodes", unit_scale=True, leave=False)


def _summary(event: Event) -> Tuple[Optional[int], str]:
    """How much is done, and a few words about it."""
    kind = event.get("event")
    if kind == "progress":
        low, high = event["bounds"]
        return event["nodes"], low if low == high else f"{low} to {high}"
    if kind == "working":
        return None, f"{event['work']} {100 * event['share']:.0f} %"
    if kind == "played":
        return event["played"], f"{event['points']} points"
    return None, ""
