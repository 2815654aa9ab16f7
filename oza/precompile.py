"""Compiling the kernels of public classes ahead of time, for container images and first calls in class."""

import difflib
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin, clone

from .discovery import all_estimators
from .kernels.compile import CACHE

_N_ROWS = 600  # more than a chunk of those ensembles that wait for one
_SMALL = {"n_estimators": 3, "max_trials": 4, "random_state": 0}  # the compiled code does not depend on these


def classes_named(names: Sequence[str]) -> dict[str, type]:
    """Public classes by name; all of them if none is named.

    Raises
    ------
    ValueError
        If there is no class of a name; the message lists similar names, or all.

    Examples
    --------
    >>> from oza.precompile import classes_named
    >>> classes_named(["Winnow"])
    {'Winnow': <class 'oza.experts.winnow.Winnow'>}
    """
    known = all_estimators()
    by_small_letters = {name.lower(): name for name in known}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name.lower(), by_small_letters)
            similar = [by_small_letters[one] for one in near]
            hint = f"did you mean {' or '.join(similar)}?" if near else f"there are {', '.join(known)}"
            raise ValueError(f"CLASS {name!r} is not a public class of oza; {hint}")
    return {name: known[name] for name in dict.fromkeys(names)} if names else known


def compile_classes(kinds: dict[str, type]) -> Iterator[tuple[str, float]]:
    """Compile the kernels of classes with their default parameters, and keep them for other processes.

    What takes a base model is compiled for the one that it has by default. All methods of classifiers that
    learn or predict are called, with columns of numbers, nominal columns, and both, in arrays and frames.

    Parameters
    ----------
    kinds : dict of str to type
        Public classes by name.

    Yields
    ------
    (str, float)
        Name of each class, and the seconds that it took.

    Raises
    ------
    OSError
        If compiled kernels cannot be kept; the message says why, and what to do.
    """
    for name, kind in kinds.items():
        start = time.perf_counter()
        with warnings.catch_warnings(action="ignore"):  # of the made-up data; what cannot be kept is raised
            _use(kind)
        if CACHE.problem:
            raise OSError(f"compiled kernels cannot be kept: {CACHE.problem}.")
        yield name, time.perf_counter() - start


def _use(kind: type) -> None:
    """Call all methods of a class that learn or predict, with the usual types of input."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, _N_ROWS)
    if not issubclass(kind, ClassifierMixin):
        _use_forecaster(kind, rng.random((_N_ROWS, 3)) < 0.5)
        return
    estimator: Any = kind()
    estimator.set_params(**{name: _SMALL[name] for name in estimator.get_params() if name in _SMALL})
    numbers, codes = rng.normal(size=(_N_ROWS, 3)) + labels[:, None], rng.integers(0, 3, (_N_ROWS, 3))
    names = codes.astype(str)
    both = np.column_stack([numbers.astype(object), names.astype(object)])
    frame = pd.DataFrame(both).infer_objects().rename(columns=str)
    for table in (numbers, names, both, frame):
        _use_classifier(estimator, table, labels)
    if "categorical_features" in estimator.get_params():
        _use_classifier(estimator.set_params(categorical_features=range(3)), codes, labels)


def _use_classifier(estimator: Any, X: Any, y: np.ndarray) -> None:
    row, rows = slice(1), slice(None)
    batch = clone(estimator).fit(X, y)
    learners = [batch]
    if hasattr(estimator, "partial_fit"):
        stream = clone(estimator)
        for some in (row, rows, row):
            stream.partial_fit(X[some], y[some], classes=[0, 1, 2])
            stream.prequential_predict(X[some], y[some])
        open_stream = clone(estimator)  # which learns values and classes when it first meets them
        if not open_stream._new_kind()._needs_classes:
            learners.append(open_stream.partial_fit(X, y))
        learners.append(stream)
    for learner in learners:
        for some in (row, rows):
            learner.predict(X[some])
            learner.predict_proba(X[some])
    if hasattr(batch, "query"):
        batch.query(X)


def _use_forecaster(kind: Any, bits: np.ndarray) -> None:
    """The same for experts, which take columns of bits, or a signal."""
    if hasattr(kind, "predict"):
        outcomes = bits[:, 0]
        forecaster = kind().fit(bits, outcomes)
        forecaster.partial_fit(bits[:1], outcomes[:1])
        forecaster.predict(bits)
        forecaster.predict(bits[:1])
    else:
        forecaster = kind(amplitude=1.0).fit(bits[:, 0].astype(float))
        forecaster.partial_fit([1.0])
        forecaster.predict_next()
        forecaster.predict_sequence(bits[:, 1].astype(float))
        forecaster.regret()
