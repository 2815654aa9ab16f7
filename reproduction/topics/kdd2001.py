"""What the KDD paper says of times, of Naive Bayes with more examples, and of the work it builds on.

The paper argues about time with passes and updates, so the work is judged, by two counts that any
program shares (see `reproduction.studies.work`): updates of base models, and operations, which are updates
and classifications together. Which of the two comes closer to the time depends on the base model. Our
times stand in the evidence. These rules were fixed before any work was counted, but the times were
known, and so was how many models batch boosting makes.

Why can Naive Bayes get worse with more training examples (KDD Figure 6)? Two causes are separated, on the
first split of a data set. Without smoothing, a value never seen with a class rules that class out, so rare
classes are hardly predicted while there are few examples. And dependent attributes are counted as if they
were independent evidence.

>>> few = [answers_by_size.task("car-evaluation", alpha, 50) for alpha in (0.0, 1.0)]
>>> answers_by_size.compute(few)["others_ruled_out"].round(2).to_list()
[0.56, 0.0]
>>> parts = [answers_by_attributes.task("balance", n, 0) for n in (1, 4)]
>>> answers_by_attributes.compute(parts)["accuracy"].round(2).to_list()
[0.67, 0.94]
"""

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np
import pandas as pd

from oza.datasets import dataset_info
from oza.kernels.draws import uniforms
from oza.kernels.random import key_of, permutation
from oza.models import NaiveBayesClassifier

from ..claims.criteria import (
    COUNTS,
    against,
    agreed,
    all_parts,
    better,
    differs,
    not_better,
    nowhere_along,
    vanishes,
)
from ..claims.registry import UNTESTABLE, Decision, claim, require
from ..columns import nominal_columns
from ..printed.printed import cells_of
from ..printed.record import Record
from ..record.study import cells, study
from ..studies.protocol import Split, prepare
from ..theory.local import nearest_neighbours_law, table_law

NEGLIGIBLE = 0.1
_NO_COUNTS = "no work counted by training-set size"
#: Each count of work, and the seconds, by data set and number of training examples.
Costs = Mapping[str, pd.DataFrame]
_ROW = {
    "accuracy": float,  # share of correct predictions
    "names_common": float,  # how often the class that is most common in training is predicted
    "others_ruled_out": float,  # how often all other classes have probability 0
    "confidence": float,  # mean probability of the predicted class
}


def _answers(alpha: float, split: Split, n_train: int, columns: np.ndarray) -> tuple[float, ...]:
    """Train on the first examples with some of the attributes, and measure the predictions."""
    X, y = split.X_train[:n_train, columns], split.y_train[:n_train]
    model = NaiveBayesClassifier(alpha=alpha, categorical_features=nominal_columns(X)).fit(X, y)
    predicted = model.predict(split.X_test[:, columns])
    probabilities = model.predict_proba(split.X_test[:, columns])
    common = np.bincount(y).argmax()
    others = np.delete(probabilities, np.searchsorted(model.classes_, common), axis=1)
    found = predicted == split.y_test, predicted == common, (others == 0).all(1), probabilities.max(1)
    return tuple(float(each.mean()) for each in found)


@study(
    "answers-by-size",
    "Answers of Naive Bayes, with and without smoothing, as training examples are added",
    _ROW,
    smoke=lambda: cells(dataset="balance", n_train=50, alpha=(0.0, 1.0)),
    thesis=lambda: cells(
        dataset="census-income", n_train=(1000, 5000, 20000, 50000, 100000, 199523), alpha=(0.0, 1.0)
    ),
    exhibits=("KDD Figure 6",),
)
def answers_by_size(dataset: str, alpha: float, n_train: int) -> tuple[float, ...]:
    """Naive Bayes with smoothing `alpha` on the first `n_train` training examples of order number 0."""
    split = prepare(dataset)
    return _answers(alpha, split, n_train, np.arange(split.X_train.shape[1]))


@study(
    "answers-by-attributes",
    "Answers of Naive Bayes that knows only some of the attributes",
    _ROW,
    smoke=lambda: cells(dataset="balance", subset=range(2), n_attributes=2),
    thesis=lambda: cells(dataset="census-income", subset=range(10), n_attributes=(1, 2, 5, 10, 20, 30, 40)),
    quick=lambda task: task.subset == 0,
    exhibits=("KDD Figure 6",),
)
def answers_by_attributes(dataset: str, n_attributes: int, subset: int) -> tuple[float, ...]:
    """Smoothed Naive Bayes on the first `n_attributes` attributes in a random order."""
    split = prepare(dataset)
    attributes = permutation(split.X_train.shape[1], key_of("attributes", dataset, subset))
    return _answers(1.0, split, len(split.y_train), attributes[:n_attributes])


