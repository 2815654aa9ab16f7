"""Why Naive Bayes can get worse with more training examples (KDD Figure 6).

Two causes are separated, on the first split of a data set. Without smoothing, a value never seen with
a class rules that class out, so rare classes are hardly predicted while there are few examples. And
dependent attributes are counted as if they were independent evidence.

>>> few = [answers_by_size.task("car-evaluation", alpha, 50) for alpha in (0.0, 1.0)]
>>> answers_by_size.compute(few)["others_ruled_out"].round(2).to_list()
[0.56, 0.0]
>>> parts = [answers_by_attributes.task("balance", n, 0) for n in (1, 4)]
>>> answers_by_attributes.compute(parts)["accuracy"].round(2).to_list()
[0.67, 0.94]
"""

import numpy as np
import numpy.typing as npt

from oza.kernels.random import key_of, permutation
from oza.models import NaiveBayesClassifier

from ..columns import nominal_columns
from ..record.study import cells, study
from .protocol import Split, prepare

_ROW = {
    "accuracy": float,  # share of correct predictions
    "names_common": float,  # how often the class that is most common in training is predicted
    "others_ruled_out": float,  # how often all other classes have probability 0
    "confidence": float,  # mean probability of the predicted class
}


def _answers(alpha: float, split: Split, n_train: int, columns: npt.NDArray[np.int64]) -> tuple[float, ...]:
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
