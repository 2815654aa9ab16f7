"""Drawn streams: the same bits by whatever slices, and the laws that were published."""

import hashlib
import os
import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oza import NaiveBayesClassifier
from oza.compare import open_stream
from oza.datasets import calendar_stream, dataset_info, load_dataset
from oza.datasets.generate import chain_parameters
from oza.streams import LED, SEA, STAGGER, Agrawal, Chain, Hyperplane, RandomRBF, drift

STREAMS = {
    "sea": (SEA(), "02194a8c8107"),
    "hyperplane": (Hyperplane(change=0.001), "1226b083f4d1"),
    "rbf": (RandomRBF(), "19e4316a21f5"),
    "moving rbf": (RandomRBF(n_classes=5, speed=0.001, n_moving=25), "40f93e29e398"),
    "led": (LED(n_drifting=3), "adb973b02764"),
    "stagger": (STAGGER(function=2), "ccf6c1e7027d"),
    "agrawal": (Agrawal(function=7), "9aa3382ce22d"),
    "chain": (Chain("synthetic3", random_state=7), "85c36a94922d"),
    "drift": (drift(SEA(1), SEA(4), 10**6 + 500, width=300), "2096abf5abd0"),
}
every = pytest.mark.parametrize("stream", [s for s, _ in STREAMS.values()], ids=STREAMS)
N = 40_000


def is_near(share, expected, n=N):
    """Whether a share is within 4.5 standard errors of its expectation."""
    return abs(share - expected) <= 4.5 * np.sqrt(expected * (1 - expected) / n) + 1e-12


class TestSlices:
    @every
    @settings(max_examples=15)
    @given(first=st.sampled_from([0, 999_900, 10**9, 2**62]), cuts=st.lists(st.integers(0, 200), max_size=4))
    def test_any_slices_give_the_same_bits(self, stream, first, cuts):
        X, y = stream[first : first + 200]
        edges = [0, *sorted(cuts), 200]
        for start, stop in pairwise(edges):
            part = stream[first + start : first + stop]
            assert part[0].tobytes() == X[start:stop].tobytes()
            assert part[1].tobytes() == y[start:stop].tobytes()

    @every
    def test_one_example_a_step_a_list_and_chunks_are_slices_too(self, stream):
        X, y = stream[0:1000]
        assert stream[777][0].tolist() == X[777].tolist()
        assert stream[777][1] == y[777]
        assert (stream[5:1000:7][0] == X[5::7]).all()
        order = np.random.default_rng(0).permutation(1000)
        assert (stream.take(order)[0] == X[order]).all()
        pieces = [*stream.chunks(start=100, stop=1000, size=333)]
        assert [len(labels) for _, labels in pieces] == [333, 333, 234]
        assert (np.concatenate([piece for piece, _ in pieces]) == X[100:]).all()
        assert (next(iter(stream))[1] == y).all()

    @pytest.mark.parametrize("name", STREAMS)
    def test_it_is_the_stream_on_record(self, name):
        stream, recorded = STREAMS[name]
        X, y = stream[10**6 : 10**6 + 1000]
        assert hashlib.sha256(X.tobytes() + y.tobytes()).hexdigest()[:12] == recorded

    @every
    def test_streams_are_values(self, stream):
        again = pickle.loads(pickle.dumps(stream))
        assert again == stream
        assert hash(again) == hash(stream)
        assert eval(repr(stream), dict(vars(__import__("oza.streams", fromlist=["x"])))) == stream
        other = type(stream)(**{**vars_of(stream), "random_state": 8})
        assert other != stream
        assert (other[0:100][0] != stream[0:100][0]).any() or (name_of(stream) == "DriftingStream")

    @every
    def test_what_it_says_of_its_columns_is_what_classifiers_take(self, stream):
        X, y = stream[0:2000]
        assert X.shape[1] == len(stream.feature_names) == len(set(stream.feature_names))
        assert set(y) <= set(stream.classes)
        for column, values in zip(X.T, stream.categories, strict=True):
            assert values is None or set(column) == set(values)
        assert (X.dtype == np.int64) == stream.categorical_features.all()
        model = NaiveBayesClassifier(
            categorical_features=stream.categorical_features, categories=stream.categories
        )
        model.partial_fit(X, y, classes=stream.classes)
        assert model.score(X, y) > np.bincount(y).max() / len(y) - 0.05

    @pytest.mark.parametrize(
        ("which", "message"),
        [
            (slice(0, None), "a stream has no end"),
            (slice(-5, 5), "the start of a slice must be an integer of at least 0; got -5"),
            (slice(0, 5, 0), "the step of a slice must be an integer of at least 1"),
            (slice(0, 1.5), "the end of a slice must be an integer"),
            (-1, "the number of an example must be an integer of at least 0"),
            ("a", "got 'a'"),
            (2**63, "must be an integer from 0 to 9223372036854775807; got 9223372036854775808"),
        ],
    )
    def test_what_is_no_slice_is_refused(self, which, message):
        with pytest.raises(ValueError, match=message):
            STAGGER()[which]


