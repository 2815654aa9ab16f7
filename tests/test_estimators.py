"""Properties that all public classifiers have in common."""

import ast
import inspect
import pickle
import re
import warnings
from datetime import date
from functools import cache

import numpy as np
import pandas as pd
import pyarrow
import pytest
import skops.io
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks
from sklearn.utils.validation import check_array

from oza import (
    AccuracyWeightedEnsembleClassifier,
    ActiveLearner,
    AdaBoostClassifier,
    AdaptiveRandomForestClassifier,
    ADWINBoostingClassifier,
    BaggingClassifier,
    BlockedBoostingClassifier,
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    FixedFractionBaggingClassifier,
    InputDecimationClassifier,
    LeveragingBaggingClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
    OnlineArcX4Classifier,
    OnlineBaggingClassifier,
    OnlineBoostingClassifier,
    OutputCodeClassifier,
    PrimedOnlineBoostingClassifier,
    RandomForestClassifier,
    RandomSubspaceClassifier,
)
from oza.classifier.base import KernelClassifier
from oza.classifier.contract import BaseModel
from oza.discovery import all_estimators
from oza.kernels.compile import type_when_compiled
from oza.models.hoeffding_tree.classifier import HoeffdingTrees
from tests.estimators import one_of_each

CLASSIFIERS = [
    *one_of_each(KernelClassifier, n_estimators=5, max_features=1.0, block_size=20, random_state=0).values(),
    DecisionTreeClassifier(prune=True),
    BaggingClassifier(NeuralNetworkClassifier(), n_estimators=3, random_state=0),
    OnlineBaggingClassifier(
        NeuralNetworkClassifier(updates=3, learning_rate=0.2, initial_range=0.5),
        n_estimators=5,
        random_state=0,
    ),
    PrimedOnlineBoostingClassifier(n_estimators=5, n_prime=20, random_state=0),
]
ONLINE = [c for c in CLASSIFIERS if hasattr(c, "partial_fit")]


def name_of(classifier):
    return type(classifier).__name__


def expected_failures(classifier):
    equal = DecisionStumpClassifier | DecisionTreeClassifier | NaiveBayesClassifier | AdaBoostClassifier
    too_small = isinstance(classifier, HoeffdingTrees)  # no leaf splits on the data of this check,
    too_small |= type(classifier) is OnlineArcX4Classifier  # and no weight differs,
    too_small |= isinstance(classifier, AccuracyWeightedEnsembleClassifier)  # and no chunk is full
    same_draws = RandomSubspaceClassifier | InputDecimationClassifier | OutputCodeClassifier
    if isinstance(classifier, equal | same_draws) or too_small:
        return {}
    reason = (
        "the second of two equal rows meets models that have learned the first, and gets another weight"
        if isinstance(classifier, OnlineArcX4Classifier)
        else "a step of double length is not two steps, and rows are learned in their order"
        if isinstance(classifier, NeuralNetworkClassifier)
        else "draws are keyed by row number, so a row of weight 2 and two rows of weight 1 see "
        "different draws; they agree in distribution"
    )
    return {"check_sample_weight_equivalence_on_dense_data": reason}


def expected_failures_on_numbers(classifier):
    learns_once = isinstance(classifier, OnlineBaggingClassifier)
    if learns_once and isinstance(classifier.estimator, NeuralNetworkClassifier):
        reason = "its numbers go up to 5: one pass over unscaled numbers is not enough"
        return expected_failures(classifier) | {"check_classifiers_train": reason}
    if isinstance(classifier, AdaptiveRandomForestClassifier):
        reason = "five trees that split after a weight of 50 are too few for its rounded numbers"
        return expected_failures(classifier) | {"check_classifiers_train": reason}
    return expected_failures(classifier)


@pytest.mark.filterwarnings("ignore:divide by zero encountered in log:RuntimeWarning")  # of a probability 0
@parametrize_with_checks(CLASSIFIERS, expected_failed_checks=expected_failures_on_numbers, xfail_strict=True)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [ActiveLearner(BaggingClassifier(n_estimators=3, random_state=0)), ActiveLearner(NaiveBayesClassifier())]
)
def test_scikit_learn_checks_of_active_learners(estimator, check):
    check(estimator)


