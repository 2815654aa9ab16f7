"""An online classifier as one of River."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ..extras import required
from . import new_learner

base: Any = required("river.base", "RiverClassifier")


class RiverClassifier(base.MiniBatchClassifier):
    """An online classifier of this library, for River's pipelines and evaluators.

    Parameters
    ----------
    classifier : online classifier
        It is copied without what it has learned, and stays as it is.

    Attributes
    ----------
    learner : online classifier
        The copy, which learns.

    Notes
    -----
    The names of the first example are those of the columns. A name that is left out later is a missing value,
    and one that was not there is refused. River's names need not be strings; here they become strings.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics, preprocessing
    >>> from oza import OnlineBaggingClassifier
    >>> from oza.bridges.river import RiverClassifier
    >>> bagging = RiverClassifier(OnlineBaggingClassifier(random_state=1))
    >>> model = preprocessing.StandardScaler() | bagging
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: 87.83%
    """

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier
        self.learner = new_learner(classifier)

    @property
    def _multiclass(self) -> bool:
        return True

    def learn_one(self, x: dict, y: Any) -> None:
        """Train on one example."""
        self.learner.learn_one(_with_names(x), y)

    def predict_one(self, x: dict, **_: Any) -> Any:
        """Predict the class of one example; None before anything was learned."""
        return self.learner.predict_one(_with_names(x)) if self._knows_classes else None

    def predict_proba_one(self, x: dict, **_: Any) -> dict:
        """Probability of each class for one example; empty before anything was learned."""
        return self.learner.predict_proba_one(_with_names(x)) if self._knows_classes else {}

    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Train on the rows of a table."""
        self.learner.partial_fit(X.rename(columns=str), y)

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """Predict the class of each row; an empty series before anything was learned."""
        if not self._knows_classes:
            return pd.Series([], dtype=object)
        return pd.Series(self.learner.predict(X.rename(columns=str)), index=X.index)

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """Probability of each class for each row; an empty table before anything was learned."""
        if not self._knows_classes:
            return pd.DataFrame(index=X.index)
        shares = self.learner.predict_proba(X.rename(columns=str))
        return pd.DataFrame(shares, index=X.index, columns=self.learner.classes_)

    @property
    def _knows_classes(self) -> bool:
        return self.learner.__sklearn_is_fitted__()


def _with_names(x: dict) -> dict:
    """The example with strings as names."""
    named = {str(name): value for name, value in x.items()}
    if len(named) < len(x):
        raise ValueError(f"x has two columns of the same name once names are strings: {[*x]}; rename one.")
    return named
