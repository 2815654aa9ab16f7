"""Statistics of results: accuracies on splits, tolerances, and verdicts on printed cells.

Values are accuracies, one number for each split; several orders of one training set are averaged
first, since they are not independent.
"""

import math
from typing import Literal

import pandas as pd
import scipy.stats

from oza.evaluation.significance import LEVEL, ROUNDING

TOLERANCE = 0.01  # largest deviation from a printed accuracy, unless chance allows more
PRINTED_SPLITS = 50  # of a printed mean: ten five-fold cross-validations, section 3.5.2
PRINTED_ROUNDING = 0.00005  # printed accuracies have four digits
CellVerdict = Literal["agrees", "differs", "no printed value", "not run"]

_CELL = ["dataset", "base_model", "algorithm"]
_SPLIT = ["repetition", "fold"]


def with_accuracy(rows: pd.DataFrame) -> pd.DataFrame:
    """Add the column `accuracy`, the share of correct predictions, to rows that count them."""
    return rows.assign(accuracy=rows["n_correct"] / rows["n_test"])


def split_accuracies(results: pd.DataFrame) -> pd.DataFrame:
    """Accuracy on each split, averaged over orders.

    Parameters
    ----------
    results : DataFrame
        Rows of a study of accuracies.

    Returns
    -------
    DataFrame
        Columns `accuracy`, `n_train` and `n_test`; indexed by data set, base model, algorithm,
        repetition and fold.
    """
    return with_accuracy(results).groupby(_CELL + _SPLIT)[["accuracy", "n_train", "n_test"]].mean()


def tolerance(standard_error: float, n_splits: int) -> float:
    """Largest difference of our accuracy from a printed one with which they agree.

    Both are means over random splits. Standard errors of the printed ones do not survive, so their
    splits are assumed to vary as much as ours. The difference of the two means then has the variance
    s²(1/n + 1/50), where s is the standard deviation over our n splits. In 95 of 100 cases it is at most
    the t quantile for n − 1 degrees of freedom times the root of this variance. The tolerance is that
    or 0.01, whichever is larger, plus half a unit of the last printed digit.

    Parameters
    ----------
    standard_error : float
        Standard error of our mean; NaN if there is only one split, in which case 0.01 is used.
    n_splits : int
        Number of our splits.

    Examples
    --------
    >>> from reproduction.studies.statistics import tolerance
    >>> round(tolerance(0.01, 50), 4), round(tolerance(0.01, 5), 4)
    (0.0285, 0.0292)
    >>> round(tolerance(0.001, 50), 5)
    0.01005
    """
    if math.isnan(standard_error):
        return TOLERANCE + PRINTED_ROUNDING
    of_difference = standard_error * math.sqrt(1 + n_splits / PRINTED_SPLITS)
    chance = float(scipy.stats.t.isf(LEVEL / 2, n_splits - 1)) * of_difference
    return max(TOLERANCE, chance) + PRINTED_ROUNDING


def verdict(ours: float, standard_error: float, n_splits: int, printed: float) -> CellVerdict:
    """Verdict on a printed accuracy.

    Parameters
    ----------
    ours, standard_error : float
        Our mean accuracy, and its standard error (NaN if there is only one split).
    n_splits : int
        Number of splits of our mean.
    printed : float
        The thesis's value, NaN if it is illegible.

    Returns
    -------
    str
        "agrees" if they differ by at most the `tolerance`, else "differs". "not run" and
        "no printed value" if there is nothing to compare.

    Examples
    --------
    >>> from reproduction.studies.statistics import verdict
    >>> verdict(0.8721, 0.0100, 50, 0.8774), verdict(0.8721, 0.0020, 50, 0.8874)
    ('agrees', 'differs')
    """
    if math.isnan(ours):
        return "not run"
    if math.isnan(printed):
        return "no printed value"
    is_within = abs(ours - printed) <= tolerance(standard_error, n_splits) + ROUNDING
    return "agrees" if is_within else "differs"