@cache
def on_nominal_columns(base):
    """A subclass that receives the integral parts of numbers as strings."""

    class Nominal(base):
        def _check_X(self, X):
            return np.floor(check_array(X)).clip(-3, 3).astype(np.int64).astype(str).astype(object)

        def _new_kind(self):
            model = super()._new_kind()
            return (
                on_nominal_columns(type(model))(**model.get_params()) if hasattr(self, "estimator") else model
            )

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.allow_nan = False  # NaN has no integral part
            tags.classifier_tags.poor_score = True  # fractional parts are lost
            return tags

    Nominal.__name__ = Nominal.__qualname__ = f"{base.__name__}OnStrings"
    return globals().setdefault(Nominal.__name__, Nominal)  # where pickle looks for it


#: Each base model treats nominal columns itself. Ensembles all pass on what one class has encoded; of these,
#: two that learn a batch and one that learns example by example.
WITH_NOMINAL_COLUMNS = BaseModel | BaggingClassifier | OnlineBoostingClassifier | RandomForestClassifier
NOMINAL = [
    on_nominal_columns(type(classifier))(**classifier.get_params(deep=False))
    for classifier in CLASSIFIERS
    if isinstance(classifier, WITH_NOMINAL_COLUMNS)
]
#: The checks of what is learned and predicted; nothing else depends on the kinds of columns.
OF_LEARNING = {
    "check_classifier_data_not_an_array",
    "check_classifiers_classes",
    "check_classifiers_one_label",
    "check_classifiers_train",
    "check_dtype_object",
    "check_estimators_dtypes",
    "check_estimators_partial_fit_n_features",
    "check_estimators_pickle",
    "check_f_contiguous_array_estimator",
    "check_fit2d_1feature",
    "check_fit2d_1sample",
    "check_fit_idempotent",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_pipeline_consistency",
    "check_readonly_memmap_input",
    "check_sample_weight_equivalence_on_dense_data",
}


def expected_failures_where_attributes_are_nominal(classifier):
    # the numbers of this check are between 0 and 1, so that all rows become equal: different draws or rows
    # change a vote only if models are close to a tie
    agreeing = BaggingClassifier | BlockedBoostingClassifier | FixedFractionBaggingClassifier
    agreeing |= ADWINBoostingClassifier | LeveragingBaggingClassifier
    agreeing |= AdaptiveRandomForestClassifier | RandomForestClassifier
    return {} if isinstance(classifier, agreeing) else expected_failures(classifier)


def checks_of_learning(classifier):
    """Each check, with the classifier; those that are expected to fail are marked."""
    expected = expected_failures_where_attributes_are_nominal(classifier)
    for each, check in estimator_checks_generator(classifier):
        name = check.func.__name__
        fails = pytest.mark.xfail(strict=True, reason=expected.get(name, ""))
        if name in OF_LEARNING:
            yield pytest.param(each, check, marks=[fails] * (name in expected), id=f"{name_of(each)}-{name}")


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:divide by zero encountered in log:RuntimeWarning")
@pytest.mark.parametrize(
    ("estimator", "check"), [one for classifier in NOMINAL for one in checks_of_learning(classifier)]
)
@pytest.mark.filterwarnings("ignore:a nominal column of X holds a value")
def test_scikit_learn_checks_where_attributes_are_nominal(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(0)
    n = 200
    y = np.where(rng.random(n) < 0.5, "no", "yes")
    frame = pd.DataFrame(
        {
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], n)),
            "size": rng.integers(0, 3, n),
            "text": rng.choice(["u", "v"], n),
            "flag": rng.random(n) < 0.5,
            "height": rng.normal(size=n) + (y == "yes"),
        }
    )
    return frame, y


