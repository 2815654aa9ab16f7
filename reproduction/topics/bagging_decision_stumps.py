"""Bagging decision stumps, batch and online (thesis section 3.5.2, Table 3.5): the claims.

The runs are made by `studies/accuracy`, and the table by `printed/accuracy_tables`.
"""

import pandas as pd

from ..claims.criteria import beside, comparable, counted, differs, every, names, not_better, nowhere, places
from ..claims.registry import Decision, claim


@claim("C073", evidence=lambda record: (record.by_the_program("3.5"),))
def bagged_stumps_match_online(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.5: batch and online bagging are comparable over its data sets.

    The stumps are those of C072, of a program that matches the table.

    The claim holds if their mean difference over the data sets is equal to 0 by the rule of equality, and
    they differ on at most one data set in ten. It fails if the mean is different from 0, or they differ on
    significantly more than one data set in ten: two tests, with Holm's correction.
    """
    return comparable(beside(cells, "other", "bagging"))


@claim("C072", evidence=lambda record: (record.by_the_program("3.5"),), given=("cells.printed",))
def bagging_improves_few_stumps(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.5: both algorithms are significantly better on Promoters and Balance, and only there.

    The claim is about the stumps of this table. If no printed cell differs with the stumps of a program,
    these are judged, otherwise ours. Significance is by the corrected test. On the other data sets both must
    be equal to one stump by the rule of equality, with Holm's correction over these data sets.
    """
    found, wanted = counted(cells), {"promoters", "balance"}
    judged = wanted | set(found[found["printed"].notna()].index.get_level_values("dataset"))
    gains = beside(cells, "single", "bagging", "online_bagging")
    gains = gains[gains.index.isin(judged, level="dataset")]
    is_wanted = gains.index.isin(wanted, level="dataset")
    claimed, others = gains[is_wanted], gains[~is_wanted]
    not_found, differing = not_better(claimed), differs(others)
    where_claimed = f"where claimed, {places(claimed, not_found, 'not better')}"
    missing = judged - set(gains.index.get_level_values("dataset"))
    not_run = f"; not run: {names(missing)}" if missing else ""
    return every([nowhere(not_found), nowhere(differing), None if missing else True]), (
        f"{where_claimed}; elsewhere, {places(others, differing)}{not_run}"
    )
