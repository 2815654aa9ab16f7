"""Figures of two lectures: boundaries in the plane, rounds of boosting, diversity, few labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import matplotlib
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.patches import Rectangle

from ..figures import (
    BAGGING,
    BAND,
    BOOSTING,
    COOL,
    GROUND,
    GUIDE,
    INK,
    SHADES,
    STREAM,
    TEXT,
    Picture,
    bare,
    drawing,
    grid_points,
    label_ends,
    lines,
    paneled,
    shade,
)
from ..printed.printed import label
from ..simulations.rules_of_thumb import Rectangles
from ..theory.schapire import Toy

_KINDS = {"single": GUIDE, "bagging": BAGGING, "boosting": BOOSTING, "adaboost": BOOSTING, "random": GUIDE}
_KINDS |= {"random_forest": STREAM}
_NAMES = {"random_forest": "random forest", "decorate": "DECORATE"}
_UNSURE = (0.72, 0.43, 0.65)


def _points(axes: Any, X: Any, y: Any, size: float = 18.0) -> None:
    """Draw points, filled circles of class 1 and open triangles of class 0."""
    for value, marker in ((0, "^"), (1, "o")):
        part = np.asarray(X)[np.asarray(y) == value]
        face = INK if value else GROUND
        axes.scatter(*part.T, s=size, marker=marker, facecolors=face, edgecolors=INK, linewidths=0.9)


def _shares(share: Any, n_steps: int, low: float = 0.0, high: float = 1.0) -> npt.NDArray[Any]:
    """Values of a function of points, in the cells of a grid on a square."""
    return np.asarray(share(low + (high - low) * grid_points(n_steps))).reshape(n_steps, n_steps)


def plane_shades(
    shares: Mapping[str, Any], X: npt.NDArray[Any], y: npt.NDArray[Any], n_steps: int = 80
) -> Picture:
    """Shade the unit square by the share of class 1 that classifiers give, a panel for each.

    `shares` are functions of points (n, 2); the training examples are drawn over the shades. The cells hold
    the share of the square on the side of class 1, and of that where fewer than nine in ten agree.
    """
    rows = []
    with paneled(shares, 360) as (figure, grid):
        for axes, title, share in grid:
            values = _shares(share, n_steps)
            shade(axes, values)
            _points(axes, X, y, 10)
            bare(axes, title)
            unsure = float((np.abs(values - 0.5) < 0.4).mean())
            rows.append((title, float((values > 0.5).mean()), unsure))
    cells = pd.DataFrame(rows, columns=["panel", "class 1", "unsure"]).set_index("panel")
    lines = [f"{r.Index}: {r[1]:.0%} of the square is class 1, {r[2]:.0%} unsure" for r in cells.itertuples()]
    return Picture(figure, "\n".join(["Shades: share of class 1.", *lines]), cells)


def unsure_panels(stages: Sequence[tuple[str, Any, Any, Any]], pool: npt.NDArray[Any]) -> Picture:
    """Shade the unit square by how unsure classifiers are, a panel for each, and mark what each asks for.

    A stage is a title, a function of points that returns the share of class 1, and the labelled examples. A
    ring marks the example of the pool whose share is closest to one half. The cells hold its place, and how
    much of the square is unsure.
    """
    shades = matplotlib.colors.LinearSegmentedColormap.from_list("unsure", [(*_UNSURE, a) for a in (0, 0.85)])
    rows = []
    with paneled([(title, stage) for title, *stage in stages], 380) as (figure, grid):
        for axes, title, (share, X, y) in grid:
            doubt = 1 - abs(2 * _shares(share, 100) - 1)
            axes.imshow(doubt, origin="lower", extent=(0, 1, 0, 1), cmap=shades, vmin=0, vmax=1)
            axes.scatter(*pool.T, s=2, color=GUIDE)
            _points(axes, X, y, 20)
            asked = pool[abs(np.asarray(share(pool)) - 0.5).argmin()]
            axes.plot(*asked, "o", markersize=15, markerfacecolor="none", color=INK, markeredgewidth=2.2)
            bare(axes, title)
            rows.append((title, *asked, float((doubt > 0.5).mean())))
    cells = pd.DataFrame(rows, columns=["panel", "x", "y", "unsure"]).set_index("panel")
    shown = "{}: asks for ({:.2f}, {:.2f}); {:.0%} of the square is closer to even than 3 : 1"
    return Picture(figure, "\n".join(shown.format(*row) for row in cells.itertuples(name=None)), cells)


def decorate_panels(stages: Sequence[tuple[str, Any, Any, Any]], X: Any, y: Any) -> Picture:
    """Draw DECORATE at work: training examples, artificial examples, and the border of each ensemble.

    A stage is a title, a function of points that returns the share of class 1 by the ensemble, and the
    artificial examples with their labels, or None.
    """
    rows = []
    with paneled([(title, stage) for title, *stage in stages], 360) as (figure, grid):
        for axes, title, (share, artificial, labels) in grid:
            values = _shares(share, 90, -0.2, 1.2)
            shade(axes, values, -0.2, 1.2)
            _points(axes, X, y, 20)
            for value, marker in ((0, (3, 2, 0)), (1, "x")) if artificial is not None else ():
                part = np.asarray(artificial)[np.asarray(labels) == value]
                axes.scatter(*part.T, s=22, marker=marker, color=GUIDE, linewidths=0.9)
            bare(axes, title, xlim=(-0.2, 1.2), ylim=(-0.2, 1.2))
            rows.append((title, 0 if labels is None else len(labels), float((values > 0.5).mean())))
    cells = pd.DataFrame(rows, columns=["panel", "artificial", "class 1"]).set_index("panel")
    shown = "{}: {} artificial examples, {:.0%} of the area is class 1"
    lines = [shown.format(*row) for row in cells.itertuples(name=None)]
    return Picture(figure, "\n".join(["DECORATE at work.", *lines]), cells)


def toy_panels(toy: Toy, points: npt.NDArray[Any], classes: npt.NDArray[Any]) -> Picture:
    """Draw the rounds of a toy example: weights as sizes, the chosen half-plane, and the final vote.

    Rings mark the points that a panel's half-plane or vote misclassifies.
    """
    at = np.asarray(points, float)
    low, high = at.min(axis=0) - 1, at.max(axis=0) + 1
    sides = [np.linspace(a, b, 111) for a, b in zip(low, high, strict=True)]
    mesh = np.stack(np.meshgrid(*sides), axis=-1)
    rows, stages = [], []
    for t, (error, vote, says) in enumerate(zip(toy.run.errors, toy.alphas, toy.says, strict=True)):
        axis, threshold, sign = toy.borders[t]
        values = sign * np.where(mesh[..., axis] > threshold, 1, -1)
        stages.append((f"round {t + 1}: ε = {error}, α = {vote:.2f}", (values, toy.run.weights[t], says)))
        rows.append((t + 1, str(error), float(error), vote))
    says = np.sign(toy.vote(at))
    stages.append(("final vote", (np.sign(toy.vote(mesh)), toy.run.weights[0], says)))
    with paneled(stages, 320, per_row=2, wide=False) as (figure, grid):
        for axes, title, (values, weights, answers) in grid:
            extent = (low[0], high[0], low[1], high[1])
            look = {"cmap": SHADES, "vmin": -1.6, "vmax": 1.6, "aspect": "auto"}
            axes.imshow(values, origin="lower", extent=extent, **look)
            for point, kind, weight in zip(at, classes, weights.astype(float) * len(at), strict=True):
                size = TEXT + 9 * float(weight)
                axes.text(*point, "+" if kind > 0 else "−", fontsize=size, ha="center", va="center")
            wrong = at[answers != np.asarray(classes)]
            axes.scatter(*wrong.T, s=380, facecolors="none", edgecolors=INK, linewidths=1.4)
            bare(axes, title, xlim=extent[:2], ylim=extent[2:])
    cells = pd.DataFrame(rows, columns=["round", "error", "decimal", "vote"]).set_index("round")
    texts = [f"Round {t}: error {e}, vote {a:.4f}" for t, e, _, a in rows]
    n_wrong = int((says != np.asarray(classes)).sum())
    return Picture(figure, "\n".join([*texts, f"The final vote is wrong on {n_wrong} points."]), cells)


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


def bootstrap_boxes(samples: npt.ArrayLike, n_examples: int) -> Picture:
    """Draw bootstrap samples as rows of boxes, below the training set, and what each leaves out beside it.

    A row of `samples` has the numbers of the examples drawn, from 0.
    """
    drawn = np.asarray(samples)
    counts = np.array([np.bincount(sample, minlength=n_examples) for sample in drawn])
    rows: list[tuple[str, list[int], list[int]]] = [("training set", list(range(n_examples)), [])]
    for m, sample in enumerate(drawn, 1):
        rows.append((f"sample {m}", sample.tolist(), np.flatnonzero(counts[m - 1] == 0).tolist()))
    width = max(n_examples, drawn.shape[1])
    with drawing(40 + 50 * len(rows)) as figure:
        axes: Any = figure.subplots()
        for r, (name, inside, outside) in enumerate(rows):
            y = -1.25 * r
            axes.text(-0.9, y, name, ha="right", va="center")
            places = [(x, i, True) for x, i in enumerate(inside)]
            places += [(width + 1.0 + x, i, False) for x, i in enumerate(outside)]
            for x, i, is_in in places:
                fill = (BAND if inside.count(i) == 1 else COOL) if is_in else "none"
                look: Any = {"facecolor": fill, "edgecolor": GUIDE, "linestyle": "-" if is_in else ":"}
                axes.add_patch(Rectangle((x - 0.42, y - 0.42), 0.84, 0.84, **look))
                axes.text(x, y, str(i + 1), ha="center", va="center", color=INK if is_in else GUIDE)
        axes.text(width + 0.6, 0.0, "left out", va="center", color=GUIDE)
        axes.set(xlim=(-4.2, width + n_examples - 1.0), ylim=(-1.25 * (len(rows) - 1) - 0.7, 0.7))
        axes.set_aspect("equal")
        axes.axis("off")
    cells = pd.DataFrame(
        counts,
        index=pd.RangeIndex(1, len(drawn) + 1, name="sample"),
        columns=pd.RangeIndex(1, n_examples + 1, name="example"),
    )
    lines = [
        f"{name}: {_numbered(inside)}; left out: {_numbered(outside) or 'none'}"
        for name, inside, outside in rows[1:]
    ]
    return Picture(figure, "\n".join(lines), cells)


def _numbered(examples: Sequence[int]) -> str:
    return " ".join(str(i + 1) for i in examples)


def round_curves(errors: Mapping[str, npt.NDArray[np.float64]]) -> Picture:
    """Draw errors by round of boosting, by name: "training" or "test"."""
    cells = pd.DataFrame(errors)
    cells.index = pd.RangeIndex(1, len(cells) + 1, name="round")
    looks = {name: (color, "-") for name, color in zip(cells, (GUIDE, BOOSTING, INK), strict=False)}
    with drawing(340) as figure:
        axes: Any = figure.subplots()
        lines(axes, cells, looks)
        axes.set(xlabel="round", ylabel="error", ylim=(0, None))
        label_ends(axes)
    shown = cells.loc[sorted({1, min(5, len(cells)), len(cells)})]
    texts = [f"{name}: {' to '.join(f'{error:.3f}' for error in shown[name])}" for name in cells]
    return Picture(figure, "\n".join(["Error after the first round, five and all rounds.", *texts]), cells)


def picture_panels(
    pictures: Sequence[npt.NDArray[np.float64]], titles: Sequence[str], features: Sequence[Rectangles] = ()
) -> Picture:
    """Draw pictures of grey values, each with the rectangles of a feature upon it if there are any."""
    rows = []
    look: Any = {"edgecolor": BOOSTING, "linewidth": 1.2, "alpha": 0.6}
    with paneled(zip(titles, pictures, strict=True), 250, wide=False) as (figure, grid):
        for (axes, title, picture), feature in zip_longest(grid, features):
            axes.imshow(picture, cmap="gray", interpolation="nearest")
            for top, left, weight in feature.parts() if feature else ():
                corner, size = (left - 0.5, top - 0.5), (feature.width, feature.height)
                axes.add_patch(Rectangle(corner, *size, facecolor="0.98" if weight > 0 else "0.02", **look))
            bare(axes, title)
            f = feature
            rows.append((title, f"{f.kind}, {f.height} × {f.width} at ({f.top}, {f.left})" if f else ""))
    cells = pd.DataFrame(rows, columns=["picture", "rectangles"]).set_index("picture")
    return Picture(figure, "\n".join(f"{title}: {p}" if p else title for title, p in rows), cells)