def compiled_types(model):
    """Numba's types of the state; kernels are compiled again for others."""
    if not isinstance(model, KernelClassifier):
        return []
    states = (vars(model).get(name) for name in ("_models", "_detectors"))
    lists = (state if type(state) is list else [state] for state in states if state is not None)
    return [type_when_compiled(state) for states in lists for state in states]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)
class TestEvery:
    @pytest.mark.parametrize("choice", [["colour", "text"], [0, 2], [True, False, True, False, False]])
    def test_column_kinds_can_be_declared(self, classifier, mixed, choice):
        X, y = mixed
        model = clone(classifier).set_params(categorical_features=choice).fit(X, y)
        assert model.is_categorical_.tolist() == [True, False, True, False, False]

    def test_pickles_predict_the_same(self, classifier, mixed):
        X, y = mixed
        model = clone(classifier).fit(X, y)
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))

    def test_skops_files_predict_the_same(self, classifier, mixed):
        X, y = mixed
        model = clone(classifier).fit(X, y)
        file = skops.io.dumps(model)
        strange = skops.io.get_untrusted_types(data=file)
        assert {name.partition(".")[0] for name in strange} == {"oza"}
        again = skops.io.loads(file, trusted=strange)
        assert compiled_types(again) == compiled_types(model)
        np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))
        if hasattr(classifier, "partial_fit"):
            for each in (model, again):
                each.partial_fit(X, y)
            np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))

    @pytest.mark.full  # seven fits of each class
    @pytest.mark.parametrize("nominal", [range(4), "auto"])
    def test_layout_and_type_of_arrays_do_not_matter(self, classifier, nominal):
        rng = np.random.default_rng(1)
        classifier = clone(classifier).set_params(categorical_features=nominal)
        X, y = rng.integers(0, 3, (60, 4)), rng.integers(0, 2, 60)
        expected = clone(classifier).fit(X, y).predict_proba(X)
        frozen = X.copy()
        frozen.setflags(write=False)
        wide = np.repeat(X, 2, axis=1)[:, ::2]
        for other in (
            np.asfortranarray(X),
            X.astype(np.int8),
            X.astype(np.uint16),
            X.astype(object),
            frozen,
            wide,
        ):
            np.testing.assert_array_equal(clone(classifier).fit(other, y).predict_proba(other), expected)
        classifier.set_params(categorical_features="auto")
        numbers = rng.normal(size=(60, 4)).astype(np.float32)
        np.testing.assert_array_equal(
            clone(classifier).fit(numbers, y).predict_proba(numbers),
            clone(classifier).fit(numbers.astype(np.float64), y).predict_proba(numbers),
        )

    def test_members_know_the_names_of_columns(self, classifier, mixed):
        X, y = mixed
        model = clone(classifier).fit(X, y)
        for m, member in enumerate(getattr(model, "estimators_", ())):
            seen = X.iloc[:, model.features_[m]] if hasattr(model, "features_") else X
            with warnings.catch_warnings(action="error"):
                assert len(member.predict(seen)) == len(y)

    def test_pipelines_and_searches_work(self, classifier):
        rng = np.random.default_rng(2)
        y = rng.integers(0, 2, 80)
        X = rng.normal(size=(80, 3)) + y[:, None]
        assert cross_val_score(make_pipeline(StandardScaler(), clone(classifier)), X, y).mean() > 0.7
        search = GridSearchCV(clone(classifier), {"categorical_features": ["auto", None]}).fit(X, y)
        assert search.best_score_ > 0.7

    def test_predicting_before_fitting_says_so(self, classifier):
        with pytest.raises(NotFittedError):
            clone(classifier).predict([[1]])


@pytest.mark.parametrize("name", all_estimators())
def test_the_documentation_tells_every_default(name):
    kind = all_estimators()[name]
    told = re.findall(r"^(\w+) : .*?default=(.+)$", inspect.getdoc(kind), re.MULTILINE)
    defaults = {p.name: p.default for p in inspect.signature(kind).parameters.values()}
    assert {parameter: ast.literal_eval(value) for parameter, value in told} == defaults


