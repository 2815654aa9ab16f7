"""Checks that decide the claims of the thesis: evidence in, verdict out.

Each check is a pure function with the number of its claim in `data/reference/claims.csv`, in the
module of the part of the thesis that makes the claim. A check of a theorem cannot prove it; it
holds computed values against a consequence that would show if the theorem were false, a rate or a
bound, and says "undecided" when the evidence does not decide the claim.

Beside each check stands its evidence provider, which reads the evidence from recorded results or computes
it, so that `judge` can decide a claim by its number, without a notebook.
"""

import importlib
import pkgutil

from .registry import (
    CHECKS,
    EVIDENCE,
    GIVEN,
    UNTESTABLE,
    Verdict,
    claim,
    claims_by_page,
    claims_where,
    judge,
    on_print,
    with_names,
)
from .verdicts import (
    NO_CLAIMS,
    OUTCOMES,
    on_record,
    record_verdicts,
    recorded_counts,
    recorded_folder,
    recorded_verdicts,
    rule_changes,
)

__all__ = [
    "CHECKS",
    "EVIDENCE",
    "GIVEN",
    "NO_CLAIMS",
    "OUTCOMES",
    "UNTESTABLE",
    "Verdict",
    "claim",
    "claims_by_page",
    "claims_where",
    "judge",
    "on_print",
    "on_record",
    "record_verdicts",
    "recorded_counts",
    "recorded_folder",
    "recorded_verdicts",
    "rule_changes",
    "with_names",
]

for _module in pkgutil.iter_modules(__path__):  # each module registers its checks
    importlib.import_module(f"{__name__}.{_module.name}")
