"""Evidence about other ways of boosting online."""

import pandas as pd

from tests.reproduction.claims.contrasts import BETTER, UNKNOWN, WORSE


def of_bases(comparison):
    """The same comparison for two base models."""
    return pd.concat({base: comparison for base in ("tree", "stump")}, names=["base_model", "dataset"])


EVIDENCE = {"C147": tuple((of_bases(found),) for found in (BETTER, WORSE, UNKNOWN))}