class TestTables:
    """Validation of `X`, which does not depend on the classifier."""

    @pytest.mark.parametrize(
        ("X", "message"),
        [
            ([[1], [1, 2]], "X holds lists of different lengths"),
            (np.ma.array([[1.0], [2.0]], mask=[[False], [True]]), "X has masked values"),
            ([np.ma.array([99.0], mask=[True]), [1.0]], "X has masked values"),
            (pd.DataFrame([[1, 2], [3, 4]], columns=["x", "x"]), "X has two columns named 'x'"),
            (pyarrow.table([pyarrow.array([1, 2])] * 2, ["x", "x"]), "X has two columns named 'x'"),
            (pd.DataFrame(), r"0 sample\(s\) \(shape=\(0, 0\)\)"),
            (pd.DataFrame(index=range(2)), r"0 feature\(s\) \(shape=\(2, 0\)\)"),
            (None, "Expected 2D array"),
            (np.ones((2, 2, 2)), "dim 3"),
            (np.array([[1j], [2]]), "Complex data not supported"),
        ],
    )
    def test_what_is_no_table_is_refused(self, X, message):
        model = NaiveBayesClassifier()
        for learn in (model.fit, lambda X, y: model.partial_fit(X, y, classes=[0, 1])):
            with pytest.raises(ValueError, match=message):
                learn(X, [0, 1])
            assert not hasattr(model, "classes_") and not hasattr(model, "n_features_in_")

    @pytest.mark.parametrize(
        ("y", "classes"),
        [
            (np.array(["2020-01-02", "2020-01-01"], "datetime64[D]"), ["2020-01-01", "2020-01-02"]),
            (pd.to_datetime(["2020-01-02", "2020-01-01"]), ["2020-01-01", "2020-01-02"]),
            (np.array([2, 1], object), [1, 2]),
            (np.array([True, False], object), [False, True]),
        ],
    )
    def test_dates_of_numpy_and_numbers_among_objects_are_labels(self, y, classes):
        model = NaiveBayesClassifier().fit([["a"], ["b"]], y)
        assert (model.classes_ == np.array(classes, model.classes_.dtype)).all()
        assert model.classes_.dtype != object
        assert (model.predict([["a"], ["b"]]) == y).all()
        first = model.predict_one(["a"])
        assert first == y[0] and {*model.predict_proba_one(["a"])} == {*y}
        online = NaiveBayesClassifier().partial_fit([["a"], ["b"]], y, classes=y).learn_one(["a"], first)
        assert (online.classes_ == model.classes_).all()


