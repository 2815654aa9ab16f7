"""What the attributes of estimators must be.

The pattern of a fitted classifier is what a new one, with the same parameters, has when learning begins with
the same columns and classes: `_start` is the one description of the state, and annotations say what the
entries of arrays are. Of a few attributes more must be so; these are in a table.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields as fields_of
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone

from ..classifier.base import KernelClassifier
from ..classifier.contract import BaseModel
from ..classifier.third_party import AsGiven, ThirdParty
from ..columns.kinds import sorted_values as _sorted_values
from ..columns.schema import Schema
from ..columns.validation import check_classes, check_count
from ..drift.adwin import ADWIN
from ..ensembles.active import ActiveLearner
from ..ensembles.adaptive.kernels import DRIFT
from ..ensembles.adaptive_forest.classifier import AdaptiveRandomForestClassifier
from ..ensembles.averaging import AveragingEnsemble
from ..ensembles.voting import VotingEnsemble
from ..experts import UniversalLinearPredictor, WeightedMajority, Winnow
from ..experts.universal import LinearPredictors
from ..kernels.states import Array, arrays_of
from .contents import NOT_DECLARED, array, conformed, is_own, labelled, limits_of, record, require, whole
from .models import checked_kind, checked_models, n_models_in


def checked_state(estimator: Any, state: Any) -> dict[str, Any]:
    """The state of an estimator of this library, copied, if it is one that the estimator can have.

    Raises
    ------
    ValueError
        Says which part is not; no kernel has run on anything of the state.
    """
    kind = type(estimator)
    require(type(state) is dict, "the state of an estimator is no dict")
    for name in state:
        member = getattr(kind, name, None)
        is_hidden = callable(member) or isinstance(member, property | cached_property)
        require(type(name) is str and not is_hidden, f"{kind.__name__} has no attribute {name!r}")
    for name in kind._get_param_names():
        require(name in state, f"{kind.__name__} lacks {name}")
    check = next((check for base, check in _CHECKS.items() if isinstance(estimator, base)), None)
    require(check is not None, f"{kind.__name__} cannot be checked")
    checked = check(kind, state)  # type: ignore[misc]
    return {name: checked[name] for name in state}


# Classifiers


class _Known(NamedTuple):
    """What is known of a fitted classifier when its further attributes are checked."""

    pattern: Any  # a classifier with the same parameters, columns and classes, that begins to learn
    state: dict[str, Any]
    kind: BaseModel
    schema: Schema
    limits: dict[str, Any]


def _classifier(kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The state of a classifier, fitted or not."""
    parameters = {name: state[name] for name in kind._get_param_names()}
    constants = vars(kind(**parameters))
    if "_kind" not in state:
        # Older files hold the last two of classes, too, of which they are no parameters.
        allowed = {*constants, "_needs_classes", "n_estimators", "random_state"}
        require(state.keys() <= allowed, f"{kind.__name__} is not fitted and holds more than its parameters")
        return state
    for name in ("_models", "_schema", "classes_", "n_features_in_", "_changed"):
        require(name in state, f"{kind.__name__} lacks {name}")
    changed = state["_changed"] or {}
    require(type(changed) is dict, "_changed is no dict")
    pattern = clone(kind(**parameters)).set_params(**changed)
    pattern._check_choices()
    of_models = _checked_kind(state["_kind"], pattern)
    if isinstance(pattern, VotingEnsemble) and not isinstance(pattern, AveragingEnsemble):
        twice = 1 + isinstance(pattern, AdaptiveRandomForestClassifier)  # with the background trees
        n_models = n_models_in(state["_models"])
        n_wanted = twice * check_count("n_estimators", pattern.n_estimators)
        require(n_models == n_wanted, f"_models holds {n_models} base models, not {n_wanted}")
    schema = _checked_schema(state["_schema"], AsGiven if isinstance(of_models, ThirdParty) else Schema)
    classes = _checked_classes(state["classes_"])
    blank = deepcopy(of_models)
    blank._begun = lambda *_: None  # `_models` makes them
    begun = pattern._start(blank, schema, classes)
    pattern._set_state(schema, classes, begun)
    require(begun.keys() <= state.keys(), f"{kind.__name__} lacks {begun.keys() - state.keys()}")
    pattern.n_features_in_ = schema.n_columns
    limits = limits_of(schema, len(classes))
    if isinstance(state["_models"], list):
        limits["S"] = len(state["_models"])
    known = _Known(pattern, state, of_models, schema, limits)
    checked = constants | {"_kind": of_models, "_changed": state["_changed"]}
    checked |= {name: vars(pattern)[name] for name in _MADE_ANEW if name in vars(pattern)}
    arrays = arrays_of(next(base for base in kind.__mro__ if is_own(base)))
    for name in state.keys() - checked.keys() - {"_models"}:
        if name in _FURTHER:
            checked[name] = _FURTHER[name](known)
        elif hasattr(pattern, name):
            of, is_strict = arrays.get(name, NOT_DECLARED), is_own(kind) or name in arrays
            checked[name] = conformed(name, state[name], getattr(pattern, name), limits, of, is_strict)
        else:
            require(not is_own(kind), f"{kind.__name__} has no attribute {name}")
            checked[name] = state[name]
    vars(pattern).update(checked)  # the columns and classes of the base models may depend on the rest
    return checked | {"_models": _models(known)}


