"""What the attributes of estimators must be.

The pattern of a fitted classifier is what a new one, with the same parameters, has when learning begins with
the same columns and classes: `_start` is the one description of the state. Attributes that come later are in
a table.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields as fields_of
from functools import cached_property
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
from ..ensembles.adaptive_forest import AdaptiveRandomForestClassifier
from ..ensembles.averaging import AveragingEnsemble
from ..ensembles.steps.adaptive import DRIFT
from ..ensembles.voting import VotingEnsemble
from ..experts import UniversalLinearPredictor, WeightedMajority, Winnow
from ..experts.universal import LinearPredictors
from .contents import (
    ANY,
    FINITE,
    NUMBERS,
    WEIGHTS,
    array,
    codes_in,
    conformed,
    declared,
    is_own,
    labelled,
    limits_of,
    record,
    require,
    whole,
)
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

    pattern: Any  # a classifier with the same parameters, columns and classes
    state: dict[str, Any]
    kind: BaseModel
    schema: Schema
    classes: np.ndarray

    def array(self, name: str, dtype: Any, shape: tuple, between: tuple = ANY) -> np.ndarray:
        """The array of this name."""
        return array(name, self.state[name], dtype, shape, between)


def _classifier(kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The state of a classifier, fitted or not."""
    parameters = {name: state[name] for name in kind._get_param_names()}
    constants = vars(kind(**parameters))  # the parameters, and what a class sets itself
    if "_kind" not in state:
        allowed = {*constants, "_needs_classes"}
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
    blank._new_models = lambda *_: None  # `_models` makes them
    begun = pattern._start(blank, schema, classes)
    pattern._set_state(schema, classes, begun)
    known = _Known(pattern, state, of_models, schema, classes)
    checked = constants | {"_kind": of_models, "_schema": schema, "classes_": classes}
    checked |= {name: getattr(pattern, name) for name in ("categories_", "is_categorical_")}
    later = [name for name in state if name not in begun and name not in checked]
    for name in [*begun.keys() - checked.keys() - {"_models"}, *later]:
        require(name in state, f"{kind.__name__} lacks {name}")
        if name in _FURTHER:
            checked[name] = _FURTHER[name](known)
        elif is_own(kind):
            require(name in begun, f"{kind.__name__} has no attribute {name}")
            checked[name] = conformed(name, state[name], begun[name])
        elif name in begun:
            checked[name] = declared(name, state[name], begun[name], limits_of(schema, len(classes)))
        else:
            checked[name] = state[name]
    for name in ("features_", "codes_", "_codes"):  # on which the base models depend
        if name in checked:
            setattr(pattern, name, checked[name])
    checked["_models"] = _models(known, checked)
    return checked


def _checked_kind(found: Any, pattern: Any) -> Any:
    """The type of the base models, as the parameters say."""
    expected = type(pattern._new_kind())
    require(type(found) is expected, f"_kind is of the type {type(found).__name__}, not {expected.__name__}")
    if isinstance(found, ThirdParty):
        require(found.method == pattern._method, f"_kind learns by {found.method}")
        return checked_kind("_kind", found)
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
    is_good = type(found) is np.ndarray and found.ndim == 1 and found.dtype.kind in "OUbiufM"
    require(is_good, "classes_ is no list of classes")
    classes = array("classes_", found, found.dtype, (None,))
    if len(classes) > 0:
        again = check_classes(classes)
        is_same = len(again) == len(classes) and bool((again == classes).all())
        require(is_same, "classes_ is not sorted, or holds a class twice")
    return classes


def _models(known: _Known, checked: dict[str, Any]) -> Any:
    """The base models, packed."""
    found, pattern, kind = known.state["_models"], known.pattern, deepcopy(known.kind)
    is_list = isinstance(pattern, AveragingEnsemble)
    if not is_list:
        classes = pattern._member_classes
        n_models = n_models_in(found) if isinstance(pattern, VotingEnsemble) else 1
        return checked_models("_models", found, kind, known.schema, classes, n_models)
    require(type(found) is list, "_models is no list")
    lengths = [len(checked[name]) for name in ("features_", "codes_", "_numbers") if name in checked]
    least, most = (lengths[0], lengths[0]) if lengths else (1, pattern._n_models)
    require(least <= len(found) <= most, f"_models holds {len(found)} base models, not {least} to {most}")
    return [
        checked_models(f"_models[{m}]", each, kind, pattern._schema_of(m), pattern._classes_of(m), 1)
        for m, each in enumerate(found)
    ]


