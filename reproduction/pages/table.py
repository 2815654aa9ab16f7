"""Tables with the algorithms side by side, and the signs of verdicts and of significance."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd

from oza.compare.table import Table

from ..tables.layout import heading
from ..tables.printed import label

#: The sign of each verdict that has one; the others say that there is nothing to judge.
SIGNS = {
    "agrees": "✓",
    "holds": "✓",
    "conforms": "✓",
    "deviates": "✗",
    "crashes": "✗",
    "hangs": "✗",
    "differs": "✗",
    "explained": "∵",
    "fails": "✗",
    "not reproduced": "≠",
    "undecided": "?",
    "untestable": "∅",
    "excluded": "∅",
    "cannot be observed": "∅",
}

#: The sign of what a test of significance finds; it finds "none" where there is no sign.
MARKS = {"better": "▲", "worse": "▽", "unknown": "–"}


def signed(text: str, verdict: str) -> str:
    """Put the sign of a verdict before a text.

    >>> signed("0.8611", "agrees"), signed("0.8611", "not run"), signed("", "differs")
    ('✓ 0.8611', '0.8611', '✗')
    """
    return " ".join(filter(None, (SIGNS.get(verdict, ""), text)))


def stacked(*lines: str) -> str:
    """Put the lines of a cell below each other, without those that are empty."""
    return "\n".join(filter(None, lines))


def legend(verdicts: Iterable[str]) -> str:
    """Say what the signs of these verdicts mean.

    >>> legend(["not run", "differs", "agrees", "differs"])
    '✓ agrees, ✗ differs'
    """
    occurring = set(verdicts)
    return ", ".join(f"{sign} {verdict}" for verdict, sign in SIGNS.items() if verdict in occurring)


def side_by_side(
    title: str,
    cells: pd.DataFrame,
    texts: Mapping[str, Callable[[Any], str]],
    judged: str = "",
) -> Table:
    """Lay out one row a data set, the algorithms side by side, each with some columns of text.

    `texts` say for each column of an algorithm how to write a cell (a mapping of its values); an only column
    needs no name. The column `judged` carries the verdict of the column `verdict` of `cells`, with its sign.
    """
    shown, verdicts = {}, {}
    for algorithm in cells.index.unique("algorithm"):
        part = cells[cells.index.get_level_values("algorithm") == algorithm].to_dict("records")
        for name, text in texts.items():
            column = heading(algorithm) if len(texts) == 1 else (heading(algorithm), name)
            marks = [cell.get("verdict", "") if name == judged else "" for cell in part]
            shown[column] = [signed(text(cell), mark) for cell, mark in zip(part, marks, strict=True)]
            verdicts[column] = marks
    index = pd.Index([label(name) for name in cells.index.unique("dataset")], name="Data set")
    return Table(title, cells, pd.DataFrame(shown, index), pd.DataFrame(verdicts, index))
