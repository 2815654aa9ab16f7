"""How often tests over cross-validation splits find a difference where there is none."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.evaluation.significance import LEVEL, corrected_resampled, paired, welch
from oza.models import NaiveBayesClassifier

from ..record.bits import close
from ..record.simulation import simulation

N_FOLDS = 5  # as in the thesis
_VALUES = 3  # of each attribute
_COLUMNS = 5  # that each learner knows


@simulation(
    small={"n_problems": 10, "n_examples": 60, "repetitions": 3},
    calls=[{}, {"n_train": 20}],
    bits=close(1e-9),
)
def p_values_of_equals(
    n_problems: int = 100,
    n_examples: int = 100,
    repetitions: int = 10,
    seed: int = 1,
    n_train: int | None = None,
) -> pd.DataFrame:
    """Compare two equally good learners on random labels, by three tests over five-fold cross-validations.

    Both learners are Naive Bayes, and each knows its own five of ten attributes. The classes of each of
    `n_problems` data sets are drawn by tosses of a coin, so that no attribute says anything about them. A
    split uses `n_train` of its training examples, as in a learning curve; None means all.

    The frame has p-values: a row for each data set, a column for each test ("Welch", "paired", "corrected").
    """
    rng = np.random.default_rng(seed)
    n_test = n_examples // N_FOLDS
    found = []
    for _ in range(n_problems):
        X = rng.integers(_VALUES, size=(n_examples, 2 * _COLUMNS))
        a, b = _accuracies(X, rng.integers(2, size=n_examples), repetitions, n_train, rng)
        found.append((welch(a, b), paired(a, b), corrected_resampled(a, b, n_examples - n_test, n_test)))
    return pd.DataFrame(found, columns=pd.Index(["Welch", "paired", "corrected"], name="test"))


def false_alarms(p_values: pd.DataFrame) -> pd.DataFrame:
    """Give the share of data sets on which each test finds a difference at 0.05, and its standard error.

    Examples
    --------
    >>> from reproduction.simulations.overlapping_splits import false_alarms, p_values_of_equals
    >>> shares = false_alarms(p_values_of_equals(20, 60, repetitions=4))["false_alarms"]
    >>> bool(shares["Welch"] > shares["corrected"])
    True
    """
    alarms = p_values < LEVEL
    return pd.DataFrame({"false_alarms": alarms.mean(), "standard_error": alarms.sem()})


def _accuracies(
    X: npt.NDArray[np.int64],
    y: npt.NDArray[np.int64],
    repetitions: int,
    n_train: int | None,
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    """Accuracies of the two learners on all splits."""
    accuracies = []
    for _ in range(repetitions):
        for test in np.array_split(rng.permutation(len(y)), N_FOLDS):
            train = rng.permutation(np.setdiff1d(np.arange(len(y)), test))[:n_train]
            of_split = []
            for columns in (slice(_COLUMNS), slice(_COLUMNS, None)):
                model = NaiveBayesClassifier(categories=[range(_VALUES)] * _COLUMNS)
                model.fit(X[train, columns], y[train])
                of_split.append((model.predict(X[test, columns]) == y[test]).mean())
            accuracies.append(of_split)
    return np.array(accuracies).T
