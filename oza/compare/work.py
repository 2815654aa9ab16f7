"""The thesis's comparison on a user's own data: accuracies, significance, learning curves, times.

It answers two questions. How do batch, online and primed ensembles compare in cross-validation, on a
sample if the file is large? And on the file as a stream, from its first row to its last: how well does
each online algorithm predict a row before it is trained on it?
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..columns.validation import check_integer
from ..datasets.binning import cut_points
from ..ensembles import PrimedOnlineBoostingClassifier
from ..evaluation.significance import compared_splits, standard_error
from ..kernels.random import key_of, permutation
from .algorithms import ALGORITHMS, ALGORITHMS_OF, BASE_MODELS, STREAM_MODELS, USUAL_MODELS, compared_with
from .own import OwnData

#: Largest file for decision trees on the stream; lossless online trees are too slow on larger ones.
LARGEST_FOR_TREES = 13_000

#: Fewest examples that a split may leave to learn from; the smallest point of a learning curve.
FEWEST_TO_LEARN = 10

_BOUNDS = {"n_models": (1, 10_000), "repetitions": (1, 1000), "folds": (2, 10_000), "limit": (1, 10**9)}
_WARM_UP = 20  # examples; enough to load every kernel before timing starts
_CURVE_POINTS = 6
_STREAM_POINTS = 50


@dataclass(frozen=True)
class Settings:
    """Settings of a comparison.

    Attributes
    ----------
    base_models : tuple of str
        Names in `ALGORITHMS_OF`.
    n_models : int, default=100
        Base models in an ensemble.
    repetitions, folds : int, default=1 and 5
        Number of cross-validations, and of folds of each.
    seed : int, default=0
        Seed of all splits and draws.
    limit : int, default=20,000
        Largest number of examples in the cross-validation; of a larger file, a random sample is used.
    algorithms : tuple of str, default=()
        Names in `ALGORITHMS`, of which those are compared that run over a base model; its single models
        always are. () means all.

    Raises
    ------
    ValueError
        If a name is unknown or given twice, or a number out of range.
    """

    base_models: tuple[str, ...] = USUAL_MODELS
    n_models: int = 100
    repetitions: int = 1
    folds: int = 5
    seed: int = 0
    limit: int = 20_000
    algorithms: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be computed."""
        for kind, names, known in (
            ("base_models", self.base_models, ALGORITHMS_OF),
            ("algorithms", self.algorithms, ALGORITHMS),
        ):
            for name in names:
                if name not in known:
                    raise ValueError(f"{kind}: no {name!r}; choose from {', '.join(known)}")
                if [*names].count(name) > 1:
                    raise ValueError(f"{kind}: {name!r} is named twice; name it once")
        for name, bounds in _BOUNDS.items():
            check_integer(name, getattr(self, name), *bounds)
        check_integer("seed", self.seed, -(2**63))
        if not self.base_models:
            raise ValueError("base_models: is empty; name one or more")

    def algorithms_of(self, base_model: str) -> tuple[str, ...]:
        """Names of the algorithms that are compared over a base model."""
        return tuple(
            name
            for name in ALGORITHMS_OF[base_model]
            if not self.algorithms or name in self.algorithms or not ALGORITHMS[name].is_ensemble
        )


class Step(NamedTuple):
    """A unit of work on one base model: an algorithm on a split or part of it, or all on the stream."""

    kind: str  # "split", "curve" or "stream"
    base_model: str
    algorithm: str
    repetition: int = 0
    fold: int = 0
    n_train: int = 0  # of a curve


