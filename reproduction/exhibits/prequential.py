"""How scores on a stream go up and down, beside those of the baselines."""

from __future__ import annotations

from typing import Any

from oza.compare.style import BAGGING, BOOSTING, GUIDE, INK, PRIMED, STREAM, drawing, label_ends
from oza.evaluation import Evaluation

from .style import Picture

_COLORS = (BAGGING, BOOSTING, STREAM, PRIMED, INK)
_BASELINES = {"no change": "--", "majority class": ":"}
_NAMES = {
    "accuracy": "accuracy",
    "kappa": "kappa",
    "kappa_m": "kappa M",
    "kappa_temporal": "kappa temporal",
}


def prequential_curves(evaluation: Evaluation, score: str = "accuracy", over: str = "window") -> Picture:
    """Plot a score along the stream, a line for each model and grey ones for the baselines.

    Parameters
    ----------
    evaluation : Evaluation
        What `oza.evaluation.prequential` has found.
    score : {"accuracy", "kappa", "kappa_m", "kappa_temporal"}, default="accuracy"
        Which score.
    over : {"window", "all", "fading", "hold-out"}, default="window"
        What it is over.

    Returns
    -------
    Picture
    """
    if score not in _NAMES:
        raise ValueError(f"score={score!r}: expected one of {', '.join(map(repr, _NAMES))}.")
    rows = evaluation.scores[evaluation.scores["over"] == over]
    if rows.empty:
        known = ", ".join(map(repr, evaluation.scores["over"].unique()))
        raise ValueError(f"over={over!r}: expected one of {known}.")
    lines = []
    with drawing(340) as figure:
        axes: Any = figure.subplots()
        colors = iter(_COLORS * (1 + rows["model"].nunique() // len(_COLORS)))
        for model, part in rows.groupby("model", sort=False):
            is_baseline = model in _BASELINES
            style = _BASELINES[str(model)] if is_baseline else "-"
            color = GUIDE if is_baseline else next(colors)
            axes.plot(part["n_examples"], part[score], style, color=color, linewidth=1.3, label=str(model))
            first, last = part[score].iloc[[0, -1]]
            lines.append(
                f"{model}: {first:.3f} at first, {last:.3f} at the end, {part[score].mean():.3f} in the mean"
            )
        axes.set_xlabel("examples")
        axes.set_ylabel(_NAMES[score])
        label_ends(axes)
    heading = f"{_NAMES[score].capitalize()} along the stream, over: {over}."
    return Picture(figure, "\n".join([heading, *lines]), rows)
