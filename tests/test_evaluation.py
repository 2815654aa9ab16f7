"""Scores on a stream, against plain formulas that look at one example after the other."""

import pickle
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import BernoulliNB

from oza import NaiveBayesClassifier, OnlineBaggingClassifier
from oza.compare import open_stream
from oza.evaluation import prequential
from oza.streams import LED, SEA, STAGGER

RNG = np.random.default_rng(0)
CLASSES = ["ash", "birch", "cedar"]


def labels(n, seed=0):
    """Classes that stay for a while."""
    rng = np.random.default_rng(seed)
    return np.array(CLASSES)[np.repeat(rng.integers(0, 3, n), rng.integers(1, 6, n))[:n]]


class Scripted:
    """Predicts what it was told to, one row after the other."""

    def __init__(self, script):
        self.script, self.n = script, 0

    def predict(self, X):
        return self.script[self.n : self.n + len(X)]

    def partial_fit(self, X, y):
        self.n += len(y)


def plain_scores(y, predicted, weights):
    """Accuracy and the kappas of weighted examples, by their definitions."""
    no_change, majority, before, counts = [], [], CLASSES[0], Counter()
    for label in y:
        no_change.append(before)
        majority.append(max(CLASSES, key=lambda c: (counts[c], -CLASSES.index(c))))
        before = label
        counts[label] += 1
    total = sum(weights)

    def right(guesses):
        return sum(w for g, label, w in zip(guesses, y, weights, strict=True) if g == label) / total

    def share(given, c):
        return sum(w for label, w in zip(given, weights, strict=True) if label == c) / total

    accuracy = right(predicted)
    chance = sum(share(y, c) * share(predicted, c) for c in CLASSES)
    return [accuracy, *((accuracy - p) / (1 - p) for p in (chance, right(majority), right(no_change)))]


@pytest.mark.parametrize(("every", "window", "fading"), [(100, 130, 0.99), (37, 10, 1.0), (1000, 50, 0.9)])
def test_scores_are_those_of_the_definitions(every, window, fading):
    y = labels(500)
    predicted = np.where(RNG.random(500) < 0.6, y, labels(500, seed=1))
    stream = np.zeros((500, 1)), y
    found = prequential({"script": Scripted(predicted)}, stream, every=every, window=window, fading=fading)
    rows = found.scores[found.scores["model"] == "script"].set_index(["n_examples", "over"])
    assert sorted(set(rows.index.get_level_values(0))) == [*range(every, 500, every), 500]
    for n in set(rows.index.get_level_values(0)):
        weights = {
            "all": [1.0] * n,
            "window": [float(i >= n - window) for i in range(n)],
            "fading": [fading ** (n - 1 - i) for i in range(n)],
        }
        for over, each in weights.items():
            expected = plain_scores(y[:n].tolist(), predicted[:n].tolist(), each)
            assert rows.loc[(n, over)].drop("model").to_list() == pytest.approx(expected)


def test_the_baselines_are_scored_like_models():
    y = labels(300)
    found = prequential(Scripted(y), (np.zeros((300, 1)), y))
    summary = found.summary()
    assert summary.index.to_list() == ["Scripted", "no change", "majority class"]
    assert summary.loc["Scripted", ["accuracy", "kappa", "kappa_m", "kappa_temporal"]].to_list() == [1] * 4
    assert summary.loc["no change", "accuracy"] == np.mean(y == np.concatenate([["ash"], y[:-1]]))
    assert summary.loc["no change", "kappa_temporal"] == 0
    assert summary.loc["majority class", "kappa_m"] == 0


def test_a_score_beyond_a_baseline_that_makes_no_error_is_unknown():
    y = np.array(["a"] * 50 + ["b"] * 50)
    window = prequential(Scripted(y), (np.zeros((100, 1)), y), window=10).summary("window")
    assert np.isnan(window.loc["Scripted", "kappa_temporal"])
    assert np.isnan(window.loc["Scripted", "kappa"])
    assert window.loc["Scripted", "kappa_m"] == 1


