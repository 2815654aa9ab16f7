"""What online boosting of trees makes of noise on the generated data sets, and what would help it."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ..ensembles import AdaBoostClassifier
from ..theory.memorising import FORMS, boost_online, scored
from .extra import kept
from .protocol import Split, prepare
from .study import BASE_MODELS, Task

SINGLE, BATCH = "one tree", "batch"

#: How much of it is recorded: training examples and trees.
N_TRAIN, N_MODELS = 20_000, 60


def boosted_trees(dataset: str, n_train: int, n_models: int, forms: Iterable[str] = FORMS) -> pd.DataFrame:
    """Boost pruned trees in batch and in several forms online, and look into the ensembles.

    The first training examples of the first split and order of the protocol are learned; accuracies
    are those on its test set.

    Parameters
    ----------
    dataset : str
        Name in the catalogue.
    n_train, n_models : int
        Number of training examples and of trees.
    forms : iterable of str
        Names in `oza.theory.memorising.FORMS`.

    Returns
    -------
    DataFrame
        Columns dataset, form (also "one tree" and "batch") and those of `oza.theory.memorising.scored`;
        for one tree and for batch boosting without the errors before and after learning.

    Examples
    --------
    >>> from oza.experiments import boosted_trees
    >>> rows = boosted_trees("synthetic2", 200, 3, ["tested before learning"])
    >>> rows.groupby("form", sort=False)["model"].max().to_dict()
    {'one tree': 1, 'batch': 3, 'tested before learning': 3}
    """
    split = prepare(Task("memorisation", dataset, "decision_tree", "online_boosting", n_models, 0, 0, 0))
    split = split._replace(X_train=split.X_train[:n_train], y_train=split.y_train[:n_train])
    parts = {SINGLE: _one_tree(split), BATCH: _in_batch(split, n_models)}
    for name in forms:
        taught = list(
            boost_online(BASE_MODELS["decision_tree"](), split.X_train, split.y_train, n_models, FORMS[name])
        )
        parts[name] = scored(taught, split.X_test, split.y_test)
    found = pd.concat(parts, names=["form"]).reset_index("form").reset_index(drop=True)
    return found.assign(dataset=dataset)[["dataset", *found.columns]]


def _one_tree(split: Split) -> pd.DataFrame:
    tree = BASE_MODELS["decision_tree"]().fit(split.X_train, split.y_train)
    accuracy = tree.score(split.X_test, split.y_test)
    error = 1.0 - tree.score(split.X_train, split.y_train)
    return pd.DataFrame([{"model": 1, "finished": error, "alone": accuracy, "accuracy": accuracy}])


def _in_batch(split: Split, n_models: int) -> pd.DataFrame:
    batch = AdaBoostClassifier(BASE_MODELS["decision_tree"](), n_models).fit(split.X_train, split.y_train)
    answers = batch.predict_each(split.X_test) == split.y_test[:, None]
    votes = [predicted == split.y_test for predicted in batch.staged_predict(split.X_test)]
    return pd.DataFrame(
        {
            "model": np.arange(1, len(batch.estimators_) + 1),
            "finished": batch.estimator_errors_,
            "error": batch.estimator_errors_,
            "vote": batch.vote_weights_,
            "alone": answers.mean(axis=0),
            "accuracy": np.mean(votes, axis=1),
        }
    )


def load_boosted_trees(dataset: str) -> pd.DataFrame:
    """Read what was found with 20,000 examples and 60 trees; compute and record it if there is none.

    Parameters
    ----------
    dataset : str
        Name in the catalogue.

    Returns
    -------
    DataFrame
        As of `boosted_trees`; each row with what it was made with.
    """
    return kept(f"memorisation/{dataset}", lambda: boosted_trees(dataset, N_TRAIN, N_MODELS))
