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
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from oza import __version__
from oza.datasets import dataset_info
from oza.evaluation.significance import Compared, compared
from oza.models import NaiveBayesClassifier

from ..record.store import commit_of_checkout
from ..record.study import Study, without_warnings_of_bounds
from .accuracy import GRIDS, Task
from .algorithms import ALGORITHMS
from .protocol import N_FOLDS, Split
from .statistics import likeness
from .variants import N_MODELS

#: Repetitions of the cross-validation by data set: four below 4,000 examples, one above. Order 0 of each.
REPETITIONS = {
    "promoters": 4,
    "balance": 4,
    "breast-cancer": 4,
    "german-credit": 4,
    "car-evaluation": 4,
    "chess": 4,
    "mushroom": 1,
    "nursery": 1,
    "synthetic2": 1,
}

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


@dataclass(frozen=True, order=True)
class Check:
    """An implementation of an algorithm on a split; `alpha` is its smoothing."""

    dataset: str
    implementation: str
    algorithm: str
    variant: str
    alpha: float
    repetition: int
    fold: int

    study: ClassVar = "independent-check"


@dataclass(frozen=True)
class Answer:
    """Result of a check.

    Attributes
    ----------
    version : str
        Version of the implementation.
    n_test, n_correct : int
        Numbers of test examples, and of those classified correctly.
    n_differ : int
        Number of test examples for which our own algorithm of that name and smoothing predicts another
        class.
    command : str
        Command that was run.
    """

    version: str
    n_test: int
    n_correct: int
    n_differ: int
    command: str


_SPLIT = ["dataset", "repetition", "fold"]
_WHAT = ["implementation", "algorithm", "variant", "alpha"]


def check_tasks(dataset: str, algorithm: str) -> list[Task]:
    """List the tasks of the study of Naive Bayes that are compared: one for each split.

    Examples
    --------
    >>> from reproduction.studies.independent import check_tasks
    >>> len(check_tasks("balance", "bagging"))
    20
    """
    n_models = N_MODELS if ALGORITHMS[algorithm].is_ensemble else 1
    return [
        Task("naive-bayes", dataset, "naive_bayes", algorithm, n_models, repetition, fold, 0)
        for repetition in range(REPETITIONS[dataset])
        for fold in range(N_FOLDS)
    ]


def sizes(dataset: str, examples: Split) -> list[int]:
    """Numbers of possible values of the attributes: those in the catalogue, or of bins.

    Examples
    --------
    >>> from reproduction.studies.independent import check_tasks, sizes
    >>> sizes("balance", check_tasks("balance", "single")[0].examples())
    [5, 5, 5, 5]
    """
    attributes = dataset_info(dataset).attributes
    n_seen = 1 + examples.X_train.max(axis=0)
    return [
        len(attribute.values) if attribute.values else int(n)
        for attribute, n in zip(attributes, n_seen, strict=True)
    ]


