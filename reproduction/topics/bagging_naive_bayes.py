"""Bagging Naive Bayes, batch and online (thesis section 3.5.2, Table 3.4): the claims.

The runs are made by `studies/accuracy`, and the table by `printed/accuracy_tables`.
"""

import pandas as pd

from ..claims.criteria import (
    beside,
    better,
    comparable,
    differs,
    every,
    missed,
    names,
    nowhere,
    opposite,
    places,
)
from ..claims.registry import Decision, claim, require

_NOTHING = "needs two splits or more of each algorithm"


@claim("C070", evidence=lambda record: (record.accuracy("3.4"),))
def bagging_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.4: online bagging is like batch bagging, and both are mostly like the single model.

    The claim holds if batch and online bagging are comparable over the data sets, as for C066, and more than
    half of the ensembles are equal to the single model, each by the rule of equality. It fails if batch and
    online are not comparable, or if half of the ensembles differ from the single model, significantly by
    Holm's correction.
    """
    alike, evidence = comparable(beside(cells, "other", "bagging"))
    gains = beside(cells, "single", "bagging", "online_bagging")
    require(not gains.empty, _NOTHING)
    found = differs(gains)
    mostly = nowhere(found, (len(gains) - 1) // 2)
    evidence = f"batch and online {evidence}; ensembles and one model {places(gains, found)}"
    return every([alike, mostly]), evidence


@claim("C108", evidence=lambda record: (record.accuracy("3.4"),))
def bagging_gains_nothing(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.4: no ensemble is significantly better than the single model.

    The claim fails if one is better by the corrected test and Holm's correction over all ensembles. It holds
    if none is better even without Holm's correction, and no corrected interval leaves room for a gain of more
    than 0.01. Rows that are excluded do not count; the evidence names those that would contradict the claim.
    """
    gains = beside(cells, "single", "bagging", "online_bagging")
    require(not gains.empty, _NOTHING)
    found = better(gains)
    excluded = cells[(cells["verdict"] == "excluded") & (cells["welch"] == "better")]
    also = f"; excluded: {names(excluded.index.get_level_values('dataset'))}" if len(excluded) else ""
    return nowhere(found), f"ensembles {places(gains, found, 'better')}{also}"


@claim("C071", evidence=lambda record: (record.accuracy("3.4"),))
def batch_wins_on_chess(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.4: batch bagging is significantly better than online bagging on Chess.

    The claim holds if it is better by the corrected test. It is contradicted if it is not better even by
    Welch's test, to which the printed star refers. The margin of equality does not matter: the printed
    difference, too, may be smaller.
    """
    found = beside(cells, "other", "bagging").query("dataset == 'chess'")
    require(not found.empty, "no results on chess")
    row, (is_missed,) = found.iloc[0], missed(found)
    return opposite(is_missed), (
        f"batch minus online {row['difference']:+.4f} ± {row['half_width']:.4f} (95 % interval)"
    )
