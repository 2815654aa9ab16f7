"""What ADWIN bagging gains, by the way in which a stream changes, and what it costs.

The claim is of the lecture on ensembles for data streams; it is judged by the six methods on drawn streams of
`leveraging_bagging`.
"""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza import ADWINBaggingClassifier, HoeffdingTreeClassifier, OnlineBaggingClassifier
from oza.streams import SEA, Chain, RandomRBF, drift

from ..claims.criteria import above_zero, agreed, every
from ..claims.registry import Decision, claim, require
from ..record.simulation import simulation
from ..statistics import mean_against_zero
from ..studies.streams import accuracies_along
from .leveraging_bagging import FEW_STREAMS, are_few, log_costs, mean_accuracies, six_methods, times, word


@simulation(small={"n_examples": 1000, "n_models": 2, "n_runs": 1})
def accuracies_by_change(
    streams: Sequence[str] = ("sea", "rbf", "chain"),
    n_examples: int = 20_000,
    n_models: int = 10,
    n_runs: int = 3,
    seed: int = 1,
    changes: Sequence[str] = ("none", "abrupt", "gradual", "recurring"),
) -> pd.DataFrame:
    """Compare online bagging with ADWIN bagging, of both rules, on streams that change in different ways.

    The frame has accuracies by stream, change and run, with a column for each classifier.
    """
    accuracies = {}
    for name, change, run in product(streams, changes, range(n_runs)):
        stream = _changing(change, *_two_laws(name, run), n_examples)
        known = {"random_state": seed, "categorical_features": stream.categorical_features}
        adwin = partial(ADWINBaggingClassifier, n_estimators=n_models, voting="majority", **known)
        models = {
            "online bagging": OnlineBaggingClassifier(HoeffdingTreeClassifier(), n_models, **known),
            "worst model replaced": adwin(),
            "model of the alarm replaced": adwin(replaced="triggered"),
        }
        accuracies[name, change, run] = accuracies_along(models, stream, n_examples)
    return pd.DataFrame(accuracies).T.rename_axis(index=["stream", "change", "run"], columns=None)


def _two_laws(stream: str, run: int) -> tuple[Any, Any]:
    """Give two laws with the same columns."""
    if stream == "sea":
        return SEA(1, random_state=run), SEA(3, random_state=run)
    if stream == "rbf":
        return RandomRBF(random_state=2 * run), RandomRBF(random_state=2 * run + 1)
    return Chain("synthetic3", random_state=run), Chain("synthetic2", random_state=run)


def _changing(change: str, before: Any, after: Any, n_examples: int) -> Any:
    half, quarter = n_examples // 2, n_examples // 4
    if change == "none":
        return before
    if change == "recurring":
        return drift(drift(drift(before, after, quarter), before, half), after, 3 * quarter)
    return drift(before, after, half, width=0 if change == "abrupt" else half / 2)


@claim("C130", evidence=six_methods)
def adwin_pays(runs: pd.DataFrame) -> Decision:
    """Judge ADWIN bagging beside online bagging, over the streams.

    The claim holds if it is significantly more accurate, and costs significantly fewer RAM-hours, by their
    logarithms and by the hours themselves, since the source does not say how it averages. The report is not
    reproduced if one of the two, accuracy or cost by both averages, is significant in the opposite direction.
    """
    require(not are_few(runs), FEW_STREAMS)
    accuracy, cost = mean_accuracies(runs), log_costs(runs)
    gain = accuracy["adwin_bagging"] - accuracy["online_bagging"]
    saved = cost["online_bagging"] - cost["adwin_bagging"]
    found = mean_against_zero(gain)
    hours = np.exp(cost[["online_bagging", "adwin_bagging"]])
    cheaper = agreed([above_zero(saved), above_zero(hours["online_bagging"] - hours["adwin_bagging"])])
    parts = above_zero(gain), cheaper
    ratio = hours["adwin_bagging"].mean() / hours["online_bagging"].mean()
    return every(parts), (
        f"gain of {found.difference:.4f} ± {found.half_width:.4f} (95 % interval over streams), more "
        f"accurate on {(gain > 0).sum()} of {len(gain)} streams, {word(parts[0])}; "
        f"{times(-saved)}, by the means of the hours {ratio:.2f} times, {word(parts[1])}"
    )
