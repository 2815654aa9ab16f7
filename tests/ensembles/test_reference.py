"""Every ensemble over every lossless base model equals its reference implementation, bit for bit."""

from typing import Any, NamedTuple

import numpy as np
import pytest

import oza
from oza.discovery import all_estimators
from oza.ensembles.averaging import AveragingEnsemble
from oza.ensembles.voting import VotingEnsemble
from tests import references
from tests.bases import BASES
from tests.estimators import pairs
from tests.streams import random_stream

M = 5


def either(*values):
    return lambda rng: values[rng.integers(len(values))]


def up_to(n, least=0):
    return lambda rng: int(rng.integers(least, n + 1))


class Reference(NamedTuple):
    """Random values of the parameters of an ensemble, and its reference implementation."""

    parameters: dict  # name: function that draws a value from a generator
    learn: Any  # (new model, stream, key, parameters) → models, and the state of the ensemble about them


def adaptive(**own):
    """Reference of an ensemble that replaces models; detectors are checked so often that they alarm."""
    parameters = {
        "delta": either(0.002, 0.99),
        "clock": either(1, 3),
        "replaced": either("worst", "triggered"),
        "tested": either("before", "after"),
        "voting": either("majority"),
    }
    return Reference(
        parameters | {name: values for name, values in own.items() if name != "boosts"},
        lambda new, s, key, p: references.adaptive(
            new,
            M,
            s.rows,
            s.labels,
            key,
            s.weights,
            lam=p.get("lam", 1.0),
            by_mistakes=p.get("variant") == "me",
            boosts="boosts" in own,
            delta=p["delta"],
            clock=p["clock"],
            fired=p["replaced"] == "triggered",
            test_after=p["tested"] == "after",
        ),
    )


REFERENCES = {
    "ADWINBaggingClassifier": adaptive(),
    "LeveragingBaggingClassifier": adaptive(lam=either(0.5, 1, 6), variant=either("plain", "me")),
    "ADWINBoostingClassifier": adaptive(boosts=True),
    "BaggingClassifier": Reference(
        {"oob_score": either(False, True)},
        lambda new, s, key, p: references.bagging(new, M, s.rows, s.labels, key, s.weights),
    ),
    "OnlineBaggingClassifier": Reference(
        {"oob_score": either(False, True)},
        lambda new, s, key, p: references.online_bagging(new, M, s.rows, s.labels, key, s.weights),
    ),
    "AdaBoostClassifier": Reference(
        {"resample": either(False, True)},
        lambda new, s, key, p: references.adaboost(
            new, M, s.rows, s.labels, s.weights, key if p["resample"] else None
        ),
    ),
    "OnlineBoostingClassifier": Reference(
        {"weight_update": either("thesis", "later"), "tested": either("after", "before")},
        lambda new, s, key, p: references.online_boosting(
            new, M, s.rows, s.labels, key, s.weights, p["weight_update"] == "later", p["tested"] == "before"
        ),
    ),
    "BOLEClassifier": Reference(
        {}, lambda new, s, key, p: references.bole(new, M, s.rows, s.labels, key, s.weights)
    ),
    "PrimedOnlineBoostingClassifier": Reference(
        {
            "weight_update": either("thesis", "later"),
            "tested": either("after", "before"),
            "n_prime": up_to(15),
            "resample": either(False, True),
        },
        lambda new, s, key, p: references.primed(
            new,
            M,
            s.rows,
            s.labels,
            key,
            p["n_prime"],
            s.weights,
            p["weight_update"] == "later",
            p["tested"] == "before",
            p["resample"],
        ),
    ),
    "BlockedBoostingClassifier": Reference(
        {"block_size": up_to(12, least=1)},
        lambda new, s, key, p: references.blocked(new, M, s.rows, s.labels, key, p["block_size"], s.weights),
    ),
    "FixedFractionBaggingClassifier": Reference(
        {"update_probability": either(0.1, 0.5, 1.0), "oob_score": either(False, True)},
        lambda new, s, key, p: references.fixed_fraction(
            new, M, s.rows, s.labels, key, p["update_probability"], s.weights
        ),
    ),
    "OnlineArcX4Classifier": Reference(
        {"tested": either("after", "before")},
        lambda new, s, key, p: references.arc_x4(
            new, M, s.rows, s.labels, s.weights, p["tested"] == "before"
        ),
    ),
}
ENSEMBLES = {  # those that average probabilities, and adaptive random forests, have tests of their own
    name: kind
    for name, kind in all_estimators(VotingEnsemble).items()
    if not issubclass(kind, AveragingEnsemble | oza.AdaptiveRandomForestClassifier)
}
WAYS = ["partial_fit", "prequential_predict", "learn_and_predict"]


