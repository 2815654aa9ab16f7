"""How scores on a stream go up and down, beside those of the baselines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from oza.evaluation import Evaluation

from ..figures import BAGGING, BOOSTING, GUIDE, INK, PRIMED, STREAM, Picture, drawing, lines

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
    by_model: Any = rows.pivot(index="n_examples", columns="model", values=score)[rows["model"].unique()]
    first, *others = [model for model in by_model if model not in _BASELINES]
    looks = _looks([first, *others])
    with drawing(340 + 170 * bool(others), phone=True) as figure:
        ratios = (2, 1)[: 1 + bool(others)]
        above, *below = figure.subplots(len(ratios), 1, squeeze=False, height_ratios=ratios)[:, 0]
        shown = {model: looks.get(model, (GUIDE, _BASELINES.get(model))) for model in by_model}
        lines(above, by_model, shown, linewidth=1.3)
        above.set_ylabel(_NAMES[score])
        for axes in below:
            gaps = by_model[others].sub(by_model[first], axis="index")
            lines(axes, gaps, {model: looks[model] for model in others}, linewidth=1.3)
            axes.set_ylabel(f"minus {first}")
        for axes in figure.axes:
            axes.set_xlabel("examples")
            axes.locator_params(axis="x", nbins=4)
        figure.legend(*above.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    texts = [
        f"{model}: {scores.iloc[0]:.3f} at first, {scores.iloc[-1]:.3f} at the end, "
        f"{scores.mean():.3f} on average"
        for model, scores in by_model.items()
    ]
    heading = f"{_NAMES[score].capitalize()} along the stream, over: {over}."
    return Picture(figure, "\n".join([heading, *texts]), rows)


def _looks(models: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Solid lines in the colours of models: that of a family of ensembles if the name says so."""
    others = cycle(_OTHERS)
    families = [next((f for f in _FAMILIES if f in model.lower()), "") for model in models]
    return {m: (_FAMILIES[f] if f else next(others), "-") for m, f in zip(models, families, strict=True)}