NO_COLUMNS = [1000, 2**70, True, float, np.nan, b"x", {"colour": 1}, slice(1), lambda column: column]
NO_COLUMNS += [[0, "text"], [None], ["text", None], [1.0], [[0]], [[0], [0, 1]], [True, 0, 0, 0, 0], [float]]
NO_COLUMNS += [np.array(0), (j for j in [0]), pd.array([True, pd.NA], "boolean")]
GOOD = {"X": pd.DataFrame({"x": [*"abcabcab"]}), "y": [*"abababab"], "classes": ["a", "b"]}
LARGE = 2**63
EIGHT = np.arange(8)
BAD_INPUT = {  # the argument (X: its column), its value, and the message
    "a large integer": ("X", EIGHT.astype(np.uint64) + LARGE - 7, f"column 0 of X holds {LARGE}; .* below 2"),
    "one string": (
        "X",
        [1, 2, 3, 4, "five", 6, 7, 8],
        "1 in row 0 and 'five' in row 4: .* must not mix the two",
    ),
    "a list": (
        "X",
        [*"abcd", [5], *"fgh"],
        r"column 0 of X holds \[5\] in row 4: each argument must be a string or",
    ),
    "a label that is missing": (
        "y",
        pd.array([*"abababa", pd.NA], "string"),
        r"Input y contains NaN, NA or None: y\[7\] is <NA>; leave the row out",
    ),
    "dates as objects": (
        "y",
        [date(2020, 1, 1 + n % 2) for n in range(8)],
        r"y\[0\] is datetime.date\(2020, 1, 1\), of the type date; a label must be a string, .* datetime64",
    ),
    "complex labels": ("y", [1j, 2] * 4, "Complex data not supported: y holds 1j; use real numbers"),
    "labels of different lengths": ("y", [[1], [1, 2]] * 4, "y holds lists of different lengths"),
    "masked weights": ("sample_weight", np.ma.array([1.0] * 8, mask=EIGHT == 3), "sample_weight has masked"),
    "masked labels": ("y", np.ma.array([0, 1] * 4, mask=EIGHT == 3), "y has masked values"),
    "immense weights": ("sample_weight", [10**400] * 8, "sample_weight holds an integer beyond float64"),
    "labels of two kinds in a list": (
        "y",
        [*"aba", 1, *"bab", 1],
        r"y\[0\] is 'a' and y\[3\] is 1; .* one type",
    ),
    "a weight that is a word": (
        "sample_weight",
        ["a"] * 8,
        "sample_weight holds 'a' in row 0; weights must be finite",
    ),
    "weights of classes": (
        "sample_weight",
        {"a": 2},
        "sample_weight holds {'a': 2}; weights must be finite numbers",
    ),
    "a weight that is missing": (
        "sample_weight",
        [1.0] * 7 + [pd.NA],
        "sample_weight holds <NA> in row 7; weights",
    ),
}
BAD_CLASSES = {
    "none": ([], r"classes must be a list of every class there is, at least one; got \[\]"),
    "a word": ("ab", "classes must be a list .* got 'ab'"),
    "two dimensions": ([["a", "b"]], r"classes must be a list .* got \[\['a', 'b'\]\]"),
    "NaN": ([0.0, np.nan], "Input classes contains NaN or infinity"),
    "None": (["a", None], r"Input classes contains NaN, NA or None: classes\[1\] is None"),
    "two kinds in a list": (["a", 1], r"classes\[0\] is 'a' and classes\[1\] is 1"),
    "complex": ([1j], "Complex data not supported: classes holds 1j"),
}


def teach(classifier, arguments):
    if hasattr(classifier, "partial_fit"):
        return classifier.partial_fit(**arguments)
    return classifier.fit(**{name: value for name, value in arguments.items() if name != "classes"})


#: Of one model, which checks whatever it is given, and of blocks, which checks before it keeps an example.
VALIDATING = [
    NaiveBayesClassifier(),
    BlockedBoostingClassifier(n_estimators=3, block_size=20, random_state=0),
]


