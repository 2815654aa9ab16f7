"""The algorithms that are compared, by name, and the base models that they run over."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ensembles import (
    AdaBoostClassifier,
    AdaptiveRandomForestClassifier,
    BaggingClassifier,
    LeveragingBaggingClassifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
    PrimedOnlineBoostingClassifier,
)
from ..models import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    HoeffdingTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
)

#: Factories of untrained base models of the thesis, by name.
BASE_MODELS: dict[str, Callable[[], Any]] = {
    "decision_tree": lambda: DecisionTreeClassifier(prune=True),
    "decision_stump": DecisionStumpClassifier,
    "naive_bayes": NaiveBayesClassifier,
    "neural_network": NeuralNetworkClassifier,
}

#: Factories of untrained base models that were made for streams, by name.
STREAM_MODELS: dict[str, Callable[[], Any]] = {"hoeffding_tree": HoeffdingTreeClassifier}


@dataclass(frozen=True)
class Algorithm:
    """How to make a classifier of a base model, and how it learns.

    Attributes
    ----------
    make : callable
        Function of an untrained base model, the number of models and a seed.
    is_ensemble : bool
        Whether there is more than one base model.
    is_online : bool
        Whether the order of the training examples matters, so that several orders are tried.
    method : {"fit", "partial_fit"}
        Method by which the classifier learns.
    """

    make: Callable[[Any, int, int], Any]
    is_ensemble: bool = True
    is_online: bool = False
    method: str = "fit"

    def learn(self, classifier: Any, X: np.ndarray, y: np.ndarray, n_classes: int) -> None:
        """Train a classifier on the training examples of a task."""
        if self.method == "fit":
            classifier.fit(X, y)
            return
        if X.dtype.kind == "i" and isinstance(classifier.categories, str):
            # `fit` sees all values of a symbol at once, and so does a network here: the initial weights of
            # values that are met one by one are drawn otherwise.
            classifier.set_params(categories=[np.unique(column) for column in X.T])
        classifier.partial_fit(X, y, classes=np.arange(n_classes))


def single_model(base: Any, n_models: int, seed: int) -> Any:
    """Make a single model: the base model itself, with the seed of its random draws if it has one."""
    return base.set_params(random_state=seed) if "random_state" in base.get_params() else base


def ensemble_of(kind: type, **parameters: Any) -> Callable[[Any, int, int], Any]:
    """Factory of an ensemble; each class receives those of the parameters that it has."""

    def make(base: Any, n_models: int, seed: int) -> Any:
        wanted = parameters | {"random_state": seed}
        if isinstance(base, NeuralNetworkClassifier):  # the thesis's networks take no weights
            wanted["resample"] = True
        known = kind().get_params()
        return kind(base, n_models, **{name: value for name, value in wanted.items() if name in known})

    return make


#: Algorithms by name. Batch and online ensembles learn by `fit`, online ones in one pass. A single
#: network learns differently by `fit` and by `partial_fit`.
ALGORITHMS: dict[str, Algorithm] = {
    "single": Algorithm(single_model, is_ensemble=False),
    "online_single": Algorithm(single_model, is_ensemble=False, is_online=True, method="partial_fit"),
    "bagging": Algorithm(ensemble_of(BaggingClassifier)),
    "online_bagging": Algorithm(ensemble_of(OnlineBaggingClassifier), is_online=True),
    "boosting": Algorithm(ensemble_of(AdaBoostClassifier)),
    "online_boosting": Algorithm(ensemble_of(OnlineBoostingClassifier), is_online=True),
    "primed_boosting": Algorithm(ensemble_of(PrimedOnlineBoostingClassifier), is_online=True),
    "hoeffding_tree": Algorithm(single_model, is_ensemble=False, is_online=True),
    "leveraging_bagging": Algorithm(ensemble_of(LeveragingBaggingClassifier), is_online=True),
    "adaptive_random_forest": Algorithm(ensemble_of(AdaptiveRandomForestClassifier), is_online=True),
}

#: Algorithms for streams, which run over Hoeffding trees only; "hoeffding_tree" is a single one.
STREAM_LEARNERS = ("hoeffding_tree", "leveraging_bagging", "adaptive_random_forest")

#: Online algorithms over networks, whose single online network is another one than the batch network.
ONE_PASS = ("online_single", "online_bagging", "online_boosting", "primed_boosting")
_ALL = ("single", "bagging", "online_bagging", "boosting", "online_boosting", "primed_boosting")

#: The algorithms that can be compared over each base model.
ALGORITHMS_OF: dict[str, tuple[str, ...]] = {
    "naive_bayes": _ALL,
    "decision_stump": _ALL,
    "decision_tree": _ALL,
    "neural_network": ("single", "bagging", "boosting", *ONE_PASS),
    "hoeffding_tree": ("hoeffding_tree", "online_bagging", "leveraging_bagging", "adaptive_random_forest"),
}

#: The base models that are compared if none are named.
USUAL_MODELS = ("naive_bayes", "decision_stump", "decision_tree", "neural_network")


def base_models_for(algorithms: Collection[str]) -> tuple[str, ...]:
    """Base models over which some of the algorithms run.

    Parameters
    ----------
    algorithms : collection of str
        Names in `ALGORITHMS`; none means the usual comparison. Hoeffding trees take part only with one of
        `STREAM_LEARNERS`.

    Returns
    -------
    tuple of str
        Names in `ALGORITHMS_OF`.

    Examples
    --------
    >>> from oza.compare import base_models_for
    >>> base_models_for(["leveraging_bagging"])
    ('hoeffding_tree',)
    >>> base_models_for(["online_single", "hoeffding_tree"])
    ('neural_network', 'hoeffding_tree')
    """
    usual = [name for name in USUAL_MODELS if not algorithms or {*algorithms} & {*ALGORITHMS_OF[name]}]
    return (*usual, *(["hoeffding_tree"] if {*algorithms} & {*STREAM_LEARNERS} else []))


def compared_with(base_model: str, algorithm: str) -> str:
    """Name of the single model with which an algorithm over a base model is compared.

    Parameters
    ----------
    base_model, algorithm : str
        Names in `ALGORITHMS_OF`.

    Returns
    -------
    str
        For online ensembles of networks it is a single network that has learned online, too.
    """
    singles = [name for name in ALGORITHMS_OF[base_model] if not ALGORITHMS[name].is_ensemble]
    return singles[-1] if ALGORITHMS[algorithm].is_online else singles[0]
