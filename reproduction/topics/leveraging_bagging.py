"""Leveraging bagging: its weights, its output codes, its variant ME, and the six methods of the lecture on
ensembles for data streams.

The lecture reports averages over streams that it does not name. So what is judged is the order of its methods
and the ratios of their costs, on streams of the same kinds whose parameters are drawn. The streams are the
replicates: runs on one stream are averaged first, accuracies are compared by t-tests over the streams,
and costs by t-tests on the logarithm of their ratio.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from oza import HoeffdingTreeClassifier, LeveragingBaggingClassifier
from oza.classifier.contract import classify, learn
from oza.columns.validation import check_choice
from oza.drift.windows import mean_of
from oza.ensembles.adaptive.kernels import (
    AdaptiveBagging,
    find_replaced,
    restart_replaced,
    watch,
    weight_of_mistake,
)
from oza.ensembles.algorithm import step, vote
from oza.extend import parameters
from oza.kernels.compile import implements
from oza.kernels.draws import uniforms
from oza.streams import SEA, Agrawal, RandomRBF

from ..claims.criteria import above, all_above_zero, every, is_equal, opposite
from ..claims.registry import Decision, claim, require
from ..printed.record import Record
from ..record.simulation import simulation
from ..statistics import mean_against_zero
from ..studies.drawn_streams import (
    IN_TURN_SINCE,
    drawn_streams,
    judged_tasks,
    numbers_of_classes,
    one_run_each,
)
from ..studies.streams import STREAMS, accuracies_along


@simulation(small={"weights": [1, 6], "n_examples": 1000, "n_models": 2})
def accuracies_by_weight(
    weights: Sequence[int] = (1, 2, 6, 12),
    n_examples: int = 20_000,
    n_models: int = 10,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare a tree trained on each example with a weight λ, and leveraging bagging with this mean.

    The frame has their accuracies, and the leaves of the tree, by stream and λ.
    """
    rows = {}
    for kind, lam in product((RandomRBF, SEA, Agrawal), weights):
        stream = kind(random_state=seed)
        X, y = stream[:n_examples]
        nominal = {"categorical_features": stream.categorical_features}
        tree = HoeffdingTreeClassifier(**nominal)
        told = tree.prequential_predict(X, y, classes=stream.classes, sample_weight=np.full(len(y), lam))
        known = {"n_estimators": n_models, "voting": "majority", "random_state": seed, **nominal}
        ensemble = LeveragingBaggingClassifier(lam=lam, **known)
        accuracy = accuracies_along({"ensemble": ensemble}, (X, y), n_examples)["ensemble"]
        rows[kind.__name__, lam] = (told == y).mean(), tree.n_leaves_, accuracy
    index = pd.MultiIndex.from_tuples(rows, names=["stream", "λ"])
    return pd.DataFrame(list(rows.values()), index, ["one tree", "its leaves", "ensemble"])