class TestModels:
    def test_a_classifier_of_the_library_is_scored_by_what_it_predicts_before_it_learns(self):
        stream = LED()
        X, y = stream[2000:5000]
        model = NaiveBayesClassifier(categorical_features=stream.categorical_features)
        expected = clone(model).prequential_predict(X, y, classes=range(10))
        found = prequential(clone(model), stream, start=2000, stop=5000, every=700)
        assert found.summary().loc["NaiveBayesClassifier", "accuracy"] == np.mean(expected == y)
        assert found.scores["n_examples"].max() == 3000
        wider = prequential(model, (X, y), every=3000)
        assert wider.summary().iloc[0, :4].to_list() == found.summary().iloc[0, :4].to_list()

    def test_a_classifier_of_another_library_gets_one_row_at_a_time(self):
        X, y = SEA()[:300]
        model, right = SGDClassifier(random_state=0), []
        for row, label in zip(X, y, strict=True):
            guess = model.predict([row])[0] if hasattr(model, "classes_") else 0
            right.append(guess == label)
            model.partial_fit([row], [label], classes=[0, 1])
        found = prequential(SGDClassifier(random_state=0), SEA(), stop=300, every=70)
        assert found.summary().loc["SGDClassifier", "accuracy"] == np.mean(right)

    def test_both_ways_give_the_same(self):
        ensemble = OnlineBaggingClassifier(n_estimators=3, random_state=0, categorical_features=range(3))

        class Plain:
            model = clone(ensemble)

            def predict(self, X):
                return self.model.predict(X)

            def partial_fit(self, X, y, classes):
                self.model.partial_fit(X, y, classes=classes)

        models = {"rows": Plain(), "pieces": ensemble}
        summary = prequential(models, STAGGER(2), stop=300, every=50).summary()
        assert summary.loc["rows"].iloc[:4].to_list() == summary.loc["pieces"].iloc[:4].to_list()

    def test_frames_and_files_are_streams_too(self, tmp_path):
        frame = pd.DataFrame({"sky": ["sun", "rain"] * 100, "degrees": RNG.normal(size=200)})
        y = np.where(frame["sky"] == "sun", "yes", "no")
        path = tmp_path / "weather.csv"
        frame.assign(play=y).to_csv(path, index=False)
        by_frame = prequential(NaiveBayesClassifier(), (frame, y), every=30)
        stream = open_stream(path, "play")
        model = NaiveBayesClassifier(categorical_features=stream.categorical_features)
        by_file = prequential(model, stream, every=30)
        pd.testing.assert_frame_equal(by_frame.scores, by_file.scores)


class TestHoldOut:
    def test_a_set_is_predicted_at_every_moment_and_never_learned(self):
        X, y = STAGGER(2)[10**6 : 10**6 + 400]
        model = NaiveBayesClassifier(categorical_features=range(3))
        found = prequential(model, STAGGER(2), stop=300, every=100, holdout=(X, y))
        rows = found.scores[found.scores["over"] == "hold-out"].set_index(["model", "n_examples"])
        for n in (100, 200, 300):
            once = clone(model).partial_fit(*STAGGER(2)[:n], classes=[0, 1])
            assert rows.loc[("NaiveBayesClassifier", n), "accuracy"] == once.score(X, y)
            shares = np.bincount(STAGGER(2)[:n][1]).argmax()
            assert rows.loc[("majority class", n), "accuracy"] == np.mean(y == shares)
        assert rows["kappa_temporal"].isna().all()
        alone = prequential(clone(model), STAGGER(2), stop=300, every=100)
        assert alone.summary().iloc[0, 0] == found.summary().iloc[0, 0]


class TestCosts:
    def test_seconds_bytes_and_their_product(self):
        models = [
            NaiveBayesClassifier(categorical_features=LED().categorical_features),
            OnlineBaggingClassifier(random_state=0, categorical_features=LED().categorical_features),
        ]
        found = prequential(models, LED(), stop=3000, every=500)
        for name, part in found.costs.groupby("model"):
            assert (part["seconds"].diff().dropna() >= 0).all(), name
            spent = part["seconds"].diff().fillna(part["seconds"].iloc[0])
            expected = (part["bytes"] / 2**30 * spent / 3600).cumsum()
            assert part["ram_hours"].to_list() == pytest.approx(expected.to_list())
        assert found.costs["bytes"].iloc[-1] == pytest.approx(len(pickle.dumps(models[1])), rel=0.01)
        assert found.summary()["bytes"].isna().to_list() == [False, False, True, True]


NAIVE, SCRIPTED = NaiveBayesClassifier(), Scripted(np.array(["c"] * 9))
PAIR = (np.zeros((4, 1)), ["a", "b", "a", "b"])