@pytest.mark.parametrize("classifier", VALIDATING, ids=name_of)
class TestBadInput:
    def test_bad_input_names_what_is_wrong(self, classifier, mixed):
        X, y = mixed
        for frame, labels, weight, message in [
            (X.assign(height=np.inf), y, None, "infinity in row 0 of numeric column 4"),
            (X, y[:-1], None, "X has 200 rows and y has 199 labels"),
            (X, y, -np.ones(200), "sample_weight holds -1.0 in row 0"),
            (X, y, np.full(200, np.inf), "sample_weight holds inf in row 0"),
            (X, y, np.ones(3), r"sample_weight has shape \(3,\)"),
            (X, y, np.zeros(200), "sample_weight counts as zero in every row"),
            (X.iloc[:0], y[:0], None, "minimum of 1 is required"),
        ]:
            with pytest.raises(ValueError, match=message):
                clone(classifier).fit(frame, labels, sample_weight=weight)

    def test_bad_declarations_are_named_in_the_message(self, classifier, mixed):
        X, y = mixed
        for parameters, message in [
            ({"categorical_features": "all"}, "categorical_features must be"),
            ({"categorical_features": ["weight"]}, r"names \['weight'\]"),
            ({"categorical_features": [9]}, "indices from 0 to 4"),
            ({"categorical_features": [True]}, r"mask of shape \(1,\)"),
            *(({"categorical_features": value}, "categorical_features must be") for value in NO_COLUMNS),
            (
                {"categories": [["a", 1], *[None] * 4]},
                r"categories\[0\]\[0\] is 'a' and .*\[1\] is 1; .* mix",
            ),
            ({"categories": [["a", None], *[None] * 4]}, r"categories\[0\]\[1\] is None: a missing value"),
            ({"categories": [["a", np.nan], *[None] * 4]}, r"categories\[0\]\[1\] is nan: a missing value"),
            ({"categories": ["red", *[None] * 4]}, r"categories\[0\] must be a list .* got 'red'"),
            ({"categories": [{"red"}, *[None] * 4]}, r"categories\[0\] must be a list .* got {'red'}"),
            ({"categories": [[["a"], ["b", "c"]], *[None] * 4]}, r"categories\[0\] holds lists of different"),
            ({"categories": [["a"]]}, "one entry for each of the 5"),
            ({"categories": np.array(3)}, "one entry for each of the 5"),
            (
                {"categorical_features": [0, 2], "categories": [*[None] * 4, [1.0]]},
                r"categories\[4\] declares values",
            ),
        ]:
            with pytest.raises(ValueError, match=message):
                clone(classifier).set_params(**parameters).fit(X, y)

    def test_more_weight_than_counts_can_hold_is_refused(self, classifier):
        with pytest.raises(OverflowError, match=r"2\*\*53"):
            clone(classifier).fit([[1], [2]], [0, 1], sample_weight=[2.0**53, 1.0])

    def assert_refused(self, classifier, arguments, message, learn=teach):
        """At the first call and later; the model stays unchanged."""
        fresh = clone(classifier)
        for model in (fresh, teach(clone(fresh).set_params(categories="auto"), GOOD)):
            model.set_params(**classifier.get_params(deep=False))
            before = pickle.dumps(model)
            with pytest.raises((TypeError, ValueError), match=message):
                learn(model, arguments)
            assert pickle.dumps(model) == before

    @pytest.mark.parametrize("kind", BAD_INPUT)
    def test_it_is_named(self, classifier, kind):
        name, value, message = BAD_INPUT[kind]
        if name == "X":
            value = pd.DataFrame({"x": value})
            classifier = clone(classifier).set_params(categorical_features=[0])
        self.assert_refused(classifier, {**GOOD, name: value}, message)

    @pytest.mark.parametrize("kind", BAD_CLASSES)
    def test_bad_classes_are_named(self, classifier, kind):
        if not hasattr(classifier, "partial_fit"):
            pytest.skip("no classes are declared")
        classes, message = BAD_CLASSES[kind]
        self.assert_refused(classifier, {**GOOD, "classes": classes}, message)

    @pytest.mark.parametrize("after", [[2, 1], [1, 1], [201], [-1], [0.5], [[1]], [], "all"])
    def test_a_learning_curve_needs_rising_numbers_of_examples(self, classifier, mixed, after):
        X, y = mixed
        model = clone(classifier)
        if not hasattr(model, "partial_fit"):
            pytest.skip("it has no learning curves")
        with pytest.raises(ValueError, match="after must hold strictly increasing integers from 0 to 200"):
            model.learn_and_predict(X, y, X, after=after, classes=["no", "yes"])
        assert not hasattr(model, "classes_")


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=name_of)
def test_fit_says_every_time_that_a_category_is_not_among_those_declared(classifier):
    model = clone(classifier).set_params(categories=[["a", "b"]])
    X, y = [["a"], ["b"], ["z"]] * 4, [0, 1, 1] * 4
    for _ in "ab":
        with pytest.warns(UserWarning, match="not among its categories.*Declare every value"):
            model.fit(X, y)
    if hasattr(model, "partial_fit"):
        with warnings.catch_warnings(action="error"):  # the warning comes only once
            model.partial_fit(X, y)
    with warnings.catch_warnings(action="error"):
        model.fit([["a"], ["b"]], [0, 1])