def _costs_and_printed(dataset: str) -> Callable[[Record], tuple[Costs, float]]:
    """Evidence: costs, and how many times as long batch boosting takes on a data set, as printed."""

    def evidence(record: Record) -> tuple[Costs, float]:
        theirs = cells_of("running_times", "KDD 4.5")["seconds"][dataset]
        return record.costs_by_size(), theirs["boosting"] / theirs["online_boosting"]

    return evidence


@claim("C119", evidence=lambda record: (record.costs_by_size(),))
def online_work_grows_more_slowly(costs: Costs) -> Decision:
    """Judge the work of batch and online ensembles against the number of training examples.

    The claim needs two things, of bagging and of boosting: from the smallest training set to the largest, a
    further example costs less online than in batch on every data set; and on at least one data set the
    smallest training set costs more online. It holds if both counts of work confirm this, fails if neither
    does, and is undecided otherwise.
    """
    enough = costs and min(len(cost) for name in COUNTS for _, cost in _by_dataset(costs[name])) >= 2
    require(enough, _NO_COUNTS)
    cases = product((name for name, cost in costs.items() if len(cost)), ("bagging", "boosting"))
    growth = {(name, batch): _growth(costs[name], batch) for name, batch in cases}
    answers = {
        case: bool((found["online"] < found["batch"]).all() and found["more"].any())
        for case, found in growth.items()
    }
    return agreed(answers[name, "bagging"] and answers[name, "boosting"] for name in COUNTS), "; ".join(
        f"{name} of {batch} for a further example, online against batch: "
        + ", ".join(
            f"{of.Index} {of.online:.4g} against {of.batch:.4g}, "
            f"{'more' if of.more else 'less'} on the smallest set"
            for of in found.itertuples()
        )
        for (name, batch), found in growth.items()
    )


def _growth(cost: pd.DataFrame, batch: str) -> pd.DataFrame:
    """What a further example costs online and in batch; whether the fewest examples cost more online."""
    found = {}
    for dataset, by_size in _by_dataset(cost):
        first, last = by_size.iloc[0], by_size.iloc[-1]
        slope = (last - first) / (by_size.index[-1] - by_size.index[0])
        more = first[f"online_{batch}"] > first[batch]
        found[dataset] = slope[f"online_{batch}"], slope[batch], more
    return pd.DataFrame.from_dict(found, "index", columns=["online", "batch", "more"])


@claim("C120", evidence=_costs_and_printed("census-income"), given=("printed",))
def online_boosting_is_faster_on_census(costs: Costs, printed: float) -> Decision:
    """Judge the whole training set of Census Income: online boosting takes less work than batch boosting.

    The claim holds if both counts of work confirm this, fails if neither does, and is undecided otherwise.

    Parameters
    ----------
    costs : mapping of str to DataFrame
        What `reproduction.printed.times.costs_by_size` gives.
    printed : float
        How many times as long batch takes, as printed; told in the evidence and not judged, for
        it depends on machine and program.
    """
    return _is_less(costs, "census-income", printed)


@claim("C121", evidence=_costs_and_printed("covertype"), given=("printed",))
def online_boosting_is_faster_on_covertype(costs: Costs, printed: float) -> Decision:
    """Judge the whole training set of Forest Covertype: online boosting takes less work than batch.

    The first rows of the file cannot decide this; the evidence reports them.
    """
    return _is_less(costs, "covertype", printed, stand_in="covertype-head")


def _is_less(costs: Costs, dataset: str, printed: float, stand_in: str = "") -> Decision:
    ratios, sizes = {}, {}
    for name, cost in costs.items():
        for found, by_size in _by_dataset(cost):
            ratios[found, name] = by_size["boosting"].iloc[-1] / by_size["online_boosting"].iloc[-1]
            sizes[found, name] = by_size.index[-1]

    def said(wanted: str) -> str:
        of_one = ((name, ratio) for (found, name), ratio in ratios.items() if found == wanted)
        return ", ".join(f"{ratio:.2g} times the {name}" for name, ratio in of_one)

    if all(sizes.get((dataset, name)) == dataset_info(dataset).n_train for name in COUNTS):
        return agreed(ratios[dataset, name] > 1 for name in COUNTS), (
            f"batch takes {said(dataset)} of online; printed {printed:.2g} times as long"
        )
    missing = f"no work was counted on all of {dataset}"
    if n := sizes.get((stand_in, COUNTS[0])):
        missing += f"; on {n:,} examples of {stand_in} batch takes {said(stand_in)}"
    # a set that has a stand-in is one that cannot be had
    return (UNTESTABLE if stand_in else None), f"{missing}; printed {printed:.2g} times as long"


