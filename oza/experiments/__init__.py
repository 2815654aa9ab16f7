"""Experiments: what to run, how, where the results live and what they say.

`STUDIES` lists the studies, `run` computes their tasks, `Store` keeps the results and
`load_results` gives them to tables and figures.
"""

from .calendar import calendar_accuracy, load_calendar_accuracy
from .comparison import Comparison, Settings, Work, compared
from .errors import base_model_errors, load_base_model_errors
from .results import load_results, verify
from .runner import Failure, compute, run
from .statistics import split_accuracies, verdict
from .store import Result, Store, recorded
from .study import ALGORITHMS, BASE_MODELS, PROFILES, STUDIES, Study, Task, tasks
from .variants import load_network_variants, stumps_by_attribute, try_variants

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
    "base_model_errors",
    "calendar_accuracy",
    "compared",
    "compute",
    "load_base_model_errors",
    "load_calendar_accuracy",
    "load_network_variants",
    "load_results",
    "recorded",
    "run",
    "split_accuracies",
    "stumps_by_attribute",
    "tasks",
    "try_variants",
    "verdict",
    "verify",
]
