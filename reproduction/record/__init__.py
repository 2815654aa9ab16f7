"""Recorded results: what a study is, the runner that computes its tasks, the store of their results."""

from .runner import Failure, run
from .store import Provenance, Store
from .study import PROFILES, Study

__all__ = ["PROFILES", "Failure", "Provenance", "Store", "Study", "run"]
