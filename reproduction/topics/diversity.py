"""Diverse ensembles: members' errors and agreement, and the error of their vote; wrong labels.

The claims are of Mooney's lecture. The ensembles are those of the topic `decorate`.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier as Cart

from oza import AdaBoostClassifier, BaggingClassifier, DecisionTreeClassifier, RandomSubspaceClassifier
from oza.diversity import kappa_error

from ..claims.criteria import above_zero, beside, better, every, exchanged
from ..claims.registry import Decision, claim, require
from ..columns import nominal_columns
from ..exact import dot
from ..printed.record import Record
from ..record.simulation import simulation
from ..record.study import cells, study
from ..studies.halves import noisy, random_half
from ..studies.protocol import SMALL
from .decorate import ENSEMBLES

_TREE = DecisionTreeClassifier(prune=True)
_DATASETS = ("balance", "breast-cancer", "car-evaluation", "chess", "german-credit")
_REST = {"flipped": (0.0, 0.1, 0.2), "seed": 11}


@simulation(small={"depths": [1], "n_splits": 1})
def boosted_depths(
    dataset: str = "balance",
    depths: Sequence[int] = (1, 2, 3, 5, 8),
    n_splits: int = 5,
    n_train: int = 300,
    seed: int = 1,
) -> pd.DataFrame:
    """Boost scikit-learn's trees of limited depth: means over random halves, a row for each depth."""
    rows = []
    for depth, number in product(depths, range(n_splits)):
        X, y, X_test, y_test = random_half(dataset, number, n_train, seed)
        boosted = AdaBoostClassifier(Cart(max_depth=depth), 50, random_state=seed).fit(X, y)
        alone = Cart(max_depth=depth, random_state=0).fit(X, y)
        errors = [1 - model.score(*on) for on in ((X, y), (X_test, y_test)) for model in (alone, boosted)]
        rows.append((depth, len(boosted.estimators_), *errors))
    errors_of = ["training error alone", "boosted", "test error alone", "boosted on tests"]
    return pd.DataFrame(rows, columns=["depth", "models", *errors_of]).groupby("depth").mean()


