"""Checks of the claims about single models, ensembles and experts (thesis sections 2.1 to 2.3)."""

import pandas as pd

from .criteria import overall_better
from .registry import Decision, claim


@claim(
    "C032", evidence=lambda record: (record.compare("3.6", "single", "online_single").query("not excluded"),)
)
def one_pass_loses_accuracy(comparison: pd.DataFrame) -> Decision:
    """Judge batch networks (ten epochs) against online networks (one pass).

    The claim holds if batch is better overall: significantly better on more data sets than it is
    significantly worse on, by Holm's correction, and significantly more accurate on average over the data
    sets (t-test). It fails if both are reversed.
    """
    return overall_better(comparison)
