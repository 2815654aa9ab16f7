"""Bagging over all base models: set-up, accuracy, convergence and times (thesis section 3.5, KDD 4.2).

Times are "comparable" within a factor of 3. What the abstract says was judged when the outcomes of C009 and
C080 were known, which read the same tables.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier, NeuralNetworkClassifier
from oza.datasets import dataset_info, load_dataset
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier

from ..claims.criteria import (
    COMPARABLE_TIMES,
    above,
    beside,
    comparable_in_three,
    differs,
    every,
    mean_difference,
    nowhere,
    places,
    rate,
    time_ratio,
)
from ..claims.registry import Decision, claim, require
from ..printed.accuracy import joined_cells
from ..printed.layout import columns_of, layout
from ..printed.printed import printed, where_kdd_ran_trees
from ..printed.record import Record
from ..record.simulation import simulation
from ..statistics import mean_against_zero
from ..studies.accuracy import FORMER_SETTINGS, GRIDS
from ..studies.algorithms import BASE_MODELS

_LEARNERS: dict[tuple[str, str], Any] = {
    ("stable", "Naive Bayes"): NaiveBayesClassifier(),
    ("stable", "stumps"): DecisionStumpClassifier(),
    ("unstable", "trees"): DecisionTreeClassifier(),
    ("unstable", "networks"): NeuralNetworkClassifier(),
}


@simulation(small={"problems": ["nursery"], "sizes": (100, 1000), "n_models": 5, "seeds": (1, 2)})
def bagging_disagreement(
    problems: Sequence[str] = ("synthetic2", "nursery", "car-evaluation"),
    sizes: Sequence[int] = (100, 1000, 5000),
    n_models: int = 25,
    seeds: Sequence[int] = range(11, 51),
    bases: Sequence[str] = ("Naive Bayes", "stumps", "trees", "networks"),
) -> pd.DataFrame:
    """Measure how often batch and online bagging disagree about examples that neither has seen.

    The frame has shares of predictions that differ: indexed by data set, number of examples N and seed, with
    a column (kind, base model) for each base model, whose kind is "stable" or "unstable".
    """
    shares: dict[Any, dict] = {}
    learners = {key: learner for key, learner in _LEARNERS.items() if key[1] in bases}
    for problem, seed in product(problems, seeds):
        data = load_dataset(problem, random_state=seed)
        order = np.random.default_rng(seed).permutation(len(data.target))
        X, y = data.data[order], data.target[order]
        known: Any = {"categories": [range(len(v)) for v in data.categories], "random_state": seed}
        n_fresh = _n_fresh(len(y))
        for n in [n for n in sizes if n <= len(y) - n_fresh]:
            shares[problem, n, seed] = {}
            for key, base in learners.items():
                ensembles = (
                    kind(base, n_models, **known) for kind in (BaggingClassifier, OnlineBaggingClassifier)
                )
                batch, online = (each.fit(X[:n], y[:n]).predict(X[-n_fresh:]) for each in ensembles)
                shares[problem, n, seed][key] = np.mean(batch != online)
    return pd.DataFrame(shares).T.rename_axis(["dataset", "N", "seed"])


def _n_fresh(n_examples: int) -> int:
    return min(2000, n_examples // 3)


def half_of_one(shares: pd.DataFrame) -> dict[str, float]:
    """Give the share that half a prediction is of those compared, for each data set of `shares`."""
    sizes = {str(name): dataset_info(str(name)) for name in shares.index.unique("dataset")}
    return {name: 0.5 / _n_fresh(info.n_train + info.n_test) for name, info in sizes.items()}


def _disagreement(_: object) -> tuple[pd.DataFrame, dict[str, float]]:
    shares = bagging_disagreement.recorded()
    return shares, half_of_one(shares)


@claim("C009", evidence=lambda record: (joined_cells(record.accuracies("3.3", "3.4", "3.5")),))
def bagging_mostly_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.3 to 3.5 together, all of which are needed.

    Batch and online bagging must be comparable over the data sets, as for C066, where a case is a data set of
    a table. Their differences are averaged over the tables, then over the data sets.
    """
    return comparable_in_three(cells, "bagging")