def made(name: str, n_models: int, seed: int, columns: Any = None) -> Any:
    """Make an untrained ensemble of trees.

    It is "bagging", "boosting", "decorate", "subspace 0.5" (with the share of the columns), "bagged boosting"
    or "boosted bagging"; `columns` are the nominal ones.
    """
    kind, _, share = name.partition(" ")
    declared = {"categorical_features": columns}
    if kind == "subspace":
        options = {"max_features": float(share), "random_state": seed}
        return RandomSubspaceClassifier(DecisionTreeClassifier(), n_models, **options, **declared)
    few = max(2, round(n_models**0.5))
    if name == "bagged boosting":
        boosted = AdaBoostClassifier(_TREE, few, **declared)
        return BaggingClassifier(boosted, n_models // few, random_state=seed)
    if name == "boosted bagging":
        bag = BaggingClassifier(_TREE, few, random_state=seed, **declared)
        return AdaBoostClassifier(bag, n_models // few, random_state=seed)
    return ENSEMBLES[name](_TREE, n_models, random_state=seed, **declared)


def pairs(dataset: str, name: str, n_models: int = 20, n_train: int = 400, seed: int = 1) -> pd.DataFrame:
    """Measure κ and mean error of each pair of members of an ensemble, as `oza.diversity.kappa_error` does.

    The ensemble, named as for `made`, is trained on a random half of a data set, of which the rest is tested.
    """
    half = random_half(dataset, 0, n_train, seed)
    model = made(name, n_models, seed, nominal_columns(half.X)).fit(half.X, half.y)
    return kappa_error(model.predict_each(half.X_test), half.y_test)


_SIX = ("bagging", "boosting", "decorate", "subspace 0.4", "subspace 0.6", "subspace 0.8")
#: Ensembles by which claim C137 is judged.
_JUDGED = {"dataset": (*SMALL, "mushroom"), "split": range(5), "ensemble": _SIX, "n_models": 15, "seed": 21}
#: What the book shows beside them.
_COMBINED = ("bagging", "boosting", "bagged boosting", "boosted bagging")
_SHOWN = {"split": range(5), "ensemble": _COMBINED, "n_models": 20, "seed": 1}


@study(
    "diverse-ensembles",
    "Members and votes of diverse ensembles of trees",
    {
        "n_members": int,
        "member_error": float,  # mean of the members
        "kappa": float,  # mean of the pairs of members; 1 for a single one
        "error": float,  # of the vote
    },
    smoke=lambda: cells(
        dataset="balance", split=0, ensemble=("bagging", "subspace 0.6"), n_models=3, n_train=60, seed=1
    ),
    thesis=lambda: cells(
        _JUDGED,
        {"dataset": ("balance", "breast-cancer", "car-evaluation", "chess")} | _SHOWN,
        {"dataset": "balance"} | _SHOWN | {"ensemble": ("decorate", "subspace 0.6")},
        n_train=300,
    ),
    exhibits=("Mooney's slide 18",),
)
def diverse_ensembles(
    dataset: str, ensemble: str, split: int, n_models: int, n_train: int, seed: int
) -> tuple[int, float, float, float]:
    """An ensemble of trees, named as for `made`, on a random half of a data set."""
    half = random_half(dataset, split, n_train, seed)
    model = made(ensemble, n_models, seed + split, nominal_columns(half.X)).fit(half.X, half.y)
    predictions = model.predict_each(half.X_test)
    n, error = predictions.shape[1], float((model.predict(half.X_test) != half.y_test).mean())
    points = (
        kappa_error(predictions, half.y_test) if n > 1 else pd.DataFrame({"error": [error], "kappa": 1.0})
    )
    return n, float(points["error"].mean()), float(points["kappa"].mean()), error


JUDGED = [diverse_ensembles.task(**cell) for cell in cells(_JUDGED, n_train=300)]


def ensembles(
    datasets: Iterable[str], names: Iterable[str], n_splits: int, n_models: int, n_train: int, seed: int
) -> pd.DataFrame:
    """Measure ensembles of trees: mean error and mean κ of the members, and error of the vote.

    What is recorded is read, and the rest is computed now. A row for each ensemble that has two members or
    more.
    """
    sizes = {"n_models": n_models, "n_train": n_train, "seed": seed}
    listed = cells(dataset=datasets, split=range(n_splits), ensemble=names, **sizes)
    return several(diverse_ensembles.recorded_or_computed(diverse_ensembles.task(**cell) for cell in listed))


def several(rows: pd.DataFrame) -> pd.DataFrame:
    """Select, of rows of the study, the ensembles of two members or more and the columns of `ensembles`."""
    columns = ["dataset", "ensemble", "split", "member_error", "kappa", "error"]
    return rows.loc[rows["n_members"] > 1, columns].reset_index(drop=True)


def slope_of_kappa(rows: pd.DataFrame) -> float:
    """Change of the ensemble's error with κ at equal error of the members: a regression on both.

    It is above 0 if more agreement goes with a larger error. The rows are those of one data set.
    """
    columns = rows[["member_error", "kappa", "error"]].to_numpy()
    x, z, y = (columns - columns.mean(axis=0)).T
    xx, zz, xz, xy, zy = (dot(*pair) for pair in ((x, x), (z, z), (x, z), (x, y), (z, y)))
    spread = xx * zz - xz * xz
    return (xx * zy - xz * xy) / spread if spread > 0 else np.nan


@study(
    "wrong-labels",
    "Boosted and bagged trees on training examples with wrong labels",
    {"examples": float, "weight": float, "boosting": float, "bagging": float},  # see `boosting_with_noise`
    smoke=lambda: cells(dataset="balance", split=0, n_train=60, n_models=3, **_REST),
    thesis=lambda: cells(dataset=_DATASETS, split=range(5), n_train=300, n_models=25, **_REST),
    exhibits=("Mooney's slide 18",),
)
def wrong_labels(
    dataset: str, split: int, flipped: float, n_train: int, n_models: int, seed: int
) -> tuple[float, ...]:
    """Errors on a random half of a data set, of whose labels the share `flipped` is replaced by others."""
    return noisy(dataset, split, flipped, n_train, n_models, seed)


def _recorded_gains(record: Record) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Evidence: bagging and boosting of trees and of stumps beside the single model."""

    def gains(algorithm: str, *tables: str) -> pd.DataFrame:
        rows = [beside(record.accuracy(table), "single", algorithm) for table in tables]
        return pd.concat(rows, keys=["trees", "stumps"], names=["base"]).droplevel("algorithm")

    return gains("bagging", "3.3", "3.5"), gains("boosting", "4.1", "4.3")


@claim("C125", evidence=_recorded_gains)
def boosting_gains_more_but_may_hurt(bagging: pd.DataFrame, boosting: pd.DataFrame) -> Decision:
    """Judge the gains of bagging and boosting over a single tree or stump, on each data set.

    Trees and stumps were boosted in the cited experiments. The claim holds if (1) boosting gains more than
    bagging on average over the rows that both have (paired t-test at 0.05); (2) boosting is significantly
    worse than the single model in some row, by the corrected test and Holm's correction, but in no more than
    a quarter of them; (3) bagging gains on average (t-test), is significantly worse in no row by Holm's
    correction, and its gains vary less than those of boosting. Averages are over the data sets. It fails if
    one of the three is refuted; that boosting is significantly worse in no row does not refute the second. A
    row in which the two algorithms differ and neither ever varies is one run, which cannot be tested.
    """
    both = {"bagging": bagging["difference"], "boosting": boosting["difference"]}
    gains = pd.concat(both, axis=1, join="inner")
    require(len(gains) >= 4, "needs four rows or more")
    of_sets = gains.groupby(level="dataset").mean()
    more = above_zero(of_sets["boosting"] - of_sets["bagging"])
    hurts = better(exchanged(boosting)).count(True)
    bagging_hurts = better(exchanged(bagging)).count(True)
    is_steadier = bool(gains["bagging"].std() < gains["boosting"].std())
    steady = every([above_zero(of_sets["bagging"]), bagging_hurts == 0, is_steadier])
    summary = "; ".join(
        f"{name} gains {values.mean():+.4f} on average (from {values.min():+.4f} to {values.max():+.4f})"
        for name, values in of_sets.items()
    )
    rarely = hurts <= len(boosting) / 4 if hurts else None
    return every([more, rarely, steady]), (
        f"{summary}; boosting significantly worse in {hurts} of {len(boosting)} rows, "
        f"bagging in {bagging_hurts}"
    )


@claim("C136", evidence=lambda record: (record.recorded(wrong_labels),))
def boosting_overfits_noise(runs: pd.DataFrame) -> Decision:
    """Judge the effect of wrong labels among the training examples on boosted and on bagged trees.

    The damage is the test error with the largest share of wrong labels, minus that with none, on average over
    the splits of a data set. The claim holds if the damage to boosting is above 0 and above that to bagging,
    on average over the data sets (t-tests at 0.05), and on average at least twice as large. It fails if one
    of the tests says the opposite, or if the damage to boosting is smaller than that to bagging.
    """
    enough = runs["dataset"].nunique() >= 3 and runs["flipped"].min() <= 0 and runs["flipped"].max() != 0
    require(enough, "needs three data sets or more, with and without wrong labels")
    errors = runs.groupby(["flipped", "dataset"])[["boosting", "bagging"]].mean()
    damage = errors.loc[runs["flipped"].max()] - errors.loc[0.0]
    extra = damage["boosting"] - damage["bagging"]
    much = float(damage["boosting"].mean()) >= 2 * float(damage["bagging"].mean())
    parts = [above_zero(damage["boosting"]), above_zero(extra), True if much else None]
    return (False if extra.mean() < 0 else every(parts)), (
        f"with {runs['flipped'].max():.0%} wrong labels the error rises by {damage['boosting'].mean():.4f} "
        f"for boosting and by {damage['bagging'].mean():.4f} for bagging"
    )


def _diverse(record: Record) -> tuple[pd.DataFrame]:
    rows = several(diverse_ensembles.recorded(JUDGED))
    record.note("diverse-ensembles", rows)
    return (rows,)


@claim("C137", evidence=_diverse)
def diversity_helps_at_equal_accuracy(ensembles: pd.DataFrame) -> Decision:
    """Judge how the error of ensembles depends on κ, the agreement of base models that err equally often.

    On each data set the error of the vote is regressed on the mean error of the base models and on their mean
    κ. The claim holds if the coefficient of κ is above 0 on average over the data sets (t-test at 0.05); it
    fails if the coefficient is significantly below 0.
    """
    slopes = pd.Series({name: slope_of_kappa(rows) for name, rows in ensembles.groupby("dataset")}).dropna()
    require(len(slopes) >= 3, "needs three data sets or more")
    return above_zero(slopes), (
        f"an increase of κ by 0.1 goes with {0.1 * slopes.mean():+.4f} in the error of the vote, on "
        f"average over {len(slopes)} data sets (from {0.1 * slopes.min():+.4f} to {0.1 * slopes.max():+.4f})"
    )