@claim("C122", evidence=lambda record: (record.costs_by_size(),))
def bagging_is_negligible(costs: Costs) -> Decision:
    """Judge the largest training sets: bagging takes at most a tenth of boosting's work, batch and online.

    The claim holds if both counts of work confirm this, fails if neither does, and is undecided otherwise.
    """
    require(costs and not any(costs[name].empty for name in COUNTS), _NO_COUNTS)
    kinds = {"batch": "", "online": "online_"}
    shares = {
        name: {
            f"{dataset} {kind}": by_size.iloc[-1][f"{mode}bagging"] / by_size.iloc[-1][f"{mode}boosting"]
            for (dataset, by_size), (kind, mode) in product(_by_dataset(cost), kinds.items())
        }
        for name, cost in costs.items()
        if len(cost)
    }
    evidence = "; ".join(
        f"{name}: " + ", ".join(f"{case} {share:.2g}" for case, share in found.items())
        for name, found in shares.items()
    )
    answers = (max(shares[name].values()) <= NEGLIGIBLE for name in COUNTS)
    return agreed(answers), f"share of the work of boosting: {evidence}"


def _local_learners(record: Record) -> tuple[pd.DataFrame]:
    """Evidence: five nearest neighbours, and a contingency table of eight cells, on a line."""
    questions = np.linspace(0.025, 0.975, 39)
    gaps = {}
    for n in (20, 80, 320, 1280):
        x, u = uniforms((2, n), "line", 1, n)
        y = (u < np.where(np.abs(x - 0.5) < 0.25, 0.8, 0.3)).astype(int)
        nearest = np.abs(x - questions[:, None]).argsort(axis=1, kind="stable")
        batch, online = (nearest_neighbours_law(scheme, y[nearest], 5) for scheme in ("batch", "online"))
        cells = pd.Series(y).groupby(np.floor(8 * x)).agg(["size", "sum"]).itertuples(index=False)
        differ = [abs(table_law("batch", n, *cell) - table_law("online", n, *cell)) for cell in cells]
        gaps[n] = np.abs(batch - online).mean(), np.mean(differ)
    return (pd.DataFrame.from_dict(gaps, "index", columns=["nearest neighbours", "contingency table"]),)


@claim("C123", evidence=_local_learners)
def earlier_learners_converge(gaps: pd.DataFrame) -> Decision:
    """Judge the distance between the laws of batch and online answers, by the number of examples.

    The claim holds if the mean distance vanishes for both learners, at least as fast as N to the power −1/4.

    Parameters
    ----------
    gaps : DataFrame
        Indexed by the number N of training examples, in rising order; for each learner ("nearest
        neighbours", "contingency table") the mean distance between the two probabilities that one
        base model says class 1.
    """
    enough = {"nearest neighbours", "contingency table"} <= set(gaps) and len(gaps) >= 2
    require(enough, "needs both learners, and two numbers of examples or more")
    evidence = "; ".join(f"{name} {gap.iloc[0]:.2g} to {gap.iloc[-1]:.2g}" for name, gap in gaps.items())
    ends = f"N = {gaps.index[0]:,} to {gaps.index[-1]:,}"
    return bool(gaps.apply(vanishes).all()), f"{ends}: {evidence}"


def _by_dataset(cost: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """What each data set costs, indexed by the number of training examples, in rising order."""
    return [
        (str(name), group.droplevel("dataset").sort_index())
        for name, group in cost.groupby(level="dataset", sort=False)
    ]


@claim("C110", evidence=lambda record: (record.curve_cells("KDD 6"),))
def boosted_naive_bayes(cells: pd.DataFrame) -> Decision:
    """Judge learning curves of Naive Bayes, each part of the claim at every size that can be tested.

    Batch and online boosting must be equal by the rule of equality, and significantly better than the single
    model; neither kind of bagging may be better than it. A difference refutes the first part, and a gain the
    last, if it is significant by Holm's correction over the sizes.
    """
    parts = [
        nowhere_along(cells, "online_boosting", "boosting", differs, "batch and online boosting differ"),
        nowhere_along(cells, "boosting", "single", not_better, "boosting not better than one model"),
        nowhere_along(cells, "online_boosting", "single", not_better, "online boosting not better"),
        nowhere_along(cells, "bagging", "single", better, "bagging better"),
        nowhere_along(cells, "online_bagging", "single", better, "online bagging better"),
    ]
    gains = [against(cells, name, "single")["difference"].max() for name in ("bagging", "online_bagging")]
    holds, evidence = all_parts(parts)
    return holds, f"{evidence}; bagging gains at most {max(gains):.4f}"


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
    runs = f"{made.min()} to {made.max()} models in {len(n_models)} runs"
    if len(made) == 1:
        runs = f"{made[0]} models, the same in all {len(n_models)} orders of the examples"
    return bool(made.max() <= 22), f"{runs}; the claim allows any number up to 22"