@pytest.mark.parametrize(
    ("models", "stream", "options", "message"),
    [
        (NaiveBayesClassifier(), SEA(), {}, "stop must be given: the stream has no end"),
        (NaiveBayesClassifier(), "sea", {"stop": 10}, "stream must be a stream of oza.streams or a pair"),
        (NaiveBayesClassifier(), (PAIR[0], ["a"]), {}, "X has 4 rows and y has 1 labels"),
        (NaiveBayesClassifier, SEA(), {"stop": 10}, "which is not a classifier with partial_fit and predict"),
        ([NAIVE, NAIVE], SEA(), {"stop": 10}, "models holds the same classifier twice"),
        ({"no change": NAIVE}, SEA(), {"stop": 10}, "models has one named 'no change'"),
        (NaiveBayesClassifier(), SEA(), {"stop": 10, "every": 0}, "every must be an integer of at least 1"),
        (NaiveBayesClassifier(), SEA(), {"stop": 10, "window": 0}, "window must be an integer of at least 1"),
        (NaiveBayesClassifier(), SEA(), {"stop": 10, "fading": 0}, "fading must be a number above 0"),
        (NaiveBayesClassifier(), SEA(), {"stop": 10, "holdout": 5}, "holdout must be a pair"),
        (NaiveBayesClassifier(), PAIR, {"start": 4}, "the stream has no example from start=4"),
        (NaiveBayesClassifier(), (PAIR[0][:0], []), {}, "the stream has no example from start=0"),
        ({}, SEA(), {"stop": 10}, "models is empty; give one classifier or more"),
        (NaiveBayesClassifier(), SEA(), {"stop": 10.5}, "stop must be an integer of at least 0; got 10.5"),
        (NAIVE, LED(), {"stop": 9, "sample_weight": [1]}, "sample_weight has shape"),
        (NAIVE, PAIR, {"every": 1, "holdout": (PAIR[0][:1], ["c"])}, "holdout holds 'c', which is not"),
        (SCRIPTED, PAIR, {}, "the model 'Scripted' predicts 'c', which is not a class"),
        ([NAIVE, SCRIPTED], PAIR, {"metrics": ["roc_auc"]}, "the model 'Scripted' has no predict_proba"),
        ([NAIVE, SCRIPTED], PAIR, {"sample_weight": [2] * 4}, "'Scripted' cannot use sample_weight"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(models, stream, options, message):
    with pytest.raises(ValueError, match=message):
        prequential(models, stream, **options)
    assert vars(NAIVE) == vars(NaiveBayesClassifier())


@pytest.mark.parametrize("delay", [1, 7, 500])
def test_labels_that_come_late_are_learned_late(delay):
    stream = SEA(random_state=0)
    X, y = stream[:400]
    classes = np.array(stream.classes)
    models = {"ours": NaiveBayesClassifier(), "theirs": SGDClassifier(random_state=0)}
    found = prequential(models, (X, y), every=90, delay=delay).summary()["accuracy"]
    is_right = {name: np.zeros(len(y), bool) for name in (*models, "no change", "majority class")}
    ours, theirs = map(clone, models.values())
    for n, label in enumerate(y):
        known = y[: max(n - delay, 0)]
        is_fitted = len(known) > 0
        is_right["ours"][n] = (ours.predict(X[n : n + 1])[0] if is_fitted else classes[0]) == label
        is_right["theirs"][n] = (theirs.predict(X[n : n + 1])[0] if is_fitted else classes[0]) == label
        is_right["no change"][n] = (known[-1] if is_fitted else classes[0]) == label
        is_right["majority class"][n] = classes[np.argmax([(known == c).sum() for c in classes])] == label
        if n >= delay:
            row = slice(n - delay, n - delay + 1)
            ours.partial_fit(X[row], y[row], classes=classes)
            theirs.partial_fit(X[row], y[row], classes=classes)
    for name, right in is_right.items():
        assert found[name] == pytest.approx(right.mean(), abs=1e-12)


def test_models_are_told_which_columns_of_a_stream_hold_codes():
    stream = LED(noise=0.1)
    declared = {"categories": stream.categories}
    untold, told = NaiveBayesClassifier(), NaiveBayesClassifier(**declared)
    numeric = NaiveBayesClassifier(categorical_features=None)
    ensemble = OnlineBaggingClassifier(NaiveBayesClassifier(), n_estimators=3, random_state=0)
    models = {"untold": untold, "told": told, "numeric": numeric, "ensemble": ensemble}
    accuracy = prequential(models, stream, stop=500).summary()["accuracy"]
    assert accuracy["untold"] == accuracy["told"] != accuracy["numeric"]
    assert untold.is_categorical_.all() and ensemble.is_categorical_.all()
    assert numeric.categories == "auto" and not numeric.is_categorical_.any()
    other = OnlineBaggingClassifier(BernoulliNB(), n_estimators=3, random_state=0)
    assert prequential(other, stream, stop=10) and other.categories == "auto"
    learned = NaiveBayesClassifier().partial_fit(*stream.take([0]), classes=stream.classes)
    assert prequential(learned, stream, stop=10) and learned.categories == "auto"
