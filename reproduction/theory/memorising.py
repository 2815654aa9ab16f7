"""Variants of online boosting that show why it gives models that memorise too high vote weights.

In online boosting a base model passes nothing on to the next one but the λ of each example. So each
model can be trained on the whole stream before the next one starts, and every variant of the algorithm is a
few lines over arrays with one entry for each example.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone

from oza.classifier.contract import classify, learn
from oza.columns.validation import EXACT_BELOW, check_key
from oza.ensembles.algorithm import vote_weights
from oza.ensembles.boosting.kernels import Boosting
from oza.kernels.compile import kernel
from oza.kernels.random import poisson_of_rows, row_key

Flags = np.ndarray
Numbers = np.ndarray


class Form(NamedTuple):
    """A variant of online boosting; the default is thesis Figure 4.3."""

    tested: str = "after"  # "before" or "after" learning it, or when all are "finished", impossible online
    fractions: bool = False  # trained on an example once with weight λ, instead of Poisson(λ) copies of it
    later: bool = False  # λ is multiplied by n/(2λˢᶜ) and n/(2λˢʷ), as in MOA
    most: float = np.inf  # largest λ that is passed on


#: The variants that the book compares.
FORMS = {
    "online, as in the thesis": Form(),
    "tested before learning": Form(tested="before"),
    "tested when finished": Form(tested="finished"),
    "λ at most 4": Form(most=4.0),
    "later form of λ (MOA)": Form(later=True),
    "weights instead of copies": Form(fractions=True),
}


class TrainedModel(NamedTuple):
    """A base model that was trained on a stream, with the results of its tests."""

    model: Any
    lam: Numbers  # the λ with which each example reached it
    right: dict[str, Flags]  # whether it was right about each example, by the time of the test
    sums: tuple[float, float]  # final values of λˢᶜ and λˢʷ

    def error(self, tested: str) -> float:
        """Share of its weight that the model misclassifies when it is tested at that time."""
        return float(self.lam[~self.right[tested]].sum() / self.lam.sum())


def boost_online(
    estimator: Any, X: np.ndarray, y: np.ndarray, n_models: int, form: Form, seed: int = 0
) -> Iterator[TrainedModel]:
    """Boost a stream, one model of this library after the other; yields each after training on the stream.

    The draws are those of `OnlineBoostingClassifier` with the seed as `random_state`.

    >>> from oza import DecisionTreeClassifier
    >>> X, y = np.array([[0], [1], [0], [1], [0]]), np.array([0, 1, 0, 1, 1])
    >>> tree = DecisionTreeClassifier(categorical_features=[0])
    >>> (first,) = boost_online(tree, X, y, 1, Form(fractions=True))
    >>> [(tested, first.error(tested)) for tested in ("before", "after", "finished")]
    [('before', 0.6), ('after', 0.2), ('finished', 0.2)]
    """
    rows = np.array([row_key(check_key(seed), n) for n in range(len(y))], np.uint64)
    lam = np.ones(len(y))
    for m in range(n_models):
        copies = lam if form.fractions else np.empty(len(y))
        if not form.fractions:
            poisson_of_rows(np.minimum(lam, EXACT_BELOW), rows, m, copies)
        model, right = _train(estimator, X, y, copies)
        next_lam, sums = pass_on(lam, right[form.tested], form)
        yield TrainedModel(model, lam, right, sums)
        lam = np.minimum(next_lam, form.most)


def pass_on(lam: Numbers, is_right: Flags, form: Form) -> tuple[Numbers, tuple[float, float]]:
    """The λ that each example passes on to the next model, and the final λˢᶜ and λˢʷ."""
    right, wrong = np.cumsum(np.where(is_right, lam, 0.0)), np.cumsum(np.where(is_right, 0.0, lam))
    sums = float(right[-1]), float(wrong[-1])
    if form.tested == "finished":
        right, wrong = np.full_like(lam, sums[0]), np.full_like(lam, sums[1])
    if form.later:
        seen = np.arange(1.0, len(lam) + 1)
        return lam * seen / (2.0 * np.where(is_right, right, wrong)), sums
    error = wrong / (right + wrong)
    return lam / (2.0 * np.where(is_right, 1.0 - error, error)), sums


def _train(estimator: Any, X: np.ndarray, y: np.ndarray, copies: Numbers) -> tuple[Any, dict[str, Flags]]:
    """A new model trained on these numbers of copies of the examples, and the results of its tests."""
    model = clone(estimator)
    chunk = model._validate_chunk(X, y, np.unique(y), copies)
    model._grow_to(chunk, len(y) - 1)
    examples, labels, weights = model._rows(chunk, 0, len(y))
    right = {tested: np.empty(len(y), np.bool_) for tested in ("before", "after")}
    learn_between_tests(model._models, examples, labels, weights, right["before"], right["after"])
    return model, right | {"finished": model.predict(X) == y}


@kernel
def learn_between_tests(models, examples, labels, weights, before, after):
    """Train one model on examples; `before` and `after`, bool (N,), record whether it was right."""
    for n in range(len(labels)):
        before[n] = classify(models, 0, examples, n) == labels[n]
        learn(models, 0, examples, n, labels[n], weights[n])
        after[n] = classify(models, 0, examples, n) == labels[n]


def scored(ensembles: list[TrainedModel], X_test: np.ndarray, y_test: np.ndarray) -> pd.DataFrame:
    """Errors, votes and accuracies of the models of an ensemble.

    A row for each: `model` (from 1), `before`, `after`, `finished` (its errors on the stream, by the time of
    the test), `error` (that of its vote weight), `vote`, `largest_lambda`, `alone` (its accuracy on the test
    examples) and `accuracy` (that of the vote of the models up to it).

    >>> from oza import DecisionTreeClassifier
    >>> X, y = np.array([[0], [1], [0], [1], [0]]), np.array([0, 1, 0, 1, 1])
    >>> tree = DecisionTreeClassifier(categorical_features=[0])
    >>> ensembles = list(boost_online(tree, X, y, 2, Form()))
    >>> scored(ensembles, X, y)[["model", "alone"]].to_numpy().tolist()
    [[1.0, 0.6], [2.0, 0.6]]
    """
    n, n_models = len(ensembles[0].lam), len(ensembles)
    right, wrong = np.array([each.sums for each in ensembles]).T
    learned = Boosting(right, wrong, np.zeros(n_models), np.zeros(n_models, np.int64), np.full(2, float(n)))
    votes = vote_weights(learned, n_models)
    classes = ensembles[0].model.classes_
    answers = np.array([each.model.predict(X_test) for each in ensembles])
    totals = (votes[:, None, None] * (answers[:, :, None] == classes)).cumsum(axis=0)
    errors = {at: [each.error(at) for each in ensembles] for at in ("before", "after", "finished")}
    found = {"model": range(1, n_models + 1), **errors, "error": wrong / (right + wrong), "vote": votes}
    found["largest_lambda"] = [each.lam.max() for each in ensembles]
    found["alone"] = (answers == y_test).mean(axis=1)
    found["accuracy"] = (classes[totals.argmax(axis=2)] == y_test).mean(axis=1)
    return pd.DataFrame(found)
