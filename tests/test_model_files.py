"""Model files hold what was learned, and do no harm whoever wrote them."""

import io
import json
import pickle
from copy import deepcopy
from typing import Annotated, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.base import BaseEstimator, ClassifierMixin, clone

import oza
from oza.classifier.base import KernelClassifier
from oza.discovery import all_estimators
from oza.drift import ADWIN
from oza.extend import OnlineEnsemble, implements, step
from oza.extend import learn as learn_example
from oza.models.hoeffding_tree.state import NODE
from tests import altered_files
from tests.altered_files import LEARNED, LEARNERS, REFUSED, learn, rows_of, stream_of
from tests.estimators import base_models, full_but
from tests.majority import MajorityClassifier, MajorityModels

BASES = base_models(hidden_units=4)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skops"


def again(model, path):
    oza.save(model, path)
    return oza.load(path)


def assert_same(model, other, X):
    if hasattr(model, "predict_proba"):
        np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))
    else:  # what shares memory is not the same in a copy, nor in its pickle
        assert pickle.dumps(pickle.loads(pickle.dumps(model))) == pickle.dumps(
            pickle.loads(pickle.dumps(other))
        )


class Memory(NamedTuple):
    """What `RememberingClassifier` remembers, with entries and lengths that no state of the library has."""

    lowest: Annotated[np.ndarray, "M"]
    last: Annotated[np.ndarray, "M", "labels"]
    history: Annotated[np.ndarray, "T"]
    labels: np.ndarray
    model: Annotated[np.ndarray, "1", "index M"]


@implements(step, Memory)
def _remember(memory, models, examples, n, label, weight, row):
    for m in range(len(memory.labels)):
        memory.lowest[m] = min(memory.lowest[m], -1.0 - m)
        memory.last[m] = label
        learn_example(models, m, examples, n, label, weight)


class RememberingClassifier(OnlineEnsemble):
    """Remembers negative and infinite numbers, a list, and an array that grows."""

    def _start(self, kind, schema, classes):
        state = super()._start(kind, schema, classes)
        n_models = state["_n_models"]
        memory = Memory(
            *(np.full(n_models, np.inf), np.full(n_models, -1), np.empty(0), np.empty(n_models, np.int32)),
            np.zeros(1, np.int64),
        )
        return state | {"_memory": memory, "_sizes": [], "_lowest": 0.0}

    def _algorithm(self):
        return self._memory

    def _has_learned(self, n_examples=0):
        super()._has_learned(n_examples)
        self._sizes = [*self._sizes, self._n_seen - sum(self._sizes)]
        self._lowest = -1.5
        self._memory = self._memory._replace(history=np.append(self._memory.history, -np.inf))


def save_unchecked(monkeypatch, model, path):
    """Write a file that `load` must refuse."""
    with monkeypatch.context() as patched:
        patched.setattr(oza.model_files, "_read", lambda *arguments: None)
        oza.save(model, path)


def with_attribute(model, name, value):
    other = deepcopy(model)
    setattr(other, name, value)
    return other