def _flag(name: str) -> Callable[[_Known], bool]:
    def check(known: _Known) -> bool:
        require(type(known.state[name]) is bool, f"{name} is not True or False")
        return known.state[name]

    return check


def _count(name: str, least: int = 0) -> Callable[[_Known], int]:
    return lambda known: whole(name, known.state[name], least)


def _waiting(name: str) -> Callable[[_Known], list[Any]]:
    """Check of a list of examples that wait to be learned."""

    def check(known: _Known) -> list[Any]:
        found, is_encoded = known.state[name], not isinstance(known.kind, ThirdParty)
        require(type(found) is list, f"{name} is no list")
        return [labelled(name, each, known.schema, len(known.classes), is_encoded) for each in found]

    return check


def _pending(known: _Known) -> list[Any]:
    """Examples of the chunk that is not yet full."""
    pieces = _waiting("_pending")(known)
    n = sum(len(piece.labels) for piece in pieces)
    is_good = n == known.state["_n_pending"] and n < known.pattern.chunk_size
    require(is_good, f"_pending holds {n} examples, not {known.state['_n_pending']}")
    return pieces


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
    if hasattr(known.pattern, "features_"):
        expected = known.pattern.features_
        is_same = len(expected) == len(features) and all(map(np.array_equal, features, expected))
        require(is_same, "features_ does not hold all subsets")
    return features


def _n_columns(known: _Known) -> int:
    n_columns = known.schema.n_columns
    return whole("n_features_in_", known.state["n_features_in_"], n_columns, n_columns)


def _names(known: _Known) -> np.ndarray:
    names = known.array("feature_names_in_", object, (known.schema.n_columns,))
    require(all(type(name) is str for name in names), "feature_names_in_ holds a name that is no string")
    return names


def _warned_of(known: _Known) -> tuple[int, ...]:
    found = known.state["_warned_of"]
    require(type(found) is tuple and all(type(j) is int for j in found), "_warned_of is no tuple of columns")
    return found


def _number(name: str, between: tuple = WEIGHTS, may_be_nan: bool = False) -> Callable[[_Known], float]:
    def check(known: _Known) -> float:
        found = known.state[name]
        is_good = isinstance(found, float) and (
            between[0] <= found <= between[1] or (may_be_nan and found != found)
        )
        require(is_good, f"{name} is {found!r:.50}")
        return float(found)

    return check


def _blocks(known: _Known) -> Any:
    """The block that is being filled holds codes and labels; what is behind them was never written."""
    blocks = conformed("_blocks", known.state["_blocks"], known.pattern._blocks)
    n = int(blocks.n_learned[blocks.n_full[0] :][:1].sum())
    codes_in("_blocks.codes", blocks.codes[:n], known.schema)
    array("_blocks.block_labels", blocks.block_labels[:n], np.int64, (n,), (0, len(known.classes) - 1))
    return blocks


def _codes(known: _Known) -> np.ndarray:
    n_models, n_classes = known.pattern._codes.shape
    return known.array("_codes", np.int64, (n_models, n_classes if n_models else None), (0, 1))


def _of_stored(name: str, dtype: Any, between: tuple) -> Callable[[_Known], np.ndarray]:
    """Check of an array with an entry for each stored base model."""
    return lambda known: known.array(name, dtype, (len(known.state["_models"]),), between)


