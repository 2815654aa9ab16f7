"""The claims of the conference paper of 2001.

Learning curves are compared as in the topic `online_boosting`.
"""

import pandas as pd

from ..claims.criteria import all_parts, better, differs, not_better
from ..claims.registry import Decision, claim, require
from ..printed.record import Record
from .online_boosting import UNTESTED, against, nowhere_along


@claim("C110", evidence=lambda record: (record.curve_cells("KDD 6"),))
def boosted_naive_bayes(cells: pd.DataFrame) -> Decision:
    """Judge learning curves of Naive Bayes, each part of the claim at every size.

    Batch and online boosting must be equal by the rule of equality, and significantly better than the single
    model; neither kind of bagging may be better than it. A difference refutes the first part, and a gain the
    last, if it is significant by Holm's correction over the sizes.
    """
    require(len(against(cells, "online_boosting", "boosting")) >= 2, UNTESTED)
    parts = [
        nowhere_along(cells, "online_boosting", "boosting", differs, "batch and online boosting differ"),
        nowhere_along(cells, "boosting", "single", not_better, "boosting not better than one model"),
        nowhere_along(cells, "online_boosting", "single", not_better, "online boosting not better"),
        nowhere_along(cells, "bagging", "single", better, "bagging better"),
        nowhere_along(cells, "online_bagging", "single", better, "online bagging better"),
    ]
    return all_parts(parts)


def _models_made(record: Record) -> tuple[pd.Series]:
    """Evidence: models of each run of batch boosting on the whole training set of Census Income."""
    return (record.curve("KDD 6").query("algorithm == 'boosting' and n_train == n_train.max()")["n_voting"],)


@claim("C116", evidence=_models_made)
def boosting_stops_early(n_models: pd.Series) -> Decision:
    """Judge how many base models batch boosting makes on the whole training set: at most 22.

    The split is supplied, so the runs differ only in the order of the examples, which has no influence on
    batch boosting of Naive Bayes.
    """
    require(not n_models.empty, "no run on the whole training set")
    made = n_models.unique()
    allowed = "the claim allows any number up to 22"
    runs = f"{made.min()} to {made.max()} models in {len(n_models)} runs"
    if len(made) == 1:
        runs = f"{made[0]} models, the same in all {len(n_models)} orders of the examples"
    return bool(made.max() <= 22), f"{runs}; {allowed}"
