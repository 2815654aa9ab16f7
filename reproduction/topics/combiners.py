"""Pools of base models made in several ways, and what each combiner makes of them (thesis section 2.2.2)."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from oza import DecisionStumpClassifier, DecisionTreeClassifier, NaiveBayesClassifier, NeuralNetworkClassifier
from oza.datasets import load_dataset
from oza.ensembles import BaggingClassifier, InputDecimationClassifier, RandomSubspaceClassifier
from oza.kernels.draws import uniforms

from ..columns import nominal_columns
from ..record.bits import close
from ..record.simulation import simulation
from ..theory import combiners

#: A trained model, and the columns that it sees.
Member = tuple[Any, np.ndarray]


def parts_of(
    problem: str, n_train: int, n_held_out: int, n_test: int, repeat: int, seed: int
) -> tuple[np.ndarray, ...]:
    """Draw three parts of a data set, without replacement.

    Gives all examples, their classes as codes from 0, and the rows for the base models, for the combiners
    that learn, and for the errors.

    >>> *_, train, held_out, test = parts_of("balance", 200, 100, 300, repeat=0, seed=1)
    >>> len(train), len(held_out), len(test)
    (200, 100, 300)
    """
    X, y = load_dataset(problem, return_X_y=True)
    order = uniforms(len(y), "parts", problem, repeat, seed).argsort(kind="stable")
    return X, y, *np.split(order, np.cumsum([n_train, n_held_out, n_test]))[:3]


#: Base models of the pools, by name.
BASES: dict[str, Any] = {"trees": DecisionTreeClassifier(prune=True), "Naive Bayes": NaiveBayesClassifier()}


def pools(X: np.ndarray, y: np.ndarray, n_models: int, seed: int) -> Iterator[tuple[str, str, list[Member]]]:
    """Train pools of base models: four different learners, and each of `BASES` in four ways.

    There are `n_models` where the method does not determine it. For cross-validation (Krogh and Vedelsby
    1995, Tumer and Ghosh 1996) fold m has the examples m, m + M, ..., and each model is trained on all folds
    but one. Yields what the models are, how they come to differ, and the models with the columns that each
    sees.
    """
    declared = {"categorical_features": nominal_columns(X)}
    every, fold = np.arange(X.shape[1]), np.arange(len(y)) % n_models

    def trained(base: Any, rows: Any = slice(None)) -> Member:
        return clone(base).set_params(**declared).fit(X[rows], y[rows]), every

    kinds = [*BASES.values(), DecisionStumpClassifier(), NeuralNetworkClassifier(random_state=seed)]
    yield "four kinds", "different learners", [trained(kind) for kind in kinds]
    for name, base in BASES.items():
        yield name, "cross-validation", [trained(base, fold != m) for m in range(n_models)]
        ensembles = {
            "bagging": BaggingClassifier(base, n_models),
            "random subspaces": RandomSubspaceClassifier(base, n_models),
            "input decimation": InputDecimationClassifier(base),
        }
        for method, ensemble in ensembles.items():
            ensemble.set_params(**declared, random_state=seed).fit(X, y)
            columns = getattr(ensemble, "features_", [every] * n_models)
            yield name, method, list(zip(ensemble.estimators_, columns, strict=True))


def outputs_of(members: Sequence[Member], X: np.ndarray, n_classes: int) -> np.ndarray:
    """Class probabilities by each model, of shape (M, n, C); a class that a model has not met has 0."""
    outputs = np.zeros((len(members), len(X), n_classes))
    for m, (model, columns) in enumerate(members):
        outputs[m][:, model.classes_] = model.predict_proba(X[:, columns])
    return outputs


def stacked(held_out: np.ndarray, labels: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Classes by stacking: a logistic regression on the outputs of all models (Wolpert 1992).

    scikit-learn's `StackingClassifier` with ``cv="prefit"`` does the same for models that all see the same
    columns. `held_out` are outputs (M, n, C) for examples that no model has learned, with their labels (n,);
    the result has a class for each of the new examples, whose `outputs` are (M, n_new, C).
    """
    known, new = (np.hstack(list(each)) for each in (held_out, outputs))
    return np.asarray(LogisticRegression(max_iter=2000).fit(known, labels).predict(new))


def combined(held_out: np.ndarray, labels: np.ndarray, outputs: np.ndarray) -> dict[str, np.ndarray]:
    """Predict with every combiner; those that learn do so from the held-out examples.

    Shapes are as for `stacked`. The reliability of a model is the share of its votes that are right, with
    half an example added on either side.
    """
    right = (combiners.choose(held_out) == labels).sum(axis=1)
    r = (right + 0.5) / (len(labels) + 1)
    support = {name: combine(outputs) for name, combine in combiners.FIXED.items()}
    support["best member"] = outputs[r.argmax()]
    support["weighted average"] = np.average(outputs, axis=0, weights=r)
    support["Dempster–Shafer"] = combiners.dempster_shafer(outputs, r)
    chosen = {name: combiners.choose(of_all) for name, of_all in support.items()}
    return chosen | {"stacking": stacked(held_out, labels, outputs)}


#: Name of the combiner that learns nothing, of models that have learned what the others hold out, too.
ALL_LEARNED = "average, models learn all"


@simulation(small={"problems": ["balance"], "n_models": 3, "n_repeats": 1}, bits=close(0.01))
def combiners_on_pools(
    problems: Sequence[str] = ("balance", "car-evaluation", "nursery"),
    n_models: int = 11,
    n_train: int = 200,
    n_held_out: int = 100,
    n_test: int = 300,
    n_repeats: int = 8,
    seed: int = 1,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Measure errors of all combiners on all pools, and what correlation explains of them.

    The attributes of these data sets determine the class, so that the Bayes error is 0. The first frame has a
    row for each problem, base, method and repeat, a column for each combiner. The second has, with the same
    rows: number of `models`, `correlation` of their outputs' errors, and error of the mean `member` and of
    their `average`, as mean squares of the outputs' errors ("square") and as shares of misclassified
    examples ("0/1").
    """
    errors: dict[tuple, dict] = {}
    correlations = {}
    for problem, repeat in product(problems, range(n_repeats)):
        X, y, train, held_out, test = parts_of(problem, n_train, n_held_out, n_test, repeat, seed)
        n_classes, truth = int(y.max()) + 1, y[test]
        for base, method, members in pools(X[train], y[train], n_models, seed + repeat):
            case = problem, base, method, repeat
            known, outputs = (outputs_of(members, X[rows], n_classes) for rows in (held_out, test))
            found = combined(known, y[held_out], outputs)
            errors[case] = {name: float((says != truth).mean()) for name, says in found.items()}
            alone, together = combiners.combined_error(outputs, truth)
            correlations[case] = {
                ("models", ""): len(members),
                ("correlation", ""): combiners.output_correlation(outputs, truth),
                ("member", "square"): alone,
                ("average", "square"): together,
                ("member", "0/1"): float((combiners.choose(outputs) != truth).mean()),
                ("average", "0/1"): errors[case]["average"],
            }
        both = np.concatenate([train, held_out])
        for base, method, members in pools(X[both], y[both], n_models, seed + repeat):
            says = combiners.choose(outputs_of(members, X[test], n_classes).mean(axis=0))
            errors[problem, base, method, repeat][ALL_LEARNED] = float((says != truth).mean())
    names = ["problem", "base", "method", "repeat"]
    made, explained = (pd.DataFrame.from_dict(of, orient="index") for of in (errors, correlations))
    return made.rename_axis(names), explained.rename_axis(names)
