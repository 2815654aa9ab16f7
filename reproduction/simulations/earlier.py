"""What earlier online ensembles do, on data small enough to look inside (thesis section 2.4)."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.datasets import load_dataset
from oza.ensembles import (
    BlockedBoostingClassifier,
    FixedFractionBaggingClassifier,
    OnlineArcX4Classifier,
    PrimedOnlineBoostingClassifier,
)
from oza.kernels.draws import uniforms
from oza.models import DecisionTreeClassifier

from ..columns import nominal_columns
from ..record.simulation import simulation
from ..theory.memory import arcing_error

_STREAMS = ("car-evaluation", "nursery", "synthetic2", "synthetic3")
_Examples = tuple[npt.NDArray[Any], npt.NDArray[Any]]


def shuffled(dataset: str, seed: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Bring the examples of a data set into random order."""
    X, y = load_dataset(dataset, return_X_y=True)
    order = uniforms(len(y), "order", dataset, seed).argsort(kind="stable")
    return X[order], y[order]


@simulation(small={"streams": ["car-evaluation"], "n_blocks": 3})
def exact_hard_shares(streams: Sequence[str] = _STREAMS, n_blocks: int = 25, seed: int = 1) -> pd.DataFrame:
    """Fill blocks by the acceptance rule with the exact error of the vote; data sets are the populations.

    There are `n_blocks` of each stream; fewer if the vote becomes perfect, or worse than one half. The frame
    has columns stream and share, that of the examples that the vote of the earlier models gets wrong; a row
    for each block but the first.
    """
    rows = [(name, share) for name in streams for share in _exact_blocks(name, n_blocks, seed)]
    return pd.DataFrame(rows, columns=["stream", "share"])


def _exact_blocks(name: str, n_blocks: int, seed: int, size: int = 100) -> Iterator[float]:
    X, y = (part[:10_000] for part in shuffled(name, seed))
    classes, codes = np.unique(y, return_inverse=True)
    votes = np.zeros((len(y), len(classes)))
    block = np.arange(size)
    for m in range(n_blocks):
        predictions = (
            DecisionTreeClassifier(categorical_features=nominal_columns(X)).fit(X[block], y[block]).predict(X)
        )
        votes += predictions[:, None] == classes
        wrong = votes.argmax(axis=1) != codes
        e = wrong.mean()
        if not 0 < e <= 1 / 2:
            return
        met = (uniforms(int(size / e), "met", name, seed, m) * len(y)).astype(int)  # about twice enough
        chance = np.where(wrong[met], 1, e / (1 - e))
        block = met[uniforms(len(met), "kept", name, seed, m) < chance][:size]
        yield int(wrong[block].sum()) / size


@simulation(small={"streams": ["car-evaluation"]})
def hard_shares(streams: Sequence[str] = _STREAMS, seed: int = 1) -> pd.DataFrame:
    """Give the same shares for the blocks of the library's algorithm, which estimates the error."""
    rows = []
    for name in streams:
        X, y = shuffled(name, seed)
        ensemble = BlockedBoostingClassifier(
            DecisionTreeClassifier(),
            n_estimators=100,
            categorical_features=nominal_columns(X),
            random_state=seed,
        ).fit(X, y)
        rows += [(name, share) for share in ensemble.hard_shares_[1:]]
    return pd.DataFrame(rows, columns=["stream", "share"])


@simulation(small={"block_sizes": (20, 40), "n_blocks": 3, "n_examples": 3000, "n_repeats": 2})
def block_errors(
    block_sizes: Sequence[int] = (100, 200, 400, 800),
    n_blocks: int = 25,
    n_examples: int = 80_000,
    n_repeats: int = 6,
    seed: int = 1,
) -> pd.DataFrame:
    """Measure how the error of boosting in blocks falls, on several streams of Synthetic2.

    The frame has errors on fresh examples, by stream and number of blocks (rows) and block size (columns).
    """
    curves = {}
    for repeat in range(seed, seed + n_repeats):
        X, y = load_dataset("synthetic2", return_X_y=True, random_state=repeat)
        X_test, y_test = X[-4000:], y[-4000:]
        for size in block_sizes:
            ensemble = BlockedBoostingClassifier(
                DecisionTreeClassifier(),
                n_estimators=n_blocks,
                block_size=size,
                random_state=repeat,
                categorical_features=nominal_columns(X),
            ).fit(X[:n_examples], y[:n_examples])
            for i, labels in enumerate(ensemble.staged_predict(X_test), start=1):
                curves[size, repeat, i] = float((labels != y_test).mean())
    return pd.Series(curves).unstack(0).rename_axis(["stream", "blocks"])