def test_how_base_models_treat_a_value_that_is_not_among_the_categories():
    X, y = [["a"]] * 3 + [["b"]] * 2 + [["z"]] * 7, [0] * 3 + [1] * 2 + [2] * 7
    models = [NaiveBayesClassifier(), DecisionTreeClassifier(), NeuralNetworkClassifier(random_state=0)]
    declared = [
        clone(m).set_params(categories=[["a", "b", "c"]]) for m in [*models, DecisionStumpClassifier()]
    ]
    found = []
    said = ["Naive Bayes leaves it out", "passes no test", "network leaves it out", "branch of its own"]
    for model, words in zip(declared, said, strict=True):
        with pytest.warns(UserWarning, match=f"not among its categories: .*{words}"):
            found.append(model.fit(X, y))
    bayes, tree, network, stump = found
    assert bayes.category_count_[0].sum() == 5
    assert bayes.class_count_.tolist() == [3, 2, 7]
    np.testing.assert_allclose(bayes.predict_proba([["z"]])[0], [3 / 12, 2 / 12, 7 / 12])
    assert stump.predict([["z"], ["a"], ["b"]]).tolist() == [2, 0, 1]
    np.testing.assert_array_equal(stump.predict_proba([["z"]])[0], [0, 0, 1])
    structure = tree.tree_
    node = 0
    while structure.feature[node] >= 0:  # the examples of "z" went to the no branch of every test
        node = structure.no[node]
    assert structure.class_weight[node][2] == 7
    with pytest.warns(UserWarning):
        zero = clone(network).set_params(epochs=1).fit([["z"]], [0])
        start = clone(network).set_params(learning_rate=0.0).fit([["z"]], [0])
    np.testing.assert_array_equal(zero.coefs_[0], start.coefs_[0])  # no input was switched on


@pytest.mark.parametrize(
    ("classifier", "parameter", "message"),
    [
        (AdaBoostClassifier(), "resample", "resample must be True or False; got 'typo'"),
        (PrimedOnlineBoostingClassifier(n_prime=3), "resample", "resample must be True or False; got 'typo'"),
        (
            OnlineBoostingClassifier(),
            "weight_update",
            'weight_update must be "thesis" or "later"; got \'typo\'',
        ),
        (OnlineBoostingClassifier(), "tested", 'tested must be "after" or "before"; got \'typo\''),
        (OnlineArcX4Classifier(), "tested", 'tested must be "after" or "before"; got \'typo\''),
    ],
)
def test_a_bad_choice_is_refused_at_every_call(classifier, parameter, message):
    fresh, later = clone(classifier), teach(clone(classifier), GOOD)
    for model in (fresh, later):
        model.set_params(**{parameter: "typo"})
        before = pickle.dumps(model)
        for learn in (teach, lambda model, a: model.fit(a["X"], a["y"])):
            with pytest.raises(ValueError, match=message):
                learn(model, GOOD)
            assert pickle.dumps(model) == before


