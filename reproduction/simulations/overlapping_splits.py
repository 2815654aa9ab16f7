"""How often tests over cross-validation splits find a difference where there is none."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from oza.evaluation.significance import LEVEL, corrected_resampled, paired, welch
from oza.models import NaiveBayesClassifier

N_FOLDS = 5  # as in the thesis
_VALUES = 3  # of each attribute
_COLUMNS = 5  # that each learner knows


def false_alarms(
    n_problems: int, n_examples: int, repetitions: int, seed: int, n_train: int | None = None
) -> pd.DataFrame:
    """Compare two equally good learners on random labels, by three tests over five-fold cross-validations.

    Both learners are Naive Bayes, and each knows its own five of ten attributes. The classes are drawn by
    tosses of a coin, so that no attribute says anything about them, and every difference that is found is a
    false alarm.

    Parameters
    ----------
    n_problems : int
        Number of data sets, each drawn anew.
    n_examples : int
        Examples of a data set.
    repetitions : int
        Number of cross-validations.
    seed : int
        Seed of the data and of the splits.
    n_train : int or None, default=None
        How many of its training examples a split uses, as in a learning curve; None means all.

    Returns
    -------
    DataFrame
        Indexed by test ("Welch", "paired", "corrected"): `false_alarms`, the share of the data sets on
        which it finds a difference at 0.05, and its `standard_error`.

    Examples
    --------
    >>> from reproduction.simulations.overlapping_splits import false_alarms
    >>> shares = false_alarms(20, 60, repetitions=4, seed=1)["false_alarms"]
    >>> bool(shares["Welch"] > shares["corrected"])
    True
    """
    rng = np.random.default_rng(seed)
    n_test = n_examples // N_FOLDS
    found = []
    for _ in range(n_problems):
        X = rng.integers(_VALUES, size=(n_examples, 2 * _COLUMNS))
        a, b = _accuracies(X, rng.integers(2, size=n_examples), repetitions, n_train, rng)
        found.append((welch(a, b), paired(a, b), corrected_resampled(a, b, n_examples - n_test, n_test)))
    alarms = pd.DataFrame(found, columns=pd.Index(["Welch", "paired", "corrected"], name="test")) < LEVEL
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
