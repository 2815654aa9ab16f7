"""The studies: what is measured, on which data, and the loaders of what is recorded.

`STUDIES` lists them; `load_results` and other loaders return their results for tables and figures.
"""

from .accuracy import Result, Task, compute
from .algorithms import ALGORITHMS, BASE_MODELS
from .calendar import calendar_accuracy, load_calendar_accuracy
from .errors import base_model_errors, load_base_model_errors
from .memorisation import boosted_trees, load_boosted_trees
from .overcounting import (
    answers_by_attributes,
    answers_by_size,
    load_answers_by_attributes,
    load_answers_by_size,
)
from .registry import STUDIES, tasks
from .results import load_results, repeatable, verify
from .statistics import split_accuracies, verdict
from .stream_ensembles import followed, load_stream_ensembles
from .times import load_training_times, training_times
from .today import load_today
from .variants import load_variants, stumps_by_attribute
from .work import count_work, load_work

__all__ = [
    "ALGORITHMS",
    "BASE_MODELS",
    "STUDIES",
    "Result",
    "Task",
    "answers_by_attributes",
    "answers_by_size",
    "base_model_errors",
    "boosted_trees",
    "calendar_accuracy",
    "compute",
    "count_work",
    "followed",
    "load_answers_by_attributes",
    "load_answers_by_size",
    "load_base_model_errors",
    "load_boosted_trees",
    "load_calendar_accuracy",
    "load_results",
    "load_stream_ensembles",
    "load_today",
    "load_training_times",
    "load_variants",
    "load_work",
    "repeatable",
    "split_accuracies",
    "stumps_by_attribute",
    "tasks",
    "training_times",
    "verdict",
    "verify",
]