@dataclass(frozen=True, eq=False)
class Comparison:
    """Results of a comparison.

    Attributes
    ----------
    data : OwnData
    settings : Settings
    n_sampled : int
        Number of examples in the cross-validation.
    splits : DataFrame
        A row for each base model, algorithm and split: `n_train`, `n_test`, `accuracy`, `train_seconds`,
        `test_seconds`.
    curves : DataFrame
        A row for each base model, algorithm and number of training examples: `accuracy`, on the first split.
    stream : DataFrame
        About fifty rows for each base model and online algorithm: `n_seen` rows of the file so far,
        `accuracy` on them, each predicted before it was learned, and the `seconds` spent.
    """

    data: OwnData
    settings: Settings
    n_sampled: int
    splits: pd.DataFrame
    curves: pd.DataFrame
    stream: pd.DataFrame


class Work:
    """Runs the steps of a comparison, one after the other.

    Parameters
    ----------
    data : OwnData
    settings : Settings

    Raises
    ------
    ValueError
        If there are fewer examples than folds, or a split leaves fewer than 10 to learn from.
    """

    def __init__(self, data: OwnData, settings: Settings):
        n_sampled = min(data.n_rows, settings.limit)
        _check_number(data, settings, n_sampled)
        self.data, self.settings = data, settings
        self._X, self._y = _sample(data, n_sampled, settings.seed)
        self._rows: dict[str, list[dict[str, Any]]] = {"split": [], "curve": [], "stream": []}
        self._binnings: dict[tuple[int, int, int], _Binning] = {}  # of the training examples of each split

    def steps(self) -> list[Step]:
        """List the steps."""
        settings, steps = self.settings, []
        n_train = len(self._y) - len(self._y) // settings.folds
        sizes = sorted({int(n_train * 0.6**k) for k in range(_CURVE_POINTS)} - set(range(FEWEST_TO_LEARN)))
        for base_model in settings.base_models:
            for algorithm in settings.algorithms_of(base_model):
                splits = product(range(settings.repetitions), range(settings.folds))
                steps += [Step("split", base_model, algorithm, *split) for split in splits]
                steps += [Step("curve", base_model, algorithm, n_train=size) for size in sizes]
            if self._online(base_model):
                steps.append(Step("stream", base_model, "all online algorithms"))
        return steps

    def _online(self, base_model: str) -> list[str]:
        """Algorithms that can process the file as a stream; lossless trees are too slow on large ones."""
        if base_model == "decision_tree" and self.data.n_rows > LARGEST_FOR_TREES:
            return []
        lossless = [] if base_model == "neural_network" else ["single"]
        names = self.settings.algorithms_of(base_model)
        return [name for name in names if name in lossless or ALGORITHMS[name].is_online]

    def size(self, step: Step) -> int:
        """Number of examples that are learned in a step."""
        if step.kind == "stream":
            return self.data.n_rows * len(self._online(step.base_model))
        return step.n_train or len(self._y) - len(self._y) // self.settings.folds

    def do(self, step: Step, progress: Callable[[int], Any] | None = None) -> None:
        """Run a step and store its results; `progress` is called with numbers of examples learned."""
        try:
            self._do(step, progress or (lambda n_examples: None))
        except MemoryError as error:
            raise ValueError(
                f"{self.data.path.name}: {step.algorithm} over {step.base_model} needs more memory than is "
                f"available; use fewer base models than n_models={self.settings.n_models}, or fewer columns"
            ) from error

    def _do(self, step: Step, progress: Callable[[int], Any]) -> None:
        if step.kind == "stream":
            self._rows["stream"] += self._stream(step.base_model, progress)
            return
        made = {"base_model": step.base_model, "algorithm": step.algorithm}
        train, test = self._split(step.repetition, step.fold)
        if step.kind == "curve":
            train = train[: step.n_train]
        self._rows[step.kind].append(
            made | {"repetition": step.repetition, "fold": step.fold} | self._measure(step, train, test)
        )
        progress(self.size(step))

    def found(self) -> Comparison:
        """Results of the steps run so far."""
        splits, curves, stream = (pd.DataFrame(rows) for rows in self._rows.values())
        return Comparison(self.data, self.settings, len(self._y), splits, curves, stream)

    def _split(self, repetition: int, fold: int) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of training examples, in random order, and of test examples."""
        n, folds = len(self._y), self.settings.folds
        shuffled = permutation(n, key_of("compare", self.settings.seed, repetition))
        first, stop = fold * n // folds, (fold + 1) * n // folds
        return np.delete(shuffled, slice(first, stop)), shuffled[first:stop]

    def _classifier(self, step: Step, n_rows: int) -> Any:
        algorithm = ALGORITHMS[step.algorithm]
        n_models = self.settings.n_models if algorithm.is_ensemble else 1
        seed = key_of("compare", self.settings.seed, *step[1:5])
        classifier = algorithm.make((BASE_MODELS | STREAM_MODELS)[step.base_model](), n_models, seed)
        if isinstance(classifier, PrimedOnlineBoostingClassifier):
            classifier.set_params(n_prime=min(n_rows // 5, 10_000))
        return classifier.set_params(categorical_features=range(len(self.data.columns)))  # bins and values

    def _binning(self, step: Step, train: np.ndarray) -> "_Binning":
        """Bins of the training examples, which are the same for every algorithm."""
        split = (step.repetition, step.fold, step.n_train)
        if split not in self._binnings:
            self._binnings[split] = _Binning(self.data, self._X[train])
        return self._binnings[split]

    def _measure(self, step: Step, train: np.ndarray, test: np.ndarray) -> dict[str, Any]:
        binning = self._binning(step, train)
        X_train, X_test = binning(self._X[train]), binning(self._X[test])
        y_train, n_classes = self._y[train], len(self.data.class_counts)
        learn = ALGORITHMS[step.algorithm].learn
        warm = self._classifier(step, len(train))
        learn(warm, X_train[:_WARM_UP], y_train[:_WARM_UP], n_classes)
        warm.predict(X_test[:_WARM_UP])
        classifier = self._classifier(step, len(train))
        start = time.process_time()
        learn(classifier, X_train, y_train, n_classes)
        trained = time.process_time()
        predicted = classifier.predict(X_test)
        tested = time.process_time()
        return {
            "n_train": len(train),
            "n_test": len(test),
            "accuracy": float((predicted == self._y[test]).mean()),
            "train_seconds": trained - start,
            "test_seconds": tested - trained,
        }

    def _stream(self, base_model: str, progress: Callable[[int], Any]) -> Iterator[dict[str, Any]]:
        """Run all online algorithms on the file in one pass."""
        classes = np.arange(len(self.data.class_counts))
        piece = -(-self.data.n_rows // _STREAM_POINTS)
        steps = [Step("stream", base_model, algorithm) for algorithm in self._online(base_model)]
        learners: dict[Step, Any] = {}
        n_seen = 0
        n_correct, seconds = dict.fromkeys(steps, 0), dict.fromkeys(steps, 0.0)
        for X, y in self.data.chunks():
            if not learners:
                binning = _Binning(self.data, X)  # a stream offers only its first chunk
                for step in steps:
                    warm, learners[step] = (
                        self._classifier(step, self.data.n_rows).set_params(categories=binning.categories)
                        for _ in range(2)
                    )
                    warm.prequential_predict(binning(X[:_WARM_UP]), y[:_WARM_UP], classes)
            codes = binning(X)
            for first in range(0, len(y), piece):
                part = slice(first, first + piece)
                n_seen += len(y[part])
                for step, learner in learners.items():
                    start = time.process_time()
                    predicted = learner.prequential_predict(codes[part], y[part], classes)
                    seconds[step] += time.process_time() - start
                    n_correct[step] += int((predicted == y[part]).sum())
                    progress(len(predicted))
                    yield {
                        "base_model": base_model,
                        "algorithm": step.algorithm,
                        "n_seen": n_seen,
                        "accuracy": n_correct[step] / n_seen,
                        "seconds": seconds[step],
                    }


class _Binning:
    """Discretises numeric inputs into ten equal-frequency bins, fitted on some examples.

    In a column with missing numbers, these have their own bin, the last. Nominal inputs are unchanged.
    """

    def __init__(self, data: OwnData, X: np.ndarray):
        sizes = np.array([0 if values is None else len(values) for values in data.values])
        self._edges: dict[int, np.ndarray] = {}
        for j in np.flatnonzero(data.is_numeric).tolist():
            present = X[~np.isnan(X[:, j]), j]
            self._edges[j] = cut_points(present, 10) if len(present) else np.empty(0)
            sizes[j] = len(self._edges[j]) + 1 + (data.n_missing[j] > 0)
        self.categories = [range(size) for size in sizes.tolist()]

    def __call__(self, X: np.ndarray) -> np.ndarray:
        codes = X.copy()
        for j, edges in self._edges.items():  # NaN is sorted behind all edges
            codes[:, j] = np.searchsorted(edges, X[:, j], side="right") + np.isnan(X[:, j])
        return codes.astype(np.int64)


def _check_number(data: OwnData, settings: Settings, n_sampled: int) -> None:
    """Refuse too few examples."""
    folds, file = settings.folds, data.path.name
    n_train = n_sampled - max(n_sampled // folds, 1)
    if folds > n_sampled > FEWEST_TO_LEARN:
        raise ValueError(
            f"{file}, folds={folds}: expected 2 or more, and no more than the {n_sampled} examples; "
            "choose fewer"
        )
    if n_train < FEWEST_TO_LEARN:
        needed = next(n for n in count(FEWEST_TO_LEARN) if n - n // folds >= FEWEST_TO_LEARN)
        is_limited = n_sampled < data.n_rows
        found = f"limit={n_sampled} admits" if is_limited else "the file has"
        remedy = "set the limit to" if is_limited else "give it"
        raise ValueError(
            f"{file}: {found} {n_sampled} examples, of which {folds} folds leave {n_train} to learn from; a "
            f"comparison needs {FEWEST_TO_LEARN}, so {remedy} {needed} examples or more"
        )


def _sample(data: OwnData, n_sampled: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Examples of the cross-validation: all, or a random sample."""
    wanted = np.sort(permutation(data.n_rows, key_of("compare", "sample", seed))[:n_sampled])
    X, y, first = [], [], 0
    for X_chunk, y_chunk in data.chunks():
        rows = wanted[(wanted >= first) & (wanted < first + len(y_chunk))] - first
        X.append(X_chunk[rows])
        y.append(y_chunk[rows])
        first += len(y_chunk)
    return np.concatenate(X), np.concatenate(y)


