"""Active learning: labels chosen by disagreement, one at a time, or taken as they come (Mooney's slides).

A learner starts with two labelled examples of each class. The ensembles are those of the topic `decorate`.
"""

from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
import pandas as pd

from oza.ensembles import ActiveLearner
from oza.kernels.random import key_of

from ..claims.criteria import above_zero, every
from ..claims.registry import Decision, claim, require
from ..figures import GUIDE, INK, Picture, grid_shares, mark_points, squares
from ..record.study import cells, study
from ..statistics import with_accuracy
from ..studies.accuracy import examples_for
from ..studies.protocol import CORRECT, N_FOLDS, count_correct
from .decorate import ENSEMBLES, classifier

#: Labels that a learner gets, after those that it starts with.
N_LABELS = 60
_POOL_SIZE = 400
_UNSURE = (0.72, 0.43, 0.65)  # a colour
_SEEDS_OF_EACH_CLASS = 2
#: How the next label is chosen, and which ensemble is tested: the one that chooses, or each if none does.
_STRATEGIES = (
    *({"strategy": name, "tested": name} for name in ENSEMBLES),
    *cells(strategy="random", tested=ENSEMBLES),
)


@study(
    "active-learning",
    "Active learning with ensembles of trees: labels chosen by disagreement and at random",
    {"n_labels": int} | CORRECT,
    smoke=lambda: cells(_STRATEGIES[0], *_STRATEGIES[3:], dataset="balance", repetition=0, fold=0),
    thesis=lambda: [
        split | strategy
        for split in cells(
            dataset=("promoters", "balance", "breast-cancer", "car-evaluation", "chess", "mushroom"),
            repetition=range(3),
            fold=range(N_FOLDS),
        )
        for strategy in _STRATEGIES
    ],
    quick=lambda task: task.repetition == 0,
    exhibits=("Mooney's slide 15",),
)
def active_learning(
    dataset: str, strategy: str, tested: str, repetition: int, fold: int
) -> list[tuple[int, int, int]]:
    """A learner that chooses labels by the ensemble `strategy`, or takes them as they come ("random")."""
    split = examples_for("decision_tree", dataset, repetition, fold)
    start = first_of_each_class(split.y_train, _SEEDS_OF_EACH_CLASS)
    pool = np.delete(np.arange(len(split.y_train)), start)[:_POOL_SIZE]
    model = classifier(tested, dataset, key_of("active", dataset, strategy, tested, repetition, fold))
    learner = ActiveLearner(model).fit(split.X_train[start], split.y_train[start])
    rows = [(len(start), *count_correct(learner, split))]
    for n_labels in range(len(start) + 1, len(start) + min(N_LABELS, len(pool)) + 1):
        place = 0 if strategy == "random" else int(learner.query(split.X_train[pool])[0])
        chosen, pool = pool[place : place + 1], np.delete(pool, place)
        learner.teach(split.X_train[chosen], split.y_train[chosen])
        rows.append((n_labels, *count_correct(learner, split)))
    return rows


def first_of_each_class(y: np.ndarray, n: int) -> np.ndarray:
    """Indices of the first `n` examples of each class, in their order.

    >>> first_of_each_class(np.array([0, 0, 0, 1, 2, 1]), 2)
    array([0, 1, 3, 4, 5])
    """
    return np.sort(np.concatenate([np.flatnonzero(y == c)[:n] for c in np.unique(y)]))


def labels_to_reach(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the labels with which a strategy keeps up with random choice, over all splits of a data set.

    A row for each data set and ensemble: `target`, the mean accuracy of random choice over its last ten
    numbers of labels; `random` and `active`, the first number of labels after which the mean accuracy of five
    numbers of labels in a row reaches it (NaN if none does).
    """
    found = {}
    for (dataset, tested), each in rows.groupby(["dataset", "tested"]):
        curves = each.groupby(["n_labels", "strategy"])["accuracy"].mean().unstack().dropna()
        target = curves["random"].iloc[-10:].mean()
        smooth = curves[["random", tested]].rolling(5).mean()
        reached = smooth >= target - 1e-12
        found[dataset, tested] = [target, *reached.idxmax().where(reached.any())]
    return pd.DataFrame(found, ["target", "random", "active"]).T.rename_axis(["dataset", "tested"])


@claim("C127", evidence=lambda record: (labels_to_reach(with_accuracy(record.recorded(active_learning))),))
def disagreement_saves_labels(labels: pd.DataFrame) -> Decision:
    """Judge how many labels chosen by disagreement reach the accuracy of labels chosen at random.

    The target is the accuracy of random choice with its last ten numbers of labels. An accuracy that is never
    reached counts as one label more than the largest number. The claim holds if for each of the three
    ensembles the logarithm of the ratio (random to active) is above 0 on average over the data sets (t-test
    at 0.05). It fails if one of them is significantly below 0.
    """
    n_sets = labels.groupby(level="tested").size()
    enough = len(n_sets) >= 3 and n_sets.min() >= 3
    require(enough, "needs three ensembles, and three data sets or more with each")
    never = labels[["random", "active"]].max().max() + 1
    ratios = (labels["random"].fillna(never) / labels["active"].fillna(never)).map(np.log2)
    each = ratios.groupby(level="tested")
    summary = ", ".join(f"{name}: {2 ** -float(mean):.2f}" for name, mean in each.mean().items())
    return every(above_zero(of_one) for _, of_one in each), (
        f"labels needed, as a share of those at random (geometric mean over data sets), {summary}"
    )


def unsure_panels(stages: Sequence[tuple[str, Any, Any, Any]], pool: np.ndarray) -> Picture:
    """Shade the unit square by how unsure classifiers are, a panel for each, and mark what each asks for.

    A stage is a title, a function of points that returns the share of class 1, and the labelled examples. A
    ring marks the example of the pool whose share is closest to one half. The cells hold its place, and how
    much of the square is unsure.
    """
    shades = matplotlib.colors.LinearSegmentedColormap.from_list("unsure", [(*_UNSURE, a) for a in (0, 0.85)])

    def draw(axes: Any, stage: tuple[Any, Any, Any]) -> dict[str, float]:
        share, X, y = stage
        doubt = 1 - abs(2 * grid_shares(share, 100) - 1)
        axes.imshow(doubt, origin="lower", extent=(0, 1, 0, 1), cmap=shades, vmin=0, vmax=1)
        axes.scatter(*pool.T, s=2, color=GUIDE)
        mark_points(axes, X, y, 20)
        asked = pool[abs(np.asarray(share(pool)) - 0.5).argmin()]
        axes.plot(*asked, "o", markersize=15, markerfacecolor="none", color=INK, markeredgewidth=2.2)
        return {"x": asked[0], "y": asked[1], "unsure": (doubt > 0.5).mean()}

    sentence = "{panel}: asks for ({x:.2f}, {y:.2f}); {unsure:.0%} of the square is closer to even than 3 : 1"
    return squares([(title, stage) for title, *stage in stages], 380, draw, sentence)