@pytest.mark.parametrize("classifier", ONLINE, ids=name_of)
class TestEveryOnline:
    def test_a_refused_chunk_leaves_the_model_as_it_was(self, classifier, mixed):
        X, y = mixed
        model = clone(classifier).partial_fit(X, y, classes=["no", "yes"])
        before = pickle.dumps(model)
        for frame, labels, weight, message in [
            (X.assign(height=np.inf), y, None, "infinity"),
            (X.iloc[:, :3], y, None, "feature"),
            (X, np.full(200, "maybe"), None, "label 'maybe' in row 0"),
            (X, y, -np.ones(200), "sample_weight"),
            (X, y, np.full(200, 2.0**50), None),
        ]:
            with pytest.raises((ValueError, OverflowError), match=message):
                model.partial_fit(frame, labels, sample_weight=weight)
        with pytest.raises(ValueError, match="not the same as on the first call"):
            model.partial_fit(X, y, classes=["no", "perhaps"])
        assert pickle.dumps(model) == before

    def test_prequential_predictions_are_those_of_one_row_at_a_time(self, classifier, mixed):
        X, y = mixed
        classes = ["no", "yes"]
        together, row_by_row = (clone(classifier).partial_fit(X[:50], y[:50], classes=classes) for _ in "ab")
        weights = np.arange(150.0) % 3
        predicted = together.prequential_predict(X[50:], y[50:], sample_weight=weights)
        expected = []
        for n in range(50, 200):
            expected.append(row_by_row.predict(X[n : n + 1])[0])
            row_by_row.partial_fit(X[n : n + 1], y[n : n + 1], sample_weight=weights[[n - 50]])
        assert predicted.tolist() == expected
        np.testing.assert_array_equal(together.predict_proba(X), row_by_row.predict_proba(X))

    def test_a_learning_curve_is_that_of_pieces(self, classifier, mixed):
        X, y = mixed
        classes = ["no", "yes"]
        weights = np.arange(150.0) % 3
        curve, pieces, whole = (clone(classifier).partial_fit(X[:50], y[:50], classes=classes) for _ in "abc")
        rest = X[50:], y[50:], X[:40]
        after = [0, 1, 60, 61, 140]
        found = [*curve.learn_and_predict(*rest, after=after, sample_weight=weights)]
        assert len(found) == len(after)
        for start, stop, predicted in zip([0, *after], after, found, strict=False):
            if stop > start:
                piece = slice(50 + start, 50 + stop)
                pieces.partial_fit(X[piece], y[piece], sample_weight=weights[start:stop])
            assert predicted.tolist() == pieces.predict(X[:40]).tolist()
        whole.partial_fit(X[50:], y[50:], sample_weight=weights)
        np.testing.assert_array_equal(curve.predict_proba(X), whole.predict_proba(X))

    @pytest.mark.full  # test_a_refused_chunk has the same for partial_fit
    def test_a_learning_curve_checks_what_to_predict_before_it_learns(self, classifier, mixed):
        X, y = mixed
        model = clone(classifier)
        for _ in "ab":  # at the first call, and later
            before = pickle.dumps(model)
            for wrong, message in [(X.iloc[:, :3], "feature"), (X.assign(height=np.inf), "infinity")]:
                with pytest.raises(ValueError, match=message):
                    model.learn_and_predict(X, y, wrong, after=[10], classes=["no", "yes"])
                assert pickle.dumps(model) == before
            model.partial_fit(X, y, classes=["no", "yes"])

    def test_the_first_prequential_prediction_is_the_first_class(self, classifier):
        model = clone(classifier)
        predicted = model.prequential_predict([["a"]] * 40, [1] * 40, classes=[0, 1, 2])
        assert predicted[0] == 0
        assert model.predict([["a"]]) == [1]

    def test_weights_of_zero_change_nothing(self, classifier, mixed):
        X, y = mixed
        model = clone(classifier).partial_fit(X, y, classes=["no", "yes"])
        before = model.predict_proba(X)
        model.partial_fit(X, y, sample_weight=np.zeros(200))
        np.testing.assert_array_equal(model.predict_proba(X), before)

    def test_a_category_that_is_not_declared_is_treated_as_unknown(self, classifier):
        declared = clone(classifier).set_params(categories=[["a", "b"]])
        model = clone(declared).partial_fit([["a"], ["b"]], [0, 1], classes=[0, 1])
        with pytest.warns(UserWarning, match="Declare every value"):
            model.partial_fit([["z"]] * 30, [0] * 30)
        with warnings.catch_warnings(action="error"):  # the warning comes only once
            model.partial_fit([["z"]], [0])
        assert model.categories_[0].tolist() == ["a", "b"]
        assert model.predict([["z"]]) == [0]
        other = clone(declared).partial_fit([["a"], ["b"]], [0, 1], classes=[0, 1])
        with pytest.warns(UserWarning, match="Declare every value"):
            other.partial_fit([[z] for z in "wxy" * 10], [0] * 30)
        X = [["a"], ["b"], ["z"]]
        other.partial_fit([["v"]], [0])
        np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))