def learn_in_pieces(ensemble, stream, rng):
    """Learn the stream chunk by chunk, each by a random method."""
    frame, labels, weights = stream.frame, np.array(stream.labels), np.array(stream.weights)
    start = 0
    while start < len(labels):
        part = slice(start, start + int(rng.integers(1, len(labels) + 1)))
        start = part.stop
        piece = {"classes": stream.classes, "sample_weight": weights[part]}
        way = WAYS[rng.integers(3)]
        if way == "learn_and_predict":
            for _ in ensemble.learn_and_predict(frame[part], labels[part], frame, **piece):
                pass
        else:
            getattr(ensemble, way)(frame[part], labels[part], **piece)


def assert_equals_reference(name, base, seed):
    """Check equality, bit for bit, on a random stream of 1 to 24 examples.

    The stream may have numeric columns, weights and missing values.
    """
    reference, rng = REFERENCES[name], np.random.default_rng(seed)
    n_numeric = seed % 3
    n_nominal = seed // 3 % 2 if n_numeric else None
    stream = random_stream(rng, int(rng.integers(1, 25)), n_numeric, n_nominal, 0.2 * (seed % 5 == 4))
    if rng.random() < 0.5:
        whole, fractions = rng.integers(0, 4, len(stream.rows)), rng.uniform(0.01, 99.0, len(stream.rows))
        stream = stream._replace(weights=np.where(rng.random(len(whole)) < 0.5, whole, fractions).tolist())
    parameters = {parameter: draw(rng) for parameter, draw in reference.parameters.items()}
    columns = {"categories": stream.values, "categorical_features": stream.nominal}
    ensemble = ENSEMBLES[name](base.model, M, **columns, **parameters)
    if "random_state" in ensemble.get_params():
        ensemble.set_params(random_state=seed)
    if hasattr(ensemble, "partial_fit") and rng.random() < 0.7:
        learn_in_pieces(ensemble, stream, rng)
        if parameters.get("n_prime", 0) > len(stream.rows):
            return  # priming needs more examples
    elif any(stream.weights):
        ensemble.fit(stream.frame, stream.labels, sample_weight=stream.weights)
    else:
        return
    classes = ensemble.classes_.tolist()
    models, known = reference.learn(
        lambda m=0: base.reference(stream, classes), stream, ensemble._key, parameters
    )
    assert [base.state(member) for member in ensemble.estimators_] == [
        base.state_of_reference(model, stream) for model in models
    ]
    votes = [1.0] * len(models)
    if isinstance(ensemble, oza.BlockedBoostingClassifier):
        smoothed, errors = known
        assert ensemble.block_errors_.tolist() == smoothed
        assert ensemble.estimator_errors_.tolist() == errors
    elif isinstance(ensemble, oza.OnlineArcX4Classifier):
        assert ensemble.estimator_errors_.tolist() == known
    elif isinstance(known, references.OutOfBag):
        assert hasattr(ensemble, "estimator_errors_") == parameters["oob_score"]
        if parameters["oob_score"]:
            assert ensemble.estimator_errors_.tolist() == known.errors
            np.testing.assert_equal(ensemble.oob_score_, known.score)
    elif isinstance(known, references.Replaced):
        assert ensemble.estimator_errors_.tolist() == known.errors
        assert ensemble.drift_history_.tolist() == known.history
        if isinstance(ensemble, oza.ADWINBoostingClassifier):
            assert ensemble.lambda_correct_.tolist() == [right for right, *_ in known.sums]
            votes = known.votes()
    else:
        sums = np.transpose([ensemble._boosting.right, ensemble._boosting.wrong])[: len(models)]
        np.testing.assert_array_equal(sums, np.array(known))
        if isinstance(ensemble, oza.BOLEClassifier):
            votes = references.bole_votes(known)
        else:
            votes = references.boosting_votes(known, stream.weights)
    assert ensemble.vote_weights_.tolist() == votes
    expected = [references.weighted_vote(models, votes, classes, x) for x in stream.rows]
    assert ensemble._votes(ensemble._encode(stream.frame)).tolist() == expected


@pytest.mark.parametrize(("name", "base"), pairs(ENSEMBLES, BASES))
def test_it_equals_the_reference_bit_for_bit_however_it_learns(name, base):
    for seed in range(40):
        assert_equals_reference(name, BASES[base], seed)
