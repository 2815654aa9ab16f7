"""How scores on a stream go up and down, beside those of the baselines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from oza.evaluation import Evaluation

from ..figures import BAGGING, BOOSTING, GUIDE, INK, PRIMED, STREAM, Picture, drawing

#: Colours of models that belong to no family of ensembles.
_OTHERS = (INK, STREAM, PRIMED)
_FAMILIES = {"bagging": BAGGING, "boosting": BOOSTING}
_BASELINES = {"no change": "--", "majority class": ":"}
_NAMES = {"accuracy": "accuracy", "kappa": "kappa", "kappa_m": "kappa M", "kappa_temporal": "kappa temporal"}


def prequential_curves(evaluation: Evaluation, score: str = "accuracy", over: str = "window") -> Picture:
    """Plot a score along the stream, a line for each model and grey ones for the baselines.

    The score is over a "window", "all", "fading" or "hold-out". With several models, a second panel shows how
    much larger the score of the others is than that of the first.
    """
    if score not in _NAMES:
        raise ValueError(f"score={score!r}: expected one of {', '.join(map(repr, _NAMES))}.")
    rows = evaluation.scores[evaluation.scores["over"] == over]
    if rows.empty:
        known = ", ".join(map(repr, evaluation.scores["over"].unique()))
        raise ValueError(f"over={over!r}: expected one of {known}.")
    by_model = {
        str(model): part.set_index("n_examples")[score] for model, part in rows.groupby("model", sort=False)
    }
    models = [model for model in by_model if model not in _BASELINES]
    n_panels = 1 + (len(models) > 1)
    with drawing(340 + 170 * (n_panels - 1), phone=True) as figure:
        grid: Any = figure.subplots(n_panels, 1, squeeze=False, height_ratios=(2, 1)[:n_panels])[:, 0]
        colors = _colors(models)
        for model, course in by_model.items():
            style, color = _BASELINES.get(model, "-"), colors.get(model, GUIDE)
            grid[0].plot(course, style, color=color, linewidth=1.3, label=model)
        grid[0].set_ylabel(_NAMES[score])
        for model in models[1:]:
            gap = by_model[model] - by_model[models[0]]
            grid[1].plot(gap, color=colors[model], linewidth=1.3)
            grid[1].set_ylabel(f"minus {models[0]}")
        for axes in grid:
            axes.set_xlabel("examples")
            axes.locator_params(axis="x", nbins=4)
        names = grid[0].get_legend_handles_labels()
        figure.legend(*names, loc="outside upper center", ncols=2)
    lines = [
        f"{model}: {course.iloc[0]:.3f} at first, {course.iloc[-1]:.3f} at the end, "
        f"{course.mean():.3f} on average"
        for model, course in by_model.items()
    ]
    heading = f"{_NAMES[score].capitalize()} along the stream, over: {over}."
    return Picture(figure, "\n".join([heading, *lines]), rows)


def _colors(models: Sequence[str]) -> dict[str, str]:
    """Colours of models: that of a family of ensembles if the name says so."""
    others = cycle(_OTHERS)
    families = [next((f for f in _FAMILIES if f in model.lower()), "") for model in models]
    return {m: _FAMILIES[f] if f else next(others) for m, f in zip(models, families, strict=True)}
