"""Online boosting of trees on noisy generated data, and variants that may do better."""

from collections.abc import Iterable
from math import nan
from typing import Any

from oza.ensembles import AdaBoostClassifier

from ..columns import nominal_columns
from ..record.study import cells, study
from ..theory.memorising import FORMS, boost_online, scored
from .algorithms import BASE_MODELS
from .protocol import prepare

SINGLE, BATCH = "one tree", "batch"
_FORMS = (SINGLE, BATCH, *FORMS)

#: What is measured of each model of an ensemble, as `reproduction.theory.memorising.scored` explains.
_MEASURES = ("finished", "alone", "accuracy", "error", "vote", "before", "after", "largest_lambda")


@study(
    "memorisation",
    "Online boosting of trees on noisy data, in several variants",
    {"model": int} | dict.fromkeys(_MEASURES, float),
    smoke=lambda: cells(dataset="synthetic2", form=_FORMS, n_train=100, n_models=2),
    thesis=lambda: cells(dataset=("synthetic1", "synthetic2"), form=_FORMS, n_train=20_000, n_models=60),
    quick=lambda task: task.form == SINGLE,
)
def memorisation(dataset: str, form: str, n_train: int, n_models: int) -> list[tuple[Any, ...]]:
    """One tree, or trees boosted in a variant, trained on the first `n_train` training examples."""
    X, y, X_test, y_test = prepare(dataset)
    X, y = X[:n_train], y[:n_train]
    tree, columns = BASE_MODELS["decision_tree"](), nominal_columns(X)
    if form == BATCH:
        batch = AdaBoostClassifier(tree, n_models, categorical_features=columns).fit(X, y)
        alone = (batch.predict_each(X_test) == y_test[:, None]).mean(axis=0).tolist()
        accuracy = [float((labels == y_test).mean()) for labels in batch.staged_predict(X_test)]
        errors, votes = batch.estimator_errors_.tolist(), batch.vote_weights_.tolist()
        models = zip(errors, alone, accuracy, errors, votes, strict=True)
        return [(m, *values, nan, nan, nan) for m, values in enumerate(models, 1)]
    tree.set_params(categorical_features=columns)
    if form == SINGLE:
        tree.fit(X, y)
        right = tree.score(X_test, y_test)
        return [(1, 1.0 - tree.score(X, y), right, right, nan, nan, nan, nan, nan)]
    trained = list(boost_online(tree, X, y, n_models, FORMS[form]))
    return [*scored(trained, X_test, y_test)[["model", *_MEASURES]].itertuples(index=False, name=None)]


def boosted_trees(
    dataset: str, n_train: int = 20_000, n_models: int = 60, forms: Iterable[str] = FORMS
) -> list[Any]:
    """List one tree, trees boosted in batch, and trees boosted in several online variants.

    They learn the first split and order of the protocol; what the defaults give is recorded.

    >>> from reproduction.studies.memorisation import boosted_trees, memorisation
    >>> tasks = boosted_trees("synthetic2", 200, 3, ["tested before learning"])
    >>> rows = memorisation.compute(tasks)
    >>> rows.groupby("form", sort=False)["model"].max().to_dict()
    {'one tree': 1, 'batch': 3, 'tested before learning': 3}
    """
    return [memorisation.task(dataset, form, n_train, n_models) for form in (SINGLE, BATCH, *forms)]
