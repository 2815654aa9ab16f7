"""Evidence about how boosting, batch and online, comes together."""

import pandas as pd

SIZES = [100, 400, 1600]
FALLING = pd.DataFrame({1: [0.2, 0.1, 0.05], 2: [0.4, 0.25, 0.12]}, index=SIZES)
FADING = FALLING[1]
RISING = FALLING[::-1].set_axis(SIZES)
CONSTANT = pd.DataFrame({1: [0.2, 0.1, 0.05], 2: [0.9, 0.9, 0.91]}, index=SIZES)


def of_models(by_size):
    """The distances of models on three laws, a little apart."""
    return pd.concat({law: by_size * (1 + law / 10) for law in range(3)}, axis=1, names=["law", "model"])


def on_laws(by_size):
    """The same of three laws of three and of six attributes, a little apart."""
    laws = pd.concat({law: by_size[1] * (1 + law / 10) for law in range(3)}, axis=1)
    return pd.concat({"three-attributes": laws, "six-attributes": laws}, axis=1)


EVIDENCE = {
    "C104": [
        (of_models(FALLING), of_models(errors), at_tie)
        for errors, at_tie in ((FALLING, FADING), (CONSTANT, FADING), (FALLING, CONSTANT[2]))
    ],
    "C018": (
        (on_laws(FALLING), on_laws(FALLING), FADING),
        (on_laws(FALLING), on_laws(RISING), FADING),
        (on_laws(FALLING), on_laws(FALLING), CONSTANT[2]),
    ),
}

COUNTER = {"C105": lambda premises, conclusions: (premises, conclusions.assign(**{"X Y": 0.5}))}
