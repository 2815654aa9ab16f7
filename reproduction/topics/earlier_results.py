"""Earlier online ensembles beside those of the thesis (section 2.4).

What a comparison is, "better overall" and "comparable" are defined in `criteria`. Some sentences of section
2.4 report what other authors found on other data; ours cannot refute these. Examples are shuffled as in
`earlier_online_ensembles`.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

import oza
from oza.datasets import load_dataset

from ..claims.criteria import better, comparable, every, holm, nowhere, overall_better, places, tested_rows
from ..claims.registry import Decision, claim, recorded, require
from ..columns import nominal_columns
from ..printed.record import Record
from ..record.simulation import simulation
from ..statistics import split_accuracies
from ..studies.algorithms import UPDATE_PROBABILITIES
from .earlier_online_ensembles import shuffled


@simulation(small={"sizes": (84, 500)})
def sizes_of_priming(sizes: Sequence[int] = (84, 500, 5000, 80_000), seed: int = 1) -> pd.DataFrame:
    """Determine how many examples primed online boosting learns in batch first, by trying numbers.

    The frame has columns n_train and n_prime: the ensemble with this `n_prime` equals the one with the
    default.
    """
    rows = []
    X, y = load_dataset("synthetic1", return_X_y=True, random_state=seed)
    known = {"n_estimators": 2, "random_state": seed, "categorical_features": nominal_columns(X)}
    primed = partial(oza.PrimedOnlineBoostingClassifier, **known)
    for n_train in sizes:
        some, fifth = (X[:n_train], y[:n_train]), n_train // 5
        by_default = primed().fit(*some).lambda_correct_
        for n_prime in {fifth - 1, fifth, fifth + 1, 9999, 10000, 10001} & set(range(1, n_train)):
            if np.array_equal(primed(n_prime=n_prime).fit(*some).lambda_correct_, by_default):
                rows.append((n_train, n_prime))
    return pd.DataFrame(rows, columns=["n_train", "n_prime"])


@simulation(small={"n_models": 3})
def arcing_of_pruned_trees(n_models: int = 25, seed: int = 1) -> tuple[float, list[float]]:
    """Learn four fifths of Balance Scale by online Arc-x4 of pruned trees.

    Give the accuracy on the other examples, and the error of each tree on examples that it has just learned.
    """
    X, y = shuffled("balance", seed)
    cut = len(y) * 4 // 5
    tree = oza.DecisionTreeClassifier(prune=True)
    model = oza.OnlineArcX4Classifier(tree, n_models, categorical_features=range(X.shape[1]))
    accuracy = model.fit(X[:cut], y[:cut]).score(X[cut:], y[cut:])
    return accuracy, list(model.estimator_errors_)


_FRACTION = "fixed_fraction_bagging_{}"


def _against(first: str, second: str) -> Callable[[Record], tuple[pd.DataFrame]]:
    """Evidence: two algorithms on the data sets of section 2.4."""
    return lambda record: (record.compare("2.4", first, second),)


@claim("C040", evidence=_against("boosting", "blocked_boosting"))
def boosting_beats_blocks(comparison: pd.DataFrame) -> Decision:
    """Judge AdaBoost against blocked boosting: it must be better overall.

    It is if it is significantly better on more data sets than it is significantly worse on, by the corrected
    test and Holm's correction over the data sets, and significantly more accurate on average over the data
    sets (t-test). The claim fails if both are reversed.
    """
    return overall_better(comparison)


for _number, _first, _second, _pair in (
    ("C041", "online_boosting", "blocked_boosting", "online boosting against blocked boosting"),
    ("C042", "primed_boosting", "blocked_boosting", "primed online boosting against blocked boosting"),
    ("C049", "boosting", "online_arc_x4", "AdaBoost against online Arc-x4"),
    ("C051", "primed_boosting", "online_arc_x4", "primed online boosting against online Arc-x4"),
):
    _rule = f"Judge {_pair}: it must be better overall, as for C040."
    claim(_number, _rule, evidence=_against(_first, _second))(overall_better)


@claim("C043", evidence=recorded(sizes_of_priming))
def priming_takes_a_fifth(sizes: pd.DataFrame) -> Decision:
    """Judge how many examples are learned in batch: the lesser of a fifth and 10,000.

    Parameters
    ----------
    sizes : DataFrame
        Columns n_train and n_prime; one training set below 50,000 examples and one above is needed.
    """
    enough = sizes["n_train"].min() < 50_000 < sizes["n_train"].max()
    require(enough, "needs training sets below and above 50,000 examples")
    wrong = sizes[sizes["n_prime"] != (sizes["n_train"] // 5).clip(upper=10_000)]
    pairs = ", ".join(f"{row.n_prime} of {row.n_train}" for row in sizes.itertuples())
    return wrong.empty, f"primes with {pairs}"


def block_sizes(record: Record) -> pd.DataFrame:
    """Give how many examples a block has on each data set of section 2.4.

    Parameters
    ----------
    record : Record

    Returns
    -------
    DataFrame
        Indexed by data set, a row for each size of its training sets: `n_train` and `block`.
    """
    rows = record.rows("2.4").query("algorithm == 'blocked_boosting'").drop_duplicates(["dataset", "n_train"])
    sizes = rows[["dataset", "n_train"]].set_index("dataset").sort_values("n_train", kind="stable")
    return sizes.assign(block=sizes["n_train"].clip(upper=oza.BlockedBoostingClassifier().block_size))


@claim("C044", evidence=lambda record: (block_sizes(record),))
def blocks_hold_a_hundred(blocks: pd.DataFrame) -> Decision:
    """Judge how many examples a block holds: 100, and for Promoters all 84 (or 85)."""
    enough = "promoters" in blocks.index and blocks.index.nunique() >= 2
    require(enough, "needs Promoters and another data set")
    wanted = blocks["n_train"].where(blocks.index == "promoters", 100)
    wrong = blocks[(blocks["block"] != wanted) | (wanted > 100)]
    promoters = blocks.loc[["promoters"], "block"]
    return wrong.empty, (
        f"Promoters {promoters.min()} to {promoters.max()}; "
        f"{len(wrong)} of {len(blocks)} differ from the claim"
    )


def fractions_against_tree(record: Record) -> pd.DataFrame:
    """Compare fixed-fraction bagging with a single tree.

    Parameters
    ----------
    record : Record

    Returns
    -------
    DataFrame
        What `compare` of `printed.comparing` gives for each update probability, the index's outer level.
    """
    parts = {p: record.compare("2.4", _FRACTION.format(p), "single") for p in UPDATE_PROBABILITIES}
    return pd.concat(parts, names=["P_u"])


@claim("C045", evidence=lambda record: (fractions_against_tree(record),))
def fixed_fraction_never_beats_a_tree(comparison: pd.DataFrame) -> Decision:
    """Judge fixed-fraction bagging against a single tree: it must not be significantly better anywhere.

    The claim holds if no comparison is better, even without a correction for the number of comparisons, and
    no interval leaves room for a gain of more than 0.01. Otherwise it is undecided, even if a comparison is
    better by Holm's correction over all of them, because our trees have no limit of depth and those of the
    report had one, which the thesis does not state.
    """
    rows = tested_rows(comparison)
    require(len(rows) >= 2, "needs two data sets or more with two splits or more")
    found = better(rows)
    evidence = (
        f"{places(rows, found, 'better')}; at least {rows['n_splits'].min()} splits each; trees of "
        "unlimited depth"
    )
    marked = rows.assign(holm=holm(rows["p_value"]))[rows["mark"] == "better"]
    for (p, dataset), p_value, corrected in zip(marked.index, marked["p_value"], marked["holm"], strict=True):
        evidence += f"; P_u {p} on {dataset}: p = {p_value:.2g}, by Holm {corrected:.2g}"
    return nowhere(found) or None, evidence


def fraction_means(record: Record) -> pd.Series:
    """Give the mean accuracy of fixed-fraction bagging by update probability.

    Parameters
    ----------
    record : Record

    Returns
    -------
    Series
        Over the data sets of section 2.4, of each the splits on which all its algorithms were run; the
        thesis's update probability cannot be read, and is said to be the one with the best results.
    """
    splits = split_accuracies(record.rows("2.4"))["accuracy"].unstack("algorithm").dropna()
    means = splits.groupby("dataset").mean()
    found = {p: means[name].mean() for p in UPDATE_PROBABILITIES if (name := _FRACTION.format(p)) in means}
    return pd.Series(found, dtype=float).rename_axis("P_u")


def _against_best_fraction(record: Record) -> tuple[pd.DataFrame, ...]:
    best = _FRACTION.format(fraction_means(record).idxmax())
    return tuple(record.compare("2.4", name, best) for name in ("bagging", "online_bagging"))


@claim("C047", evidence=_against_best_fraction)
def both_baggings_match_fixed_fraction(batch: pd.DataFrame, online: pd.DataFrame) -> Decision:
    """Judge batch and online bagging against fixed-fraction bagging: both must be comparable, as for C066.

    The update probability is the one with the highest mean accuracy on these same results, which favours
    fixed-fraction bagging a little.
    """
    (of_batch, said_of_batch), (of_online, said_of_online) = comparable(batch), comparable(online)
    return every([of_batch, of_online]), f"batch: {said_of_batch}; online: {said_of_online}"


@claim("C050", evidence=_against("online_boosting", "online_arc_x4"))
def online_boosting_matches_arcing(comparison: pd.DataFrame) -> Decision:
    """Judge online boosting against online Arc-x4: comparable over the data sets, as for C066."""
    return comparable(comparison)


@claim("C146", evidence=_against("online_arc_x4", "single"))
def arcing_beats_a_tree(comparison: pd.DataFrame) -> Decision:
    """Judge online Arc-x4 against a single tree: it must be better overall, as for C040.

    The report says "often" and "much better" and gives no number; this rule is its weakest reading.
    """
    return overall_better(comparison)