def vars_of(stream):
    return {name: getattr(stream, name) for name in stream.__dataclass_fields__}


def name_of(stream):
    return type(stream).__name__


class TestLaws:
    def test_stagger(self):
        rules = {
            1: lambda size, colour, shape: size == "small" and colour == "red",
            2: lambda size, colour, shape: colour == "green" or shape == "circle",
            3: lambda size, colour, shape: size in ("medium", "large"),
        }
        for function, rule in rules.items():
            stream = STAGGER(function)
            X, y = stream[:1000]
            for row, label in zip(X.tolist(), y.tolist(), strict=True):
                assert label == rule(*(a.values[v] for a, v in zip(stream.attributes, row, strict=True)))
        X, _ = STAGGER()[:N]
        assert all(is_near(np.mean(X[:, j] == v), 1 / 3) for j in range(3) for v in range(3))

    def test_sea(self):
        for function, threshold in enumerate((8, 9, 7, 9.5), start=1):
            X, y = SEA(function, noise=0)[:N]
            assert (y == (X[:, 0] + X[:, 1] > threshold)).all()
            assert is_near(np.mean(y == 0), threshold**2 / 200)

    @pytest.mark.parametrize("function", range(1, 11))
    def test_agrawal(self, function):
        X, y = Agrawal(function, perturbation=0)[:5000]
        for row, label in zip(X.tolist(), y.tolist(), strict=True):
            assert label == (0 if is_in_group_a(function, *row) else 1)

    @pytest.mark.parametrize("stream", [SEA(2, noise=0.2), Hyperplane(noise=0.1, change=0.001)], ids=name_of)
    def test_the_best_of_two_classes_is_wrong_where_there_is_noise(self, stream):
        pure = type(stream)(**{**vars_of(stream), "noise": 0.0})
        assert is_near(np.mean(pure[:N][1] == stream[:N][1]), stream.bayes_accuracy)
        assert pure.bayes_accuracy == 1

    @pytest.mark.parametrize("name", ["synthetic1", "synthetic2", "synthetic3"])
    def test_the_best_classifier_of_a_chain_is_as_good_as_stated(self, name):
        stream = Chain(name)
        X, y = stream[10**9 : 10**9 + N]
        prior, first, step = chain_parameters(dataset_info(name).thesis_name)
        scores = []
        for c in (0, 1):
            zero = np.column_stack([step[c, X[:, 1:]], np.full(N, first[c])])
            scores.append(np.log(prior if c == 0 else 1 - prior) + np.log(np.where(X, 1 - zero, zero)).sum(1))
        assert is_near(np.mean((scores[1] > scores[0]) == y), stream.bayes_accuracy)

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: SEA(5), "function must be an integer from 1 to 4; got 5"),
            (lambda: Hyperplane(n_features=3, n_drifting=4), "n_drifting must be an integer from 0 to 3"),
            (lambda: RandomRBF(n_classes=1), "n_classes must be an integer of at least 2; got 1"),
            (lambda: LED(n_drifting=8), "n_drifting must be an integer from 0 to 7"),
            (lambda: LED(n_drifting=2, with_irrelevant=False), "with_irrelevant=False leaves none"),
            (lambda: Chain("synthetic4"), 'name must be "synthetic1" or "synthetic2" or "synthetic3"; got'),
            (lambda: SEA().take(np.array([2**63 + 5], np.uint64)), r"a number in rows must be .*; got 922"),
            (lambda: calendar_stream(changes=-1), "changes must be a number at least 0 and at most 1; got"),
            (lambda: calendar_stream(terms=None), "terms must be integers from 0 on, one or more; got None"),
            (lambda: drift(SEA(), 3, 5), "after must be a stream of oza.streams; got 3"),
            (lambda: drift(SEA(), STAGGER(), 5), "before and after must have the same attributes"),
            (
                lambda: drift(SEA(), SEA(), 5, width=-1),
                r"width must be a number at least 0 and finite \(of examples\); got -1",
            ),
        ],
    )
    def test_bad_parameters_are_refused(self, make, message):
        with pytest.raises(ValueError, match=message):
            make()