#: Attributes that a classifier gets after learning has begun, or that are not as at the beginning.
_FURTHER: dict[str, Callable[[_Known], Any]] = {
    "n_features_in_": _n_columns,
    "feature_names_in_": _names,
    "_changed": lambda known: known.state["_changed"],
    "_most_learned": _number("_most_learned"),
    "_warned_of": _warned_of,
    "_warned_of_unknown": _flag("_warned_of_unknown"),
    "_warned_of_bounds": _flag("_warned_of_bounds"),
    "_is_open_to_classes": _flag("_is_open_to_classes"),
    "_n_calls": _count("_n_calls"),
    "_n_seen": _count("_n_seen"),
    "_key": lambda known: whole("_key", known.state["_key"], high=2**64 - 1),
    "_n_models": lambda known: whole("_n_models", known.state["_n_models"], *[known.pattern._n_models] * 2),
    "_n_made": lambda known: whole("_n_made", known.state["_n_made"], 1, known.pattern._n_models),
    "_n_prime": _n_prime,
    "_waiting": _waiting("_waiting"),
    "_pending": _pending,
    "_history": _history,
    "_blocks": _blocks,
    "_codes": _codes,
    "codes_": lambda known: known.array("codes_", np.int64, (None, len(known.classes)), (0, 1)),
    "features_": _features,
    "n_trials_": _count("n_trials_"),
    "training_errors_": _of_stored("training_errors_", np.float64, WEIGHTS),
    "random_error_": _number("random_error_", may_be_nan=True),
    "_errors": _of_stored("_errors", np.float64, ANY),
    "_numbers": _of_stored("_numbers", np.int64, NUMBERS),
    "_weights": _of_stored("_weights", np.float64, WEIGHTS),
    "_coefficients": lambda known: known.array(
        "_coefficients", np.float64, known.pattern._coefficients.shape, FINITE
    ),
}


# Forecasters, detectors, and active learners


def _like(name: str, state: dict[str, Any], pattern: Any, kind: Any, **given: Any) -> dict[str, Any]:
    """The state, if each attribute is like that of `pattern`, but for parameters and what is `given`."""
    parameters = {each: state[each] for each in kind._get_param_names()}
    learned = {each: value for each, value in pattern._picklable().items() if each not in parameters}
    require(state.keys() == parameters.keys() | learned.keys(), f"{name} does not hold what it should")
    checked = {
        each: conformed(each, state[each], value) for each, value in learned.items() if each not in given
    }
    return parameters | checked | given


def _expert(kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The state of a forecaster of bits."""
    if "n_features_in_" not in state:
        return _unfitted(kind, state)
    n_columns = whole("n_features_in_", state["n_features_in_"], 1, 2**31)
    pattern = kind().partial_fit(np.zeros((1, n_columns)), [0])
    said = array("predictions_", state.get("predictions_"), np.int64, (None,))
    return _like(kind.__name__, state, pattern, kind, predictions_=said)


def _predictor(kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The state of a universal linear predictor."""
    if "_predictors" not in state:
        return _unfitted(kind, state)
    found = record("_predictors", state["_predictors"], LinearPredictors)
    require(type(found.past) is np.ndarray and found.past.ndim == 1, "_predictors.past is no list")
    order = whole("the order of _predictors", len(found.past), 1, 2**20)
    pattern = kind(order, amplitude=1.0).partial_fit([0.0])
    parts = zip(found._fields, found, pattern._predictors, strict=True)
    given = {
        "predictions_": array("predictions_", state.get("predictions_"), np.float64, (None,)),
        "_predictors": LinearPredictors(
            *(
                array(f"_predictors.{name}", part, np.float64, like.shape, FINITE)
                for name, part, like in parts
            )
        ),
    }
    for name in ("_limit", "_c", "loss_"):
        value = state.get(name)
        require(type(value) is float and value >= 0, f"{name} is {value!r:.50}")
        given[name] = value
    return _like(kind.__name__, state, pattern, kind, **given)


def _detector(kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The state of a detector of changes."""
    return (
        _like(kind.__name__, state, kind().reset(), kind) if "_windows" in state else _unfitted(kind, state)
    )


def _unfitted(kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    require(state.keys() == {*kind._get_param_names()}, f"{kind.__name__} holds more than its parameters")
    return state


def _active(kind: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The state of an active learner, which runs no kernels; those of its ensemble have been checked."""
    if "estimator_" not in state:
        return _unfitted(kind, state)
    names = {*kind._get_param_names(), "estimator_", "X_", "y_", "classes_", "n_features_in_"}
    is_good = state.keys() - {"feature_names_in_"} == names and isinstance(state["estimator_"], BaseEstimator)
    require(is_good, f"{kind.__name__} does not hold what it should")
    return state


_CHECKS: dict[type, Callable[[Any, dict[str, Any]], dict[str, Any]]] = {
    KernelClassifier: _classifier,
    ActiveLearner: _active,
    WeightedMajority: _expert,
    Winnow: _expert,
    UniversalLinearPredictor: _predictor,
    ADWIN: _detector,
}
