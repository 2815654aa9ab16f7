"""Online boosting beside online bagging and AdaBoost on the same examples (thesis sections 4.4 and 4.5)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.datasets import load_dataset
from oza.ensembles import AdaBoostClassifier, OnlineBaggingClassifier, OnlineBoostingClassifier
from oza.models import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier

from ..columns import nominal_columns
from ..record.simulation import simulation
from ..theory.boosting import example_weights
from ..theory.memorising import Form, boost_online

_MOST = 50  # base models where it is counted how many vote


class Stream(NamedTuple):
    """A data set in random order.

    Attributes
    ----------
    X : DataFrame
        The attributes, with their names.
    codes : array
        The same as numbers.
    y : Series
        The classes.
    """

    X: pd.DataFrame
    codes: npt.NDArray[Any]
    y: pd.Series


def shuffled(dataset: str, seed: int) -> Stream:
    """Bring the examples of a data set into random order."""
    X, y = load_dataset(dataset, return_X_y=True, as_frame=True)
    order = np.random.default_rng(seed).permutation(len(y))
    return Stream(X.iloc[order], load_dataset(dataset, return_X_y=True)[0][order], y.iloc[order])


_BASES = {"Naive Bayes": NaiveBayesClassifier(), "decision stump": DecisionStumpClassifier()}


@simulation(small={"n_stream": 50, "bases": ["Naive Bayes"]})
def beside_bagging(
    dataset: str = "car-evaluation", n_stream: int = 600, seed: int = 1, bases: Sequence[str] = tuple(_BASES)
) -> pd.DataFrame:
    """Compare the members of online boosting with those of online bagging with the same draws.

    Of `n_stream` examples that they learn, the frame has for each base model the number of answers about the
    whole data set that differ: of the first, and of two later members.
    """
    stream = shuffled(dataset, seed)
    codes, y = stream.codes[:n_stream], stream.y[:n_stream]
    rows = []
    for base in bases:
        bagged, boosted = (
            ensemble(_BASES[base], 3, categorical_features=nominal_columns(codes), random_state=seed)
            .fit(codes, y)
            .estimators_
            for ensemble in (OnlineBaggingClassifier, OnlineBoostingClassifier)
        )
        pairs = zip(bagged, boosted, strict=True)
        differ = [int((a.predict(stream.codes) != b.predict(stream.codes)).sum()) for a, b in pairs]
        rows.append((differ[0], sum(differ[1:])))
    return pd.DataFrame(rows, list(bases), ["first", "later"])


@simulation(small={"sizes": [50]})
def voting_models(
    dataset: str = "car-evaluation", sizes: Sequence[int] = (50, 150, 600), seed: int = 1
) -> tuple[list[list], list[list]]:
    """Boost growing parts of a stream, for the rule that decides which models vote.

    The first list has for each size the errors of the base models of AdaBoost, and how many it may make at
    most; the second has errors and vote weights of all base models of online boosting, and their number.
    """
    stream = shuffled(dataset, seed)
    batch, online = [], []
    for size in sizes:
        X, y = stream.X[:size], stream.y[:size]
        made = AdaBoostClassifier(n_estimators=_MOST).fit(X, y)
        batch.append([made.estimator_errors_.tolist(), _MOST])
        boosted = OnlineBoostingClassifier(n_estimators=_MOST, random_state=seed).fit(X, y)
        online.append([boosted.estimator_errors_.tolist(), boosted.vote_weights_.tolist(), _MOST])
    return batch, online


class Weights(NamedTuple):
    """Weights of the examples in AdaBoost and in online boosting.

    Attributes
    ----------
    batch : AdaBoostClassifier
        The ensemble learned in batch.
    weights : array of shape (n_models + 1, n_examples)
        What `example_weights` gives for it.
    passage : Trace
        What happens online to each example, as `OnlineBoostingClassifier.trace` gives it.
    ratio : Series
        Mean |log₂(λ/weight)| over base models from the second on, of each example in the order of arrival.
    """

    batch: AdaBoostClassifier
    weights: npt.NDArray[np.float64]
    passage: Any
    ratio: pd.Series


def compare_weights(stream: Stream, n_stream: int, n_models: int, seed: int) -> Weights:
    """Compare the weights of online boosting with those of AdaBoost.

    There are as many models online as AdaBoost makes, at most `n_models`.
    """
    codes, y = stream.codes[:n_stream], stream.y[:n_stream]
    columns = nominal_columns(codes)
    batch = AdaBoostClassifier(n_estimators=n_models, categorical_features=columns).fit(codes, y)
    weights = example_weights(batch, codes, y)
    made = min(n_models, len(weights))
    online = OnlineBoostingClassifier(n_estimators=made, random_state=seed)
    passage = online.trace(stream.X[:n_stream], y, np.unique(stream.y))
    off = np.abs(np.log2(passage.lam[:, 1:made] / weights[1:made].T)).mean(axis=1)
    return Weights(batch, weights, passage, pd.Series(off, index=range(1, n_stream + 1)))


@simulation(small={"n_models": 2})
def agreement_with_labels(n_models: int = 5, noise: float = 0.2, seed: int = 1) -> pd.DataFrame:
    """Say how often the last of several boosted trees agrees with right and with wrong labels.

    The class of 2,000 examples is whether at least five of eight bits are 1; a share of the labels is wrong.
    The frame has a row for "right" and one for "wrong" labels, and a column for each time of the test:
    "before" and "after" the tree learns an example, and "finished".
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (2000, 8))
    is_noisy = rng.random(len(X)) < noise
    y = (X.sum(axis=1) >= 5).astype(int) ^ is_noisy
    tree = DecisionTreeClassifier(prune=True, categorical_features=range(8))
    *_, last = boost_online(tree, X, y, n_models, Form(), seed)
    labels = pd.Series(np.where(is_noisy, "wrong", "right"), name="label")
    return pd.DataFrame(last.right).groupby(labels).mean()
