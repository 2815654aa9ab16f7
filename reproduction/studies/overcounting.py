"""Why Naive Bayes can get worse with more training examples (KDD Figure 6).

Two causes are separated, on the first split of a data set. Without smoothing, a value never seen with
a class rules that class out, so rare classes are hardly predicted while there are few examples. And
dependent attributes are counted as if they were independent evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from oza.kernels.random import key_of, permutation
from oza.models import NaiveBayesClassifier

from ..columns import nominal_columns
from ..record.study import Study
from .protocol import Split, prepare


@dataclass(frozen=True, order=True)
class BySize:
    """Naive Bayes with smoothing `alpha` on the first `n_train` training examples of order number 0."""

    study: ClassVar = "answers-by-size"
    dataset: str
    alpha: float
    n_train: int


@dataclass(frozen=True, order=True)
class ByAttributes:
    """Smoothed Naive Bayes on the first `n_attributes` attributes in a random order."""

    study: ClassVar = "answers-by-attributes"
    dataset: str
    n_attributes: int
    subset: int


@dataclass(frozen=True)
class Answers:
    accuracy: float  # share of correct predictions
    names_common: float  # how often the class that is most common in training is predicted
    others_ruled_out: float  # how often all other classes have probability 0
    confidence: float  # mean probability of the predicted class


def _answers(alpha: float, split: Split, n_train: int, columns: npt.NDArray[np.int64]) -> Answers:
    """Train on the first examples with some of the attributes, and measure the predictions."""
    X, y = split.X_train[:n_train, columns], split.y_train[:n_train]
    model = NaiveBayesClassifier(alpha=alpha, categorical_features=nominal_columns(X)).fit(X, y)
    answers, chances = model.predict(split.X_test[:, columns]), model.predict_proba(split.X_test[:, columns])
    common = np.bincount(y).argmax()
    others = np.delete(chances, np.searchsorted(model.classes_, common), axis=1)
    return Answers(
        accuracy=float((answers == split.y_test).mean()),
        names_common=float((answers == common).mean()),
        others_ruled_out=float((others == 0).all(axis=1).mean()),
        confidence=float(chances.max(axis=1).mean()),
    )


def of_size(task: BySize) -> Answers:
    split = prepare(task.dataset)
    return _answers(task.alpha, split, task.n_train, np.arange(split.X_train.shape[1]))


def of_attributes(task: ByAttributes) -> Answers:
    split = prepare(task.dataset)
    attributes = permutation(split.X_train.shape[1], key_of("attributes", task.dataset, task.subset))
    return _answers(1.0, split, len(split.y_train), attributes[: task.n_attributes])


def of_sizes(dataset: str, sizes: Sequence[int], alphas: Sequence[float] = (0.0, 1.0)) -> list[BySize]:
    """List tasks on a data set: every number of training examples, with and without smoothing.

    >>> BY_SIZE.compute(of_sizes("car-evaluation", [50]))["others_ruled_out"].round(2).to_list()
    [0.56, 0.0]
    """
    return [BySize(dataset, alpha, n) for n in sizes for alpha in alphas]


def of_subsets(dataset: str, counts: Sequence[int], n_subsets: int = 10) -> list[ByAttributes]:
    """List tasks on a data set: the first so many attributes in each of some random orders of them.

    >>> rows = BY_ATTRIBUTES.compute(of_subsets("balance", [1, 4], n_subsets=2))
    >>> rows.groupby("n_attributes")["accuracy"].mean().round(2).to_dict()
    {1: 0.68, 4: 0.94}
    """
    return [ByAttributes(dataset, n, subset) for subset in range(n_subsets) for n in counts]


BY_SIZE = Study.of(
    of_size,
    "Answers of Naive Bayes, with and without smoothing, as training examples are added",
    smoke=lambda: of_sizes("balance", (50,)),
    thesis=lambda: of_sizes("census-income", (1000, 5000, 20000, 50000, 100000, 199523)),
    exhibits=("KDD Figure 6",),
)
BY_ATTRIBUTES = Study.of(
    of_attributes,
    "Answers of Naive Bayes that knows only some of the attributes",
    smoke=lambda: of_subsets("balance", (2,), n_subsets=2),
    thesis=lambda: of_subsets("census-income", (1, 2, 5, 10, 20, 30, 40)),
    quick=lambda task: task.subset == 0,
    exhibits=("KDD Figure 6",),
)