@claim("C148", evidence=lambda record: (joined_cells(record.accuracies("3.3", "3.4", "3.5")),))
def online_bagging_is_comparable(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.3 to 3.5 together: online bagging is comparable to bagging, as for C009.

    The abstract names no base model. Networks are left out in favour of the claim, because the text says
    that their online version is worse.
    """
    return comparable_in_three(cells, "bagging")


def _of_kdd(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: the cells of trees and of Naive Bayes on the data sets of the KDD paper."""
    cells = record.accuracies("3.3", "3.4")
    return (joined_cells(cells | {"3.3": where_kdd_ran_trees(cells["3.3"])}),)


@claim("C106", evidence=_of_kdd)
def bagging_always_matches_online(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.3 and 3.4 together: batch and online bagging are comparable in every case.

    Trees count on the four data sets on which the paper ran them (its section 4.2): Promoters, Balance,
    Breast Cancer and Car Evaluation. The claim holds if batch and online are equal in every case by the rule
    of equality, with the corrected interval. It fails if they differ in one case, significantly by Holm's
    correction over all cases.
    """
    pairs = beside(cells, "other", "bagging")
    require(pairs.index.unique("table").size == 2, "needs results of trees and Naive Bayes")
    found = differs(pairs)
    return nowhere(found), f"batch and online {places(pairs, found)}; {mean_difference(pairs)}"


@claim("C080", evidence=lambda record: (pd.concat(record.all_times("3.8", "3.9", "3.10"), names=["table"]),))
def times_are_comparable(cells: pd.DataFrame) -> Decision:
    """Judge Tables 3.8 to 3.10 together: online is within a factor of 3 of batch in nine of ten cases."""
    ratio = time_ratio(cells, "online_bagging", "bagging")
    require(ratio.index.unique("table").size == 3, "needs running times of trees, Naive Bayes and stumps")
    is_comparable = ratio.between(1 / COMPARABLE_TIMES, COMPARABLE_TIMES)
    which = ", ".join(f"{dataset} of Table {table}" for table, dataset in ratio[~is_comparable].index)
    return bool(is_comparable.mean() >= 0.9), (
        f"online takes {ratio.min():.3f} to {ratio.max():.3f} times as long, in {len(ratio)} comparisons; "
        f"not comparable: {which or 'none'}"
    )


@claim("C062", evidence=_disagreement, given=("half",))
def unstable_models_converge_slower(shares: pd.DataFrame, half: Mapping[str, float]) -> Decision:
    """Judge how fast the disagreement of batch and online bagging falls, for unstable and stable base models.

    The speed is the exponent of the power of N that fits the share of different predictions best. No
    difference counts as half a prediction. A series without any difference has no speed, and is left out. For
    each stable model: on each data set the share of the comparisons, over seeds and unstable models, in which
    the unstable one is slower. The claim describes a tendency: it holds if this share is above one half for
    each of the stable models, and fails if it is below for one of them, by the t interval over data sets.

    Parameters
    ----------
    shares : DataFrame
        Shares of predictions that differ: indexed by data set, number of examples N and seed, with a
        column (kind, base model) for each base model, whose kind is "stable" or "unstable".
    half : mapping of str to float
        The share that half a prediction is, for each data set.
    """
    rows = []
    for (dataset, _), of_one in shares.groupby(level=["dataset", "seed"]):
        series = of_one.droplevel(["dataset", "seed"]).clip(lower=half[str(dataset)]).loc[:, of_one.any()]
        rates: dict = series.apply(rate).to_dict()
        unstable, stable = ([key for key in rates if key[0] == kind] for kind in ("unstable", "stable"))
        rows += [(b[1], dataset, float(rates[a] > rates[b])) for a, b in product(unstable, stable)]
    slower = pd.DataFrame(rows, columns=["stable", "dataset", "slower"])
    by_dataset = slower.groupby(["stable", "dataset"])["slower"].mean()
    parts, texts = [], []
    for name, of_sets in by_dataset.groupby(level="stable"):
        found = mean_against_zero(of_sets)
        parts.append(above(of_sets, 0.5))
        each = ", ".join(f"{share:.0%} on {of}" for of, share in of_sets.droplevel("stable").items())
        mean = f"{found.difference:.0%} ± {found.half_width:.0%}" if len(of_sets) > 1 else "one data set"
        texts.append(f"slower than {name} in {mean} of the comparisons ({each})")
    stable_models = shares.columns[shares.columns.get_level_values(0) == "stable"]
    enough = len(parts) >= max(len(stable_models), 1)
    require(enough, "needs both kinds of base models, and series that are not zero throughout")
    return every(parts), f"unstable models are {'; '.join(texts)}; 95 % intervals over data sets"


#: Tables of accuracies of bagging.
_ACCURACIES = ("3.3", "3.4", "3.5", "3.6", "3.7")


def _bags(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: the runs of bags behind cells that are printed; a column of two tables counts once.

    A cell without runs has one row, with NaN.
    """
    runs = pd.concat([record.rows(table).assign(table=table) for table in _ACCURACIES])
    bags = printed("accuracy").query("algorithm.str.contains('bagging')")[["table", "dataset", "algorithm"]]
    bags["study"] = bags["table"].map(lambda table: layout(table).studies[0])
    return (bags.merge(runs, "left").drop(columns="table").drop_duplicates(),)


@claim("C063", evidence=_bags)
def protocol_is_as_described(runs: pd.DataFrame) -> Decision:
    """Judge the bags of Tables 3.3 to 3.7: 100 models, 50 results in batch, 250 online; Census split once.

    The claim fails if a bag has another number of models, or Census Income another split. It holds if in
    addition all cells that are printed have all these results; if some have fewer, it is undecided. Sets that
    come split, Census Income and Soybean-Large, have 10 and 50.

    Parameters
    ----------
    runs : DataFrame
        Rows of the studies of accuracies.
    """
    models, census = set(runs["n_models"].dropna()), set(runs.loc[runs["dataset"] == "census-income", "fold"])
    results = runs.groupby(["study", "dataset", "algorithm"])["fold"].count()
    wanted = [
        (10 if dataset_info(name).split == "supplied" else 50) * (5 if "online" in algorithm else 1)
        for _, name, algorithm in results.index
    ]
    fewer = results[results < wanted].groupby(level="study").size()
    sizes = " or ".join(f"{n:g}" for n in sorted(models))
    evidence = (
        f"{sizes} models; splits of Census Income: {len(census)}; all results in "
        f"{len(results) - fewer.sum()} of {len(results)} cells"
        + "".join(f"; fewer in {n} of {study}" for study, n in fewer.items())
    )
    return every([models == {100}, census == {0}, fewer.empty or None]), evidence


def _settings(record: Record) -> tuple[dict[str, dict[str, int]]]:
    return ({name: BASE_MODELS[name]().get_params() for name in ("neural_network", "neural_network_10")},)


@claim("C064", evidence=_settings)
def networks_are_trained_as_described(settings: Mapping[str, Mapping[str, int]]) -> Decision:
    """Judge the settings of the base models: ten epochs in batch, one pass of one or ten updates online."""
    found = [(own["epochs"], own["updates"]) for own in settings.values()]
    return sorted(found) == [(10, 1), (10, 10)], "; ".join(
        f"{epochs} epochs, {updates} update{'s' * (updates > 1)}" for epochs, updates in found
    )


def protocol_times(cells: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Add up what the runs of the full protocol take: ours, and on the thesis's machine.

    Over the cells, of `time_cells`, that have a time of ours and a printed one: `runs` of the protocol,
    processor `hours` of ours, `printed_hours`, and `times_faster`.
    """
    sums = {}
    for table, found in cells.items():
        study = layout(table).studies[0].removeprefix("times-")  # the protocol is that of the accuracies
        planned = columns_of(pd.DataFrame(map(vars, GRIDS[study].cells("thesis", {}))), table)
        runs = planned.groupby(["dataset", "algorithm"]).size()
        both = found[["seconds", "printed"]].dropna()
        runs = runs.reindex(both.index)
        sums[table] = [runs.sum(), *both.mul(runs, axis="index").sum() / 3600]
    total = pd.DataFrame(sums, ["runs", "hours", "printed_hours"]).T.rename_axis("Table")
    total.loc["all"] = total.sum()
    return total.astype({"runs": int}).assign(times_faster=total["printed_hours"] / total["hours"])


def recorded_times() -> pd.DataFrame:
    """Add up what the recorded runs of all studies of accuracy took, and what all of them would take.

    `runs` that are recorded and the processor `hours` to train and test; runs `planned` in the full protocol,
    and `planned_hours` if every run of an algorithm on a data set takes as long as the median of those that
    are recorded (none: left out).
    """
    cell = ["dataset", "base_model", "algorithm"]
    sums = {}
    for name, study in GRIDS.items():
        if not study.timed and name not in FORMER_SETTINGS:
            rows = study.recorded("thesis")
            hours = (rows["train_seconds"] + rows["test_seconds"]) / 3600
            planned = pd.DataFrame(map(vars, study.cells("thesis", {}))).groupby(cell).size()
            typical = hours.groupby([rows[key] for key in cell]).median()
            sums[name] = [len(rows), hours.sum(), planned.sum(), (typical * planned).sum()]
    total = pd.DataFrame(sums, ["runs", "hours", "planned", "planned_hours"]).T.rename_axis("Study")
    total.loc["all"] = total.sum()
    return total.astype({"runs": int, "planned": int})
