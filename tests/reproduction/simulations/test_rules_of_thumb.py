"""Rules on words and on rectangles, and the generated pictures."""

import numpy as np
import pandas as pd
import pytest

from oza import AdaBoostClassifier, DecisionStumpClassifier
from reproduction.pages import bootstrap_boxes, picture_panels, rectangle_panels, round_curves
from reproduction.simulations import rules_of_thumb as thumb


def calls(n_calls, seed):
    """Words and intents: some words tell of one intent, some of another, all with exceptions."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["CallingCard", "Collect", "Other"], n_calls)
    telling = {"CallingCard": {"card": 0.8, "master": 0.5}, "Collect": {"collect": 0.6, "reverse": 0.5}}
    rates = {"call": 0.5, "my": 0.3}
    for intent, words in telling.items():
        rates |= {word: np.where(y == intent, rate, 0.05) for word, rate in words.items()}
    return pd.DataFrame({word: rng.random(n_calls) < rate for word, rate in rates.items()}), y


def test_a_feature_is_the_difference_of_sums_of_pixels():
    found = np.random.default_rng(3).normal(size=(4, 6, 6))
    features = thumb.all_rectangles(6, largest=4, step=1)
    values = thumb.rectangle_values(found, features)
    areas = {"side by side": (1, 2), "one above the other": (2, 1), "three": (1, 3)}
    for f, (kind, top, left, height, width) in enumerate(features):
        down, across = areas[kind]
        assert top >= 0 and top + down * height <= 6 and left >= 0 and left + across * width <= 6
        area = found[:, top : top + down * height, left : left + across * width]
        if kind == "side by side":
            plain = area[:, :, :width].sum(axis=(1, 2)) - area[:, :, width:].sum(axis=(1, 2))
        elif kind == "one above the other":
            plain = area[:, :height].sum(axis=(1, 2)) - area[:, height:].sum(axis=(1, 2))
        else:
            middle = area[:, :, width : 2 * width].sum(axis=(1, 2))
            plain = area.sum(axis=(1, 2)) - 3 * middle
        assert values[:, f] == pytest.approx(plain)
    assert len(set(features)) == len(features)


def test_pictures_differ_in_the_arrangement_alone():
    found, is_face = thumb.pictures(3000, "test")
    assert found.mean(axis=(1, 2)) == pytest.approx(0, abs=1e-12)
    assert found.std(axis=(1, 2)) == pytest.approx(1)
    assert 0.45 < is_face.mean() < 0.55
    face = found[is_face].mean(axis=0)
    eyes, bridge, mouth = face[5:6, 4:5].mean(), face[5:6, 7:9].mean(), face[12:13, 6:10].mean()
    assert max(eyes, mouth) < 0 < bridge
    other = found[~is_face].mean(axis=0)
    assert np.ptp(other) < np.ptp(face) / 2


def test_votes_by_round_decide_as_staged_predictions():
    X, y = calls(300, seed=1)
    model = AdaBoostClassifier(DecisionStumpClassifier(), 8).fit(X, y == "Collect")
    votes = thumb.votes_by_round(model, X, 10)
    for t, said in enumerate(model.staged_predict(X)):
        assert (said == (votes[t] > 0)).all()
    assert (votes[-1] == votes[len(model.estimators_) - 1]).all()


def test_the_first_rule_for_calling_cards_is_the_word_card():
    X, y = calls(1000, seed=1)
    models = {
        str(intent): AdaBoostClassifier(DecisionStumpClassifier(), 10).fit(X, y == intent)
        for intent in np.unique(y)
    }
    rules = thumb.word_rules(models, 2)
    assert rules.loc[("CallingCard", 1), ["word", "occurs", "missing"]].tolist() == ["card", True, False]
    routed = thumb.routed_by_round(models, X, 10)
    assert routed.shape == (10, 1000)
    assert (routed[-1] != y).mean() < (routed[0] != y).mean()


def test_a_rule_on_rectangles_says_on_which_side_a_face_is():
    features = [thumb.Rectangles("three", 0, left, 2, 2) for left in (0, 2)]
    values = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    for is_face, said in (([0, 0, 1, 1], "1: face if > 1.5"), ([1, 1, 0, 0], "1: face if ≤ 1.5")):
        model = AdaBoostClassifier(DecisionStumpClassifier(), 1).fit(values, np.array(is_face, bool))
        assert thumb.rectangle_rules(model, features, 1) == [(said, features[0])]
    mostly = np.repeat(values, (5, 5, 5, 4), axis=0)
    is_face = np.arange(19) % 4 > 0  # most are faces on both sides of any threshold
    model = AdaBoostClassifier(DecisionStumpClassifier(), 1).fit(mostly, is_face)
    assert thumb.rectangle_rules(model, features, 1)[0][0] == "1: always a face"


def test_figures_say_in_words_what_they_show():
    feature = thumb.Rectangles("three", 2, 0, 4, 2)
    picture = rectangle_panels(np.zeros((16, 16)), [("round 1", feature)])
    assert picture.text == "round 1: three, 4 × 2 at (2, 0)"
    assert len(picture.figure.axes[0].patches) == 3
    assert picture_panels(np.zeros((2, 4, 4)), ["a", "b"]).text == "a\nb"
    curves = round_curves({"training": np.array([0.5, 0.25]), "test": np.array([0.5, 0.375])})
    assert "test: 0.500 to 0.375" in curves.text and curves.cells.index.tolist() == [1, 2]


def test_boxes_show_what_each_sample_leaves_out():
    boxes = bootstrap_boxes([[0, 0, 2], [2, 1, 0]], 3)
    assert boxes.text == "sample 1: 1 1 3; left out: 2\nsample 2: 3 2 1; left out: none"
    assert boxes.cells.to_numpy().tolist() == [[2, 0, 1], [1, 1, 1]]
    assert len(boxes.figure.axes[0].patches) == 3 + 3 + 1 + 3
