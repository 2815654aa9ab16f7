"""Leveraging bagging ME in its readings: e/(1 − e) as the weight of a right example, or as a probability."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.classifier.contract import classify, learn
from oza.columns.validation import check_choice
from oza.drift.windows import mean_of
from oza.ensembles import LeveragingBaggingClassifier
from oza.ensembles.adaptive.kernels import (
    AdaptiveBagging,
    find_replaced,
    restart_replaced,
    watch,
    weight_of_mistake,
)
from oza.ensembles.algorithm import step, vote
from oza.kernels.compile import implements, kernel
from oza.models import HoeffdingTreeClassifier

from ..record.simulation import simulation
from .streams import STREAMS

#: What a right example does, and when a model is tested for its detector: a name for each reading.
READINGS = {
    "weight, as printed": ("weight", "before"),
    "probability, as in the library": ("probability", "before"),
    "probability, as in MOA": ("probability", "after"),
}


class LearningMistakes(NamedTuple):
    """State of leveraging bagging ME that counts what its models learn."""

    bagging: AdaptiveBagging
    labels: npt.NDArray[np.int32]  # (M,) buffer
    by_weight: bool  # whether e/(1 − e) is a weight, or a probability
    learned: npt.NDArray[np.float64]  # (2,) number and weight of the examples that the models have learned


@implements(step, LearningMistakes)
def learn_mistakes(
    algorithm: Any, models: Any, examples: Any, n: int, label: int, weight: float, row: int
) -> None:
    """Let each model learn the example with weight 1 if it errs, else as the reading says."""
    detectors = algorithm.bagging.detectors
    for m in range(len(algorithm.labels)):
        before = classify(models, m, examples, n)
        if algorithm.by_weight:
            k = weight * weight_of_right(mean_of(detectors.windows, m), before != label)
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


@kernel
def weight_of_right(e: float, is_wrong: bool) -> float:
    """1 for a mistake, else e/(1 − e), which is never more than the 1 of a mistake."""
    return 1.0 if is_wrong or e >= 0.5 else e / (1.0 - e)


@implements(vote, LearningMistakes)
def _vote(algorithm: Any, models: Any, n_classes: int, examples: Any, n: int) -> int:
    return vote(algorithm.bagging, models, n_classes, examples, n)


class MistakesClassifier(LeveragingBaggingClassifier):
    """Leveraging bagging ME, with e/(1 − e) as a weight or as a probability.

    With `reading="probability"` it is ``LeveragingBaggingClassifier(variant="me")``, bit for bit, and
    counts what is learned.

    Parameters
    ----------
    estimator, n_estimators, tested, voting, categories, random_state
        As in ``LeveragingBaggingClassifier``.
    reading : {"weight", "probability"}, default="weight"
        What e/(1 − e) is for an example that a base model gets right, e being the error by its detector. As
        a weight it is at most 1, that of a mistake; the slides do not say what happens from e = 1/2 on.

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

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        reading: str = "weight",
        tested: str = "before",
        voting: str = "majority",
        categories: Any = "auto",
        random_state: Any = None,
    ) -> None:
        super().__init__(
            estimator,
            n_estimators,
            variant="me",
            tested=tested,
            voting=voting,
            categories=categories,
            random_state=random_state,
        )
        self.reading = reading

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
    def learned_(self) -> npt.NDArray[np.float64]:
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
            model = MistakesClassifier(
                HoeffdingTreeClassifier(), n_models, reading, tested=tested, random_state=seed
            )
            accuracy = (model.prequential_predict(X, y, classes=np.unique(y)) == y).mean()
            share, weight = model.learned_ / (n_examples * n_models)
            distinct = np.unique(model.predict_each(X[-1000:]), axis=1).shape[1]
            rows.append((name, title, seed, accuracy, share, weight, distinct, model.n_resets_))
    names = ["stream", "reading", "seed", "accuracy", "share", "weight", "distinct", "replaced"]
    return pd.DataFrame(rows, columns=names).set_index(names[:3])
