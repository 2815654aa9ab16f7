"""Experiments: what to run, how, where the results live and what they say.

`STUDIES` lists the studies, `run` computes their tasks, `Store` keeps the results and
`load_results` gives them to tables and figures.
"""

from .comparison import Comparison, Settings, Work, compared
from .results import load_results, verify
from .runner import Failure, compute, run
from .statistics import split_accuracies, verdict
from .store import Result, Store, recorded
from .study import ALGORITHMS, BASE_MODELS, PROFILES, STUDIES, Study, Task, tasks

__all__ = [
    "ALGORITHMS",
    "BASE_MODELS",
    "PROFILES",
    "STUDIES",
    "Comparison",
    "Failure",
    "Result",
    "Settings",
    "Store",
    "Study",
    "Task",
    "Work",
    "compared",
    "compute",
    "load_results",
    "recorded",
    "run",
    "split_accuracies",
    "tasks",
    "verdict",
    "verify",
]
