"""DECORATE where few examples are labelled: learning curves beside other ensembles (Mooney's slides).

All algorithms see the same splits and the same first examples of each training set, so that differences are
paired.

>>> rows = few_labels.compute("smoke")
>>> (rows.groupby("algorithm")["n_correct"].sum() / 625).round(2).to_dict()
{'decorate': 0.75, 'single': 0.68}
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from oza import AdaBoostClassifier, BaggingClassifier, DecisionTreeClassifier, DecorateClassifier
from oza.datasets import dataset_info
from oza.ensembles.decorate.classifier import SMALLEST, ExampleSource
from oza.ensembles.decorate.kernels import label_against
from oza.kernels.random import key_of

from ..claims.criteria import above_zero, every
from ..claims.registry import Decision, claim, require
from ..figures import BAGGING, BOOSTING, GUIDE, INK, STREAM, Picture, lines, paneled, shade_points, squares
from ..printed.comparing import compare
from ..printed.printed import label
from ..record.study import cells, study
from ..statistics import with_accuracy
from ..studies.accuracy import declared, examples_for, numeric_columns
from ..studies.protocol import CORRECT, N_FOLDS, OF_TREES, count_correct

#: Base models in an ensemble, as in the paper on DECORATE.
N_MODELS = 15
#: Ensembles that choose the next label, and are tested themselves.
ENSEMBLES: dict[str, Any] = {
    "bagging": BaggingClassifier,
    "boosting": AdaBoostClassifier,
    "decorate": DecorateClassifier,
}
#: Shares of the training set, in percent, that count as small in claim C126.
SMALL_SHARES = (1, 2, 5, 10, 20)

_KINDS = {"single": GUIDE, "bagging": BAGGING, "boosting": BOOSTING, "adaboost": BOOSTING, "random": GUIDE}
_KINDS |= {"random_forest": STREAM}
_NAMES = {"random_forest": "random forest", "decorate": "DECORATE"}


def classifier(name: str, dataset: str, seed: int) -> Any:
    """Make an untrained classifier; a random forest receives symbols as indicators, numbers as they are."""
    numeric = numeric_columns("decision_tree", dataset)
    if name == "random_forest":
        from sklearn.ensemble import RandomForestClassifier  # which status and other commands do without

        forest = RandomForestClassifier(N_MODELS, random_state=seed % 2**32)
        return forest if numeric.all() else make_pipeline(OneHotEncoder(handle_unknown="ignore"), forest)
    tree = DecisionTreeClassifier(prune=True)
    made = tree if name == "single" else ENSEMBLES[name](tree, N_MODELS, random_state=seed)
    return declared(made, numeric)


@study(
    "few-labels",
    "DECORATE and other ensembles of trees on shares of the training set",
    {"n_train": int} | CORRECT | {"n_voting": int},  # base models that vote
    smoke=lambda: cells(
        dataset="balance", repetition=0, fold=range(N_FOLDS), percent=5, algorithm=("single", "decorate")
    ),
    thesis=lambda: cells(
        dataset=OF_TREES,
        repetition=range(2),
        fold=range(N_FOLDS),
        percent=(1, 2, 5, 10, 20, 50, 100),
        algorithm=("single", "bagging", "boosting", "random_forest", "decorate"),
    ),
    quick=lambda task: task.repetition == 0,
    exhibits=("Mooney's slide 11",),
    cost=lambda task: _seconds(task.dataset, task.algorithm, task.percent),
)
def few_labels(
    dataset: str, algorithm: str, percent: int, repetition: int, fold: int
) -> tuple[int, int, int, int]:
    """A classifier trained on the first `percent` percent of a training set, at least two examples."""
    split = examples_for("decision_tree", dataset, repetition, fold)
    n = max(2, round(len(split.y_train) * percent / 100))
    model = classifier(algorithm, dataset, key_of(dataset, algorithm, percent, repetition, fold))
    model.fit(split.X_train[:n], split.y_train[:n])
    members = getattr(model, "estimators_", [model]) if algorithm != "random_forest" else [0] * N_MODELS
    return n, *count_correct(model, split), len(members)


def _seconds(dataset: str, algorithm: str, percent: int) -> float:
    size = dataset_info(dataset).n_train * percent / 100
    return 0.01 + size * {"decorate": 5e-3, "boosting": 3e-4}.get(algorithm, 1e-4)


def decorate_stages(
    base: Any, X: np.ndarray, y: np.ndarray, n_models: int, seed: int
) -> list[tuple[DecorateClassifier, np.ndarray | None, np.ndarray | None]]:
    """Follow DECORATE on numeric columns: each ensemble, and the artificial examples its last model learned.

    Ensembles of one model, two, and so on; the artificial examples and labels are None for the first one.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((30, 2))
    >>> y = (X[:, 0] > X[:, 1]).astype(int)
    >>> stages = decorate_stages(DecisionTreeClassifier(prune=True), X, y, 3, seed=1)
    >>> [None if labels is None else len(labels) for _, _, labels in stages]
    [None, 30, 30]
    """
    made = [DecorateClassifier(base, n, random_state=seed).fit(X, y) for n in range(1, n_models + 1)]
    found: list[tuple[DecorateClassifier, np.ndarray | None, np.ndarray | None]] = [(made[0], None, None)]
    for before, model in pairwise(made):
        trial = model.n_trials_ - 1
        source = ExampleSource(model._schema, model._schema.encode(X), np.ones(len(y)))
        drawn = source.draw(len(y), key_of("artificial", model._key, trial)).numbers
        labels = np.empty(len(y), np.int64)
        label_against(before.predict_proba(drawn), SMALLEST, key_of("label", model._key, trial), labels)
        found.append((model, drawn, model.classes_[labels]))
    return found


def gains_of_decorate(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare DECORATE with the other learners on each data set and share of its training set.

    From rows of the study `few-labels` with `accuracy`, as `compare` does, by other, dataset and percent.
    """
    levels = ["algorithm", "dataset", "percent", "repetition", "fold"]
    splits = rows.set_index(levels)[["accuracy", "n_train", "n_test"]]
    others = ("single", "bagging", "boosting", "random_forest")
    return pd.concat({name: compare(splits, "decorate", name) for name in others}, names=["other"])


