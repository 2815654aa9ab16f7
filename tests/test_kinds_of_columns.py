"""Which columns are nominal: the types of values decide, and a declaration overrules them."""

import pickle
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from oza import NaiveBayesClassifier, OnlineBaggingClassifier, OnlineBoostingClassifier
from oza.classifier.contract import BaseModel
from oza.columns.schema import Schema

from .estimators import base_models, one_of_each

LARGE = 2**63 + 5
NUMBERS = {
    "integers": [1, 2, 3, 1],
    "small integers": np.array([1, 2, 3, 1], np.int8),
    "unsigned integers": np.array([1, 2, LARGE, 1], np.uint64),
    "floats": [1.0, 2.5, 3.0, 1.0],
    "integers and missing values": [1, None, 3, 1],
    "integers among objects": np.array([1, 2, 3, 1], object),
    "large integers among objects": np.array([1, 2, LARGE, 1], object),
    "integers and floats": np.array([1, 2.5, 3, None], object),
    "booleans and integers": np.array([True, 2, False, 1], object),
    "integers and booleans": np.array([2, True, False, 1], object),
    "decimals": [Decimal("1.5"), None, Decimal(3), Decimal("0.1")],
    "decimals and floats": np.array([Decimal("1.5"), 2.5, 3, 1.0], object),
    "nullable integers": pd.array([1, 2, pd.NA, 1], "Int64"),
    "nullable unsigned integers": pd.array([1, 2, pd.NA, 1], "UInt8"),
    "nullable floats": pd.array([1.5, pd.NA, 3.0, 1.0], "Float64"),
}
VALUES = {
    "strings": ["a", "b", "a", "c"],
    "strings and missing values": ["a", None, "a", float("nan")],
    "digits": ["1", "2", "3", "1"],
    "booleans": [True, False, True, True],
    "booleans and missing values": [True, None, False, True],
    "numpy's booleans among objects": np.array([np.True_, None, np.False_, np.True_], object),
    "nullable booleans": pd.array([True, pd.NA, False, True], "boolean"),
    "nullable strings": pd.array(["a", pd.NA, "b", "a"], "string"),
    "a categorical": pd.Categorical(["a", "b", "a", "b"]),
    "a categorical of integers": pd.Categorical([3, 1, 3, 2]),
    "a categorical of numbers, some missing": pd.Categorical([3.5, None, 3.5, 2.0]),
}
Y = [0, 1, 0, 1]


def frame(*columns):
    return pd.DataFrame({f"x{j}": column for j, column in enumerate(columns)})


def kinds(model):
    return model.is_categorical_.tolist()


@pytest.mark.parametrize("kind", NUMBERS)
def test_columns_of_numbers_are_numeric(kind):
    X = frame(NUMBERS[kind], [*"abab"])
    for model in (NaiveBayesClassifier().fit(X, Y), NaiveBayesClassifier().partial_fit(X, Y)):
        assert kinds(model) == [False, True]
        assert model.categories_[0] is None
        as_floats = X.assign(x0=pd.array(NUMBERS[kind], object)).replace({None: np.nan})
        as_floats["x0"] = [float(value) if value is not pd.NA else np.nan for value in as_floats["x0"]]
        expected = NaiveBayesClassifier(categorical_features=[1]).fit(as_floats, Y)
        np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(as_floats))


@pytest.mark.parametrize("kind", VALUES)
def test_columns_of_strings_booleans_and_categories_are_nominal(kind):
    X = frame([0.5, 1.5, 0.0, 2.0], VALUES[kind])
    for model in (NaiveBayesClassifier().fit(X, Y), NaiveBayesClassifier().partial_fit(X, Y)):
        assert kinds(model) == [False, True]
        declared = NaiveBayesClassifier(categorical_features=[1]).fit(X, Y)
        assert model.categories_[1].tolist() == declared.categories_[1].tolist()
        np.testing.assert_array_equal(model.predict_proba(X), declared.predict_proba(X))


MIXED = {"booleans and integers", "integers and booleans"}  # a row with a boolean is of another kind
TOO_LARGE = {"unsigned integers", "large integers among objects"}  # for a nominal column


@pytest.mark.parametrize(
    ("kind", "declared"),
    [(kind, "auto") for kind in [*NUMBERS, *VALUES] if kind not in MIXED]
    + [(kind, [0]) for kind in [*NUMBERS, *VALUES] if kind not in TOO_LARGE]
    + [(kind, None) for kind in NUMBERS],
)
def test_a_table_of_one_row_is_encoded_as_in_a_larger_one(kind, declared):
    X = frame((NUMBERS | VALUES)[kind], [0.5, np.nan, 1.0, -2.0])
    for table in (X, X.to_numpy(object)):
        schema = Schema.infer(table, declared)
        for n in range(4):
            for found, rows in zip(schema.encode(table[n : n + 1]), schema.encode(table), strict=True):
                np.testing.assert_array_equal(found, rows[n : n + 1])


