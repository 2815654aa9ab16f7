"""Claims about other ways of boosting online.

The rule of C147, which is that of an older claim, was chosen when a part of the runs had been compared.
"""

from typing import Any

import pandas as pd

from ..printed.record import Record
from ..printed.repairs import beside_references
from ..record.lists import in_time
from ..studies.repairs import THESIS, repaired_boosting
from .criteria import overall_better
from .registry import Decision, claim


def os_boost_beside_the_thesis(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: OSBoost and the thesis's online boosting, on the pairs of data set and base model."""
    rows = in_time("repaired-boosting", repaired_boosting.recorded("thesis"))
    record.note("repaired-boosting", rows[rows["algorithm"] == "os_boost"])
    cells: Any = beside_references(rows)
    return (cells.xs(("os_boost", THESIS), level=("way", "reference")),)


@claim("C147", evidence=os_boost_beside_the_thesis)
def os_boost_compares_favorably(comparison: pd.DataFrame) -> Decision:
    """Judge OSBoost against the thesis's online boosting: it must be better overall, as for C040.

    The rows are pairs of data set and base model: trees, Naive Bayes and stumps. What was run after the end
    of the study does not count.
    """
    decision, evidence = overall_better(comparison)
    return decision, evidence.replace("data sets; ", "pairs; ", 1)