@without_warnings_of_bounds()
def predictions(task: Task, alpha: float, variant: str = "") -> np.ndarray:
    """Predict the test examples of a task with our own implementation.

    Parameters
    ----------
    task : Task
        A task of Naive Bayes.
    alpha : float
        Smoothing; 0 gives the predictions of the study.
    variant : str, default=""
        Variant of boosting, by its name in `VARIANTS`; "" for that of the study.

    Returns
    -------
    int64 array
        Class codes.
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
    """Predict the test examples by the vote of a variant."""
    models, weights = model.estimators_, model.vote_weights_.copy()
    if variant in VARIANTS["boosting"] and len(models) > 1:
        is_perfect = (models[-1].predict(examples.X_train) == examples.y_train).all()
        if is_perfect:
            weights[-1] = 1.0 if variant == PERFECT_ONE else 0.0
    votes = np.zeros((len(examples.y_test), n_classes))
    for weight, one in zip(weights, models, strict=True):
        if variant == LATER_SOFT:
            votes += weight * one.predict_proba(examples.X_test)
        else:
            votes[np.arange(len(votes)), one.predict(examples.X_test)] += weight
    return votes.argmax(axis=1)


def answer(check: Check) -> Answer:
    """Run a check with our own implementation."""
    tasks = check_tasks(check.dataset, check.algorithm)
    (task,) = (t for t in tasks if (t.repetition, t.fold) == (check.repetition, check.fold))
    found, plain = (predictions(task, check.alpha, variant) for variant in (check.variant, ""))
    return Answer(
        version=f"{__version__}, commit {commit_of_checkout()}",
        n_test=len(found),
        n_correct=int((found == task.examples().y_test).sum()),
        n_differ=int((found != plain).sum()),
        command=f"predictions(task, alpha={check.alpha}, variant={check.variant!r})",
    )


def accuracies() -> pd.DataFrame:
    """Collect the accuracies of all implementations, one row for each split.

    Returns
    -------
    DataFrame
        Indexed by data set, repetition and fold; columns by implementation ("oza" for ours), algorithm,
        variant and alpha.
    """
    tasks = [task for dataset in REPETITIONS for name in COMPARED for task in check_tasks(dataset, name)]
    ours = GRIDS["naive-bayes"].recorded(sorted(tasks)).assign(implementation=OURS, variant="", alpha=0.0)
    columns = [*STUDY.key, "n_correct", "n_test"]
    rows = pd.concat([ours[columns], STUDY.recorded()[columns]])
    rows = rows[rows["repetition"] < rows["dataset"].map(REPETITIONS)]
    rows["accuracy"] = (rows["n_correct"] / rows["n_test"]).astype(float)
    return rows.pivot(index=_SPLIT, columns=_WHAT, values="accuracy")


def compared_on(ours: np.ndarray, theirs: np.ndarray) -> Compared:
    """Compare two programs on the same splits of the same data, by the paired t-test and its interval.

    The question is whether two programs compute the same, and not how two learners would do on other data.
    So nothing has to be allowed for the examples that splits share.
    """
    return compared(ours, theirs, n_train=1, n_test=0)


def against(found: pd.DataFrame, theirs: tuple[str, str, float], ours: str = "") -> pd.DataFrame:
    """Compare another implementation with ours, data set by data set.

    Parameters
    ----------
    found : DataFrame
        Result of `accuracies`.
    theirs : tuple
        Implementation, algorithm and alpha.
    ours : str, default=""
        Variant of our algorithm.

    Returns
    -------
    DataFrame
        Indexed by data set: number of `splits`, the means `ours` and `theirs`, their `difference`,
        `half_width` and `p_value` (paired t interval and test), `welch` ("better" if ours is, by Welch's
        test) and `verdict`: "equal", "different" or "undecided" by the rule of equality.
    """
    implementation, algorithm, alpha = theirs
    a, b = ("oza", algorithm, ours, alpha), (implementation, algorithm, "", alpha)
    rows = {}
    for dataset, mine, other in _pairs(found, a, b):
        both = compared_on(mine, other)
        rows[dataset] = {
            "splits": len(mine),
            "ours": mine.mean(),
            "theirs": other.mean(),
            "difference": both.difference,
            "half_width": both.half_width,
            "p_value": both.p_value,
            "welch": both.welch,
            "verdict": likeness(both.difference, both.half_width),
        }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("dataset")


def online_against_batch(
    found: pd.DataFrame, online: tuple[str, str, float], batch: tuple[str, float], algorithm: str = "boosting"
) -> pd.DataFrame:
    """Compare online boosting with batch boosting, each of any implementation.

    Parameters
    ----------
    found : DataFrame
        Result of `accuracies`.
    online : tuple
        Implementation, variant and alpha of the online algorithm.
    batch : tuple
        Implementation and alpha of the batch algorithm.
    algorithm : str, default="boosting"
        "bagging" compares online with batch bagging.

    Returns
    -------
    DataFrame
        Indexed by data set: number of `splits`, `difference` of the means, and `mark`: "better"
        or "worse" if the online algorithm is significantly so at 0.05, else "none", by the corrected
        resampled test, as for C107.
    """
    a = (online[0], f"online_{algorithm}", online[1], online[2])
    b = (batch[0], algorithm, "", batch[1])
    rows = {
        dataset: {
            "splits": len(x),
            "difference": x.mean() - y.mean(),
            "mark": compared(x, y, N_FOLDS - 1, 1).mark,
        }
        for dataset, x, y in _pairs(found, a, b)
    }
    return pd.DataFrame.from_dict(rows, "index").rename_axis("dataset")


def _pairs(found: pd.DataFrame, a: tuple, b: tuple) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """For each data set, accuracies of two columns on their common splits."""
    both = found[[a, b]].dropna()
    for dataset in REPETITIONS:
        values = both[both.index.get_level_values("dataset") == dataset].to_numpy()
        if len(values):
            yield dataset, values[:, 0], values[:, 1]


def _tasks(profile: str) -> list[Check]:
    if profile == "smoke":
        return [Check("balance", OURS, "boosting", PERFECT_ONE, 1.0, 0, 0)]
    datasets = REPETITIONS if profile == "thesis" else ["balance"]
    return [
        Check(dataset, OURS, algorithm, variant, 1.0, repetition, fold)
        for dataset in datasets
        for algorithm in COMPARED
        for variant in ("", *VARIANTS.get(algorithm, ()))
        for repetition in range(REPETITIONS[dataset] if profile == "thesis" else 1)
        for fold in range(N_FOLDS)
    ]


def _computed_by(check: Check) -> str:
    name = check.implementation
    return "" if name == OURS else f"answers of {name}, which `make peers-check` records"


STUDY = Study(
    Check.study,
    "Ensembles of Naive Bayes with smoothing, beside those of other libraries on the same splits",
    Check,
    Answer,
    _tasks,
    answer,
    varying={"version": "names the release and commit"},
    computed_by=_computed_by,
)