def _checked_kind(found: Any, pattern: Any) -> Any:
    """The type of the base models, as the parameters say."""
    expected = type(pattern._new_kind())
    require(type(found) is expected, f"_kind is of the type {type(found).__name__}, not {expected.__name__}")
    if isinstance(found, ThirdParty):
        return checked_kind("_kind", found, pattern._method)
    require(not found._is_fitted(), "_kind is a fitted classifier")
    return found


def _checked_schema(found: Any, kind: type) -> Schema:
    """The columns: values of nominal ones are sorted and of one kind, so that each has a code of its own."""
    names = [field.name for field in fields_of(Schema)]
    is_good = type(found) is kind and [*vars(found)] == names
    require(is_good, "_schema is none")
    categories, is_open, undecided, is_by_type = vars(found).values()
    is_good = type(categories) is type(is_open) is type(undecided) is tuple
    n_columns = len(categories) - len(undecided) if is_good else 0
    is_good = is_good and len(is_open) == len(categories) and n_columns > 0 and type(is_by_type) is bool
    is_good = is_good and all(type(flag) is bool for flag in is_open)
    is_good = is_good and all(type(j) is int and 0 <= j < n_columns for j in undecided)
    is_good = is_good and all(a < b for a, b in pairwise(undecided))
    require(is_good, "_schema does not describe columns")
    values: list[np.ndarray | None] = []
    for j, each in enumerate(categories):
        second = j >= n_columns or kind is not Schema
        require(each is None or not second, f"_schema has values for numeric column {j}")
        require(
            each is not None or (not is_open[j] and j not in undecided),
            f"_schema has no values for column {j}",
        )
        values.append(each if each is None else _checked_values(f"_schema.categories[{j}]", each, j))
    return kind(tuple(values), is_open, undecided, is_by_type)


def _checked_values(name: str, found: Any, j: int) -> np.ndarray:
    is_good = type(found) is np.ndarray and found.ndim == 1 and found.dtype.kind in "OUbif"
    require(is_good, f"{name} is no list of values")
    values = array(name, found, found.dtype, (None,))
    again = _sorted_values(values, j)
    is_same = again.dtype == values.dtype and len(again) == len(values) and bool((again == values).all())
    require(is_same, f"{name} is not sorted, or holds a value twice")
    return values


def _checked_classes(found: Any) -> np.ndarray:
    is_good = type(found) is np.ndarray and found.ndim == 1 and found.dtype.kind in "OUbiufMm"
    require(is_good, "classes_ is no list of classes")
    classes = array("classes_", found, found.dtype, (None,))
    if len(classes) > 0:
        again = check_classes(classes)
        is_same = len(again) == len(classes) and bool((again == classes).all())
        require(is_same, "classes_ is not sorted, or holds a class twice")
    return classes


def _models(known: _Known) -> Any:
    """The base models, packed."""
    found, pattern, kind = known.state["_models"], known.pattern, deepcopy(known.kind)
    if not isinstance(pattern, AveragingEnsemble):
        classes = pattern._member_classes
        n_models = n_models_in(found) if isinstance(pattern, VotingEnsemble) else 1
        return checked_models("_models", found, kind, known.schema, classes, n_models)
    require(type(found) is list, "_models is no list")
    n_models = len(getattr(pattern, "features_", found))
    is_good = len(found) == n_models and (n_models > 0 or "_pending" in known.state)
    require(is_good, f"_models holds {len(found)} base models, not {n_models}")
    return [
        checked_models(f"_models[{m}]", each, kind, pattern._schema_of(m), pattern._classes_of(m), 1)
        for m, each in enumerate(found)
    ]


def _waiting(name: str) -> Callable[[_Known], list[Any]]:
    """Check of a list of examples that wait to be learned."""

    def check(known: _Known) -> list[Any]:
        found, schema, is_encoded = known.state[name], known.schema, not isinstance(known.kind, ThirdParty)
        require(type(found) is list, f"{name} is no list")
        n_numeric = len(schema.categories) - len(schema.sizes)
        pieces = [labelled(name, each, known.limits, n_numeric, is_encoded) for each in found]
        n = sum(len(piece.labels) for piece in pieces)
        is_good = name != "_pending" or n == known.state["_n_pending"] < known.pattern.chunk_size
        require(is_good, f"_pending holds {n} examples, not {known.state.get('_n_pending')}")
        return pieces

    return check