def is_in_group_a(function, salary, commission, age, level, car, zipcode, house, years, loan):
    """The ten rules, as published."""
    young, old = age < 40, age >= 60
    disposable = 2 * (salary + commission) / 3
    match function:
        case 1:
            return young or old
        case 2 | 6:
            income = salary if function == 2 else salary + commission
            if young:
                return 50_000 <= income <= 100_000
            return 25_000 <= income <= 75_000 if old else 75_000 <= income <= 125_000
        case 3:
            return level in ((0, 1) if young else (2, 3, 4) if old else (1, 2, 3))
        case 4:
            if young:
                return 25_000 <= salary <= 75_000 if level in (0, 1) else 50_000 <= salary <= 100_000
            if old:
                return 50_000 <= salary <= 100_000 if level in (2, 3, 4) else 25_000 <= salary <= 75_000
            return 50_000 <= salary <= 100_000 if level in (1, 2, 3) else 75_000 <= salary <= 125_000
        case 5:
            if young:
                return (
                    100_000 <= loan <= 300_000 if 50_000 <= salary <= 100_000 else 200_000 <= loan <= 400_000
                )
            if old:
                return (
                    300_000 <= loan <= 500_000 if 25_000 <= salary <= 75_000 else 100_000 <= loan <= 300_000
                )
            return 200_000 <= loan <= 400_000 if 75_000 <= salary <= 125_000 else 300_000 <= loan <= 500_000
        case 7:
            return disposable - loan / 5 - 20_000 > 0
        case 8:
            return disposable - 5_000 * level - 20_000 > 0
        case 9:
            return disposable - 5_000 * level - loan / 5 - 10_000 > 0
        case 10:
            equity = house * (years - 20) / 10 if years >= 20 else 0
            return disposable - 5_000 * level + equity / 5 - 10_000 > 0


class TestDrift:
    def test_at_once(self):
        stream = drift(STAGGER(1), STAGGER(3), position=500)
        assert (stream[0:500][1] == STAGGER(1)[0:500][1]).all()
        assert (stream[500:1000][1] == STAGGER(3)[500:1000][1]).all()

    def test_the_best_accuracy_is_known_where_it_is_the_same_on_both_sides(self):
        assert drift(SEA(1), SEA(2), 10, width=5).bayes_accuracy == 0.9
        assert drift(SEA(1), SEA(2, noise=0.2), 10).bayes_accuracy is None


WEATHER = "sky,degrees,play\nsun,21.5,yes\nrain,12,no\nsun,?,yes\nrain,9,no\nsun,15,yes\n"
ARFF = """% about the weather
@relation weather
@attribute sky {rain,sun}
@attribute 'degrees' numeric
@attribute play {no,yes}

@data
sun,21.5,yes
% in between
rain,12,no
sun,?,yes,
rain,9,no
sun,15,yes
"""


