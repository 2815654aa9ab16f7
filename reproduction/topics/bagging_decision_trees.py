"""Bagging decision trees, batch and online (thesis section 3.5.2, Table 3.3): the claims.

The runs are made by `studies/accuracy`, and the table by `printed/accuracy_tables`.
What a tree costs that predicts after each example is measured with what the topic `speed` reads.
"""

from collections.abc import Mapping

import pandas as pd

from oza.datasets import dataset_info, list_datasets

from ..claims.criteria import beside, comparable, differs, every, missed, nowhere, places
from ..claims.registry import Decision, claim, require
from ..printed.accuracy import accuracy_cells
from ..printed.record import Record
from ..statistics import PRINTED_SPLITS
from ..studies.accuracy import UNPRUNED
from .speed import benchmark_cells, read_benchmarks

TOO_EXPENSIVE = 10


@claim("C066", evidence=lambda record: (record.accuracy("3.3"),))
def bagged_trees_match_online(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.3: batch and online bagging are comparable over its data sets.

    The claim holds if their mean difference over the data sets is equal to 0 by the rule of equality, and
    they differ on at most one data set in ten. It fails if the mean is different from 0, or they differ on
    significantly more than one data set in ten: two tests, with Holm's correction.
    """
    return comparable(beside(cells, "other", "bagging"))


@claim("C067", evidence=lambda record: (record.accuracy("3.3"),), given=("cells.printed",))
def bagging_improves_trees(cells: pd.DataFrame) -> Decision:
    """Judge Table 3.3: both algorithms are significantly better on its eight data sets except Mushroom.

    Significance is by the corrected test. On Mushroom both must be equal to one tree by the rule of equality.
    The claim is contradicted if they differ there, or if one of them is not better on another data set even
    by Welch's test, which is the thesis's. The margin of equality does not matter where a gain is claimed:
    the gains that are printed for Chess are smaller.
    """
    gains = beside(cells[cells["printed"].notna()], "single", "bagging", "online_bagging")
    on_mushroom = gains.index.isin(["mushroom"], level="dataset")
    claimed, there = gains[~on_mushroom], gains[on_mushroom]
    not_found, differing = missed(claimed), differs(there)
    evidence = f"{places(claimed, not_found, 'not better')}; on Mushroom {places(there, differing)}"
    n_wanted = 2 * cells["printed"].notna().groupby(level="dataset").any().sum()
    is_run = True if len(gains) == n_wanted else None
    return every([nowhere(not_found), nowhere(differing), is_run]), evidence


@claim("C068", evidence=lambda record: (record.rows("3.3"),))
def one_tree_is_perfect_on_mushroom(results: pd.DataFrame) -> Decision:
    """Judge Table 3.3: single trees make no error on Mushroom.

    One error on any split contradicts the claim. It holds without an error on all fifty splits of the
    protocol; on fewer splits without an error it is undecided.
    """
    runs = results.query("dataset == 'mushroom' and algorithm == 'single'")
    require(not runs.empty, "no results on mushroom")
    wrong = runs["n_test"] - runs["n_correct"]
    return False if wrong.any() else True if len(runs) >= PRINTED_SPLITS else None, (
        f"{wrong.sum()} errors on {runs['n_test'].sum():,} test examples, none on {(wrong == 0).sum()} of "
        f"{len(runs)} splits"
    )


def _asked_after_each(record: Record) -> tuple[pd.DataFrame, dict[str, int]]:
    cells = benchmark_cells(read_benchmarks() or {"rows": []})
    record.note("benchmarks", cells)
    return cells, {name: dataset_info(name).n_train for name in list_datasets()}


@claim("C069", evidence=_asked_after_each, given=("sizes",))
def online_trees_are_expensive(benchmarks: pd.DataFrame, sizes: Mapping[str, int]) -> Decision:
    """Judge benchmarks of a tree that predicts after each example, beside one learned in batch.

    "Too expensive on large data sets" means that, on the largest set timed, it takes at least ten times the
    time of the batch tree for the same examples, and that this factor is larger there than on the smallest.
    If it is not larger, the claim fails; if it is, but still below ten, larger sets would have to be timed.
    (That such a tree must store the examples follows from its algorithm.)
    """
    asked = benchmarks[benchmarks["task"] == "prequential"].set_index("dataset")
    trees = asked[(asked["work"] == "one lossless online tree") & (asked["peer"] == "oza, batch")]
    require(trees.index.nunique() >= 2, "needs benchmarks of an online tree on two data sets or more")
    trees = trees.loc[sorted(trees.index, key=sizes.__getitem__)]
    factor = trees["peer_rate"] / trees["rate"]
    evidence = "with a prediction after each example, a tree takes " + ", ".join(
        f"{times:.1f} times as long as in batch on {name} ({sizes[name]:,} examples)"
        for name, times in zip(trees.index, factor, strict=True)
    )
    for dataset, each in asked.loc[asked["work"] == "one Naive Bayes", "rate"].items():
        times = each / trees["rate"].iloc[-1]
        evidence += f"; an example takes {times:.0f} times as long as with Naive Bayes on {dataset}"
    grows = factor.iloc[-1] > factor.iloc[0]
    larger = f"the factor is larger on the largest set than on the smallest, and below {TOO_EXPENSIVE}"
    require(not grows or factor.iloc[-1] >= TOO_EXPENSIVE, f"{evidence}; {larger}")
    return bool(grows), evidence


def both_kinds(record: Record) -> pd.DataFrame:
    """Give the cells of Table 3.3 for both kinds of trees: "pruned", as in the table, and "unpruned"."""
    unpruned = accuracy_cells(record.results(UNPRUNED), "3.3")
    return pd.concat({"pruned": record.accuracy("3.3"), "unpruned": unpruned}, names=["trees"])


def agreement_of_trees(trees: pd.DataFrame) -> pd.DataFrame:
    """Count the cells of Table 3.3 by verdict, for trees pruned and not.

    Over the cells that are judged for both: how many have the verdict `agrees`, `undecided` and `differs`,
    `of` how many, and the mean `distance`, the size of ours − printed.

    >>> from reproduction.printed.record import Record
    >>> from reproduction.topics.bagging_decision_trees import agreement_of_trees, both_kinds
    >>> agreement_of_trees(both_kinds(Record("smoke")))["of"].to_dict()
    {'pruned': 6, 'unpruned': 6}
    """
    found = ("agrees", "undecided", "differs")
    judged = trees[trees["verdict"].isin(found)]
    both = judged[judged.reset_index("trees").index.duplicated(keep=False)]
    distance = (both["mean"] - both["printed"]).abs().groupby("trees", sort=False)
    counts = {name: (both["verdict"] == name).groupby("trees", sort=False).sum() for name in found}
    return pd.DataFrame(counts | {"of": distance.size(), "distance": distance.mean()})
