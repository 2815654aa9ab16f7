"""Streams that change, and the accuracy of classifiers that predict each example before they learn it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza.ensembles import (
    AccuracyWeightedEnsembleClassifier,
    AdaptiveRandomForestClassifier,
    ADWINBaggingClassifier,
    LeveragingBaggingClassifier,
    OnlineBaggingClassifier,
    RestrictedTreesClassifier,
)
from oza.evaluation import prequential
from oza.models import HoeffdingOptionTreeClassifier, HoeffdingTreeClassifier, NaiveBayesClassifier
from oza.streams import LED, SEA, STAGGER, Agrawal, Chain, Hyperplane, RandomRBF, drift

from ..record.simulation import simulation


def in_turn(streams: list[Any], length: int, width: float) -> Any:
    """Streams that turn into each other at equal distances, each change `width` examples wide."""
    joined = streams[0]
    for i, stream in enumerate(streams[1:], 1):
        joined = drift(joined, stream, length * i // len(streams), width)
    return joined


def _sea(length: int, seed: int) -> Any:
    return in_turn([SEA(function, random_state=seed) for function in (1, 2, 3, 4)], length, width=50)


def _led(length: int, seed: int) -> Any:
    return in_turn([LED(n_drifting=n, random_state=seed) for n in (1, 3, 5, 7)], length, width=50)


def _agrawal(length: int, seed: int) -> Any:
    streams = [Agrawal(function, random_state=seed) for function in (1, 2, 3, 4)]
    return in_turn(streams, length, width=length / 20)


def _rbf(length: int, seed: int, speed: float) -> Any:
    return RandomRBF(n_classes=5, speed=speed, random_state=seed)


def _hyperplane(length: int, seed: int) -> Any:
    return Hyperplane(n_drifting=10, change=0.001, random_state=seed)


#: Drawn streams by name, as functions of their length and a seed. The lecture names no streams; these are the
#: kinds on which leveraging bagging was published (Bifet, Holmes, Pfahringer 2010), with Agrawal's.
STREAMS: dict[str, Callable[[int, int], Any]] = {
    "rbf": partial(_rbf, speed=0.0),
    "rbf-slow": partial(_rbf, speed=0.0001),
    "rbf-fast": partial(_rbf, speed=0.001),
    "hyperplane": _hyperplane,
    "sea": _sea,
    "led": _led,
    "agrawal": _agrawal,
}


def _accuracies(models: Mapping[str, Any], stream: Any, n_examples: int) -> pd.Series:
    found = prequential(models, stream, stop=n_examples, progress=False).summary()
    return found.loc[list(models), "accuracy"]


@simulation(small={"n_examples": 1000, "n_seeds": 1, "chunk_size": 100})
def accuracies_under_drift(
    n_examples: int = 20_000,
    n_seeds: int = 5,
    chunk_size: int = 500,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare ensembles on SEA that changes half way, STAGGER with three concepts, and a turning hyperplane.

    The frame has accuracies by stream and run, with a column for each classifier.
    """
    accuracies = {}
    for kind, run in product(("SEA", "STAGGER", "hyperplane"), range(n_seeds)):
        stream = _three_kinds(kind, n_examples, seed + run)
        known = {"categories": stream.categories, "voting": "majority", "random_state": run}
        weighted = partial(AccuracyWeightedEnsembleClassifier, chunk_size=chunk_size, **known)
        models = {
            "Hoeffding tree": HoeffdingTreeClassifier(categories=stream.categories),
            "ADWIN bagging": ADWINBaggingClassifier(**known),
            "weighted, Naive Bayes": weighted(estimator=NaiveBayesClassifier()),
            "weighted, Hoeffding trees": weighted(),
            "restricted trees, pairs": RestrictedTreesClassifier(categories=stream.categories),
        }
        accuracies[kind, run] = _accuracies(models, stream, n_examples)
    return pd.DataFrame(accuracies).T.rename_axis(index=["stream", "run"], columns=None)


