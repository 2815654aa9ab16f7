"""What a daily user does: one example at a time, parameters changed on the way, nothing fitted yet."""

import inspect
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV

import oza
from benchmarks import pauses
from oza.classifier.base import KernelClassifier
from oza.classifier.online import OnlineKernelClassifier
from oza.evaluation import prequential

from .estimators import one_of_each

SMALL = {"n_estimators": 3, "n_prime": 40, "block_size": 30, "max_trials": 5, "random_state": 0}
CLASSIFIERS = one_of_each(KernelClassifier, **SMALL)
ONLINE = {name: each for name, each in CLASSIFIERS.items() if isinstance(each, OnlineKernelClassifier)}
TYPICAL = {name: ONLINE[name] for name in ("NaiveBayesClassifier", "OnlineBoostingClassifier")}


def table(n=120):
    """Numbers, names, a column that starts with missing values, and labels."""
    rng = np.random.default_rng(0)
    size, sky, late = rng.normal(size=n), rng.choice(["sun", "rain", "fog"], n), rng.normal(size=n)
    late = [None if i < 3 else float(value) for i, value in enumerate(late)]
    y = np.where((size > 0) ^ (sky == "sun"), "yes", "no")
    return pd.DataFrame({"size": size, "sky": sky.astype(object), "late": pd.Series(late, dtype=object)}), y


def as_dicts(X):
    return [{k: v for k, v in row.items() if v is not None} for row in X.to_dict("records")]


def without_warnings(function, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments)


@pytest.mark.parametrize("name", ONLINE)
def test_one_example_at_a_time_is_learned_as_in_a_chunk(name):
    X, y = table()
    one, chunk = clone(ONLINE[name]), clone(ONLINE[name])
    chunk.partial_fit(X, y)
    one.partial_fit(X[:1], y[:1])
    for x, label in zip(as_dicts(X[1:]), y.tolist()[1:], strict=True):
        one.learn_one(x, label)
    np.testing.assert_array_equal(one.predict_proba(X), chunk.predict_proba(X))
    predicted = [one.predict_one(x) for x in as_dicts(X)]
    assert predicted == chunk.predict(X).tolist() and {type(p) for p in predicted} == {str}


@pytest.mark.parametrize("name", TYPICAL)
def test_a_sequence_may_hold_any_numbers(name):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)).round(2), rng.integers(0, 2, 60)
    one, chunk = clone(TYPICAL[name]), clone(TYPICAL[name]).partial_fit(X, y, sample_weight=[2.0] * 60)
    for n, label in enumerate(y.tolist()):
        row = [X[n], X[n].tolist(), (*X[n].tolist(),), [np.float64(v) for v in X[n]]][n % 4]
        one.learn_one(row, [label, np.int64(label)][n % 2], sample_weight=[2.0, 2][n % 2])
    one._n_calls = chunk._n_calls
    assert pickle.dumps(one) == pickle.dumps(chunk)
    assert one.predict_one([1, None, 0.5]) == chunk.predict([[1.0, np.nan, 0.5]])[0]


# The input of a network is 0 for a missing number.
@pytest.mark.parametrize("name", [*TYPICAL, "NeuralNetworkClassifier"])
def test_the_answers_for_one_example_are_those_for_its_row(name):
    rng = np.random.default_rng(0)
    model = clone(ONLINE[name]).fit(rng.normal(size=(60, 3)), rng.integers(0, 2, 60))
    for row in ([1.0, 0.2, 0.5], [1.0, None, 0.5]):
        table = np.array([row], float)
        assert model.predict_one(row) == model.predict(table)[0]
        assert [*model.predict_proba_one(row).values()] == model.predict_proba(table)[0].tolist()


@pytest.mark.parametrize(
    ("x", "y", "weight", "message"),
    [
        ({1: 1.0, 0: 2}, "yes", 1.0, "key 1, and the names of columns are strings"),
        ({"size": 1.0, "sun": 2}, "yes", 1.0, "'sun', which is not the name of a column"),
        ({"size": "big"}, "yes", 1.0, "held numbers before.*categorical_features"),
        ({"size": float("inf")}, "yes", 1.0, "infinity in row 0"),
        ({"size": 10**400}, "yes", 1.0, "holds '1000.*in row 0, which is not a finite number"),
        ({"sky": 3.5}, "yes", 1.0, "held 'fog' before.*categorical_features"),
        ({"size": 1.0}, 4, 1.0, "y holds 4"),
        ({"size": 1.0}, None, 1.0, "Input y contains NaN, NA or None"),
        ({"size": 1.0}, "yes", -1.0, "sample_weight holds -1.0"),
        ([1.0, "sun"], "yes", 1.0, "2 features"),
        (np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]), "yes", 1.0, "X has masked values"),
    ],
)
def test_an_example_that_is_refused_changes_nothing(x, y, weight, message):
    X, labels = table()
    model = oza.OnlineBoostingClassifier(n_estimators=3, random_state=0).partial_fit(X, labels)
    before = pickle.dumps(model)
    with pytest.raises((ValueError, TypeError), match=message):
        without_warnings(model.learn_one, x, y, weight)
    assert pickle.dumps(model) == before
    if "y holds" not in message and "Input y" not in message and "weight" not in message:
        with pytest.raises(ValueError, match=message):
            without_warnings(model.predict_one, x)