class TestRoundTrips:
    @pytest.mark.parametrize("name", LEARNERS)
    @pytest.mark.parametrize("share", full_but([0.0, 0.2, 0.7], 0.2))
    def test_learning_goes_on_to_the_same_bits(self, name, share, path):
        stream = stream_of(name)
        cut = int(share * len(stream[0]))
        never_saved = clone(LEARNERS[name])
        if cut > 0:
            learn(never_saved, rows_of(stream, slice(cut)))
        saved = again(never_saved, path)
        assert type(saved) is type(never_saved)
        for rows in (slice(cut, cut + 10), slice(cut + 10, None)):
            for model in (never_saved, saved):
                learn(model, rows_of(stream, rows))
            assert_same(never_saved, saved, stream[0])

    def test_every_public_estimator_is_among_them(self):
        assert {*all_estimators().values(), ADWIN} == {type(learner) for learner in LEARNERS.values()}

    @pytest.mark.parametrize("model", [oza.OnlineArcX4Classifier(), oza.InputDecimationClassifier()])
    def test_an_older_file_holds_attributes_that_are_no_parameters(self, model, path):
        older = clone(model)
        older.random_state, older.n_estimators = 0, 1
        assert vars(again(older, path)).keys() == vars(model).keys() | {"random_state", "n_estimators"}

    def test_new_values_and_classes_come_after_loading(self, path):
        X, y = altered_files.frame()
        for base in BASES.values():
            model = oza.OnlineBaggingClassifier(base, n_estimators=3, random_state=0)
            is_known = X["colour"] != "blue"
            model.partial_fit(X[is_known], y[is_known])
            saved = again(model, path)
            for each in (model, saved):
                each.partial_fit(X, np.where(X["colour"] == "blue", "perhaps", y))
            assert_same(model, saved, X)

    def test_parameters_that_changed_in_between(self, path):
        X, y = altered_files.frame()
        model = oza.OnlineBaggingClassifier(n_estimators=3, random_state=0).fit(X, y)
        saved = again(model.set_params(n_estimators=9), path)
        with pytest.raises(ValueError, match="n_estimators was 3 when learning began"):
            saved.partial_fit(X, y)
        assert len(saved.fit(X, y).estimators_) == 9

    def test_stumps_of_more_numbers_than_a_block_holds(self, path):
        X = np.random.default_rng(0).normal(size=(400, 2))
        y = np.where(X[:, 0] > 0.5, "yes", "no")
        model = oza.OnlineBaggingClassifier(oza.DecisionStumpClassifier(), n_estimators=3, random_state=0)
        model.partial_fit(X[:300], y[:300])
        saved = again(model, path)
        for each in (model, saved):
            each.partial_fit(X[300:], y[300:])
        assert_same(model, saved, X)

    def test_an_open_file(self):
        model, file = oza.NaiveBayesClassifier().fit(*altered_files.numbers()), io.BytesIO()
        oza.save(model, file)
        assert_same(model, oza.load(io.BytesIO(file.getvalue())), altered_files.numbers()[0])

    def test_categories_and_labels_of_any_type(self, path):
        X, y = altered_files.bits()
        for labels in (y, y.astype("M8[D]"), y.astype("m8[s]")):
            model = oza.NaiveBayesClassifier(categories=[range(2), [0, 1], np.arange(2), (0, 1)])
            assert_same(model.fit(X, labels), again(model, path), X)

    def test_random_states(self, path):
        X, y = altered_files.frame()
        model = oza.OnlineBaggingClassifier(n_estimators=3, random_state=np.random.RandomState(1)).fit(X, y)
        saved = again(model, path)
        assert_same(model, saved, X)
        assert_same(model.fit(X, y), saved.fit(X, y), X)

    def test_pickles_are_not_checked(self, monkeypatch):
        monkeypatch.setattr("oza.model_files._checked", None)
        X, y = altered_files.frame()
        pickle.loads(pickle.dumps(oza.NaiveBayesClassifier().fit(X, y)))


