"""Figures of two lectures: boundaries in the plane, rounds of boosting, diversity, few labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    STREAM,
    TEXT,
    Picture,
    drawing,
    label_ends,
    ordered,
    panels,
)
from ..simulations.rules_of_thumb import Rectangles
from ..tables.printed import label
from ..theory.exponential_loss import loss
from ..theory.schapire import Toy

_KINDS = {"single": GUIDE, "bagging": BAGGING, "boosting": BOOSTING, "adaboost": BOOSTING, "random": GUIDE}
_KINDS |= {"random_forest": STREAM}
_NAMES = {"random_forest": "random forest", "decorate": "DECORATE"}
# Two neutral tints that let the ground of the page through where opinions are divided.
_SHADES = matplotlib.colors.LinearSegmentedColormap.from_list(
    "sides", [(0.80, 0.55, 0.28, 0.45), (0.62, 0.60, 0.56, 0.0), (0.30, 0.52, 0.72, 0.45)]
)

_UNSURE = (0.72, 0.43, 0.65)


def _named(name: str) -> str:
    return _NAMES.get(name, name)


def _points(axes: Any, X: Any, y: Any, size: float = 18.0) -> None:
    """Draw points, filled circles of class 1 and open triangles of class 0."""
    for value, marker in ((0, "^"), (1, "o")):
        part = np.asarray(X)[np.asarray(y) == value]
        face = INK if value else GROUND
        axes.scatter(*part.T, s=size, marker=marker, facecolors=face, edgecolors=INK, linewidths=0.9)


def shade(axes: Any, share: Any, low: float, high: float, n_steps: int) -> npt.NDArray[Any]:
    """Shade a square by the share of class 1 at each point, with the border where opinions are divided."""
    middle = (np.arange(n_steps) + 0.5) / n_steps * (high - low) + low
    at = np.array([(a, b) for b in middle for a in middle])
    values = np.asarray(share(at)).reshape(n_steps, n_steps)
    axes.imshow(values, origin="lower", extent=(low, high, low, high), cmap=_SHADES, vmin=0, vmax=1)
    if values.min() < 0.5 < values.max():
        axes.contour(middle, middle, values, levels=[0.5], colors=INK, linewidths=1.2)
    axes.grid(visible=False)
    return values


def plane_shades(
    shares: Mapping[str, Any], X: npt.NDArray[Any], y: npt.NDArray[Any], n_steps: int = 80
) -> Picture:
    """Shade the unit square by the share of class 1 that classifiers give, a panel for each.

    `shares` are functions of points (n, 2); the training examples are drawn over the shades. The cells hold
    the share of the square on the side of class 1, and of that where fewer than nine in ten agree.
    """
    rows = []
    with drawing(360, wide=len(shares) > 2) as figure:
        every = panels(figure, len(shares), len(shares))
        for axes, (title, share) in zip(every, shares.items(), strict=True):
            values = shade(axes, share, 0, 1, n_steps)
            _points(axes, X, y, 10)
            axes.set(title=title, xticks=[], yticks=[])
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
    middle = (np.arange(100) + 0.5) / 100
    at = np.array([(a, b) for b in middle for a in middle])
    rows = []
    with drawing(380, wide=len(stages) > 2) as figure:
        every = panels(figure, len(stages), len(stages))
        for axes, (title, share, X, y) in zip(every, stages, strict=True):
            doubt = 1 - abs(2 * np.asarray(share(at)).reshape(100, 100) - 1)
            axes.imshow(doubt, origin="lower", extent=(0, 1, 0, 1), cmap=shades, vmin=0, vmax=1)
            axes.scatter(*pool.T, s=2, color=GUIDE)
            _points(axes, X, y, 20)
            asked = pool[abs(np.asarray(share(pool)) - 0.5).argmin()]
            axes.plot(*asked, "o", markersize=15, markerfacecolor="none", color=INK, markeredgewidth=2.2)
            axes.set(title=title, xticks=[], yticks=[])
            axes.grid(visible=False)
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
    with drawing(360, wide=len(stages) > 2) as figure:
        every = panels(figure, len(stages), len(stages))
        for axes, (title, share, artificial, labels) in zip(every, stages, strict=True):
            values = shade(axes, share, -0.2, 1.2, 90)
            _points(axes, X, y, 20)
            for value, marker in ((0, (3, 2, 0)), (1, "x")) if artificial is not None else ():
                part = np.asarray(artificial)[np.asarray(labels) == value]
                axes.scatter(*part.T, s=22, marker=marker, color=GUIDE, linewidths=0.9)
            axes.set(title=title, xticks=[], yticks=[], xlim=(-0.2, 1.2), ylim=(-0.2, 1.2))
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
    grid = [np.linspace(a, b, 111) for a, b in zip(low, high, strict=True)]
    mesh = np.stack(np.meshgrid(*grid), axis=-1)
    n_rounds = len(toy.run.errors)
    rows = [
        (t + 1, str(e), float(e), a) for t, (e, a) in enumerate(zip(toy.run.errors, toy.alphas, strict=True))
    ]
    cells = pd.DataFrame(rows, columns=["round", "error", "decimal", "vote"]).set_index("round")
    with drawing(320 * -(-(n_rounds + 1) // 2)) as figure:
        for t, axes in enumerate(panels(figure, n_rounds + 1, 2)):
            is_last = t == n_rounds
            if is_last:
                values = np.sign(toy.vote(mesh))
            else:
                axis, threshold, sign = toy.borders[t]
                values = sign * np.where(mesh[..., axis] > threshold, 1, -1)
            extent = (low[0], high[0], low[1], high[1])
            axes.imshow(
                values, origin="lower", extent=extent, cmap=_SHADES, vmin=-1.6, vmax=1.6, aspect="auto"
            )
            weights = toy.run.weights[0 if is_last else t].astype(float) * len(at)
            for point, kind, weight in zip(at, classes, weights, strict=True):
                size = TEXT + 9 * float(weight)
                axes.text(*point, "+" if kind > 0 else "−", fontsize=size, ha="center", va="center")
            says = np.sign(toy.vote(at)) if is_last else toy.says[t]
            axes.scatter(
                *at[says != np.asarray(classes)].T, s=380, facecolors="none", edgecolors=INK, linewidths=1.4
            )
            title = "final vote" if is_last else f"round {t + 1}: ε = {rows[t][1]}, α = {rows[t][3]:.2f}"
            axes.set(title=title, xticks=[], yticks=[], xlim=extent[:2], ylim=extent[2:])
            axes.grid(visible=False)
    n_wrong = int((np.sign(toy.vote(at)) != np.asarray(classes)).sum())
    lines = [f"Round {t}: error {e}, vote {a:.4f}" for t, e, _, a in rows]
    return Picture(figure, "\n".join([*lines, f"The final vote is wrong on {n_wrong} points."]), cells)


def loss_curves(problems: Mapping[str, tuple[Any, Any, float]]) -> Picture:
    """Draw the exponential loss against the vote α of the next model.

    A problem has the weights W of the examples, y h, and the vote with the least loss.
    """
    alphas = np.linspace(-0.5, 2.0, 126)
    rows = []
    with drawing(340, phone=True) as figure:
        axes: Any = figure.subplots()
        colored = zip(problems.items(), ordered(len(problems)), strict=True)
        for (name, (weights, products, best)), color in colored:
            values = [loss(weights, products, a) for a in alphas]
            axes.plot(alphas, values, color=color, label=name)
            axes.plot([best], [loss(weights, products, best)], "o", color=color)
            rows.append((name, best, loss(weights, products, best)))
        axes.axvline(0, color=GUIDE, linewidth=0.8)
        axes.set(xlabel="vote α of the next model", ylabel="exponential loss")
        label_ends(axes)
    cells = pd.DataFrame(rows, columns=["model", "vote", "loss"]).set_index("model")
    lines = [f"{r.Index}: least loss {r[2]:.4f} at α = {r[1]:.4f}" for r in cells.itertuples()]
    return Picture(figure, "\n".join(lines), cells)


def share_curves(rows: pd.DataFrame) -> Picture:
    """Draw learning curves over shares of the training set, a panel for each data set.

    Means of the rows, one for each split, with bands of one standard error.
    """
    return _panels(rows, "algorithm", "percent", "percent of the training set", is_log=True)


def label_curves(rows: pd.DataFrame) -> Picture:
    """Draw accuracies against the number of labels as `share_curves` does, a panel for each data set."""
    return _panels(rows, "strategy", "n_labels", "labels", is_log=False)


def _panels(rows: pd.DataFrame, lines: str, x: str, xlabel: str, is_log: bool) -> Picture:
    accuracies = rows.groupby(["dataset", lines, x], sort=False)["accuracy"]
    cells = pd.DataFrame(accuracies.agg(accuracy="mean", error="sem")).reset_index()
    datasets = list(cells["dataset"].unique())
    descriptions = []
    with drawing(60 + 230 * -(-len(datasets) // 3), wide=True) as figure:
        every = panels(figure, len(datasets))
        for axes, dataset in zip(every, datasets, strict=True):
            part = cells[cells["dataset"] == dataset]
            for name in part[lines].unique():
                line = part[part[lines] == name].sort_values(x, kind="stable")
                color = _KINDS.get(str(name), INK)
                dashes = "--" if lines == "algorithm" else ":" if name == "random" else "-"
                low, high = (line["accuracy"] + sign * line["error"].fillna(0.0) for sign in (-1, 1))
                axes.fill_between(line[x], low, high, color=color, alpha=0.2, linewidth=0)
                axes.plot(line[x], line["accuracy"], dashes, color=color, label=_named(str(name)))
                ends = line["accuracy"].iloc[[0, -1]]
                descriptions.append(
                    f"{label(str(dataset))}, {_named(str(name))}: {ends.iloc[0]:.3f} to {ends.iloc[1]:.3f}"
                )
            axes.set_title(label(str(dataset)))
            if is_log:
                axes.set_xscale("log")
                axes.minorticks_off()
                axes.set_xticks([1, 10, 100], ["1", "10", "100"])
        for axes in every[-3:]:  # the lowest of its column
            axes.set_xlabel(xlabel)
        for axes in every[::3]:
            axes.set_ylabel("accuracy")
        handles, names = every[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=len(names))
    return Picture(figure, "\n".join(["Accuracy from the left end to the right end.", *descriptions]), cells)


def kappa_error_diagram(points: Mapping[str, pd.DataFrame], limits: Sequence[float] | None = None) -> Picture:
    """Draw κ–error diagrams: a point for each pair of members, a panel for each ensemble.

    The points are those of `oza.diversity.kappa_error`; `limits` of κ on the axis. The cells hold the mean κ
    and the mean error of each ensemble.
    """
    everything = pd.concat(points, names=["ensemble"])
    low, high = limits or (min(0.0, float(everything["kappa"].min())), 1.0)
    cells = everything.groupby(level="ensemble", sort=False)[["kappa", "error"]].mean()
    with drawing(270 * -(-len(points) // 3), wide=True) as figure:
        every = panels(figure, len(points), sharey=True)
        for axes, (name, frame) in zip(every, points.items(), strict=True):
            axes.scatter(frame["kappa"], frame["error"], s=9, color=_KINDS.get(name, INK), alpha=0.6)
            axes.set(title=_named(name), xlabel="κ of the pair", xlim=(low - 0.02, high + 0.02))
            axes.set_xticks([0, 0.5, 1])
        for axes in every[::3]:
            axes.set_ylabel("mean error of the pair")
    lines = [f"{_named(str(r.Index))}: mean κ {r[1]:.2f}, mean error {r[2]:.3f}" for r in cells.itertuples()]
    return Picture(figure, "\n".join(lines), cells)


def depth_curves(measured: pd.DataFrame) -> Picture:
    """Draw error, squared bias and variance against the depth of the tree, by which the rows are indexed."""
    styles = {"error": (INK, "-"), "bias": (INK, "--"), "variance": (INK, ":"), "training": (GUIDE, "-")}
    names = {"bias": "bias²", "training": "on the training examples", "error": "bias² + variance"}
    with drawing(340) as figure:
        axes: Any = figure.subplots()
        for column, (color, line) in styles.items():
            axes.plot(measured.index, measured[column], line, color=color, label=names.get(column, column))
        axes.set(xlabel="largest depth of the tree", ylabel="squared error")
        label_ends(axes)
    best = measured["error"].idxmin()
    text = f"The error is least at depth {best}; bias² falls with the depth, variance rises."
    return Picture(figure, text, measured)


def variance_curves(bags: pd.DataFrame) -> Picture:
    """Draw what averages of m trees keep of the variance of one, a panel for each problem."""
    problems = list(bags["problem"].unique())
    lines = []
    with drawing(360, wide=True) as figure:
        every = panels(figure, len(problems), len(problems), sharey=True)
        for axes, problem in zip(every, problems, strict=True):
            part = bags[bags["problem"] == problem].set_index("models")
            axes.plot(part.index, 1 / part.index, "--", color=GUIDE, label="1/m")
            axes.plot(part.index, part["formula"], ":", color=GUIDE, label="ρ + (1 − ρ)/m")
            axes.plot(part.index, part["independent"], "s-", color=INK, label="independent trees")
            axes.plot(part.index, part["bagged"], "o--", color=BAGGING, label="bagged trees")
            axes.set(title=problem, xlabel="trees m", xscale="log", yscale="log")
            axes.minorticks_off()  # labels of minor ticks need other fonts
            axes.set_xticks(list(part.index), [str(m) for m in part.index])
            axes.set_yticks([0.02, 0.05, 0.1, 0.2, 0.5, 1], ["0.02", "0.05", "0.1", "0.2", "0.5", "1"])
            last = part.iloc[-1]
            lines.append(
                f"{problem}: {part.index[-1]} bagged trees keep {last['bagged']:.1%} of the variance, "
                f"independent ones {last['independent']:.1%}; correlation {last['correlation']:.2f}"
            )
        every[0].set_ylabel("share of the variance of one tree")
        handles, names = every[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=4)
    return Picture(figure, "\n".join(lines), bags)


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
    with drawing(340) as figure:
        axes: Any = figure.subplots()
        for name, color in zip(cells, (GUIDE, BOOSTING, INK), strict=False):
            axes.plot(cells.index, cells[name], color=color, label=name)
        axes.set(xlabel="round", ylabel="error", ylim=(0, None))
        label_ends(axes)
    shown = cells.loc[sorted({1, min(5, len(cells)), len(cells)})]
    lines = [f"{name}: {' to '.join(f'{error:.3f}' for error in shown[name])}" for name in cells]
    return Picture(figure, "\n".join(["Error after the first round, five and all rounds.", *lines]), cells)


def picture_panels(pictures: npt.NDArray[np.float64], titles: Sequence[str]) -> Picture:
    """Draw pictures of grey values in a row."""
    return _grey(pictures, titles, [[] for _ in titles])


def rectangle_panels(background: npt.NDArray[np.float64], rules: Sequence[tuple[str, Rectangles]]) -> Picture:
    """Draw features of pictures, light and dark rectangles, upon one picture."""
    return _grey([background] * len(rules), [title for title, _ in rules], [[r] for _, r in rules])


def _grey(pictures: Any, titles: Sequence[str], features: Sequence[Sequence[Rectangles]]) -> Picture:
    rows = []
    look: Any = {"edgecolor": BOOSTING, "linewidth": 1.2, "alpha": 0.6}
    with drawing(250 * -(-len(titles) // 3)) as figure:
        every = panels(figure, len(titles))
        for axes, picture, title, shown in zip(every, pictures, titles, features, strict=True):
            axes.imshow(picture, cmap="gray", interpolation="nearest")
            for feature in shown:
                for top, left, weight in feature.parts():
                    corner, size = (left - 0.5, top - 0.5), (feature.width, feature.height)
                    fill = "0.98" if weight > 0 else "0.02"
                    axes.add_patch(Rectangle(corner, *size, facecolor=fill, **look))
            axes.set(xticks=[], yticks=[], title=title)
            axes.grid(visible=False)
            places = "; ".join(f"{f.kind}, {f.height} × {f.width} at ({f.top}, {f.left})" for f in shown)
            rows.append((title, places))
    cells = pd.DataFrame(rows, columns=["picture", "rectangles"]).set_index("picture")
    return Picture(figure, "\n".join(f"{title}: {p}" if p else title for title, p in rows), cells)