@claim("C126", evidence=lambda record: (gains_of_decorate(with_accuracy(record.recorded(few_labels))),))
def decorate_helps_small_training_sets(gains: pd.DataFrame) -> Decision:
    """Judge the gains of DECORATE over a single tree, over bagging and over boosting.

    Its mean gain on a data set is taken over the shares of the training set up to 20 %. The claim holds if
    the gain over each of the three is above 0 on average over the data sets, and if the gain over bagging is
    larger for these shares than for the whole training set (t-tests over the data sets at 0.05). It fails if
    one of the four is significant in the opposite direction.
    """
    difference = gains["difference"].unstack("percent")
    enough = difference.index.unique("dataset").size >= 3 and 100 in difference
    require(enough, "needs three data sets or more, and whole training sets")
    small, whole = difference.filter(SMALL_SHARES).mean(axis="columns"), difference[100]
    named = ("single", "bagging", "boosting")
    parts = [above_zero(small[name]) for name in named]
    parts.append(above_zero(small["bagging"] - whole["bagging"]))
    summary = ", ".join(f"{name} {small[name].mean():+.4f}" for name in named)
    return every(parts), (
        f"mean gain over small training sets against {summary}; against bagging with whole training sets "
        f"{whole['bagging'].mean():+.4f}"
    )


def decorate_panels(stages: Sequence[tuple[str, Any, Any, Any]], X: Any, y: Any) -> Picture:
    """Draw DECORATE at work: training examples, artificial examples, and the border of each ensemble.

    A stage is a title, a function of points that returns the share of class 1 by the ensemble, and the
    artificial examples with their labels, or None.
    """

    def draw(axes: Any, stage: tuple[Any, Any, Any]) -> dict[str, float]:
        share, artificial, labels = stage
        values = shade_points(axes, share, X, y, 20, 90, *sides)
        for value, marker in ((0, (3, 2, 0)), (1, "x")) if artificial is not None else ():
            part = np.asarray(artificial)[np.asarray(labels) == value]
            axes.scatter(*part.T, s=22, marker=marker, color=GUIDE, linewidths=0.9)
        return {"artificial": 0 if labels is None else len(labels), "class 1": (values > 0.5).mean()}

    sides, panels = (-0.2, 1.2), [(title, stage) for title, *stage in stages]
    sentence = "{panel}: {artificial} artificial examples, {class 1:.0%} of the area is class 1"
    return squares(panels, 360, draw, sentence, "DECORATE at work.", xlim=sides, ylim=sides)


def curves_by_dataset(rows: pd.DataFrame, by: str, x: str, xlabel: str) -> Picture:
    """Draw accuracies against a share of the training set or a number of labels, a panel for each data set.

    Means of the rows, one for each split, with bands of one standard error, and a line for each value of the
    column `by`, which is "algorithm" or "strategy".
    """
    accuracies = rows.groupby(["dataset", by, x], sort=False)["accuracy"]
    cells = pd.DataFrame(accuracies.agg(accuracy="mean", error="sem")).reset_index()
    dashes = {"random": ":"} if by == "strategy" else dict.fromkeys(cells[by], "--")
    looks = {name: (_KINDS.get(name, INK), dashes.get(name, "-")) for name in cells[by].unique()}
    texts = ["Accuracy from the left end to the right end."]
    options: Any = {"head": 60, "wide": True, "ylabel": "accuracy", "legend": len(looks)}
    with paneled(cells.groupby("dataset", sort=False), 230, **options) as (figure, grid):
        for axes, dataset, part in grid:
            means, errors = (part.pivot(index=x, columns=by, values=name) for name in ("accuracy", "error"))
            band = means - errors.fillna(0.0), means + errors.fillna(0.0)
            lines(axes, means, looks, names=_NAMES, band=band)
            axes.set_title(label(dataset))
            if x == "percent":
                axes.set_xscale("log")
                axes.minorticks_off()
                axes.set_xticks([1, 10, 100], ["1", "10", "100"])
            for name in looks:
                first, last = means[name].dropna().iloc[[0, -1]]
                texts.append(f"{label(dataset)}, {_NAMES.get(name, name)}: {first:.3f} to {last:.3f}")
        for axes, *_ in grid[-3:]:  # the lowest of its column
            axes.set_xlabel(xlabel)
    return Picture(figure, "\n".join(texts), cells)