class Majority(ClassifierMixin, BaseEstimator):
    """A classifier that neither this library nor scikit-learn knows."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = int(counts.argmax())
        return self

    def predict(self, X):
        return self.classes_[np.full(len(X), self.most_)]


class TestSaving:
    def test_the_file_is_replaced_at_once(self, path, monkeypatch):
        oza.save(oza.NaiveBayesClassifier(), path)
        before = path.read_bytes()
        monkeypatch.setattr("pathlib.Path.replace", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            oza.save(oza.DecisionStumpClassifier(), path)
        assert path.read_bytes() == before and [*path.parent.iterdir()] == [path]

    def test_what_is_no_estimator_is_refused(self, path):
        with pytest.raises(TypeError, match=r"model must be an estimator; got \[1\]"):
            oza.save([1], path)
        for other in (None, path.parent):
            with pytest.raises((TypeError, OSError), match=r"path (must be .*; got None|is the folder)"):
                oza.save(oza.NaiveBayesClassifier(), other)

    def test_what_cannot_be_saved_is_refused(self, path):
        model = oza.NaiveBayesClassifier(categories=[(n for n in "ab")])
        with pytest.raises(TypeError, match=r"model.skops: NaiveBayesClassifier holds .*; leave it out"):
            oza.save(model, path)
        X = pd.DataFrame({"day": pd.Categorical(pd.to_datetime(["2020-01-01", "2020-01-02"]))})
        with pytest.raises(TypeError, match=r"must be strings. Types .*: pandas.*Timestamp\."):
            oza.save(oza.NaiveBayesClassifier().fit(X, [0, 1]), path)
        assert not path.exists()

    def test_skops_reads_the_file_too(self, path):
        oza.save(oza.NaiveBayesClassifier(alpha=2.0), path)
        model = skops.io.load(path, trusted=skops.io.get_untrusted_types(file=path))
        assert model.alpha == 2.0


def members_of(path):
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_node(path, tests_first=True, **entries):
    """Alter the first test, or leaf, of a Hoeffding tree in a file."""
    members = members_of(path)
    for name, content in members.items():
        if name.endswith(".npy"):
            array = np.load(io.BytesIO(content))
            if array.dtype.names == NODE.names:
                i = np.flatnonzero((array["attribute"] >= 0) == tests_first)[0]
                for field, value in entries.items():
                    array[field][i] = value
                altered = io.BytesIO()
                np.save(altered, array)
                members[name] = altered.getvalue()
    path.write_bytes(altered_files.with_members(members))


class TestLoading:
    @pytest.fixture
    def tree(self, path):
        X, y = altered_files.frame()
        model = oza.HoeffdingTreeClassifier(grace_period=10, delta=0.2, tie_threshold=0.5).fit(X, y)
        assert model.n_nodes_ > 3
        oza.save(model, path)
        return path

    @pytest.mark.parametrize(
        ("entries", "message"),
        [
            ({"child": 0}, "has nodes whose children are not behind them"),
            ({"child": 10**6}, "has nodes whose children are not behind them"),
            ({"attribute": 77}, "tests attributes that there are not"),
            ({"widest": 9}, "has tests whose widest branch is none"),
            ({"parent": 3}, "has nodes that name another parent"),
            ({"row": 0}, "has nodes with wrong rows of statistics"),
            ({"row": 10**6, "tests_first": False}, "has nodes with wrong rows of statistics"),
            ({"row": -7, "tests_first": False}, "has nodes with wrong rows of statistics"),
        ],
    )
    def test_an_altered_tree_is_refused_before_any_kernel_gets_it(self, tree, entries, message):
        with_node(tree, **entries)
        expected = rf"model.skops is damaged or was altered: _models.trees\[0\] {message}; take another copy"
        with pytest.raises(ValueError, match=expected):
            oza.load(tree)

    def test_a_file_of_a_newer_format_is_refused(self, tree):
        members = members_of(tree)
        about = json.loads(members["oza.json"])
        members["oza.json"] = json.dumps(about | {"format": 2, "oza": "9.1"}).encode()
        tree.write_bytes(altered_files.with_members(members))
        with pytest.raises(ValueError, match=r"model.skops was written by oza 9.1 in format 2; .* Install"):
            oza.load(tree)

    def test_another_version_of_the_same_format_is_read(self, tree):
        members = members_of(tree)
        about = json.loads(members["oza.json"])
        assert about["oza"] == oza.__version__
        members["oza.json"] = json.dumps(about | {"oza": "9.1"}).encode()
        tree.write_bytes(altered_files.with_members(members))
        assert oza.load(tree).n_nodes_ > 3

    def test_damage_is_found_by_the_digest(self, tree):
        members = members_of(tree)
        members["schema.json"] = members["schema.json"].replace(b"grace_period", b"grace_perioD")
        with ZipFile(tree, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        with pytest.raises(ValueError, match=r"model.skops is damaged .* do not have the digest"):
            oza.load(tree)

    def test_other_files_are_refused(self, path):
        path.write_bytes(b"x" * 99)
        with pytest.raises(ValueError, match=r"model.skops is damaged .*: File is not a zip file; take"):
            oza.load(path)
        path.write_bytes(skops.io.dumps(oza.NaiveBayesClassifier()))
        with pytest.raises(ValueError, match=r"it has no oza.json, which oza.save writes"):
            oza.load(path)
        with pytest.raises(FileNotFoundError, match="nowhere"):
            oza.load("nowhere.skops")

    def test_members_that_unpack_to_more_are_refused(self, tree):
        members = members_of(tree)
        with ZipFile(tree, "w", ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        with pytest.raises(ValueError, match=r"members that oza.save does not write"):
            oza.load(tree)

    def test_a_type_of_others_must_be_trusted(self, path):
        X, y = altered_files.numbers()
        model = oza.BaggingClassifier(Majority(), n_estimators=2, random_state=0).fit(X, y)
        oza.save(model, path)
        name = f"{Majority.__module__}.Majority"
        with pytest.raises(ValueError, match=rf"model.skops holds types that are not trusted: {name}\. If"):
            oza.load(path)
        for trusted in ([name], [Majority], name, Majority):
            assert_same(model, oza.load(path, trusted=trusted), X)

    def test_a_base_model_of_your_own(self, path):
        X, y = altered_files.frame()
        model = oza.OnlineBoostingClassifier(MajorityClassifier(), n_estimators=3, random_state=0)
        model.partial_fit(X[:200], y[:200])
        oza.save(model, path)
        every = r"\['tests.majority.MajorityClassifier', 'tests.majority.MajorityModels'\]"
        for trusted in ([], [MajorityClassifier], [MajorityModels]):
            with pytest.raises(ValueError, match=rf"pass trusted={every}\."):
                oza.load(path, trusted)
        saved = oza.load(path, trusted=[MajorityClassifier, MajorityModels])
        for each in (model, saved):
            each.partial_fit(X[200:], y[200:])
        assert_same(model, saved, X)

    def test_an_ensemble_that_remembers_more(self, path):
        X, y = altered_files.frame()
        model = RememberingClassifier(n_estimators=3, random_state=0).partial_fit(X[:100], y[:100])
        oza.save(model, path)
        trusted = [RememberingClassifier, Memory]
        saved = oza.load(path, trusted)
        for each in (model, saved):
            each.partial_fit(X[100:], y[100:])
        assert_same(model, saved, X)
        for a, b in zip(model._memory, saved._memory, strict=True):
            np.testing.assert_array_equal(a, b)
        assert saved._sizes == [100, len(y) - 100] and saved._lowest == -1.5
        for name, other, why in [
            ("_memory", model._memory._replace(lowest=np.zeros(3, np.float32)), "has the type float32"),
            ("_memory", model._memory._replace(lowest=np.zeros(2)), r"has the shape \(2,\)"),
            ("_memory", model._memory._replace(last=np.full(3, 99)), "has entries outside -1 to 1"),
            ("_memory", model._memory._replace(model=np.full(1, 3)), "has entries outside 0 to 2"),
            ("_lowest", 1, "is of the type int"),
        ]:
            said = f"load would refuse this RememberingClassifier: {name}.*{why}"
            with pytest.raises(TypeError, match=said):
                oza.save(with_attribute(model, name, other), path)
        assert oza.load(path, trusted)._sizes == [100]

    def test_no_function_of_the_library_is_trusted(self, path):
        oza.save(oza.NaiveBayesClassifier(alpha=oza.load), path)
        with pytest.raises(ValueError, match=r"not trusted: oza.model_files.load"):
            oza.load(path)

    @pytest.mark.parametrize("estimator", [oza.NaiveBayesClassifier(), oza.Winnow(), ADWIN()])
    def test_an_attribute_that_hides_a_method_is_refused(self, estimator, path, monkeypatch):
        learn(
            estimator,
            {"Winnow": altered_files.bits(), "ADWIN": ([0, 1],)}.get(
                type(estimator).__name__, altered_files.frame()
            ),
        )
        vars(estimator)["update" if isinstance(estimator, ADWIN) else "partial_fit"] = 1
        with pytest.raises(TypeError, match="load would refuse this"):
            oza.save(estimator, path)
        save_unchecked(monkeypatch, estimator, path)
        with pytest.raises(ValueError, match=r"has no attribute '(update|partial_fit)'"):
            oza.load(path)

    def test_a_count_that_the_file_does_not_hold_makes_nothing(self, path, monkeypatch):
        X, y = altered_files.frame()
        for model, name in [
            (oza.OnlineBaggingClassifier(oza.HoeffdingTreeClassifier(), n_estimators=2), "n_estimators"),
            (oza.NeuralNetworkClassifier(hidden_units=2), "hidden_units"),
        ]:
            model.fit(X, y)
            for each in (model, model._kind):
                if name in vars(each):
                    vars(each)[name] = 10**9  # without a record of the change
            save_unchecked(monkeypatch, model, path)
            with pytest.raises(ValueError, match=r"model\.skops is damaged or was altered: "):
                oza.load(path)


def assert_harmless(first, last):
    found = altered_files.outcomes(first, last)
    assert [*found] == [*range(first, last)]
    # of what scikit-learn has learned only scikit-learn knows the form; it raises errors of its own
    others = {n: said for n, said in found.items() if said not in (REFUSED, LEARNED)}
    harmful = [
        (n, said) for n, said in others.items() if ": ValueError" not in said and "third party: " not in said
    ]
    assert not harmful
    assert [*found.values()].count(REFUSED) > len(found) / 4


@pytest.mark.full  # thousands of files; TestLoading has one for each kind of fault
def test_altered_files_neither_crash_nor_hang():
    assert_harmless(0, 60)


@pytest.mark.long
def test_many_altered_files_neither_crash_nor_hang():
    assert_harmless(60, 560)


def test_every_kernel_classifier_is_altered():
    assert {*all_estimators(KernelClassifier).values()} <= {type(learner) for learner in LEARNERS.values()}