def _three_kinds(kind: str, n_examples: int, seed: int) -> Any:
    if kind == "SEA":
        return drift(SEA(1, random_state=seed), SEA(4, random_state=seed), n_examples // 2)
    if kind == "STAGGER":
        first, second, third = (STAGGER(number, random_state=seed) for number in (1, 2, 3))
        return drift(drift(first, second, n_examples // 3), third, 2 * (n_examples // 3))
    return Hyperplane(n_drifting=5, change=0.001, random_state=seed)


@simulation(small={"n_examples": 1000, "n_models": 2, "n_runs": 1})
def accuracies_by_change(
    streams: Sequence[str] = ("sea", "rbf", "chain"),
    n_examples: int = 20_000,
    n_models: int = 10,
    n_runs: int = 3,
    seed: int = 1,
    changes: Sequence[str] = ("none", "abrupt", "gradual", "recurring"),
) -> pd.DataFrame:
    """Compare online bagging with ADWIN bagging, of both rules, on streams that change in different ways.

    The frame has accuracies by stream, change and run, with a column for each classifier.
    """
    accuracies = {}
    for name, change, run in product(streams, changes, range(n_runs)):
        stream = _changing(change, *_two_laws(name, run), n_examples)
        known = {"random_state": seed, "categorical_features": stream.categorical_features}
        adwin = partial(
            ADWINBaggingClassifier, HoeffdingTreeClassifier(), n_models, voting="majority", **known
        )
        models = {
            "online bagging": OnlineBaggingClassifier(HoeffdingTreeClassifier(), n_models, **known),
            "worst model replaced": adwin(),
            "model of the alarm replaced": adwin(replaced="triggered"),
        }
        accuracies[name, change, run] = _accuracies(models, stream, n_examples)
    return pd.DataFrame(accuracies).T.rename_axis(index=["stream", "change", "run"], columns=None)


def _two_laws(stream: str, run: int) -> tuple[Any, Any]:
    """Give two laws with the same columns."""
    if stream == "sea":
        return SEA(1, random_state=run), SEA(3, random_state=run)
    if stream == "rbf":
        return RandomRBF(random_state=2 * run), RandomRBF(random_state=2 * run + 1)
    return Chain("synthetic3", random_state=run), Chain("synthetic2", random_state=run)


def _changing(change: str, before: Any, after: Any, n_examples: int) -> Any:
    half, quarter = n_examples // 2, n_examples // 4
    if change == "none":
        return before
    if change == "recurring":
        return drift(drift(drift(before, after, quarter), before, half), after, 3 * quarter)
    return drift(before, after, half, width=0 if change == "abrupt" else half / 2)


@simulation(small={"weights": [1, 6], "n_examples": 1000, "n_models": 2})
def accuracies_by_weight(
    weights: Sequence[int] = (1, 2, 6, 12),
    n_examples: int = 20_000,
    n_models: int = 10,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare a tree that learns each example with a weight λ, and leveraging bagging with this mean.

    The frame has their accuracies, and the leaves of the tree, by stream and λ.
    """
    rows = {}
    for kind, lam in product((RandomRBF, SEA, Agrawal), weights):
        stream = kind(random_state=seed)
        X, y = stream[:n_examples]
        nominal = stream.categorical_features
        tree = HoeffdingTreeClassifier(categorical_features=nominal)
        told = tree.prequential_predict(X, y, classes=stream.classes, sample_weight=np.full(len(y), lam))
        ensemble = LeveragingBaggingClassifier(
            n_estimators=n_models,
            lam=lam,
            voting="majority",
            categorical_features=nominal,
            random_state=seed,
        )
        accuracy = _accuracies({"ensemble": ensemble}, (X, y), n_examples)["ensemble"]
        rows[kind.__name__, lam] = (told == y).mean(), tree.n_leaves_, accuracy
    index = pd.MultiIndex.from_tuples(rows, names=["stream", "λ"])
    return pd.DataFrame(list(rows.values()), index, ["one tree", "its leaves", "ensemble"])


#: An adaptive random forest without one of its parts. A detector of so small a δ never raises an alarm.
WITHOUT: dict[str, dict[str, Any]] = {
    "nothing": {},
    "drawn columns": {"max_features": None},
    "the weight λ = 6": {"lam": 1},
    "background trees": {"delta_warning": 1e-300},
    "new trees at all": {"delta_warning": 1e-300, "delta": 1e-300},
}


@simulation(small={"n_examples": 1000, "n_seeds": 1})
def parts_of_the_forest(
    streams: Sequence[str] = ("rbf-fast", "hyperplane", "sea", "led", "agrawal"),
    n_examples: int = 20_000,
    n_seeds: int = 10,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare an adaptive random forest with forests that lack one of its parts, on drifting streams.

    The frame has accuracies by stream and seed, with a column for what is missing.
    """
    accuracies = {}
    for name, s in product(streams, range(seed, seed + n_seeds)):
        stream = STREAMS[name](n_examples, s)
        known = {"categories": stream.categories, "random_state": s}
        forests = {part: AdaptiveRandomForestClassifier(**known, **given) for part, given in WITHOUT.items()}
        accuracies[name, s] = _accuracies(forests, stream, n_examples)
    return pd.DataFrame(accuracies).T.rename_axis(index=["stream", "seed"], columns="without")


@simulation(small={"n_examples": 1000, "n_models": 2})
def passage_of_clouds(n_examples: int = 20_000, n_models: int = 10, seed: int = 1) -> pd.DataFrame:
    """Let four ensembles of Hoeffding trees learn clouds of points that are exchanged half way.

    The frame says whether an ensemble is right about an example before it learns it, with a column for each.
    """
    stream = drift(RandomRBF(random_state=1), RandomRBF(random_state=2), n_examples // 2)
    X, y = stream[:n_examples]
    known: dict[str, Any] = {"n_estimators": n_models, "random_state": seed}
    ensembles = {
        "online bagging": OnlineBaggingClassifier(HoeffdingTreeClassifier(), **known),
        "ADWIN bagging": ADWINBaggingClassifier(**known),
        "leveraging bagging": LeveragingBaggingClassifier(**known),
        "adaptive random forest": AdaptiveRandomForestClassifier(**known),
    }
    classes = stream.classes
    return pd.DataFrame(
        {name: it.prequential_predict(X, y, classes=classes) == y for name, it in ensembles.items()}
    )


@simulation(small={"n_examples": 500})
def option_trees(n_examples: int = 40_000, seed: int = 1) -> pd.DataFrame:
    """Compare a Hoeffding option tree with a Hoeffding tree and with a bag of five, on three streams.

    The frame has accuracies, and numbers of nodes with options, by stream and classifier.
    """
    rows = {}
    for kind, stream in {
        "Agrawal, function 2": Agrawal(2, random_state=seed),
        "hyperplane": Hyperplane(n_drifting=5, change=0.001, random_state=seed),
        "SEA": SEA(1, random_state=seed),
    }.items():
        known = {"categorical_features": stream.categorical_features, "categories": stream.categories}
        bag = OnlineBaggingClassifier(HoeffdingTreeClassifier(), 5, random_state=seed, **known)
        models = {
            "Hoeffding tree": HoeffdingTreeClassifier(**known),
            "option tree": HoeffdingOptionTreeClassifier(5, **known),
            "bagging of 5 trees": bag,
        }
        X, y = stream[:n_examples]
        for name, model in models.items():
            accuracy = (model.prequential_predict(X, y, classes=stream.classes) == y).mean()
            rows[kind, name] = accuracy, getattr(model, "n_options_", 0)
    index = pd.MultiIndex.from_tuples(rows, names=["stream", "classifier"])
    return pd.DataFrame(list(rows.values()), index, ["accuracy", "nodes with options"])
