"""Answers in notebooks: tables, and trees that one can open.

Colours and letters are those of the page, so that all of it can be read on light and on dark ones.
"""

from __future__ import annotations

import html
from typing import Iterable, List, Optional, Sequence

#: A tree has at most so many lines.
MOST_LINES = 1000

#: Notebooks would have it on the right.
_CELL = "text-align:left;vertical-align:top"


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    """Rows of text as a table.

    >>> table([["a<b", "1"]], head=["what", "how many"]).count("&lt;")
    1
    """
    lines = ["".join(f"<th style='{_CELL}'>{html.escape(cell)}</th>" for cell in head)] if head else []
    for first, *others in rows:
        cells = [f"<td style='{_CELL};white-space:nowrap'>{_lines(first)}</td>"]
        cells += [f"<td style='{_CELL}'>{_lines(cell)}</td>" for cell in others]
        lines.append("".join(cells))
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def beside(picture: str, text: str) -> str:
    """A picture with HTML beside it, or below it on a narrow page."""
    row = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start"
    wide = "flex:1 1 20em;min-width:0"
    return f"<div style='{row}'><div>{picture}</div><div style='{wide}'>{text}</div></div>"


def paragraph(text: str) -> str:
    """A paragraph of text."""
    return f"<p>{html.escape(text)}</p>"


def tree(text: str) -> str:
    """Lines of text as a tree: what stands further to the right belongs to the line above it.

    >>> tree("top:\\n  a1\\n    b1: c1 .").count("<details")
    2
    >>> "<script>" in tree("top:\\n  <script>")
    False
    """
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines()]
    lines = [(indent, words) for indent, words in lines if words]
    if len(lines) > MOST_LINES:
        left_out = len(lines) - MOST_LINES
        lines[MOST_LINES:] = [(0, f"… and {left_out} more lines")]
    parents = _parents([indent for indent, _ in lines])
    parts: List[str] = []
    opened: List[int] = []
    for at, (_, words) in enumerate(lines):
        while opened and opened[-1] != parents[at]:
            opened.pop()
            parts.append("</div></details>")
        text = html.escape(words)
        if parents[at] is None:
            text = f"<strong>{text}</strong>"
        if at not in parents:
            # Where others have a triangle, this has room.
            parts.append(f"<div style='margin-left:1em'>{text}</div>")
            continue
        # What is the only way on is open, as there is nothing to choose.
        shown = " open" if parents[at] is None or parents.count(parents[at]) == 1 else ""
        parts.append(f"<details{shown}><summary>{text}</summary><div style='margin-left:1.5em'>")
        opened.append(at)
    parts += ["</div></details>"] * len(opened)
    return f"<div>{''.join(parts)}</div>"


def _parents(indents: List[int]) -> List[Optional[int]]:
    """For each line the last one before it that is less far to the right."""
    above: List[int] = []
    parents: List[Optional[int]] = []
    for at, indent in enumerate(indents):
        while above and indents[above[-1]] >= indent:
            above.pop()
        parents.append(above[-1] if above else None)
        above.append(at)
    return parents


def _lines(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")
