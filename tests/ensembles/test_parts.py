"""Parts of an ensemble that have learned the same examples are, joined, the ensemble of one machine."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier

import oza
from oza.ensembles.parts import joined, parts_of

CHANGES = {"delta": 0.3, "random_state": 3}
STREAM = [
    oza.OnlineBaggingClassifier(n_estimators=7, random_state=3),
    oza.OnlineBaggingClassifier(oza.NeuralNetworkClassifier(), 7, random_state=3),
    oza.OnlineBaggingClassifier(SGDClassifier(), 7, random_state=3),
    oza.FixedFractionBaggingClassifier(n_estimators=7, random_state=3),
    oza.ADWINBaggingClassifier(oza.NaiveBayesClassifier(), 7, replaced="triggered", **CHANGES),
    oza.LeveragingBaggingClassifier(oza.NaiveBayesClassifier(), 7, replaced="triggered", **CHANGES),
    oza.AdaptiveRandomForestClassifier(n_estimators=7, delta_warning=0.4, **CHANGES),
]
TRAINING_SET = [
    oza.BaggingClassifier(n_estimators=7, random_state=3),
    oza.BaggingClassifier(SGDClassifier(), 7, random_state=3),
    oza.RandomForestClassifier(7, random_state=3),
    oza.RandomSubspaceClassifier(n_estimators=7, random_state=3),
]
#: With these, kernels take long to compile. Adaptive forests join trees as well.
OTHER_BASE_MODELS = [
    (oza.OnlineBaggingClassifier(oza.HoeffdingTreeClassifier(), 7, random_state=3), "partial_fit"),
    (oza.OnlineBaggingClassifier(oza.HoeffdingOptionTreeClassifier(), 7, random_state=3), "partial_fit"),
    (oza.BaggingClassifier(oza.HoeffdingTreeClassifier(), 7, random_state=3), "fit"),
]


@pytest.fixture(scope="module")
def stream():
    """Numbers, of which some are integers, and classes that change places in the middle."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 5))
    X[:, 3] = rng.integers(4, size=len(X))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + (X[:, 3] > 2) > 0) ^ (np.arange(len(X)) > 700)


def learned(models, method, X, y):
    for model in models:
        if method == "fit":
            model.fit(X, y)
        else:
            for rows in (slice(0, 500), slice(500, 503), slice(503, None)):
                model.partial_fit(X[rows], y[rows], classes=[False, True])
    return models


def name_of(ensemble):
    return f"{type(ensemble).__name__} of {type(ensemble.estimator).__name__}"


@pytest.mark.parametrize(
    ("ensemble", "method"),
    [
        pytest.param(STREAM[0], "partial_fit", id=name_of(STREAM[0])),
        *(pytest.param(e, "partial_fit", id=name_of(e), marks=pytest.mark.full) for e in STREAM[1:]),
        *(pytest.param(e, "fit", id=name_of(e), marks=pytest.mark.full) for e in TRAINING_SET),
        *(
            pytest.param(each, method, id=name_of(each), marks=pytest.mark.long)
            for each, method in OTHER_BASE_MODELS
        ),
    ],
)
def test_parts_learn_the_bits_of_one_machine(stream, ensemble, method):
    X, y = (part[:600] for part in stream) if isinstance(ensemble.estimator, SGDClassifier) else stream
    one, *parts = learned([clone(ensemble), *parts_of(ensemble, 3)], method, X, y)
    whole = joined(parts)
    more = (one, whole) if method == "partial_fit" else ()
    for model in more:
        model.partial_fit(X[:200], y[:200])
    np.testing.assert_array_equal(whole.predict_each(X), one.predict_each(X))
    np.testing.assert_array_equal(whole.predict_proba(X), one.predict_proba(X))
    np.testing.assert_array_equal(whole.vote_weights_, one.vote_weights_)
    if hasattr(one, "drift_history_"):
        assert len(one.drift_history_) > 0 and one.n_resets_ == whole.n_resets_
        np.testing.assert_array_equal(whole.drift_history_, one.drift_history_)
        np.testing.assert_array_equal(whole.estimator_errors_, one.estimator_errors_)


def test_only_its_own_base_models_learn_in_a_part(stream):
    X, y = stream
    first, second = learned(parts_of(STREAM[0], 2), "partial_fit", X, y)
    for part, members in ((first, range(3)), (second, range(3, 7))):
        has_learned = [m for m, each in enumerate(part.estimators_) if each.class_count_.any()]
        assert has_learned == list(members)


@pytest.mark.parametrize(
    ("ensemble", "reason"),
    [
        (oza.OnlineBoostingClassifier(), "OnlineBoostingClassifier .*what one of them learns depends on"),
        (oza.DecorateClassifier(), "DecorateClassifier .*what one of them learns depends on the others"),
        (oza.ADWINBaggingClassifier(), 'with replaced="worst" a detector can replace any of them'),
        (oza.OnlineBaggingClassifier(oob_score=True), "oob_score=True, need all base models at once"),
        (oza.OnlineBaggingClassifier(oza.DecisionTreeClassifier()), "trees share one memory of examples"),
        (oza.OutputCodeClassifier(), "how many base models there are follows from the data"),
        (oza.NaiveBayesClassifier(), "ensemble must be an ensemble of this library"),
    ],
)
def test_what_cannot_be_divided_is_refused_with_the_reason(ensemble, reason):
    with pytest.raises(TypeError, match=reason):
        parts_of(ensemble, 2)
