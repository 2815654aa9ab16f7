"""Common base of all classifiers: from X and y to the kernels, and back to labels."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import field
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted, validate_data

from ..columns.examples import Examples
from ..columns.schema import Schema
from ..columns.table import as_rows
from ..columns.validation import (
    changed_in_mid_stream,
    check_labels,
    check_order,
    check_sample_weight,
    check_total,
    distinct_labels,
    encode_labels,
    union_of,
)
from ..kernels.compile import check_implemented
from ..kernels.exclusive import Exclusive
from ..kernels.states import check_axes
from .contract import BaseModel, Growth, classify, learn
from .parameters import parameters, plain


def warn_of_unknown(kind: BaseModel, stacklevel: int) -> None:
    """Warn that nominal columns hold undeclared values."""
    warnings.warn(
        "a nominal column of X holds a value that is not among its categories: "
        f"{kind._unknown_value}. Declare every value with `categories`.",
        UserWarning,
        stacklevel=stacklevel,
    )


@parameters
class KernelClassifier(Exclusive, ClassifierMixin, BaseEstimator):
    """A classifier whose state is a NamedTuple of arrays and whose computation is in kernels.

    A subclass creates the initial state (`_start`), is trained on encoded examples (`_learn`) and predicts
    them (`_predict_encoded`). The type of its base models is `_kind`. Its parameters are the fields of a data
    class, which those of a subclass follow.
    """

    categorical_features: Any = field(default="auto", kw_only=True)
    categories: Any = field(default="auto", kw_only=True)
    _kind: BaseModel = field(init=False)
    _schema: Schema = field(init=False)
    _models: Any = field(init=False)
    _counted: np.ndarray = field(init=False)  # (1,) int64: number of examples learned, which kernels count
    #: Columns that look like identifiers, by index.
    _warned_of: tuple[int, ...] = field(default=(), init=False)
    #: Parameters that have changed since learning began, as they were; not those that every call reads.
    _changed: dict[str, Any] | None = field(default=None, init=False)
    _warned_of_unknown = False
    _is_open_to_classes = False
    _n_calls = 0  # calls of methods that learn

    def fit(self, X, y, sample_weight=None):
        """Learn `X` and `y`, forgetting all that was learned before.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Columns of numbers are numeric, integers too; columns of strings, booleans and categories are
            nominal, unless `categorical_features` or `categories` says otherwise.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Finite weights ≥ 0, not all 0; None stands for 1 each.

        Returns
        -------
        self
        """
        self._check_choices()
        check_order(X, y=y, sample_weight=sample_weight)
        kind, X = self._new_kind(), as_rows(X)
        checked = kind._check_X(X)
        y = check_labels(y, checked.shape[0])
        weights = check_sample_weight(sample_weight, len(y))
        if weights.max() <= kind._negligible:
            raise ValueError(
                f"sample_weight counts as zero in every row, where the largest is {weights.max():.3g}; give "
                f"at least one row a weight above {kind._negligible:.3g}."
            )
        schema = kind._infer_schema(checked, self)
        classes = distinct_labels(y)
        examples = kind._encode_missing(schema.encode(checked))
        labels = encode_labels(y, classes)
        most_learned = self._most_learned_of(weights)
        check_total(most_learned)
        schema.check_magnitude(examples, kind._largest_number)
        anew = object.__new__(type(self))  # which takes the place of the former all at once
        anew.__dict__ = self.__dict__.copy()
        anew._begin(kind, schema, classes, X)
        anew._most_learned = most_learned
        if schema.has_unknown(checked, examples):
            warn_of_unknown(kind, stacklevel=4)
            anew._warned_of_unknown = True
        anew._make_room(examples)
        anew._learn_batch(examples, labels, weights)
        anew._n_calls += 1
        self.__dict__ = anew.__dict__
        return self

    def _new_kind(self) -> BaseModel:
        """The base-model type that the parameters specify."""
        raise NotImplementedError

    @contextmanager
    def _atomic(self) -> Iterator[None]:
        """Restore every attribute if an exception is raised inside."""
        before = self.__dict__.copy()
        try:
            yield
        except GeneratorExit:  # not a failure: the caller closed the iterator of predictions
            raise
        except BaseException:
            self.__dict__ = before
            raise

    def _rollback_on_error(self) -> AbstractContextManager[None]:
        """Context of incremental learning: none, since kernels count what they learn of validated input."""
        return nullcontext()

    @property
    def _n_seen(self) -> int:
        return int(self._counted[0])

    def _set_state(self, schema: Schema, classes: np.ndarray, state: dict[str, Any]) -> None:
        self._set_vocabulary(schema, classes)
        fresh = {"_most_learned": 0.0, "_changed": None, "_warned_of_unknown": False, "_warned_of": ()}
        self.__dict__.update(fresh | {"_is_open_to_classes": False} | state)

    def _set_vocabulary(self, schema: Schema, classes: np.ndarray) -> None:
        categories = list(schema.values_of_columns)
        is_categorical = np.array([values is not None for values in categories], bool)
        self.__dict__.update(
            classes_=classes, _schema=schema, categories_=categories, is_categorical_=is_categorical
        )

    def _grow(self, growth: Growth) -> None:
        """Extend models and vocabulary; an ensemble whose own state depends on them extends that too."""
        self._models = self._kind._grown(self._models, growth)
        self._set_vocabulary(growth.schema, growth.classes)

    def _begin(self, kind: BaseModel, schema: Schema, classes: np.ndarray, X: Any) -> None:
        """Begin to learn, with nothing learned yet."""
        state = self._start(kind, schema, classes)
        validate_data(self, X, skip_check_array=True, reset=True)
        self._set_state(schema, classes, state)
        check_implemented(self._models, learn, classify)
        self._check_states()

    def _check_states(self) -> None:
        """Refuse states whose arrays do not have the declared sizes."""
        n_values = int(self._schema.sizes.sum())
        for name, state in vars(self).items():
            if hasattr(state, "_fields"):
                classes = self._member_classes if name == "_models" else self.classes_
                check_axes(state, V=n_values, K=len(classes))

    @property
    def _member_classes(self) -> np.ndarray:
        """What the models classify."""
        return self.classes_

    def _make_room(self, examples: Examples) -> None:
        """Give the models capacity for `examples`, which are learned next."""
        self.__dict__["_models"] = self._kind._reserve(self._models, examples)  # as fast as can be

    def _warn_of_identifiers(self) -> None:
        """Warn once of each nominal column whose values hardly repeat."""
        for j, values in enumerate(self.categories_ if any(self._schema.is_open) else ()):
            if values is None or not self._schema.is_open[j] or j in self._warned_of:
                continue
            if len(values) >= max(_MANY, 0.9 * self._n_seen):
                self._warned_of += (j,)
                names = getattr(self, "feature_names_in_", None)
                column = f"column {j}" if names is None else f"column {names[j]!r}"
                warnings.warn(
                    f"nominal {column} of X has held {len(values)} values so far, hardly any of them twice: "
                    "it looks like an identifier, from which nothing can be learned and whose values take "
                    "ever more memory. Leave it out, or declare it numeric.",
                    UserWarning,
                    stacklevel=5,
                )

    def __getattr__(self, name: str) -> Any:
        """Say that nothing has been learned, where that is why there is no such attribute."""
        is_learned = "_" in (name[0], name[-1]) and not name.startswith("__")
        if is_learned and not self._is_fitted():
            raise NotFittedError(
                f"this {type(self).__name__} is not fitted yet and has no {name}; call fit or partial_fit "
                "first."
            )
        found = getattr(type(self), name, None)
        if isinstance(found, property) and found.fget is not None:
            return found.fget(self)  # raises its own error again
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _is_fitted(self) -> bool:
        return "_kind" in vars(self)

    #: Parameters that every call reads, so that they may change between calls.
    _read_at_every_call: ClassVar[tuple[str, ...]] = ("n_jobs", "voting")
    _default_estimator: ClassVar[Any]

    def set_params(self, **params):
        """Set parameters, as in scikit-learn.

        A parameter that is read only when learning begins takes effect at the next `fit`; until then
        `partial_fit` refuses to go on.

        Parameters
        ----------
        **params : dict
            With ``estimator__name`` a parameter of the base model, of the default one if `estimator` is None.

        Returns
        -------
        self
        """
        before = self.get_params()
        is_nested = any(name.startswith("estimator__") for name in params)
        if is_nested and params.get("estimator", before.get("estimator", self)) is None:
            params = params | {"estimator": self._default_estimator()}
        super().set_params(**params)
        for name in params.keys() - vars(self).keys():  # of the base model
            self._record_change(name, before.get(name), params[name])
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; a parameter as `set_params` does."""
        if name in self.__dict__ and "_" not in (name[0], name[-1]):
            self._record_change(name, self.__dict__[name], value)
        object.__setattr__(self, name, value)  # calls are short: super() takes longer

    def _record_change(self, name: str, former: Any, value: Any) -> None:
        """Remember how a parameter was when learning began, while it is not so."""
        if self._is_fitted() and name not in self._read_at_every_call:
            changed = dict(self._changed or {})
            former = changed.setdefault(name, former)
            of_former, of_value = plain(former), plain(value)
            if former is value or (type(of_former) is type(of_value) and of_former == of_value):
                del changed[name]
            self._changed = changed or None

    def _refuse_changed_parameters(self) -> None:
        for name, value in (self._changed or {}).items():
            raise changed_in_mid_stream(name, value, self.get_params()[name])

    def _check_choices(self) -> None:
        """Validate the parameters that are read again at every call."""

    def _start(self, kind: BaseModel, schema: Schema, classes: np.ndarray) -> dict[str, Any]:
        """Initial attributes of the estimator; validates its parameters."""
        raise NotImplementedError

    def _learn(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        raise NotImplementedError

    def _learn_batch(self, examples: Examples, labels: np.ndarray, weights: np.ndarray) -> None:
        """Train on a whole training set; a learner that makes several passes overrides this."""
        self._learn(examples, labels, weights)

    def _most_learned_of(self, weights: np.ndarray) -> float:
        """Upper bound of the total weight that one model learns from examples with these weights."""
        return weights.sum()

    def predict(self, X):
        """Predict the class of each row; ties go to the first class.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.classes_[self._predict_encoded(self._encode(X))]

    def score(self, X, y, sample_weight=None):
        """Accuracy of `predict`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The true class labels, of the type of `classes_`.
        sample_weight : array-like of shape (n_samples,), default=None
            None stands for 1 each.

        Returns
        -------
        float
        """
        from sklearn.metrics import accuracy_score  # not every program that imports oza needs it

        check_order(X, y=y, sample_weight=sample_weight)
        predicted = self.predict(X)
        y = check_labels(y, len(predicted))
        weights = check_sample_weight(sample_weight, len(y))
        union_of("y", self.classes_, distinct_labels(y))  # refuses labels of another type
        return accuracy_score(y, predicted, sample_weight=weights)

    def predict_one(self, x):
        """Predict the class of one example, in microseconds; it is that of `predict`.

        Parameters
        ----------
        x : dict, or sequence of n_features values
            Values by column name, of which those that are left out are missing; or in the order of the
            columns.

        Returns
        -------
        str, number, bool or datetime64
            The class label.

        Examples
        --------
        >>> from oza import NaiveBayesClassifier
        >>> NaiveBayesClassifier().fit([[1.0], [2.0]], ["low", "high"]).predict_one([1.2])
        'low'
        """
        place = self._predict_encoded(self._encode_example(x))[0]
        return self.classes_[place] if self.classes_.dtype.kind in "mM" else self.classes_.item(place)

    def predict_proba_one(self, x):
        """Probability of each class for one example; those of `predict_proba`.

        Parameters
        ----------
        x : dict, or sequence of n_features values
            As in `predict_one`.

        Returns
        -------
        dict
            A probability for each class label.

        Examples
        --------
        >>> from oza import NaiveBayesClassifier
        >>> NaiveBayesClassifier().fit([["a"], ["b"], ["b"]], ["low", "low", "high"]).predict_proba_one(["b"])
        {'high': 0.5, 'low': 0.5}
        """
        probabilities = self._probabilities_of(self._encode_example(x))[0].tolist()
        labels = [*self.classes_] if self.classes_.dtype.kind in "mM" else self.classes_.tolist()
        return dict(zip(labels, probabilities, strict=True))

    def predict_log_proba(self, X):
        """Natural logarithms of `predict_proba`; −∞ for a class that has no chance.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)

        Examples
        --------
        >>> from oza import NaiveBayesClassifier
        >>> model = NaiveBayesClassifier().fit([["a"], ["b"], ["b"]], ["low", "low", "high"])
        >>> model.predict_log_proba([["b"]]).round(3).tolist()
        [[-0.693, -0.693]]
        """
        with np.errstate(divide="ignore"):
            return np.log(self._probabilities_of(self._encode(X)))

    def _encode_example(self, x: Any) -> Examples:
        """Check that the classifier is fitted, then encode one example, by the short way if it can be."""
        check_is_fitted(self)
        examples = self._encode_one(x)
        if examples is None:
            return self._encode([x])
        return self._kind._encode_missing(examples) if examples.numbers.shape[1] > 0 else examples

    def _encode_one(self, x: Any) -> Examples | None:
        """Encode one example; None if it has to be validated as rows are."""
        schema = vars(self).get("_schema")
        if schema is None:
            return None
        if isinstance(x, dict):
            names = vars(self).get("feature_names_in_", np.empty(0)).tolist()
            values = [x.get(name) for name in names]
            if not x.keys() <= {*names}:
                return None
            x = values
        elif type(x) is np.ndarray:  # not one that is masked
            x = x.tolist()
        elif not isinstance(x, list | tuple):
            return None
        return schema.encode_row(x)

    def _as_rows(self, X: Any) -> Any:
        """`X` as an array, sparse matrix or DataFrame; dicts are read by the names of the first call."""
        return as_rows(X, vars(self).get("feature_names_in_"))

    def _predict_encoded(self, examples: Examples) -> np.ndarray:
        """Class index of each example; 0 where nothing has been learned."""
        raise NotImplementedError

    def _probabilities_of(self, examples: Examples) -> np.ndarray:
        """Probability of each class for each example, (N, K)."""
        raise NotImplementedError

    def _encode(self, X: Any) -> Examples:
        """Check that the classifier is fitted, then validate and encode `X`."""
        check_is_fitted(self)
        return self._encode_new(X)

    def __sklearn_is_fitted__(self) -> bool:
        """Whether at least one class is known, so that it can predict."""
        return len(vars(self).get("classes_", ())) > 0

    def _encode_new(self, X: Any) -> Examples:
        """Validate `X` against the schema and encode it; works before anything was learned."""
        X = self._as_rows(X)
        checked = self._kind._check_X(X)
        self._check_columns(X)
        return self._kind._encode_missing(self._schema.encode(checked))

    def _check_columns(self, X: Any) -> None:
        """Refuse an `X` whose columns differ from those of the first call."""
        is_array = type(X) is np.ndarray and X.ndim == 2
        if not is_array or X.shape[1] != self.n_features_in_ or "feature_names_in_" in vars(self):
            validate_data(self, X, skip_check_array=True, reset=False)

    def _picklable(self):
        state = super()._picklable()
        if "_models" in state:
            state["_models"] = _each(self._kind._pack, state["_models"])
            state["_n_seen"] = int(state.pop("_counted")[0])
        return state

    def __setstate__(self, state):
        if "_n_seen" in state:
            state = state | {"_counted": np.array([state["_n_seen"]])}
            del state["_n_seen"]
        super().__setstate__(state)
        if "_models" in state:
            self._models = _each(self._kind._unpack, self._models)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _each(function: Callable[[Any], Any], models: Any) -> Any:
    """What a function makes of a state, or of each state in a list."""
    return [function(one) for one in models] if isinstance(models, list) else function(models)


_MANY = 1000  # distinct values from which on a column may be an identifier