@pytest.mark.parametrize(
    ("known", "row"),
    [([1.0, 2.0], pd.Categorical([1])), ([1.0, 2.0], [True]), ([1, 2], ["1"]), (["a", "b"], [1.0])],
)
def test_a_row_of_another_kind_is_refused(known, row):
    schema = Schema.infer(frame(known))
    with pytest.raises(ValueError, match=r"column 0 of X holds .* in row 0 and held .* before"):
        schema.encode(frame(row))


@pytest.mark.parametrize(
    ("column", "row", "value"),
    [
        (["1", None, "x"], 2, "'x'"),
        (np.array([None, 10**400, 2.5], object), 1, "'1000"),
        (pd.Categorical(["1", None, "x", "2"]), 2, "'x'"),
        (pd.Categorical([None, pd.Timestamp("2001-01-01")]), 1, "'2001-01-01 00:00:00'"),
    ],
)
def test_a_value_that_is_no_number_is_named_with_its_row(column, row, value):
    X = frame(column)
    with pytest.raises(ValueError, match=rf"column 0 of X is numeric but holds {value}.* in row {row}"):
        Schema.infer(X, None).encode(X)


@pytest.mark.parametrize(
    "column", [pd.to_datetime(["2001-01-01"] * 4), [date(2001, 1, 1)] * 4, pd.to_timedelta([1, 2, 3, 4])]
)
def test_dates_are_refused_with_the_advice_to_count_days(column):
    with pytest.raises(TypeError, match="numbers, such as the days since a fixed date"):
        NaiveBayesClassifier().fit(frame(column), Y)


_LEARNERS = base_models() | {"boosting": OnlineBoostingClassifier(n_estimators=3, random_state=0)}
CATEGORIES = {"strings": [*"badbecafegab"], "integers": [7, 2, 2, 5, 9, 2, 1, 5, 7, 9, 3, 1]}


@pytest.mark.parametrize("kind", CATEGORIES)
@pytest.mark.parametrize("name", _LEARNERS)
def test_categories_that_differ_by_chunk_are_learned_as_their_values_are(name, kind):
    model = clone(_LEARNERS[name])
    values, y = pd.Series(CATEGORIES[kind] * 4), np.array([0, 1, 1, 0, 1, 0, 0, 1] * 6)
    model.set_params(categorical_features=[0] if kind == "integers" else "auto")
    expected = learned(clone(model), [frame(values)], [y])
    model.set_params(categorical_features="auto")
    all_listed = values.astype(pd.CategoricalDtype(CATEGORIES[kind][:1] + sorted({*values} - {values[0]})))
    divided = [(values, 3), (values, 7), (values, 48), (all_listed, 5)]
    if name == "NeuralNetworkClassifier":  # its inputs are in the order in which it gets to know values
        expected = learned(clone(model), [frame(all_listed)], [y])
        divided = [(all_listed, 5), (all_listed, 3)]
    for column, length in divided:
        pieces = [frame(column[n : n + length].astype("category")) for n in range(0, 48, length)]
        found = learned(clone(model), pieces, np.split(y, range(length, 48, length)))
        assert found.categories_[0].tolist() == sorted({*values})
        shares = expected.predict_proba(frame(values))
        for asked in (values.astype("category"), values):
            np.testing.assert_array_equal(found.predict_proba(frame(asked)), shares)


def test_categories_of_the_first_call_are_known_and_others_join():
    X = frame(pd.Categorical([*"abab"], categories=[*"abc"]))
    for model in (NaiveBayesClassifier().fit(X, Y), NaiveBayesClassifier().partial_fit(X, Y)):
        assert model.categories_[0].tolist() == ["a", "b", "c"]
        model.partial_fit(frame(pd.Categorical(["d"])), [0])
        assert model.categories_[0].tolist() == ["a", "b", "c", "d"]
    declared = NaiveBayesClassifier(categories=[[*"abc"]]).partial_fit(X, Y)
    with pytest.warns(UserWarning, match="Declare every value"):
        declared.partial_fit(frame(pd.Categorical(["d"])), [0])
    assert declared.categories_[0].tolist() == ["a", "b", "c"]


def test_a_category_that_does_not_occur_may_be_no_number():
    X = frame(pd.Categorical(["1", None, "2.5"], categories=["1", "2.5", "x"]))
    np.testing.assert_array_equal(Schema.infer(X, None).encode(X).numbers, [[1.0], [np.nan], [2.5]])


def learned(model, pieces, labels):
    for piece, label in zip(pieces, labels, strict=True):
        model.partial_fit(piece, label, classes=[0, 1])
    return model