class UnrestrictedCodesClassifier(LeveragingBaggingClassifier):
    """Leveraging bagging with codes uniform over all that are not constant, the first rule of the library."""

    def _start(self, kind: Any, schema: Any, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        n_models, n_classes = state["_codes"].shape
        draws = uniforms(n_models, "unrestricted codes", state["_key"])
        numbers = 1 + (draws * (2**n_classes - 2)).astype(np.int64)
        return state | {"_codes": numbers[:, None] >> np.arange(n_classes) & 1}


@simulation(
    small={"numbers": [3], "speeds": [0], "n_examples": 1000, "n_models": 2, "n_seeds": 2},
    calls=[{}, {"voting": "probability"}],
)
def accuracies_by_codes(
    numbers: Sequence[int] = (3, 5, 6, 7, 10),
    speeds: Sequence[float] = (0, 0.0001),
    n_examples: int = 20_000,
    n_models: int = 10,
    n_seeds: int = 20,
    voting: str = "majority",
) -> pd.DataFrame:
    """Compare leveraging bagging with balanced codes, with unrestricted ones, and with none.

    The streams are radial basis functions, as many classes as `numbers` says, at rest and moving; each seed
    draws other centres, examples and codes. The frame has accuracies by speed, number of classes and seed.
    Unrestricted codes have a use, and would stay in the library as an option, if for one number of classes
    they are significantly more accurate than balanced ones: the mean over both speeds, by a t-test over the
    seeds at 0.05 with Holm's correction over the numbers of classes.
    """
    rows = {}
    for speed, n_classes, seed in product(speeds, numbers, range(n_seeds)):
        stream = RandomRBF(n_classes=n_classes, speed=speed, random_state=seed)
        known = {"n_estimators": n_models, "voting": voting, "random_state": seed}
        models = {
            "balanced": LeveragingBaggingClassifier(output_codes=True, **known),
            "unrestricted": UnrestrictedCodesClassifier(output_codes=True, **known),
            "none": LeveragingBaggingClassifier(**known),
        }
        rows[speed, n_classes, seed] = accuracies_along(models, stream, n_examples)
    return pd.DataFrame(rows).T.rename_axis(index=["speed", "classes", "seed"], columns=None)


#: What a right example does, and when a model is tested for its detector: a name for each reading.
READINGS = {
    "weight, as printed": ("weight", "before"),
    "probability, as in the library": ("probability", "before"),
    "probability, as in MOA": ("probability", "after"),
}


class LearningMistakes(NamedTuple):
    """State of leveraging bagging ME that counts what its models learn."""

    bagging: AdaptiveBagging
    labels: np.ndarray  # (M,) buffer
    by_weight: bool  # whether e/(1 − e) is a weight, or a probability
    learned: np.ndarray  # (2,) number and weight of the examples that the models have learned


@implements(step, LearningMistakes)
def learn_mistakes(
    algorithm: Any, models: Any, examples: Any, n: int, label: int, weight: float, row: int
) -> None:
    """Train each model on the example, with weight 1 if it errs and otherwise with the reading's weight."""
    detectors = algorithm.bagging.detectors
    for m in range(len(algorithm.labels)):
        before = classify(models, m, examples, n)
        if algorithm.by_weight:
            e = mean_of(detectors.windows, m)
            k = weight if before != label or e >= 0.5 else weight * (e / (1.0 - e))
        else:
            k = weight_of_mistake(detectors, m, before != label, weight, row)
        learn(models, m, examples, n, label, k)
        algorithm.learned[0] += k > 0.0
        algorithm.learned[1] += k
        answer = classify(models, m, examples, n) if detectors.tests_after else before
        watch(detectors, m, answer != label, weight)
    if find_replaced(detectors):
        restart_replaced(algorithm.bagging, models)
    detectors.counts[0] += 1


@implements(vote, LearningMistakes)
def _vote(algorithm: Any, models: Any, n_classes: int, examples: Any, n: int) -> int:
    return vote(algorithm.bagging, models, n_classes, examples, n)


@parameters
class MistakesClassifier(LeveragingBaggingClassifier):
    """Leveraging bagging ME, with e/(1 − e) as a weight or as a probability.

    With `reading="probability"` it is ``LeveragingBaggingClassifier(variant="me")``, bit for bit, and
    counts what is learned.

    Parameters
    ----------
    reading : {"weight", "probability"}, default="weight"
        What e/(1 − e) is for an example that a base model gets right, e being the error by its detector. As
        a weight it is at most 1, that of a mistake; the slides do not say what happens from e = 1/2 on.

    The others are those of ``LeveragingBaggingClassifier``.

    Attributes
    ----------
    learned_ : ndarray of shape (2,)
        Number and total weight of the examples that the base models have learned, summed over them.

    Examples
    --------
    A tree that has learned nothing is wrong on the first example, so that e = 1; every later one is right.

    >>> X, y = np.zeros((6, 1)), np.ones(6, int)
    >>> MistakesClassifier(n_estimators=1).partial_fit(X, y, classes=[0, 1]).learned_.round(3)
    array([6.   , 4.083])
    """

    _: KW_ONLY
    variant: Any = "me"
    voting: Any = "majority"
    reading: Any = "weight"

    def _check_choices(self) -> None:
        super()._check_choices()
        check_choice("reading", self.reading, "weight", "probability")

    def _start(self, kind: Any, schema: Any, classes: Any) -> dict[str, Any]:
        return super()._start(kind, schema, classes) | {"_learned": np.zeros(2)}

    def _prefers_blocks(self, is_tested: bool) -> bool:
        return False  # the blocks of leveraging bagging know no weights of right examples

    def _algorithm(self) -> Any:
        bagging = super()._algorithm()
        return LearningMistakes(bagging, bagging.labels, self.reading == "weight", self._learned)

    @property
    def learned_(self) -> np.ndarray:
        """Number and total weight of the examples learned, summed over the base models."""
        return self._learned.copy()


@simulation(small={"streams": ["sea"], "n_examples": 1000, "n_models": 3, "seeds": [1]})
def mistakes_by_reading(
    streams: Sequence[str] = ("rbf", "sea", "agrawal", "hyperplane"),
    n_examples: int = 20_000,
    n_models: int = 10,
    seeds: Sequence[int] = range(1, 4),
) -> pd.DataFrame:
    """Run leveraging bagging ME in its three readings, over Hoeffding trees with a vote each.

    The frame has by stream, reading and seed: accuracy of the vote before each example is learned; share, of
    the examples that a tree learns, and weight, the mean weight of an example; distinct, how many different
    trees there are at the end, by their answers to the last 1,000 examples; replaced, how often one was
    replaced.

    Examples
    --------
    >>> found = mistakes_by_reading(["sea"], 500, 3, [1])
    >>> found["share"].round(2).tolist()
    [1.0, 0.41, 0.27]
    """
    rows = []
    for name, seed in product(streams, seeds):
        X, y = STREAMS[name](n_examples, seed)[:n_examples]
        for title, (reading, tested) in READINGS.items():
            options = {"reading": reading, "tested": tested, "random_state": seed}
            model = MistakesClassifier(HoeffdingTreeClassifier(), n_models, **options)
            accuracy = (model.prequential_predict(X, y, classes=np.unique(y)) == y).mean()
            share, weight = model.learned_ / (n_examples * n_models)
            distinct = np.unique(model.predict_each(X[-1000:]), axis=1).shape[1]
            rows.append((name, title, seed, accuracy, share, weight, distinct, model.n_resets_))
    names = ["stream", "reading", "seed", "accuracy", "share", "weight", "distinct", "replaced"]
    return pd.DataFrame(rows, columns=names).set_index(names[:3])


LEVERAGING = "leveraging_bagging"


_WITH_CODES, _BY_MISTAKES = "leveraging_bagging_mc", "leveraging_bagging_me"


_NAMES: dict[Any, str] = {
    "hoeffding_tree": "Hoeffding tree",
    "online_bagging": "online bagging",
    "adwin_bagging": "ADWIN bagging",
    LEVERAGING: "leveraging bagging",
    _WITH_CODES: "with output codes",
    _BY_MISTAKES: "variant ME",
}


FEW_STREAMS = "needs the six methods on three streams or more"


_NOT_TIMED = "costs have not been measured example by example yet"


_SMALL_PART = 0.1  # the lecture's share, 0.87 of 20.17 RAM-hours, is less than half of that


def six_methods(record: Record) -> tuple[pd.DataFrame]:
    """Read the recorded runs on drawn streams: each is a data set of its own, with one run.

    Parameters
    ----------
    record : Record
        Where to read them.
    """
    return (one_run_each(record.recorded(drawn_streams, judged_tasks())),)


def _fairly_timed(record: Record) -> tuple[pd.DataFrame, dict[str, int]]:
    """Evidence: the same, without costs that were measured in blocks, and the number of classes by stream."""
    (runs,) = six_methods(record)
    return runs.assign(ram_hours=runs["ram_hours"].where(runs["date"] >= IN_TURN_SINCE)), numbers_of_classes()


def mean_accuracies(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean accuracy over the runs, a row for each stream, a column for each method.

    Parameters
    ----------
    runs : DataFrame
        Columns dataset, algorithm, run, n_seen and n_correct.
    """
    accuracy = runs.assign(accuracy=runs["n_correct"] / runs["n_seen"])
    return accuracy.pivot_table("accuracy", "dataset", "algorithm", sort=False)


def log_costs(runs: pd.DataFrame) -> pd.DataFrame:
    """Logarithm of the RAM-hours, the mean over the runs: a row for each stream, a column for each method.

    Parameters
    ----------
    runs : DataFrame
        Columns dataset, algorithm and ram_hours.
    """
    return runs.assign(cost=np.log(runs["ram_hours"])).pivot_table("cost", "dataset", "algorithm", sort=False)


def are_few(runs: pd.DataFrame) -> bool:
    """Whether there are fewer than six methods or three streams."""
    return runs["algorithm"].nunique() < 6 or runs["dataset"].nunique() < 3


def times(ratios: pd.Series) -> str:
    """Give a mean ratio with its interval, from the logarithms on each stream."""
    found = mean_against_zero(ratios)
    low, high = (np.exp(found.difference + sign * found.half_width) for sign in (-1, 1))
    return f"{np.exp(found.difference):.2f} ({low:.2f} to {high:.2f}) times the RAM-hours"


def word(holds: bool | None) -> str:
    """Say what a part of a claim came to."""
    return "undecided" if holds is None else "as claimed" if holds else "contrary to the claim"


@claim("C129", evidence=lambda record: _fairly_timed(record)[:1])
def leveraging_is_most_accurate(runs: pd.DataFrame) -> Decision:
    """Judge the order of the six methods, by accuracy and by RAM-hours, over the streams.

    All ensembles learn example by example, because ME cannot learn in blocks.

    The claim holds if leveraging bagging is significantly more accurate than each of the five others and
    costs significantly more RAM-hours than four of them and less than the one with output codes; and if the
    variant ME is significantly more accurate than the tree, online bagging and ADWIN bagging, and costs less
    than both of these ensembles. The report is not reproduced if one difference is significant in the
    opposite direction, by Holm's correction over the accuracies and over the costs.
    """
    require(not are_few(runs), FEW_STREAMS)
    accuracy, cost = mean_accuracies(runs), log_costs(runs)
    others = [name for name in accuracy if name != LEVERAGING]
    ensembles = ["online_bagging", "adwin_bagging"]
    gains = [accuracy[LEVERAGING] - accuracy[name] for name in others]
    gains += [accuracy[_BY_MISTAKES] - accuracy[name] for name in ["hoeffding_tree", *ensembles]]
    is_best = all_above_zero(gains)
    said = f"order of accuracies {word(is_best)}, over {len(accuracy)} streams"
    if runs["ram_hours"].isna().any():
        return every([is_best, None]), f"{said}; {_NOT_TIMED}"
    dearer = [cost[LEVERAGING] - cost[name] for name in others if name != _WITH_CODES]
    dearer += [cost[_WITH_CODES] - cost[LEVERAGING], *(cost[name] - cost[_BY_MISTAKES] for name in ensembles)]
    costs_so = all_above_zero(dearer)
    summary = ", ".join(
        f"{_NAMES[name]} {accuracy[name].mean():.4f} ({np.exp(cost[name].mean()):.2g})" for name in accuracy
    )
    return every([is_best, costs_so]), (
        f"{said}, of costs {word(costs_so)}; mean accuracy (geometric mean of RAM-hours): {summary}; ME "
        f"takes {times(cost[_BY_MISTAKES] - cost['adwin_bagging'])} of ADWIN bagging"
    )


@claim("C140", evidence=_fairly_timed)
def codes_are_as_accurate(runs: pd.DataFrame, n_classes: Mapping[str, int]) -> Decision:
    """Judge the two variants of leveraging bagging, over the streams.

    The claim holds if leveraging bagging with and without output codes are equal by the rule of equality,
    with the interval over the streams with more than two classes, and if the variant ME costs at most a tenth
    of the RAM-hours of leveraging bagging, with its whole interval over all streams. The report is not
    reproduced if the two differ, or if ME's interval lies above a tenth. With two classes codes do nothing;
    these streams are only reported, and so is the mean for each kind of stream. All ensembles learn
    example by example, because ME cannot learn in blocks.

    Parameters
    ----------
    runs : DataFrame
        Columns dataset, algorithm, run, n_seen, n_correct and ram_hours.
    n_classes : mapping
        The number of classes of each stream.
    """
    accuracy, cost = mean_accuracies(runs), log_costs(runs)
    act = accuracy.index.map(n_classes) > 2
    require(not are_few(runs) and act.sum() >= 3, f"{FEW_STREAMS}, each with more than two classes")
    loss = accuracy[_WITH_CODES] - accuracy[LEVERAGING]
    found = mean_against_zero(loss[act])
    kinds = loss[act].groupby(loss.index[act].str.split().str[0], sort=False)
    each = "".join(f", {of_kind.mean():+.4f} on {len(of_kind)} of {kind}" for kind, of_kind in kinds)
    alike = is_equal(found)
    is_cheap, said = None, _NOT_TIMED
    if runs["ram_hours"].notna().all():
        ratio = cost[_BY_MISTAKES] - cost[LEVERAGING]
        is_cheap = opposite(above(ratio, np.log(_SMALL_PART)))
        said = f"ME at {times(ratio)} of leveraging bagging, {word(is_cheap)}"
    return every([alike, is_cheap]), (
        f"with codes {found.difference:+.4f} ± {found.half_width:.4f} (95 % interval over {act.sum()} "
        f"streams with more than two classes{each}), {word(alike)}; with two classes "
        f"{loss[~act].mean():+.4f} over {(~act).sum()}; {said}"
    )
