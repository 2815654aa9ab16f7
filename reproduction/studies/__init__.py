"""What several topics share: the protocol of accuracies, algorithms, searches for settings, streams.

A study has `tasks`, and a way to `measure` one; `recorded` reads the results of tasks from the record, and
`compute` computes tasks now.
"""

from .accuracy import Result, Task, compute
from .algorithms import ALGORITHMS, BASE_MODELS
from .errors import error_tasks
from .memorisation import boosted_trees
from .registry import STUDIES
from .statistics import split_accuracies, with_accuracy
from .variants import attempts, stumps_by_attribute
from .work import count_work

__all__ = [
    "ALGORITHMS",
    "BASE_MODELS",
    "STUDIES",
    "Result",
    "Task",
    "attempts",
    "boosted_trees",
    "compute",
    "count_work",
    "error_tasks",
    "split_accuracies",
    "stumps_by_attribute",
    "with_accuracy",
]