@pytest.mark.parametrize("model", one_of_each(BaseModel, random_state=0).values())
def test_integers_first_and_floats_later_are_one_numeric_column(model):
    rows = [{"a": value} for value in (1, 1.5, 2, 3.25, 2, 1)]
    one_by_one = learned(clone(model), [pd.DataFrame([row]) for row in rows], [[n % 2] for n in range(6)])
    assert kinds(one_by_one) == [False]
    X = pd.DataFrame(rows)
    assert X["a"].dtype == float
    at_once = learned(clone(model), [X], [[0, 1] * 3])
    np.testing.assert_array_equal(one_by_one.predict_proba(X), at_once.predict_proba(X))


def test_chunks_of_a_file_agree_on_the_kinds_of_columns(tmp_path):
    rng = np.random.default_rng(0)
    text = pd.DataFrame(
        {
            "whole at first": [*range(30), *rng.normal(size=30)],
            "missing at first": [*[None] * 20, *rng.integers(0, 9, 40)],
            "colour": rng.choice(["red", "green"], 60),
            "none at first": [*[None] * 20, *rng.choice(["u", "v"], 40)],
            "y": rng.integers(0, 2, 60),
        }
    )
    text["whole at first"] = [f"{value:g}" for value in text["whole at first"]]
    path = tmp_path / "stream.csv"
    text.to_csv(path, index=False)
    whole = pd.read_csv(path)
    at_once = NaiveBayesClassifier().partial_fit(whole.drop(columns="y"), whole["y"])
    in_chunks = NaiveBayesClassifier()
    for chunk in pd.read_csv(path, chunksize=10):
        in_chunks.partial_fit(chunk.drop(columns="y"), chunk["y"])
    assert kinds(in_chunks) == kinds(at_once) == [False, False, True, True]
    X = whole.drop(columns="y")
    np.testing.assert_array_equal(in_chunks.predict_proba(X), at_once.predict_proba(X))


LATE = {"numbers": [1.5, 2.0, 0.25, 1.0, 7.0, 1.5], "integers": [3, 1, 2, 2, 1, 5], "strings": [*"ababca"]}
LATE["booleans"] = [True, False, True, True, False, True]


@pytest.mark.parametrize("kind", LATE)
@pytest.mark.parametrize("base", base_models())
def test_a_column_that_begins_with_missing_values_has_the_kind_of_those_that_come(base, kind):
    late = pd.DataFrame(
        {"late": [None] * 4 + LATE[kind], "known": [*"uvuvuvuvuv"], "never": [None] * 10}, dtype=object
    )
    y = np.array([0, 1, 1, 0, 1, 0, 0, 1, 0, 1])
    nominal = ["late"] * (kind in ("strings", "booleans")) + ["known"]
    model = base_models()[base]
    expected = learned(clone(model).set_params(categorical_features=nominal), [late], [y])
    for cuts in ([], [4], [1, 2, 3, 4, 5, 6, 7, 8, 9], [2, 7]):
        found = learned(clone(model), [late[a:b] for a, b in spans(cuts)], [y[a:b] for a, b in spans(cuts)])
        assert kinds(found)[:2] == kinds(expected)[:2] == ["late" in nominal, True]
        for each in (found, pickle.loads(pickle.dumps(found))):
            np.testing.assert_array_equal(each.predict_proba(late), expected.predict_proba(late))


def spans(cuts):
    return list(zip([0, *cuts], [*cuts, 10], strict=True))


#: What a column held before, what it holds then, and the first value that is of another kind.
OTHERS = {
    "numbers, then strings": ([1.5, 2.0], ["a", "b"], "'a'"),
    "integers, then strings": ([1, 2], ["a", "b"], "'a'"),
    "integers, then booleans": ([1, 2], [True, False], "True"),
    "integers, then categories": ([1, 2], pd.Categorical([1, 2]), "1"),
    "strings, then numbers": (["a", "b"], [1.5, 2.0], "1.5"),
    "strings, then integers": (["a", "b"], [1, 2], "1"),
    "booleans, then integers": ([True, False], [1, 0], "1"),
    "booleans, then numbers": ([True, False], [1.0, 0.0], "1.0"),
    "missing values, numbers, then strings": ([None, 2.5], ["a", "b"], "'a'"),
    "missing values, strings, then numbers": ([None, "a"], [None, 2.5], "2.5"),
}


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize(
    "model", [NaiveBayesClassifier(), OnlineBaggingClassifier(n_estimators=2, random_state=0)]
)
@pytest.mark.parametrize("starts_missing", [False, True])
def test_values_of_the_other_kind_are_refused_and_change_nothing(model, kind, starts_missing):
    before, after, value = OTHERS[kind]
    model = clone(model)
    if starts_missing:
        model.partial_fit(frame([None, None], [1.0, 2.0]).astype({"x0": object}), [0, 1], classes=[0, 1])
    model.partial_fit(frame(before, [1.0, 2.0]), [0, 1], classes=[0, 1])
    pickled, wrong = pickle.dumps(model), frame(after, [1.0, 2.0])
    message = rf"column 0 of X holds {value} in row [01] and held .* before: .*categorical_features"
    for call in (
        model.predict,
        model.predict_proba,
        lambda X: model.partial_fit(X, [0, 1]),
        lambda X: model.prequential_predict(X, [0, 1]),
        lambda X: model.learn_and_predict(X, [0, 1], X, after=[1]),
    ):
        with pytest.raises(ValueError, match=message):
            call(wrong)
        assert pickle.dumps(model) == pickled