class TestFiles:
    @pytest.fixture(params=["csv", "parquet", "arff"])
    def path(self, request, tmp_path):
        path = tmp_path / f"weather.{request.param}"
        if request.param == "parquet":
            numbers = [21.5, 12, None, 9, 15]
            sky, play = ["sun", "rain", "sun", "rain", "sun"], ["yes", "no", "yes", "no", "yes"]
            pd.DataFrame({"sky": sky, "degrees": numbers, "play": play}).to_parquet(path)
        else:
            path.write_text(WEATHER if request.param == "csv" else ARFF)
        return path

    def test_the_formats_give_the_same_stream(self, path):
        stream = open_stream(path, "play")
        assert stream.feature_names == ["sky", "degrees"]
        assert stream.categories == [[0, 1], None]
        assert stream.class_names == ("no", "yes")
        assert len(stream) == 5
        X, y = next(stream.chunks(size=10))
        assert y.tolist() == [1, 0, 1, 0, 1]
        np.testing.assert_array_equal(X, [[1, 21.5], [0, 12], [1, np.nan], [0, 9], [1, 15]])

    def test_pieces_are_cut_from_it(self, path):
        stream = open_stream(path, "play")
        X, y = next(iter(stream))
        for size in (1, 2, 3, 7):
            parts = [*stream.chunks(start=1, stop=4, size=size)]
            assert max(len(labels) for _, labels in parts) == min(size, 3)
            np.testing.assert_array_equal(np.concatenate([rows for rows, _ in parts]), X[1:4])
            assert np.concatenate([labels for _, labels in parts]).tolist() == y[1:4].tolist()
        assert [*stream.chunks(start=5)] == []
        assert [*stream.chunks(stop=0)] == []

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (ARFF.replace("@data", ""), "weather.arff: has no line @data"),
            (
                ARFF.replace("numeric", "date"),
                r"weather\.arff, line \d: .* attributes must be numeric, nominal or strings",
            ),
            (ARFF.replace("rain,9,no", "rain,9"), "line 12: 2 fields, but the header names 3 columns"),
            (ARFF.replace("rain,9,no", "rain,warm,no"), "line 12, column 'degrees': 'warm' is not a number"),
            (ARFF.replace("rain,9,no", "{1 9, 2 no}"), "line 12: sparse rows cannot be read"),
        ],
    )
    def test_a_bad_arff_file_is_refused_with_the_line(self, tmp_path, text, message):
        path = tmp_path / "weather.arff"
        path.write_text(text)
        with pytest.raises(ValueError, match=message):
            open_stream(path, "play")

    def test_a_missing_file_and_a_missing_column_are_named(self, tmp_path):
        with pytest.raises(OSError, match="nothing"):
            open_stream(tmp_path / "nothing.csv", "play")
        path = tmp_path / "weather.csv"
        path.write_text(WEATHER)
        with pytest.raises(ValueError, match=r"weather\.csv: no column 'plays'; did you mean 'play'"):
            open_stream(path, "plays")


@pytest.mark.archive
def test_electricity_is_the_documented_file():
    data = load_dataset("electricity")
    assert data.data.shape == (45_312, 8)
    assert np.bincount(data.target).tolist() == [19_237, 26_075]
    assert data.target_names == ["UP", "DOWN"]
    assert data.categorical_features.tolist() == [False, True] + [False] * 6
    assert data.data[0].tolist() == [0, 1, 0, 0.056443, 0.439155, 0.003467, 0.422915, 0.414912]
    assert (data.target[1:] == data.target[:-1]).mean() == pytest.approx(0.8533, abs=1e-4)
    path = os.path.join(os.environ["OZA_DATA_MIRROR"], dataset_info("electricity").files[0].path)
    stream = open_stream(path, "class")
    X, y = next(stream.chunks(size=50_000))
    assert (data.data == X).all()
    assert (np.array(stream.class_names)[y] == np.array(data.target_names)[data.target]).all()
