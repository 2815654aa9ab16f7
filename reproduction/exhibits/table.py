"""Tables with the algorithms side by side."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from oza.compare.table import Table

from ..tables.layout import heading
from ..tables.printed import label


def side_by_side(title: str, cells: pd.DataFrame, texts: Mapping[str, Callable[[Any], str]]) -> Table:
    """Lay out one row a data set, the algorithms side by side, each with some columns of text.

    Parameters
    ----------
    title : str
        Which table it is.
    cells : DataFrame
        Indexed by data set and algorithm; a column `verdict` marks the cells.
    texts : mapping
        For each column of an algorithm, how to write a cell (a mapping of its values).
    """
    shown, verdicts = {}, {}
    for algorithm in cells.index.unique("algorithm"):
        part = cells[cells.index.get_level_values("algorithm") == algorithm].to_dict("records")
        for name, text in texts.items():
            shown[heading(algorithm), name] = [text(cell) for cell in part]
            verdicts[heading(algorithm), name] = [cell.get("verdict", "") for cell in part]
    index = pd.Index([label(name) for name in cells.index.unique("dataset")], name="Data set")
    return Table(title, cells, pd.DataFrame(shown, index), pd.DataFrame(verdicts, index))
