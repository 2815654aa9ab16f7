"""One stream that can be seen: points of a square, and a disc of class 1 that moves half way.

Several pages show what their classifiers learn of it, with `plane_panels`.
"""

import re
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.patches import Circle

import oza

from ..figures import INK, Picture, bare, grid_points, paneled, shade
from ..record.simulation import simulation

N_EXAMPLES = 3000
#: The centre of the disc before the drift and after it, its radius, and the share of wrong labels.
CENTRES, RADIUS, NOISE = ((0.4, 0.4), (0.65, 0.65)), 0.33, 0.1


def is_inside(points: np.ndarray, has_moved: Any) -> np.ndarray:
    """Whether points (n, 2) are inside of the disc, before it has moved or after."""
    centre = np.where(np.reshape(has_moved, (-1, 1)), CENTRES[1], CENTRES[0])
    return ((points - centre) ** 2).sum(axis=1) < RADIUS**2


def moving_disc(n_examples: int = N_EXAMPLES, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 2), uniform in the unit square, and their classes, of which one in ten is wrong."""
    rng = np.random.default_rng(seed)
    X = rng.random((n_examples, 2))
    y = is_inside(X, np.arange(n_examples) >= n_examples // 2)
    return X, (y ^ (rng.random(n_examples) < NOISE)).astype(int)


def before_the_drift(n_models: int = 25, seed: int = 1) -> dict[str, Any]:
    """Learners that are trained on the examples before the disc moves, by name."""
    known: dict[str, Any] = {"n_estimators": n_models, "random_state": seed}
    return {
        "stump": oza.DecisionStumpClassifier(),
        "bag of trees": oza.BaggingClassifier(oza.DecisionTreeClassifier(), **known),
        "AdaBoost of stumps": oza.AdaBoostClassifier(oza.DecisionStumpClassifier(), n_models),
        "online bag of trees": oza.OnlineBaggingClassifier(oza.DecisionTreeClassifier(), **known),
        "online boosting of stumps": oza.OnlineBoostingClassifier(oza.DecisionStumpClassifier(), **known),
        "Hoeffding tree": oza.HoeffdingTreeClassifier(grace_period=50, delta=0.01),
    }


def through_the_drift(n_models: int = 25, seed: int = 1) -> dict[str, Any]:
    """Learners that are trained on the whole stream, by name."""
    known: dict[str, Any] = {"n_estimators": n_models, "random_state": seed}
    tree = oza.HoeffdingTreeClassifier(grace_period=50, delta=0.01)
    return {
        "online bag": oza.OnlineBaggingClassifier(tree, **known),
        "ADWIN bagging": oza.ADWINBaggingClassifier(tree, **known),
        "leveraging bagging": oza.LeveragingBaggingClassifier(tree, **known),
        "adaptive random forest": oza.AdaptiveRandomForestClassifier(max_features=0.5, **known),
    }


THROUGH = tuple(through_the_drift())


@simulation(
    small={"name": "stump", "n_steps": 4},
    calls=[{"name": name} for name in (*before_the_drift(), *THROUGH)],
)
def shares_in_the_plane(
    name: str, n_steps: int = 100, n_examples: int = N_EXAMPLES, n_models: int = 25, seed: int = 1
) -> np.ndarray:
    """Train one of the learners on the stream, and ask it for the share of class 1.

    The points are those of a grid of `n_steps` rows, from below, and as many columns; the shares have four
    decimals.

    >>> shares_in_the_plane("stump", 4).shape
    (4, 4)
    """
    X, y = moving_disc(n_examples, seed)
    end = n_examples if name in THROUGH else n_examples // 2
    learners = before_the_drift(n_models, seed) | through_the_drift(n_models, seed)
    learner = learners[name].fit(X[:end], y[:end])
    return learner.predict_proba(grid_points(n_steps))[:, 1].round(4).reshape(n_steps, n_steps)


class Passage(NamedTuple):
    """What ensembles do while the disc moves.

    Attributes
    ----------
    is_right : DataFrame
        Whether an ensemble is right about an example before it is trained on it: a column for each ensemble.
    replaced : dict of str to int
        How many models each ensemble that watches for change has replaced.
    """

    is_right: pd.DataFrame
    replaced: dict[str, int]


@simulation(small={"n_examples": 400, "n_models": 2})
def passage_of_ensembles(n_examples: int = N_EXAMPLES, n_models: int = 25, seed: int = 1) -> Passage:
    """Let the ensembles of Hoeffding trees predict each example of the stream before training on it."""
    X, y = moving_disc(n_examples, seed)
    ensembles = through_the_drift(n_models, seed)
    is_right = {name: it.prequential_predict(X, y, classes=[0, 1]) == y for name, it in ensembles.items()}
    replaced = {name: it.n_resets_ for name, it in ensembles.items() if hasattr(it, "n_resets_")}
    return Passage(pd.DataFrame(is_right), replaced)


@simulation(small={"n_seeds": 1, "n_examples": 400, "n_models": 2})
def boosters_by_seed(
    n_seeds: int = 5, n_examples: int = N_EXAMPLES, n_models: int = 25, seed: int = 1
) -> pd.DataFrame:
    """Boost stumps online with several seeds of the draws, on the examples before the disc moves.

    The frame has the share of the square on which they are right, by seed, with a column for each choice of
    when a model is tested: after training on an example, or before.
    """
    X, y = (part[: n_examples // 2] for part in moving_disc(n_examples, seed))
    grid = grid_points(100)
    truth = is_inside(grid, False)
    boost = partial(oza.OnlineBoostingClassifier, oza.DecisionStumpClassifier(), n_models)
    shares = {
        (s, tested): (boost(random_state=s, tested=tested).fit(X, y).predict(grid) == truth).mean()
        for s in range(seed, seed + n_seeds)
        for tested in ("after", "before")
    }
    return pd.Series(shares).unstack()


def plane_panels(*names: str, n_examples: int = N_EXAMPLES, n_models: int = 25, seed: int = 1) -> Picture:
    """Shade the square by the recorded shares of class 1 of learners of the moving disc; a panel for each.

    Shades have a scale for each panel, the deepest where the share is furthest from one half. The disc is
    dashed where it is when the learner has seen its last example, and the latest 150 examples are dots,
    filled for class 1. The cells hold the share of the square that is classified correctly.
    """
    X, y = moving_disc(n_examples, seed)
    known = {"n_examples": n_examples, "n_models": n_models, "seed": seed}
    rows, lines = [], []
    with paneled(dict.fromkeys(names), 320, head=40) as (figure, grid):
        for axes, name, _ in grid:
            has_moved = name in THROUGH
            shares = np.array(shares_in_the_plane.recorded(name, **known))
            lead = np.abs(shares - 0.5)
            shown = 0.5 + np.where(shares > 0.5, 0.5, -0.5) * (0.3 + 0.7 * lead / lead.max())
            shade(axes, shown)
            share = ((shares.ravel() > 0.5) == is_inside(grid_points(len(shares)), has_moved)).mean()
            axes.add_patch(Circle(CENTRES[has_moved], RADIUS, fill=False, linestyle="--", edgecolor=INK))
            end = n_examples if has_moved else n_examples // 2
            latest = slice(end - 150, end)
            for value, face in ((0, "none"), (1, INK)):
                part = X[latest][y[latest] == value]
                axes.scatter(*part.T, s=7, facecolors=face, edgecolors=INK, linewidths=0.6)
            # Results are recorded under the names that the learners had first.
            shown_name = re.sub(r"\bbag\b", "bagging", name)
            bare(axes, f"{shown_name}: {share:.0%}")
            rows.append((name, share))
            lines.append(f"{shown_name}: {share:.1%} of the square correct")
    cells = pd.DataFrame(rows, columns=["learner", "correct"]).set_index("learner")
    return Picture(figure, "\n".join(lines), cells)