def _n_prime(known: _Known) -> int | None:
    found = known.state["_n_prime"]
    return None if found is None and known.pattern.n_prime is None else whole("_n_prime", found)


def _history(known: _Known) -> list[np.ndarray]:
    found = known.state["_history"]
    require(type(found) is list, "_history is no list")
    return [array("_history", each, DRIFT, (None,)) for each in found]


def _features(known: _Known) -> list[np.ndarray]:
    """Columns that each base model sees."""
    found, n_columns = known.state["features_"], known.schema.n_columns
    require(type(found) is list and len(found) > 0, "features_ is no list")
    features = [array("features_", each, np.int64, (None,), (0, n_columns - 1)) for each in found]
    ascends = all(len(each) > 0 and (np.diff(each) > 0).all() for each in features)
    require(ascends, "features_ holds a list of columns that are not in ascending order")
    return features


def _names(state: dict[str, Any], n_columns: int) -> np.ndarray:
    names = array("feature_names_in_", state["feature_names_in_"], object, (n_columns,))
    require(all(type(name) is str for name in names), "feature_names_in_ holds a name that is no string")
    return names


#: Attributes that depend on the parameters, the columns and the classes alone.
_MADE_ANEW = (
    *("_schema", "classes_", "categories_", "is_categorical_", "n_features_in_", "_n_models"),
    "features_",  # where they are all subsets of the columns
)
#: Attributes of which more must be so than that they are like those of a classifier that begins to learn.
_FURTHER: dict[str, Callable[[_Known], Any]] = {
    "feature_names_in_": lambda known: _names(known.state, known.schema.n_columns),
    "features_": _features,
    "_history": _history,
    "_n_made": lambda known: whole("_n_made", known.state["_n_made"], 1, known.pattern._n_models),
    "_n_prime": _n_prime,
    "_pending": _waiting("_pending"),
    "_waiting": _waiting("_waiting"),
}


# Forecasters, detectors, and active learners


def _expert(kind: Any, state: dict[str, Any]) -> Any:
    """A forecaster of bits of as many experts as the state has, which has learned."""
    n_columns = whole("n_features_in_", state["n_features_in_"], 1, 2**31)
    return kind().partial_fit(np.zeros((1, n_columns)), [0])


def _predictor(kind: Any, state: dict[str, Any]) -> Any:
    """A universal linear predictor of the order of the state, which has learned."""
    past = record("_predictors", state["_predictors"], LinearPredictors).past
    require(type(past) is np.ndarray and past.ndim == 1, "_predictors.past is no list")
    return kind(whole("the order of _predictors", len(past), 1, 2**20), amplitude=1.0).partial_fit([0.0])


def _learner(begun: Callable[..., Any], kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The state of a forecaster or detector, each attribute like that of one that has just learned."""
    parameters = {name: state[name] for name in kind._get_param_names()}
    if state.keys() == parameters.keys():
        return state
    pattern = begun(kind, state)._picklable()
    names = {"feature_names_in_"} & state.keys() if "n_features_in_" in pattern else set()
    require(state.keys() - names == pattern.keys(), f"{kind.__name__} does not hold what it should")
    for name in pattern.keys() - parameters.keys():
        is_any = name == "predictions_" or isinstance(pattern[name], float)
        of = Array(("N",), "any") if is_any else NOT_DECLARED
        parameters[name] = conformed(name, state[name], pattern[name], {"V": 0, "K": 0}, of)
    return parameters | {name: _names(state, pattern["n_features_in_"]) for name in names}


def _active(kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The state of an active learner, which runs no kernels; those of its ensemble have been checked."""
    names = {*kind._get_param_names()}
    if "estimator_" in state:
        names |= {"estimator_", "X_", "y_", "classes_", "n_features_in_"}
        require(isinstance(state["estimator_"], BaseEstimator), "estimator_ is none")
    is_good = state.keys() - ({"feature_names_in_"} if "estimator_" in state else set()) == names
    require(is_good, f"{kind.__name__} does not hold what it should")
    return state


_CHECKS: dict[type, Callable[[Any, dict[str, Any]], dict[str, Any]]] = {
    KernelClassifier: _classifier,
    ActiveLearner: _active,
    WeightedMajority: partial(_learner, _expert),
    Winnow: partial(_learner, _expert),
    UniversalLinearPredictor: partial(_learner, _predictor),
    ADWIN: partial(_learner, lambda kind, _: kind().reset()),
}