def comparison_cells(comparison: Comparison) -> pd.DataFrame:
    """Sum up the cross-validation of a comparison on a reader's own data.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    DataFrame
        Indexed by base model and algorithm: `mean`, `standard_error` and `n_splits` of the accuracy, the
        medians of `train_seconds` and `test_seconds`, and `welch` and `corrected`: "better", "worse" or
        "none" than the single model, by Welch's t-test and by the corrected resampled one ("unknown" with
        fewer than two splits). Online networks are compared with the single online network.
    """
    groups: dict[Any, pd.DataFrame] = {
        key: group.set_index(["repetition", "fold"])
        for key, group in comparison.splits.groupby(["base_model", "algorithm"], sort=False)
    }
    rows = {}
    for (base_model, algorithm), group in groups.items():
        found = compared_splits(group, groups[base_model, compared_with(base_model, algorithm)])
        rows[base_model, algorithm] = {
            "mean": group["accuracy"].mean(),
            "standard_error": standard_error(group["accuracy"].to_numpy()),
            "n_splits": len(group),
            "train_seconds": group["train_seconds"].median(),
            "test_seconds": group["test_seconds"].median(),
            "welch": found.welch,
            "corrected": found.mark,
        }
    return pd.DataFrame.from_dict(rows, "index").rename_axis(["base_model", "algorithm"])
