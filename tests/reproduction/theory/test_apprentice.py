"""The learner of the Calendar Apprentice, against one that is written as the thesis tells it."""

import numpy as np
import pytest

from oza.datasets import calendar_stream
from reproduction.theory.apprentice import Rule, rules_of, suggestions
from reproduction.theory.id3 import id3


def fires(rule, x):
    return all(x[attribute] == value for attribute, value in rule.tests)


def score(rule, appointments):
    """Accuracy of a rule, and on how many appointments it fires."""
    classes = [y for x, y in appointments if fires(rule, x)]
    return (classes.count(rule.label) / len(classes) if classes else 0.0), len(classes)


def without_needless_tests(rule, appointments):
    for test in rule.tests[::-1]:
        shorter = Rule(tuple(other for other in rule.tests if other != test), rule.label)
        if score(shorter, appointments)[0] >= score(rule, appointments)[0]:
            rule = shorter
    return rule


def plain_suggestions(X, y, n_values, seed, window, per_day, keeps):
    draws = np.random.default_rng(seed)
    rules, made = [], []
    for i, x in enumerate(X):
        if i and i % per_day == 0:
            recent = list(zip(X[:i], y[:i], strict=True))[-window:]
            n_drawn = max(1, len(recent) * (window * 2 // 3) // window)
            drawn = draws.choice(len(recent), n_drawn, replace=False)
            examples, labels = (
                np.array([recent[j][0] for j in drawn]),
                np.array([recent[j][1] for j in drawn]),
            )
            if not keeps:
                rules = []
            for rule in rules_of(id3(examples, labels, np.ones(len(drawn)), n_values)):
                short = without_needless_tests(rule, recent)
                if not any(set(short.tests) == set(r.tests) and short.label == r.label for r in rules):
                    rules.append(short)
            in_order = sorted(rules, key=lambda rule: score(rule, recent), reverse=True)
            default = int(np.bincount([label for _, label in recent]).argmax())
        made.append(next((r.label for r in in_order if fires(r, x)), default) if i >= per_day else 0)
    return made


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_it_suggests_what_the_plain_learner_suggests(seed, keeps):
    X, targets = calendar_stream(seed)
    X, y = X[:150, :8], targets["day"][:150]
    n_values = tuple((X.max(axis=0) + 1).tolist())
    settings = {"seed": seed, "window": 90, "per_day": 4, "keeps": keeps}
    found = suggestions(X, y, n_values, **settings)
    assert found.tolist() == plain_suggestions(X, y, n_values, **settings)
    assert len(set(found.tolist())) > 3
