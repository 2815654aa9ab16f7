"""Tables with the algorithms side by side, and the signs of verdicts and of significance."""

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import pandas as pd

from .layout import heading
from .printed import label


@dataclass(frozen=True, eq=False)
class Table:
    """A table that shows itself as text and as HTML.

    Attributes
    ----------
    title : str
        Which table it is; shown as its caption.
    cells : DataFrame
        Every number behind the table, not rounded, one row a cell, with its verdict.
    shown : DataFrame of str
        The text of each cell, rounded to what is meant; further lines of a cell are set small.
    verdicts : DataFrame of str
        The verdict on each cell, "" where there is none; same shape as `shown`.
    css : str
        CSS classes of the table: "dataframe prose" for one of sentences.
    """

    title: str
    cells: pd.DataFrame
    shown: pd.DataFrame
    verdicts: pd.DataFrame
    css: str = "dataframe"

    def to_string(self) -> str:
        """Write the table in plain text, each cell in one line."""
        in_one_line = self.shown.map(lambda text: str(text).replace("\n", " / "))
        return f"{self.title}\n{in_one_line.to_string()}"

    def to_html(self) -> str:
        """Write the table in HTML: a caption, and on each cell the class of its verdict.

        The class of "no printed value" is `verdict-no-printed-value`.  Every header says what it is the
        header of, and none is empty.
        """
        index, columns = self.shown.index, self.shown.columns
        corner = [_header(name or "", "col", columns.nlevels) for name in index.names]
        heads = [_heads(columns, level) for level in range(columns.nlevels)]
        heads[0] = corner + heads[0]
        cells = zip(_sides(index), self.shown.to_numpy(), self.verdicts.to_numpy(), strict=True)
        rows = [[*sides, *map(_cell, texts, verdicts)] for sides, texts, verdicts in cells]
        return (
            f'<table class="{self.css}">\n<caption>{escape(self.title)}</caption>\n'
            f"<thead>{_rows(heads)}</thead>\n<tbody>{_rows(rows)}</tbody>\n</table>"
        )

    def counts(self) -> dict[Any, int]:
        """Count the cells with each verdict."""
        return self.cells["verdict"].value_counts().sort_index().to_dict()

    def __repr__(self) -> str:
        """Show the plain text."""
        return self.to_string()

    def _repr_html_(self) -> str:
        name = re.sub(r"\W+", "-", self.title.partition(":")[0]).lower()
        return f"{self.to_html()}\n{csv_link(self.cells.to_csv(float_format='%.6g'), name)}"


def csv_link(text: str, name: str) -> str:
    """Write a link that holds a file of comma-separated values, so that it works without a server.

    Parameters
    ----------
    text : str
        What the file contains.
    name : str
        Name of the file, without extension.
    """
    coded = base64.b64encode(text.encode()).decode()
    return f'<a class="csv" download="{name}.csv" href="data:text/csv;base64,{coded}">CSV</a>'


def verdict_class(verdict: str) -> str:
    """Name the class of a verdict in style sheets, "" where there is no verdict."""
    return verdict and "verdict-" + verdict.replace(" ", "-")


def _rows(rows: Iterable[list[str]]) -> str:
    return "".join(f"\n<tr>{''.join(cells)}</tr>" for cells in rows)


def _heads(columns: pd.Index, level: int) -> list[str]:
    """Headers of one row: equal neighbours become one, and a column without lower names reaches down."""
    labels, heads = _labels(columns), []
    for place, n in _runs(labels, level):
        label = labels[place]
        if level and not any(label[level:]):
            continue  # the header above reaches down to here
        n_rows = columns.nlevels - level if not any(label[level + 1 :]) else 1
        is_last = level + n_rows == columns.nlevels
        heads.append(_header(label[level], "col" if is_last else "colgroup", n_rows, n))
    return heads


def _sides(index: pd.Index) -> list[list[str]]:
    """Headers of each row: equal names that follow each other become one, but for those of the last level."""
    labels = _labels(index)
    sides: list[list[str]] = [[] for _ in labels]
    for level in range(index.nlevels):
        is_last = level + 1 == index.nlevels
        for place, n in [(k, 1) for k in range(len(labels))] if is_last else _runs(labels, level):
            sides[place].append(_header(labels[place][level], "row" if n == 1 else "rowgroup", n))
    return sides


def _labels(index: pd.Index) -> list[tuple[Any, ...]]:
    return [label if isinstance(label, tuple) else (label,) for label in index]


def _runs(labels: list[tuple[Any, ...]], level: int) -> Iterator[tuple[int, int]]:
    """Place and length of each run of labels that are equal down to a level."""
    starts = [k for k, x in enumerate(labels) if not k or x[: level + 1] != labels[k - 1][: level + 1]]
    for start, end in pairwise([*starts, len(labels)]):
        yield start, end - start


def _header(name: object, scope: str, n_rows: int = 1, n_columns: int = 1) -> str:
    spans = "".join(f' {kind}="{n}"' for kind, n in (("rowspan", n_rows), ("colspan", n_columns)) if n > 1)
    return f'<th scope="{scope}"{spans}>{escape(str(name))}</th>'


def _cell(text: object, verdict: str) -> str:
    first, *others = escape(str(text), quote=False).split("\n")
    small = "".join(f"<br><small>{line}</small>" for line in others)
    mark = f' class="{verdict_class(verdict)}"' if verdict else ""
    return f"<td{mark}>{first}{small}</td>"


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
    title: str, cells: pd.DataFrame, texts: Mapping[str, Callable[[Any], str]], judged: str = ""
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