def test_a_base_model_of_another_library_takes_one_example_too():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
    one = oza.OnlineBaggingClassifier(SGDClassifier(random_state=0), 2, random_state=0)
    chunk = clone(one).partial_fit(X, y, classes=[0, 1])
    one.partial_fit(X[:1], y[:1], classes=[0, 1])
    for row, label in zip(X[1:].tolist(), y[1:].tolist(), strict=True):
        one.learn_one(row, label)
    assert [one.predict_one(row) for row in X.tolist()] == chunk.predict(X).tolist()


@pytest.mark.parametrize("name", ONLINE)
def test_a_chunk_without_rows_does_nothing(name):
    X, y = table(50)
    model = clone(ONLINE[name]).partial_fit(X[:0], y[:0]).partial_fit(csr_array((0, 3)), [])
    assert not hasattr(model, "classes_")
    model.partial_fit(X, y)
    before = pickle.dumps(model)
    assert len(model.partial_fit(X[:0], y[:0]).prequential_predict(X[:0], y[:0])) == 0
    with pytest.raises(ValueError, match="on the first call to partial_fit: none, so leave it out"):
        model.partial_fit(X, y, classes=["no", "perhaps", "yes"])
    assert pickle.dumps(model) == before


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_whatever_is_learned_is_missing_before_anything_is_fitted(name):
    model = clone(CLASSIFIERS[name])
    learn = {"fit", "partial_fit", "prequential_predict", "learn_and_predict", "learn_one", "trace", "score"}
    for attribute in dir(type(model)):
        if attribute.startswith(("_", "set_", "get_p", "get_m")) or attribute in learn | {"algorithm"}:
            continue
        member = inspect.getattr_static(type(model), attribute)
        if isinstance(member, property):
            with pytest.raises(NotFittedError, match="fit"):
                getattr(model, attribute)
        elif inspect.isfunction(member):
            needed = [p for p in inspect.signature(member).parameters.values() if p.default is p.empty][1:]
            with pytest.raises(NotFittedError, match="fit"):
                getattr(model, attribute)(*[[[1.0]], [0]][: len(needed)])
    with pytest.raises(AttributeError, match="no attribute 'n_estimatorz'"):
        _ = model.n_estimatorz


def test_a_parameter_that_learning_began_with_cannot_change_in_mid_stream():
    X, y = table()
    model = oza.OnlineBaggingClassifier(oza.NaiveBayesClassifier(alpha=0.5), 3, random_state=0)
    model.set_params(categories=[None, ["sun", "rain", "fog"], None]).partial_fit(X, y)
    before = pickle.dumps(model)
    for change, back in (
        ({"n_estimators": 6}, {"n_estimators": np.int64(3)}),
        ({"estimator": None}, {"estimator": oza.NaiveBayesClassifier(alpha=0.5)}),
        ({"categories": "auto"}, {"categories": [None, np.array(["sun", "rain", "fog"]), None]}),
        ({"estimator__alpha": np.longdouble(2)}, {"estimator__alpha": 0.5}),
    ):
        model.set_params(**change)
        for learn in (model.partial_fit, model.prequential_predict):
            with pytest.raises(ValueError, match=r"when learning began and is .* now"):
                learn(X, y)
        with pytest.raises(ValueError, match=r"when learning began and is .* now"):
            model.learn_one(as_dicts(X)[9], "yes")
        assert model.set_params(**back)._changed is None
    model.n_estimators = 7
    with pytest.raises(ValueError, match=r"n_estimators was np.int64\(3\) when learning began and is 7 now"):
        model.partial_fit(X, y)
    model.set_params(n_estimators=3, categories=[None, ["sun", "rain", "fog"], None])
    assert pickle.dumps(model) == before
    assert model.set_params(n_estimators=6, n_jobs=2).fit(X, y).partial_fit(X, y)._n_models == 6
    assert model.set_params(n_jobs=1).partial_fit(X, y) is model  # is read at every call


def test_pauses_of_calls_are_measured_for_as_long_as_asked(tmp_path, monkeypatch):
    naive_bayes = {"NaiveBayesClassifier": oza.NaiveBayesClassifier}
    monkeypatch.setattr(pauses, "all_estimators", lambda _: naive_bayes)
    for seconds, n_calls in ("60", 59), ("0", 1):
        pauses.main(["--rows", "60", "--seconds", seconds, "--out", str(tmp_path / "pauses.csv")])
        found = pd.read_csv(tmp_path / "pauses.csv", thousands=",")
        assert [*found] == [*pauses.FIELDS] and [*found["call"]] == ["predict_one", "learn_one"]
        assert (found["calls"] == n_calls).all() and (np.diff(found.iloc[:, 3:].to_numpy()) >= 0).all()


