"""An ensemble whose base models are divided among machines.

Each machine has a part, an ensemble that trains on all examples with some of the base models only. All draws
are keyed by the number of the base model, so that the parts, joined, are the ensemble of one machine.
"""

from __future__ import annotations

import secrets
from copy import deepcopy
from typing import Any

from sklearn.base import clone

from ..columns.validation import check_count
from .averaging import AveragingEnsemble
from .voting import VotingEnsemble


def parts_of(ensemble: Any, n_parts: int) -> list[VotingEnsemble]:
    """Parts of an ensemble, which have not been trained.

    Raises
    ------
    TypeError
        If it is no ensemble of this library, or its base models cannot be divided.
    """
    if not isinstance(ensemble, VotingEnsemble):
        raise TypeError(f"ensemble must be an ensemble of this library; got {ensemble!r}.")
    name, reason = type(ensemble).__name__, ensemble._undivided
    is_one_state = not isinstance(ensemble, AveragingEnsemble)
    if not reason and is_one_state and ensemble._new_kind()._shares_examples:
        reason = "decision trees share one memory of examples; those of RandomForestClassifier do not"
    if reason:
        raise TypeError(f"the base models of {name} cannot be divided among workers: {reason}.")
    whole = clone(ensemble)
    if whole.random_state is None:
        whole.set_params(random_state=secrets.randbelow(2**32))  # the same for all parts
    n_models = check_count("n_estimators", whole.n_estimators)
    n_parts = min(n_parts, n_models)
    edges = [n_models * i // n_parts for i in range(n_parts + 1)]
    parts = [clone(whole) for _ in range(n_parts)]
    for part, first, end in zip(parts, edges, edges[1:], strict=False):
        part._part = range(first, end)
    return parts


def joined(parts: list[VotingEnsemble]) -> VotingEnsemble:
    """The ensemble of all base models of the parts, each trained on the same examples."""
    whole = deepcopy(parts[0])
    for part in parts[1:]:
        whole._take_over(part)
    del whole._part
    return whole
