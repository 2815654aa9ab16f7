"""An independent check: ensembles of Naive Bayes by other implementations, on the splits of our study.

The results of the others are recorded by `benchmarks/independent.py` (`make peers-check`). Without
smoothing, our results are those of the study `naive-bayes`; with smoothing, which most of the others
require, they are measured here and recorded with theirs.

Two rules were fixed before anything was recorded. Whether two implementations agree on a data set is
defined by the rule of equality. And our finding about C107, that batch and online boosting of Naive Bayes
are not comparable outside Promoters, is confirmed if other implementations of both also find online
boosting significantly worse on a data set other than Promoters (`online_against_batch`).
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza import __version__
from oza.datasets import dataset_info
from oza.evaluation.significance import compared
from oza.models import NaiveBayesClassifier

from ..record.store import commit_of_checkout
from ..record.study import cells, study, without_warnings_of_bounds
from ..statistics import equivalence
from ..studies.accuracy import GRIDS, Task
from ..studies.algorithms import ALGORITHMS
from ..studies.nan_settings import declared_values
from ..studies.protocol import N_FOLDS, SMALL, Split
from ..studies.variants import N_MODELS

#: Repetitions of the cross-validation by data set: four below 4,000 examples, one above. Order 0 of each.
REPETITIONS = dict.fromkeys(SMALL, 4) | {"mushroom": 1, "nursery": 1, "synthetic2": 1}
#: What is compared, by its name in `ALGORITHMS`.
COMPARED = ("single", "bagging", "online_bagging", "boosting", "online_boosting")
#: Variants of our boosting that may explain a difference. Online: the weight update of later
#: publications, and in addition votes in proportion to class probabilities, both as in MOA. In batch: a
#: model without error ends AdaBoost and has vote weight 1, as in scikit-learn, or does not vote unless
#: it is the first, as in Weka.
LATER, LATER_SOFT = "later form", "later form, soft votes"
PERFECT_ONE, PERFECT_NONE = "perfect model votes 1", "perfect model dropped"
VARIANTS = {"online_boosting": (LATER, LATER_SOFT), "boosting": (PERFECT_ONE, PERFECT_NONE)}
OURS = "oza"
_SMOOTHED = {"implementation": OURS, "alpha": 1.0}
_PEERS = "answers of {}, which `make peers-check` records"
_SPLIT = ["dataset", "repetition", "fold"]
_WHAT = ["implementation", "algorithm", "variant", "alpha"]


def baseline_task(dataset: str, algorithm: str, repetition: int, fold: int) -> Task:
    """The task of the study of Naive Bayes that is compared on a split."""
    n_models = N_MODELS if ALGORITHMS[algorithm].is_ensemble else 1
    return Task("naive-bayes", dataset, "naive_bayes", algorithm, n_models, repetition, fold, order=0)


def sizes(dataset: str, examples: Split) -> list[int]:
    """Numbers of possible values of the attributes: those in the catalogue, or of bins.

    >>> sizes("balance", baseline_task("balance", "single", 0, 0).examples())
    [5, 5, 5, 5]
    """
    return [len(values) for values in declared_values(dataset, examples)]


@without_warnings_of_bounds()
def predictions(task: Task, alpha: float, variant: str = "") -> np.ndarray:
    """Predict the test examples of a task of Naive Bayes with our own implementation.

    `alpha` is the smoothing; 0 gives the predictions of the study. `variant` is a name in `VARIANTS`, or ""
    for the study's.
    """
    examples = task.examples()
    n_classes = len(dataset_info(task.dataset).classes)
    algorithm = ALGORITHMS[task.algorithm]
    model = algorithm.make(NaiveBayesClassifier(alpha=alpha), task.n_models, task.seed)
    model.set_params(categories=[range(size) for size in sizes(task.dataset, examples)])
    if variant in VARIANTS["online_boosting"]:
        model.set_params(weight_update="later")
    algorithm.learn(model, examples.X_train, examples.y_train, n_classes)
    return model.predict(examples.X_test) if not variant else _vote(model, examples, n_classes, variant)


def _vote(model: Any, examples: Split, n_classes: int, variant: str) -> np.ndarray:
    models, weights = model.estimators_, model.vote_weights_.copy()
    if variant in VARIANTS["boosting"] and len(models) > 1:
        is_perfect = (models[-1].predict(examples.X_train) == examples.y_train).all()
        weights[-1] = weights[-1] if not is_perfect else 1.0 if variant == PERFECT_ONE else 0.0
    votes = np.zeros((len(examples.y_test), n_classes))
    for weight, one in zip(weights, models, strict=True):
        if variant == LATER_SOFT:
            votes += weight * one.predict_proba(examples.X_test)
        else:
            votes[np.arange(len(votes)), one.predict(examples.X_test)] += weight
    return votes.argmax(axis=1)


@study(
    "independent-check",
    "Ensembles of Naive Bayes with smoothing, beside those of other libraries on the same splits",
    {
        "version": str,  # of the implementation
        "n_test": int,
        "n_correct": int,
        "n_differ": int,  # predicted otherwise by our own algorithm of that name and smoothing
        "command": str,  # that was run
    },
    smoke=lambda: cells(
        dataset="balance", algorithm="boosting", variant=PERFECT_ONE, repetition=0, fold=0, **_SMOOTHED
    ),
    thesis=lambda: [
        cell | {"algorithm": name, **_SMOOTHED}
        for (dataset, n), name in product(REPETITIONS.items(), COMPARED)
        for variant in ("", *VARIANTS.get(name, ()))
        for cell in cells(dataset=dataset, variant=variant, repetition=range(n), fold=range(N_FOLDS))
    ],
    quick=lambda task: task.dataset == "balance" and task.repetition == 0,
    varying={"version": "names the release and commit"},
    computed_by=lambda task: "" if task.implementation == OURS else _PEERS.format(task.implementation),
)
def independent_check(
    dataset: str, implementation: str, algorithm: str, variant: str, alpha: float, repetition: int, fold: int
) -> tuple[str, int, int, int, str]:
    """An implementation of an algorithm on a split; `alpha` is its smoothing."""
    task = baseline_task(dataset, algorithm, repetition, fold)
    found, plain = (predictions(task, alpha, name) for name in (variant, ""))
    return (
        f"{__version__}, commit {commit_of_checkout()}",
        len(found),
        int((found == task.examples().y_test).sum()),
        int((found != plain).sum()),
        f"predictions(task, alpha={alpha}, variant={variant!r})",
    )


def accuracies() -> pd.DataFrame:
    """Collect the accuracies of all implementations ("oza" is ours): a column each, a row for each split."""
    tasks = [
        baseline_task(dataset, *run)
        for dataset, n in REPETITIONS.items()
        for run in product(COMPARED, range(n), range(N_FOLDS))
    ]
    ours = GRIDS["naive-bayes"].recorded(sorted(tasks)).assign(implementation=OURS, variant="", alpha=0.0)
    columns = [*independent_check.key, "n_correct", "n_test"]
    rows = pd.concat([ours[columns], independent_check.recorded()[columns]])
    rows = rows[rows["repetition"] < rows["dataset"].map(REPETITIONS)]
    rows["accuracy"] = (rows["n_correct"] / rows["n_test"]).astype(float)
    return rows.pivot(index=_SPLIT, columns=_WHAT, values="accuracy")


def against(found: pd.DataFrame, theirs: tuple[str, str, float], ours: str = "") -> pd.DataFrame:
    """Compare another implementation with ours, data set by data set.

    `theirs` are implementation, algorithm and alpha, `ours` a variant of our algorithm. Columns: number of
    `splits`, the means `ours` and `theirs`, their `difference`, `half_width` and `p_value` (paired t interval
    and test), `welch` ("better" if ours is, by Welch's test) and `verdict`, by the rule of equality.
    """
    implementation, algorithm, alpha = theirs
    pairs = _pairs(found, (OURS, algorithm, ours, alpha), (implementation, algorithm, "", alpha))
    rows = {}
    for dataset, mine, other in pairs:
        # The question is whether two programs compute the same, and not how two learners would do on other
        # data. So nothing has to be allowed for the examples that splits share.
        both = compared(mine, other, n_train=1, n_test=0)
        verdict = equivalence(both.difference, both.half_width)
        measured = both.difference, both.half_width, both.p_value, both.welch
        rows[dataset] = len(mine), mine.mean(), other.mean(), *measured, verdict
    columns = ["splits", "ours", "theirs", "difference", "half_width", "p_value", "welch", "verdict"]
    return pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("dataset")


def online_against_batch(
    found: pd.DataFrame, online: tuple[str, str, float], batch: tuple[str, float], algorithm: str = "boosting"
) -> pd.DataFrame:
    """Compare online boosting, or bagging, with batch learning, each of any implementation.

    `online` are implementation, variant and alpha, `batch` implementation and alpha. Columns: number of
    `splits`, `difference` of the means, and `mark`: "better" or "worse" if the online algorithm is
    significantly so at 0.05, else "none", by the corrected resampled test, as for C107.
    """
    a = (online[0], f"online_{algorithm}", online[1], online[2])
    b = (batch[0], algorithm, "", batch[1])
    rows = {
        dataset: (len(x), x.mean() - y.mean(), compared(x, y, N_FOLDS - 1, 1).mark)
        for dataset, x, y in _pairs(found, a, b)
    }
    columns = ["splits", "difference", "mark"]
    return pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("dataset")


def _pairs(found: pd.DataFrame, a: tuple, b: tuple) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """For each data set, accuracies of two columns on their common splits."""
    both = found[[a, b]].dropna()
    for dataset in REPETITIONS:
        values = both[both.index.get_level_values("dataset") == dataset].to_numpy()
        if len(values):
            yield dataset, values[:, 0], values[:, 1]