def test_a_grid_reaches_the_default_base_model():
    X, y = table()
    grid = GridSearchCV(oza.OnlineBaggingClassifier(n_estimators=3), {"estimator__alpha": [0.0, 1.0]}, cv=2)
    assert grid.fit(X[["size", "sky"]], y).best_params_.keys() == {"estimator__alpha"}


def test_importances_of_a_tree_are_those_of_scikit_learn():
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 4))
    y = (X[:, 0] > 0).astype(int) + 2 * (X[:, 1] > 0.3)
    ours = oza.DecisionTreeClassifier("information_gain").fit(X, y)
    theirs = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


def test_labels_in_another_order_than_the_rows_are_refused():
    X, y = table()
    y = pd.Series(y, [f"row {n}" for n in range(len(y))])
    X.index = y.index
    X, shuffled = X[["size", "sky"]], y[::-1]
    model = oza.NaiveBayesClassifier().partial_fit(X, y)
    for call in (
        lambda: model.fit(X, shuffled),
        lambda: model.partial_fit(X, shuffled.to_frame()),
        lambda: model.prequential_predict(X, shuffled),
        lambda: model.learn_and_predict(X, shuffled, X),
        lambda: model.score(X, shuffled),
        lambda: oza.BaggingClassifier(n_estimators=2).fit(X, y).margins(X, shuffled),
        lambda: prequential(model, (X, shuffled)),
    ):
        with pytest.raises(ValueError, match=r"row 0 is 'row 0' in X and 'row 119' in y.*y\.loc\[X\.index\]"):
            call()
    weights = pd.Series(np.arange(120.0), index=y.index)[::-1]
    for call in (
        lambda: model.fit(X, y, weights),
        lambda: model.partial_fit(X, y, sample_weight=weights),
        lambda: model.score(X, y, weights),
        lambda: prequential(model, (X, y), sample_weight=weights),
    ):
        with pytest.raises(ValueError, match=r"'row 119' in sample_weight.*sample_weight\.loc\[X\.index\]"):
            call()
    twice, labels = pd.concat([X, X]), pd.concat([y, y])
    with pytest.raises(ValueError, match=r"different orders.* Pass y\.to_numpy\(\) to match"):
        model.fit(twice[::-1], labels)
    rows = [np.nan, *range(len(y) - 1)]  # labels that are missing are equal too
    with pytest.raises(ValueError, match=r"row 0 is .*nan.* in X and"):
        model.fit(X.set_axis(rows), y.set_axis(rows)[::-1])
    accuracy = model.fit(twice, labels).score(X, y)
    assert model.score(X, shuffled.loc[X.index]) == accuracy != model.score(X, shuffled.to_numpy())
    assert model.score(X.reset_index(drop=True), shuffled) == model.score(X, shuffled.to_numpy())
    for no_index in (X.to_numpy(), [*X.to_numpy()]):
        assert without_warnings(model.score, no_index, y) == accuracy


@pytest.mark.parametrize(
    "names", [[("a", 1), ("b", 2), ("b", 3)], [5, 6, 7], [0.5, 1.5, 2.5], [*pd.date_range("2001", periods=3)]]
)
def test_columns_of_any_names_are_matched_by_name(names):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=pd.Index(names))
    y = (X[names[0]] > 0).astype(int).to_numpy()
    for model in (oza.NaiveBayesClassifier().fit(X, y), oza.NaiveBayesClassifier().partial_fit(X, y)):
        assert model.feature_names_in_.tolist() == [str(name) for name in names]
        assert model.score(X, y) > 0.9
        for call in (model.predict, lambda X, model=model: model.partial_fit(X, y)):
            with pytest.raises(ValueError, match="in the same order"):
                call(X[names[::-1]])
        row = {str(name): value for name, value in zip(names, X.to_numpy()[0], strict=True)}
        assert model.predict_one(row) == model.predict(X[:1])[0]


@pytest.mark.parametrize("names", [[1, 0], ["sky", 1], [("a", 1), ("b", 2)]])
def test_a_series_with_other_names_than_strings_is_refused(names):
    model = oza.NaiveBayesClassifier().learn_one(pd.Series([0.0, 9.0]), "low")
    for call in (model.predict_one, lambda x: model.learn_one(x, "high")):
        with pytest.raises(ValueError, match="the names of columns are strings: pass a list of values"):
            call(pd.Series([9.0, 0.0], index=pd.Index(names)))


@pytest.mark.parametrize("odd", [[2.0], None])
def test_rows_by_name_and_others_are_not_mixed(odd):
    with pytest.raises(TypeError, match=r"X holds .* in row 1, after rows by name; pass dicts or lists only"):
        oza.NaiveBayesClassifier().fit([{"size": 1.0}, odd], [0, 1])
