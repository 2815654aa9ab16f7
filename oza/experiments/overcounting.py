"""Why Naive Bayes can get worse with more training examples (KDD Figure 6).

Two things are taken apart, on the first split of a data set. Without smoothing, a value never seen
with a class rules that class out, so that rare classes are hardly named while there are few examples.
And attributes that tell the same news are counted as if each brought its own.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from .._random import key_of, permutation
from ..models import NaiveBayesClassifier
from .extra import kept
from .protocol import Split, prepare
from .study import Task

_SUBSETS = 10


def _split(dataset: str) -> Split:
    return prepare(Task("overcounting", dataset, "naive_bayes", "single", 1, 0, 0, 0))


def _measures(alpha: float, split: Split, n_train: int, columns: npt.NDArray[np.int64]) -> dict[str, float]:
    """Train on the first examples, with some attributes only, and look at the answers to the test set."""
    X, y = split.X_train[:n_train, columns], split.y_train[:n_train]
    model = NaiveBayesClassifier(alpha=alpha).fit(X, y)
    answers, chances = model.predict(split.X_test[:, columns]), model.predict_proba(split.X_test[:, columns])
    common = np.bincount(y).argmax()
    others = np.delete(chances, np.searchsorted(model.classes_, common), axis=1)
    return {
        "accuracy": float((answers == split.y_test).mean()),
        "names_common": float((answers == common).mean()),
        "others_ruled_out": float((others == 0).all(axis=1).mean()),
        "confidence": float(chances.max(axis=1).mean()),
    }


def answers_by_size(dataset: str, sizes: Sequence[int], alphas: Sequence[float] = (0.0, 1.0)) -> pd.DataFrame:
    """Look at the answers of Naive Bayes, with and without smoothing, as training examples are added.

    Parameters
    ----------
    dataset : str
        Name in the catalogue.
    sizes : sequence of int
        Numbers of training examples, the first so many in order number 0.
    alphas : sequence of float, default=(0.0, 1.0)
        Smoothing: added to every count (0 in the thesis).

    Returns
    -------
    DataFrame
        Columns dataset, alpha, n_train, and on the test set accuracy, names_common (how often the
        commonest class is named), others_ruled_out (how often all other classes have probability 0)
        and confidence (mean probability of the class that is named).

    Examples
    --------
    >>> from oza.experiments import answers_by_size
    >>> answers_by_size("car-evaluation", [50])["others_ruled_out"].round(2).to_list()
    [0.56, 0.0]
    """
    split = _split(dataset)
    every = np.arange(split.X_train.shape[1])
    rows = [
        {"dataset": dataset, "alpha": alpha, "n_train": n, **_measures(alpha, split, n, every)}
        for n in sizes
        for alpha in alphas
    ]
    return pd.DataFrame(rows)


def answers_by_attributes(dataset: str, counts: Sequence[int], n_subsets: int = _SUBSETS) -> pd.DataFrame:
    """Look at the answers of smoothed Naive Bayes that knows only some of the attributes.

    Parameters
    ----------
    dataset : str
        Name in the catalogue; the whole training set of its first split is learned.
    counts : sequence of int
        Numbers of attributes.
    n_subsets : int, default=10
        How many random orders of the attributes; each number takes the first so many of each order.

    Returns
    -------
    DataFrame
        Columns dataset, n_attributes, subset, and the measures of `answers_by_size`.

    Examples
    --------
    >>> from oza.experiments import answers_by_attributes
    >>> rows = answers_by_attributes("balance", [1, 4], n_subsets=2)
    >>> rows.groupby("n_attributes")["accuracy"].mean().round(2).to_dict()
    {1: 0.68, 4: 0.94}
    """
    split = _split(dataset)
    rows = []
    for subset in range(n_subsets):
        attributes = permutation(split.X_train.shape[1], key_of("attributes", dataset, subset))
        rows += [
            {
                "dataset": dataset,
                "n_attributes": n,
                "subset": subset,
                **_measures(1.0, split, len(split.y_train), attributes[:n]),
            }
            for n in counts
        ]
    return pd.DataFrame(rows)


def load_answers_by_size() -> pd.DataFrame:
    """Read what was found on Census Income; compute and record it if there is none."""
    sizes = (1000, 5000, 20000, 50000, 100000, 199523)
    return kept("overcounting/census-income-sizes", lambda: answers_by_size("census-income", sizes))


def load_answers_by_attributes() -> pd.DataFrame:
    """Read what was found on Census Income; compute and record it if there is none."""
    counts = (1, 2, 5, 10, 20, 30, 40)
    return kept(
        "overcounting/census-income-attributes", lambda: answers_by_attributes("census-income", counts)
    )
