"""Rules on words and on rectangles, and the generated pictures."""

import numpy as np
import pandas as pd

from oza import AdaBoostClassifier, DecisionStumpClassifier
from reproduction.topics.rules_of_thumb import votes_by_round


def calls(n_calls, seed):
    """Words and intents: some words tell of one intent, some of another, all with exceptions."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["CallingCard", "Collect", "Other"], n_calls)
    telling = {"CallingCard": {"card": 0.8, "master": 0.5}, "Collect": {"collect": 0.6, "reverse": 0.5}}
    rates = {"call": 0.5, "my": 0.3}
    for intent, words in telling.items():
        rates |= {word: np.where(y == intent, rate, 0.05) for word, rate in words.items()}
    return pd.DataFrame({word: rng.random(n_calls) < rate for word, rate in rates.items()}), y


def test_votes_by_round_decide_as_staged_predictions():
    X, y = calls(300, seed=1)
    model = AdaBoostClassifier(DecisionStumpClassifier(), 8).fit(X, y == "Collect")
    votes = votes_by_round(model, X, 10)
    for t, said in enumerate(model.staged_predict(X)):
        assert (said == (votes[t] > 0)).all()
    assert (votes[-1] == votes[len(model.estimators_) - 1]).all()