FORMS = {
    "objects": lambda values: np.array([[value] for value in values], object),
    "strings of fixed width": lambda values: np.array([["" if v is None else v] for v in values]),
    "a frame of objects": lambda values: pd.DataFrame({"x": pd.Series(values, dtype=object)}),
    "a frame of strings": lambda values: pd.DataFrame({"x": pd.array(values, "string")}),
    "a frame of strings of Arrow": lambda values: pd.DataFrame({"x": pd.array(values, "string[pyarrow]")}),
    "a frame of categories": lambda values: pd.DataFrame({"x": pd.Categorical(values)}),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("length", [1, 3, 12, 70])
@pytest.mark.parametrize("letters", ["ab", "aé€", "a\U0001f600\U0010ffff"])
def test_strings_are_encoded_alike_in_every_form(form, length, letters):
    if "Arrow" in form:
        pytest.importorskip("pyarrow")
    rng = np.random.default_rng(length)
    words = ["".join(rng.choice([*letters], rng.integers(0, length + 1))) for _ in range(20)]
    missing = "" if "fixed" in form else None
    values = [missing if rng.random() < 0.1 else words[i] for i in rng.integers(0, 20, 300)]
    X = FORMS[form](values)
    schema = Schema.infer(X)
    (known,) = schema.categories
    assert known.tolist() == sorted({value for value in values if value is not None})
    numbers = {value: code for code, value in enumerate(known.tolist())}
    assert schema.encode(X).codes[:, 0].tolist() == [numbers.get(value, -1) for value in values]


def test_labels_that_float64_would_merge_are_refused():
    model = NaiveBayesClassifier().learn_one([1.0], 1)
    with pytest.raises(ValueError, match=r"y holds integers from 2.*such as 9223372036854775808.*as str"):
        model.learn_one([1.0], 2**63)
    with pytest.raises(ValueError, match=r"y\[0\] is 1000000000.{,60}, of the type int"):
        model.learn_one([1.0], 10**400)


def test_decimals_are_numbers_one_by_one_and_in_arrow():
    prices = [Decimal("1.50"), Decimal("2.25"), Decimal("7.00"), Decimal("1.75")]
    one_by_one, floats = NaiveBayesClassifier(), NaiveBayesClassifier()
    for price, label in zip(prices, Y, strict=True):
        one_by_one.learn_one({"price": price}, label)
        floats.learn_one({"price": float(price)}, label)
    pyarrow = pytest.importorskip("pyarrow")
    X = pd.DataFrame({"price": pd.array(prices, pd.ArrowDtype(pyarrow.decimal128(9, 2)))})
    for model in (one_by_one, NaiveBayesClassifier().fit(X, Y)):
        assert model.predict_proba_one({"price": Decimal(2)}) == floats.predict_proba_one({"price": 2.0})


@pytest.mark.parametrize("labels", [[True, False, True], [2**53, 2**53 + 1, 3], ["a", "b", "a"]])
def test_labels_mean_the_same_in_the_types_of_pandas_and_numpy(labels):
    X, plain = [[1.0], [5.0], [9.0]], NaiveBayesClassifier().fit([[1.0], [5.0], [9.0]], labels)
    for backend in ("numpy_nullable", "pyarrow"):
        y = pd.Series(labels, dtype=object).convert_dtypes(dtype_backend=backend)
        found = NaiveBayesClassifier().fit(X, y)
        assert found.classes_.tolist() == plain.classes_.tolist()
        assert set(map(type, found.classes_.tolist())) == {type(labels[0])}
    with pytest.raises(ValueError, match=r"Input y contains NaN, NA or None: y\[0\] is <NA>"):
        NaiveBayesClassifier().fit(X, pd.Series([None, 1, 2], dtype="Int64"))
    for first, later, kind in [("i8", "u8", "i"), ("u8", "i8", "i"), ("u8", "f8", "i"), ("f2", "f2", "f")]:
        model = NaiveBayesClassifier().partial_fit(X[:2], np.array([0, 1], first))
        assert model.partial_fit(X[2:], np.array([2], later)).classes_.dtype.kind == kind
