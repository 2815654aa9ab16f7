"""What an evaluation on a stream has found: scores, costs and alarms, with their picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats

from ..extras import required

NO_CHANGE, MAJORITY = "no change", "majority class"


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What `prequential` has found.

    Attributes
    ----------
    scores : DataFrame
        A row for each model and baseline (`model`), number of examples so far (`n_examples`) and what the
        scores are `over`: "all" examples so far, the latest in a "window", all with "fading" weights, or
        the "hold-out" set. The scores are `accuracy`, `kappa` (beyond guessing with the same shares of the
        classes), `kappa_m` (beyond *majority class*) and `kappa_temporal` (beyond *no change*); NaN where the
        reference makes no error, or has none. Those of `metrics` come after them.
    costs : DataFrame
        For each model and number of examples the CPU `seconds` so far, the `bytes` that the model takes then,
        and its `ram_hours` so far: gigabytes times hours.
    alarms : DataFrame
        A row for each change that detectors of an ensemble found: the `model`, the number of the `example`
        among those of the stream, the base model, `member`, whose error had risen, and the one `replaced`.
    window : int
        Number of the latest examples in a window.
    """

    scores: pd.DataFrame
    costs: pd.DataFrame
    alarms: pd.DataFrame
    window: int
    _counts: dict[tuple[str, str], pd.DataFrame]

    def summary(self, over: str = "all") -> pd.DataFrame:
        """Scores and costs at the end.

        Parameters
        ----------
        over : {"all", "window", "fading", "hold-out"}, default="all"
            What the scores are over.

        Returns
        -------
        DataFrame
            A row for each model and baseline.
        """
        known = list(self.scores["over"].unique())
        if over not in known:
            raise ValueError(f"over={over!r}: expected one of {', '.join(map(repr, known))}.")
        chosen = self.scores[self.scores["over"] == over]
        last = chosen[chosen["n_examples"] == chosen["n_examples"].max()].drop(columns="over")
        names = ["model", "n_examples"]
        return last.merge(self.costs, how="left", on=names).drop(columns="n_examples").set_index("model")

    def confusion(self, model: str, over: str = "all") -> pd.DataFrame:
        """How often each class was predicted for examples of each class, at the end.

        Parameters
        ----------
        model : str
            Name of a model or a baseline, as in `scores`.
        over : {"all", "window", "fading", "hold-out"}, default="all"
            What the counts are over.

        Returns
        -------
        DataFrame of shape (n_classes, n_classes)
            Weight of the examples by class, in the rows, and predicted class, in the columns.

        Examples
        --------
        >>> from oza import NaiveBayesClassifier
        >>> from oza.evaluation import prequential
        >>> from oza.streams import STAGGER
        >>> found = prequential(NaiveBayesClassifier(), STAGGER(1), stop=500)
        >>> found.confusion("NaiveBayesClassifier")
        predicted      0     1
        class
        0          452.0   0.0
        1            4.0  44.0
        """
        if (model, over) not in self._counts:
            known = ", ".join(f"{name!r} over {part!r}" for name, part in self._counts)
            raise ValueError(f"there is no {model!r} over {over!r}; expected one of {known}.")
        return self._counts[model, over]

    def plot(self, drifts: float | Iterable[float] = (), ax: Any = None) -> Any:
        """Draw the accuracy in windows with its 95% interval, and the changes that detectors found.

        Parameters
        ----------
        drifts : float or iterable of float, default=()
            Numbers of the examples at which the stream is known to change; vertical lines mark them.
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; None makes a figure. Needs the extra `oza[report]`.

        Returns
        -------
        matplotlib.axes.Axes
            A line for each model and baseline, with Wilson's interval for independent examples. Ticks below
            are alarms of the model of that colour, triangles those by which a base model was replaced.

        Examples
        --------
        >>> from oza import ADWINBaggingClassifier
        >>> from oza.evaluation import prequential
        >>> from oza.streams import STAGGER, drift
        >>> stream = drift(STAGGER(1), STAGGER(2), position=2000)
        >>> model = ADWINBaggingClassifier(n_estimators=3, random_state=0)
        >>> found = prequential(model, stream, stop=4000, every=100, window=200)
        >>> found.plot(drifts=[2000]).get_ylabel()
        'accuracy in the latest 200 examples'
        """
        pyplot = required("matplotlib.pyplot", "a plot")
        ax = pyplot.subplots(figsize=(8, 4), layout="constrained")[1] if ax is None else ax
        in_windows = self.scores[self.scores["over"] == "window"]
        for model, rows in in_windows.groupby("model", sort=False):
            n_examples, accuracy = rows["n_examples"].to_numpy(), rows["accuracy"].to_numpy()
            is_baseline = model in (NO_CHANGE, MAJORITY)
            (line,) = ax.plot(n_examples, accuracy, "--" if is_baseline else "-", lw=1.2, label=model)
            n, z = np.minimum(n_examples, self.window), scipy.stats.norm.isf(0.025)
            centre = (accuracy + z * z / (2 * n)) / (1 + z * z / n)
            half = z * np.sqrt(accuracy * (1 - accuracy) / n + (z / (2 * n)) ** 2) / (1 + z * z / n)
            ax.fill_between(
                n_examples, centre - half, centre + half, color=line.get_color(), alpha=0.15, lw=0
            )
            alarms = self.alarms[self.alarms["model"] == model]
            for mark, chosen in (("|", alarms), ("^", alarms[alarms["replaced"] >= 0])):
                at = np.full(len(chosen), 0.03)
                ax.plot(
                    chosen["example"], at, mark, color=line.get_color(), transform=ax.get_xaxis_transform()
                )
        for position in drifts if isinstance(drifts, Iterable) else [drifts]:
            ax.axvline(position, color="grey", ls=":")
        ax.set(xlabel="examples", ylabel=f"accuracy in the latest {self.window} examples")
        ax.legend()
        return ax
