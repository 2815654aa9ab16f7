"""Leveraging bagging MC with balanced and with unrestricted output codes, by the number of classes."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from oza.ensembles import LeveragingBaggingClassifier
from oza.evaluation import prequential
from oza.kernels.draws import uniforms
from oza.streams import RandomRBF

from ..record.simulation import simulation


class UnrestrictedCodesClassifier(LeveragingBaggingClassifier):
    """Leveraging bagging with codes uniform over all that are not constant, the first rule of the library."""

    def _start(self, kind: Any, schema: Any, classes: np.ndarray) -> dict[str, Any]:
        state = super()._start(kind, schema, classes)
        return state | {"_codes": unrestricted_codes(state["_key"], *state["_codes"].shape)}


def unrestricted_codes(key: int, n_models: int, n_classes: int) -> np.ndarray:
    """Uniform draws from all codes that are not constant, (M, K)."""
    numbers = 1 + (uniforms(n_models, "unrestricted codes", key) * (2**n_classes - 2)).astype(np.int64)
    return numbers[:, None] >> np.arange(n_classes) & 1


@simulation(
    small={"numbers": [3], "speeds": [0], "n_examples": 1000, "n_models": 2, "n_seeds": 2},
    calls=[{}, {"voting": "probability"}],
)
def accuracies_by_codes(
    numbers: Sequence[int] = (3, 5, 6, 7, 10),
    speeds: Sequence[float] = (0, 0.0001),
    n_examples: int = 20_000,
    n_models: int = 10,
    n_seeds: int = 20,
    voting: str = "majority",
) -> pd.DataFrame:
    """Compare leveraging bagging with balanced codes, with unrestricted ones, and with none.

    The streams are radial basis functions, as many classes as `numbers` says, at rest and moving; each seed
    draws other centres, examples and codes. The frame has accuracies by speed, number of classes and seed.
    Unrestricted codes have a use, and would stay in the library as an option, if for one number of classes
    they are significantly more accurate than balanced ones: the mean over both speeds, by a t-test over the
    seeds at 0.05 with Holm's correction over the numbers of classes.
    """
    rows = {}
    for speed, n_classes, seed in product(speeds, numbers, range(n_seeds)):
        stream = RandomRBF(n_classes=n_classes, speed=speed, random_state=seed)
        known = {"n_estimators": n_models, "voting": voting, "random_state": seed}
        models = {
            "balanced": LeveragingBaggingClassifier(output_codes=True, **known),
            "unrestricted": UnrestrictedCodesClassifier(output_codes=True, **known),
            "none": LeveragingBaggingClassifier(**known),
        }
        found = prequential(models, stream, stop=n_examples, progress=False).summary()
        rows[speed, n_classes, seed] = found.loc[list(models), "accuracy"]
    return pd.DataFrame(rows).T.rename_axis(index=["speed", "classes", "seed"], columns=None)
