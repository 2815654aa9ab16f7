"""The ways of boosting online of `studies.online_boosters`, one example and one model at a time.

Each returns the models, and what else the vote needs.
"""

import math

import numpy as np

from oza.kernels.arithmetic import exp, log, sigmoid


def os_boost(models, rows, labels, gamma):
    """w = min{(1 − γ)^(z/2), 1} with z the margin so far, minus γ/(2 + γ) for each model."""
    for x, y in zip(rows, labels, strict=True):
        z, weight = 0.0, 1.0
        for model in models:
            sign = 1.0 if model.classify(x) == y else -1.0
            model.learn(x, y, weight)
            z += sign - gamma / (2.0 + gamma)
            weight = min(exp(0.5 * z * log(1.0 - gamma)), 1.0) if z > 0.0 else 1.0
    return models


def online_bbm(models, rows, labels, shares):
    """`shares(left, k)` is the weight of a vote that decides if k of those left are correct."""
    for x, y in zip(rows, labels, strict=True):
        s = 0
        for i, model in enumerate(models):
            is_right = model.classify(x) == y
            left = len(models) - (i + 1)
            k = math.floor((len(models) - i - s) / 2)
            model.learn(x, y, shares(left, k) if 0 <= k <= left else 0.0)
            s += 1 if is_right else -1
    return models


def adaboost_olm(models, rows, labels, classes):
    """The models, their vote weights and the weights of the experts."""
    alpha, experts = [0.0] * len(models), [1.0] * len(models)
    others = len(classes) - 1
    for t, (x, y) in enumerate(zip(rows, labels, strict=True), 1):
        s = dict.fromkeys(classes, 0.0)

        def pull(s, y=y):
            found = 0.0
            for c in classes:
                found += sigmoid(s[c] - s[y]) if c != y else 0.0
            return found

        rate = 2.0 * math.sqrt(2.0) / (others * math.sqrt(t))
        for m, model in enumerate(models):
            answer = model.classify(x)
            model.learn(x, y, pull(s) / others)
            if answer is not None:
                s[answer] += alpha[m]
                slope = -pull(s) if answer == y else sigmoid(s[answer] - s[y])
                alpha[m] = min(max(alpha[m] - rate * slope, -2.0), 2.0)
            if max(classes, key=s.get) != y:
                experts[m] *= exp(-1.0)
        total = np.array(experts).sum()
        experts = [weight / total for weight in experts]
    return models, alpha, experts


def olm_vote(models, alpha, experts, classes, x):
    s, votes = dict.fromkeys(classes, 0.0), dict.fromkeys(classes, 0.0)
    for m, model in enumerate(models):
        answer = model.classify(x)
        if answer is not None:
            s[answer] += alpha[m]
        votes[max(classes, key=s.get)] += experts[m]
    return max(classes, key=votes.get)