@simulation(small={"sizes": (84, 500)})
def sizes_of_priming(sizes: Sequence[int] = (84, 500, 5000, 80_000), seed: int = 1) -> pd.DataFrame:
    """Determine how many examples primed online boosting learns in batch first, by trying numbers.

    The frame has columns n_train and n_prime: the ensemble with this `n_prime` equals the one with the
    default.
    """
    rows = []
    X, y = load_dataset("synthetic1", return_X_y=True, random_state=seed)
    for n_train in sizes:
        some = X[:n_train], y[:n_train]
        default = PrimedOnlineBoostingClassifier(
            n_estimators=2, random_state=seed, categorical_features=nominal_columns(X)
        ).fit(*some)
        fifth = n_train // 5
        for n_prime in {fifth - 1, fifth, fifth + 1, 9999, 10000, 10001} & set(range(1, n_train)):
            tried = PrimedOnlineBoostingClassifier(
                n_estimators=2, n_prime=n_prime, random_state=seed, categorical_features=nominal_columns(X)
            )
            if np.array_equal(tried.fit(*some).lambda_correct_, default.lambda_correct_):
                rows.append((n_train, n_prime))
    return pd.DataFrame(rows, columns=["n_train", "n_prime"])


@simulation(small={"probabilities": (0.2, 0.8), "n_models": 5})
def update_probabilities(
    probabilities: Sequence[float] = (0.1, 0.3, 0.5, 0.7, 0.9), n_models: int = 25, seed: int = 1
) -> pd.DataFrame:
    """Measure the members of fixed-fraction bagging on Car Evaluation, by their update probability.

    The frame has a row for each probability: mean `accuracy` of a member, mean `disagreement` of two members,
    and accuracy "of the vote".
    """
    X, y = shuffled("car-evaluation", seed)
    half = len(y) // 2
    rows = {}
    for p in probabilities:
        ensemble = FixedFractionBaggingClassifier(
            DecisionTreeClassifier(),
            n_models,
            update_probability=p,
            random_state=seed,
            categorical_features=nominal_columns(X),
        ).fit(X[:half], y[:half])
        predictions = ensemble.predict_each(X[half:]).T
        disagree = np.mean([(a != b).mean() for a, b in combinations(predictions, 2)])
        rows[p] = (predictions == y[half:]).mean(), disagree, ensemble.score(X[half:], y[half:])
    return pd.DataFrame.from_dict(rows, orient="index", columns=["accuracy", "disagreement", "of the vote"])


def halves_of(dataset: str, seed: int) -> tuple[_Examples, _Examples]:
    """Halve 6000 examples, or all if there are fewer, in random order; values are coded one-hot."""
    X, y = (part[:6000] for part in shuffled(dataset, seed))
    one_hot = np.hstack([X[:, [a]] == np.unique(X[:, a]) for a in range(X.shape[1])]).astype(float)
    cut = len(y) // 2
    return (one_hot[:cut], y[:cut]), (one_hot[cut:], y[cut:])


@simulation(small={"problems": ["balance"]})
def leaf_budget(
    problems: Sequence[str] = ("balance", "car-evaluation", "nursery", "synthetic2"),
    n_leaves: int = 64,
    seed: int = 1,
) -> pd.DataFrame:
    """Measure the test errors of Arc-x4 with trees that share a number of leaves evenly.

    The frame is indexed by the number of trees in rising order, and has a column for each problem.
    """
    numbers = [2**k for k in range((n_leaves // 2).bit_length())]
    columns = {}
    for problem in problems:
        train, test = halves_of(problem, seed)
        columns[problem] = [arcing_error(train, test, m, n_leaves // m) for m in numbers]
    return pd.DataFrame(columns, index=pd.Index(numbers, name="trees"))


@simulation(small={"n_models": 3})
def arcing_of_pruned_trees(n_models: int = 25, seed: int = 1) -> tuple[float, list[float]]:
    """Learn four fifths of Balance Scale by online Arc-x4 of pruned trees.

    Give the accuracy on the other examples, and the error of each tree on examples that it has just learned.
    """
    X, y = shuffled("balance", seed)
    cut = len(y) * 4 // 5
    tree = DecisionTreeClassifier(prune=True)
    model = OnlineArcX4Classifier(tree, n_models, categorical_features=range(X.shape[1]))
    accuracy = model.fit(X[:cut], y[:cut]).score(X[cut:], y[cut:])
    return accuracy, list(model.estimator_errors_)
