"""Number of repetitions that the mean accuracy of a cell needs.

The full protocol has ten repetitions and, online, five orders. If that takes long, a pilot, the
first cross-validation in its first order, decides how much is run. The number of splits n is the least
for which Student's 95 % interval of the mean, with the standard deviation s over the five pilot splits,
reaches no further than `HALF_WIDTH` to either side,

    n ≥ (t · s / HALF_WIDTH)²,    t = 2.776, the 0.975 quantile with four degrees of freedom,

rounded up to whole cross-validations (Stein 1945 chooses the size of the second sample in this way).
Ten repetitions are the most. A data set with a supplied split has no folds; its runs differ only
in random draws, and there are five. Until its pilot is complete, a cell has one repetition. The rule
was fixed before any run beyond the pilots was made.
"""

import math
import statistics
from collections.abc import Sequence

import scipy.stats

from oza.evaluation.significance import LEVEL

from ..statistics import MARGIN
from .protocol import N_FOLDS

HALF_WIDTH = MARGIN / 2  # so that chance does not widen the tolerance of 0.01 of a printed cell
MOST = 10  # repetitions of the full protocol (thesis section 3.5.1)


def repetitions_needed(pilot: Sequence[float]) -> int:
    """Number of cross-validations that a cell needs.

    The pilot has the accuracies on the splits of the first cross-validation, in the first order.

    >>> repetitions_needed([0.90, 0.90, 0.91, 0.90, 0.90])
    2
    >>> repetitions_needed([0.7, 0.8, 0.9, 0.8, 0.7])
    10
    """
    if len(pilot) != N_FOLDS:
        raise ValueError(f"pilot: {len(pilot)} accuracies; expected {N_FOLDS}, one for each fold")
    t = scipy.stats.t.isf(LEVEL / 2, len(pilot) - 1)
    n_splits = (t * statistics.stdev(pilot) / HALF_WIDTH) ** 2
    return min(max(math.ceil(n_splits / N_FOLDS), 1), MOST)
