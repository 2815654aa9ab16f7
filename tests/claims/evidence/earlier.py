"""Evidence about earlier online ensembles."""

import numpy as np
import pandas as pd

from .background import BETTER, EVEN, UNKNOWN, WORSE, comparison

SHARES = pd.DataFrame({"stream": list("ab") * 6, "share": np.tile([0.51, 0.48], 6)})
ERRORS = pd.DataFrame({100: [0.3, 0.2], 200: [0.25, 0.15]}, index=[1, 10])
PRIMED = pd.DataFrame({"n_train": [84, 500, 80000], "n_prime": [16, 100, 10000]})
BLOCKS = pd.DataFrame({"n_train": [84, 500], "block": [84, 100]}, ["promoters", "balance"])
SWEEP = pd.DataFrame(
    {"accuracy": [0.7, 0.75, 0.8, 0.85], "disagreement": [0.3, 0.2, 0.15, 0.1]}, index=[0.1, 0.3, 0.5, 0.9]
)
BUDGET = pd.DataFrame({"p": [0.3, 0.25, 0.2, 0.15]}, index=[1, 4, 16, 64])

_OVERALL = ((BETTER,), (WORSE,), (UNKNOWN,))


def by_p(table):
    """The same comparison for an update probability of 0.1."""
    return pd.concat({0.1: table}, names=["P_u"])


EVIDENCE = {
    "C038": ((SHARES,), (SHARES.assign(share=0.4),), (SHARES[:4],)),
    "C039": ((ERRORS,), (ERRORS[[200, 100]],), (ERRORS[[100]],)),
    **dict.fromkeys(("C040", "C041", "C042", "C049", "C051"), _OVERALL),
    "C043": ((PRIMED,), (PRIMED.assign(n_prime=PRIMED["n_train"] // 5),), (PRIMED[:2],)),
    "C044": ((BLOCKS,), (BLOCKS.assign(block=100),), (BLOCKS[1:],)),
    "C045": ((by_p(comparison(-0.01, ["none", "worse"])),), (by_p(EVEN),), (by_p(UNKNOWN),)),
    "C046": ((SWEEP,), (SWEEP[::-1].set_index(SWEEP.index),), (SWEEP[:3],)),
    "C047": ((EVEN, EVEN), (EVEN, WORSE), (EVEN, UNKNOWN)),
    "C048": ((BUDGET,), (BUDGET[::-1],), (BUDGET[:3],)),
    "C050": ((EVEN,), (WORSE,), (UNKNOWN,)),
}

AGAINST = [
    ("C038", (SHARES.assign(share=np.tile([0.5, 0.6], 6)),)),
    ("C039", (ERRORS.assign(**{"300": [0.1, 0.16]}),)),
    ("C040", (comparison(-0.02, ["better", "none"]),)),
    ("C040", (comparison(0.02, ["better", "worse"]),)),
    ("C044", (BLOCKS.assign(block=[84, 50]),)),
    ("C046", (SWEEP.assign(disagreement=0.1),)),
    ("C046", (SWEEP.assign(accuracy=0.8),)),
    ("C047", (WORSE, EVEN)),
    ("C048", (BUDGET.assign(q=[0.1, 0.1, 0.2, 0.2]),)),
    ("C050", (comparison(0.02, ["none", "none"]),)),
    ("C050", (comparison(0.0, ["better", "worse"]),)),
]
