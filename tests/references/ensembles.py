"""Ensembles, one example and one base model at a time."""

import math
from typing import NamedTuple

import numpy as np

from oza.kernels.arithmetic import log
from oza.kernels.random import draw_in_row, integer_below, poisson, row_key, uniform

from .drift import Adwin
from .models import sum_of


class OutOfBag:
    """Out-of-bag results of models: the error of each, and the accuracy of their vote."""

    def __init__(self, models):
        self.models = models
        self.tested, self.wrong = [0.0] * len(models), [0.0] * len(models)
        classes = models[0].classes
        self.voted, self.right = dict.fromkeys(classes, 0.0), dict.fromkeys(classes, 0.0)

    def test(self, x, y, weight, given):
        """Test the models that do not learn an example on it."""
        others = [m for m in range(len(self.models)) if not given[m]]
        for m in others:
            self.tested[m] += weight
            self.wrong[m] += weight if self.models[m].classify(x) != y else 0.0
        classes = self.models[0].classes
        votes = vote([self.models[m] for m in others], classes, x)
        if any(votes):
            self.voted[y] += weight
            self.right[y] += weight if classes[votes.index(max(votes))] == y else 0.0

    @property
    def errors(self):
        return [w / t if t > 0.0 else 0.5 for w, t in zip(self.wrong, self.tested, strict=True)]

    @property
    def score(self):
        voted = sum_of(self.voted.values())
        return sum_of(self.right.values()) / voted if voted > 0.0 else math.nan


def bagging(new_model, n_models, rows, labels, key, weights=None):
    """Thesis Figure 3.1: each model learns N examples drawn with replacement and is tested on the others."""
    models = [new_model(m) for m in range(n_models)]
    weights = [1.0] * len(rows) if weights is None else weights
    samples = []
    for m, model in enumerate(models):
        row = np.uint64(row_key(key, m))
        samples.append([integer_below(len(rows), row, draw) for draw in range(len(rows))])
        model.learn_batch(rows, labels, weights, samples[m])
    out_of_bag = OutOfBag(models)
    for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
        out_of_bag.test(x, y, weights[n], [n in sample for sample in samples])
    return models, out_of_bag


def online_bagging(new_model, n_models, rows, labels, key, weights=None):
    """Thesis Figure 3.3: each model learns each example k ~ Poisson(1) times, or is tested on it."""
    models = [new_model(m) for m in range(n_models)]
    out_of_bag = OutOfBag(models)
    for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
        w = 1.0 if weights is None else float(weights[n])
        copies = [poisson(w, np.uint64(row_key(key, n)), m) for m in range(n_models)]
        out_of_bag.test(x, y, w, copies)
        for model, k in zip(models, copies, strict=True):
            model.learn(x, y, k)
    return models, out_of_bag


def vote(models, classes, x):
    """Votes for each class; a model that has seen nothing does not vote."""
    votes = dict.fromkeys(classes, 0)
    for model in models:
        label = model.classify(x)
        if label is not None:
            votes[label] += 1
    return [votes[c] for c in classes]


def adaboost(new_model, n_models, rows, labels, weights=None, key=None):
    """Thesis Figure 4.1: the models, and for each the weight that it classifies correctly and wrongly.

    With a key, each model learns N examples drawn according to the weights, in the order of the draws.
    """
    weights = [1.0] * len(rows) if weights is None else list(weights)
    models, sums = [], []
    for m in range(n_models):
        model = new_model(m)
        if key is None:
            model.learn_batch(rows, labels, weights, list(range(len(rows))))
        else:
            sample = draw_by_weight(weights, np.uint64(row_key(key, m)))
            model.learn_batch(rows, labels, [1.0] * len(rows), sample)
        is_right = [model.classify(x) == y for x, y in zip(rows, labels, strict=True)]
        right = sum_of(w for w, good in zip(weights, is_right, strict=True) if good)
        wrong = sum_of(w for w, good in zip(weights, is_right, strict=True) if not good)
        eps = wrong / (right + wrong)
        is_half = eps >= 0.5 - 2.0**-30  # or rounded to less
        if is_half and models:
            break
        models.append(model)
        sums.append((right, wrong))
        if is_half or eps == 0.0:
            break
        weights = [
            w / (2.0 * (1.0 - eps)) if good else w / (2.0 * eps)
            for w, good in zip(weights, is_right, strict=True)
        ]
    return models, sums


def draw_by_weight(weights, row):
    """N draws of an example with probabilities proportional to the weights."""
    sample = []
    total = sum_of(weights)
    for draw in range(len(weights)):
        point = uniform(np.uint64(draw_in_row(row, draw))) * total
        passed = 0.0
        for n, w in enumerate(weights):
            passed = passed + w
            if passed > point:
                sample.append(n)
                break
    return sample


def online_boosting(
    new_model, n_models, rows, labels, key, weights=None, later=False, test_first=False, primed=None, first=0
):
    """Thesis Figure 4.3: the models, and for each the weights that it classified correctly and wrongly.

    With `test_first` each model is tested before it learns the example, not after.
    `primed` gives models and sums to continue from, `first` the number of the first example.
    """
    models = [new_model(m) for m in range(n_models)]
    sums = [[0.0, 0.0] for _ in models]
    if primed is not None:
        models[: len(primed[0])] = primed[0]
        sums[: len(primed[1])] = [list(pair) for pair in primed[1]]
    seen = 0.0
    for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
        lam = 1.0 if weights is None else float(weights[n])
        seen = seen + lam
        if n < first:
            continue
        for m, model in enumerate(models):
            lam = min(lam, 2.0**53)
            if lam == 0.0:
                break
            k = poisson(lam, np.uint64(row_key(key, n)), m)
            answer = model.classify(x) if test_first else None
            model.learn(x, y, k)
            side = 0 if (answer if test_first else model.classify(x)) == y else 1
            sums[m][side] += lam
            eps = sums[m][1] / (sums[m][0] + sums[m][1])
            if later:
                lam = lam * seen / (2.0 * sums[m][side])
            elif side == 0:
                lam = lam / (2.0 * (1.0 - eps)) if eps < 1.0 else math.inf
            else:
                lam = lam / (2.0 * eps)
    return models, sums


def primed(
    new_model,
    n_models,
    rows,
    labels,
    key,
    n_prime,
    weights=None,
    later=False,
    test_first=False,
    resample=False,
):
    """Thesis section 2.4: AdaBoost on the first examples, online boosting on the others."""
    weights = [1.0] * len(rows) if weights is None else weights
    made = ([], [])
    if any(weights[:n_prime]):
        first = rows[:n_prime], labels[:n_prime], weights[:n_prime]
        made = adaboost(new_model, n_models, *first, key if resample else None)
    return online_boosting(new_model, n_models, rows, labels, key, weights, later, test_first, made, n_prime)


def boosting_votes(sums, weights):
    """log((1 − eps)/eps) of the first L models, that is, of those before the first with eps > 1/2."""
    lowest = 1.0 / (2.0 * max(sum_of(weights), float(sum(w > 0.0 for w in weights)), 1.0))
    votes = []
    for right, wrong in sums:
        eps = wrong / (right + wrong) if right + wrong > 0.0 else 0.5
        if eps > 0.5:
            break
        eps = max(eps, lowest)
        votes.append(log((1.0 - eps) / eps))
    if not any(votes):
        votes = [1.0] * max(len(votes), 1)
    return votes + [0.0] * (len(sums) - len(votes))


def bole(new_model, n_models, rows, labels, key, weights):
    """The models of BOLE, and for each the weights that it classified correctly and wrongly."""
    models = [new_model(m) for m in range(n_models)]
    sums, order, seen = [[0.0, 0.0] for _ in models], list(range(n_models)), 0.0
    for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
        order.sort(key=lambda m: -sums[m][0] / sum(sums[m]) if sums[m][0] else 0.0)
        lam, is_right, left = float(weights[n]), False, list(order)
        seen += lam
        while left and lam > 0.0:
            m = left.pop(0 if is_right else -1)
            lam = min(lam, 2.0**53)
            models[m].learn(x, y, poisson(lam, np.uint64(row_key(key, n)), m))
            is_right = models[m].classify(x) == y
            side = 0 if is_right else 1
            sums[m][side] += lam
            lam *= seen / (2.0 * sums[m][side])
    return models, sums


def bole_votes(sums):
    """log((1 − eps)/eps) of the models with 0 < eps <= 1/2; 1 each if there is no such vote."""
    votes = [log(right / wrong) if 0.0 < wrong <= right else 0.0 for right, wrong in sums]
    return votes if any(votes) else [1.0] * len(votes)


def weighted_vote(models, votes, classes, x):
    """Sum of the vote weights for each class."""
    total = dict.fromkeys(classes, 0.0)
    for model, weight in zip(models, votes, strict=True):
        label = model.classify(x)
        if label is not None:
            total[label] += weight
    return [total[c] for c in classes]


def fixed_fraction(new_model, n_models, rows, labels, key, probability, weights=None):
    """Thesis Figure 2.13: each model learns each example with the same probability, or is tested on it."""
    models = [new_model(m) for m in range(n_models)]
    out_of_bag = OutOfBag(models)
    for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
        w = 1.0 if weights is None else weights[n]
        row = np.uint64(row_key(key, n))
        chosen = [uniform(np.uint64(draw_in_row(row, m))) < probability for m in range(n_models)]
        out_of_bag.test(x, y, w, [w * is_chosen for is_chosen in chosen])
        for model, is_chosen in zip(models, chosen, strict=True):
            if is_chosen:
                model.learn(x, y, w)
    return models, out_of_bag


def arc_x4(new_model, n_models, rows, labels, weights=None, test_first=False):
    """Thesis Figure 2.16: weight 1 + n⁴ if n of the models before err; and each model's error."""
    models = [new_model(m) for m in range(n_models)]
    met, wrong = 0.0, [0.0] * n_models
    for number, (x, y) in enumerate(zip(rows, labels, strict=True)):
        w = 1.0 if weights is None else weights[number]
        met += w
        n = 0
        for m, model in enumerate(models):
            before = model.classify(x)
            model.learn(x, y, w * float(1 + n**4))
            if (before if test_first else model.classify(x)) != y:
                n += 1
                wrong[m] += w
    return models, [part / met if met > 0.0 else 0.5 for part in wrong]


def blocked(new_model, n_models, rows, labels, key, block_size, weights=None):
    """Thesis Figure 2.9: the models with a full block, or the first; smoothed errors; each model's."""
    classes = new_model(0).classes
    models, errors, block, met, wrong, e = [], [], [], 0, 0, 0.0
    tested, missed = [0.0] * n_models, [0.0] * n_models

    def learned():
        model = new_model(len(models))
        model.learn_batch(*zip(*block, strict=True), list(range(len(block))))
        return model

    for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
        m = len(models)
        if m == n_models:
            break
        w = 1.0 if weights is None else weights[n]
        if w == 0.0:
            continue
        met += 1
        take = True
        if m > 0:
            for earlier, model in enumerate(models):
                tested[earlier] += w
                missed[earlier] += w if model.classify(x) != y else 0.0
            votes = vote(models, classes, x)
            is_wrong = classes[votes.index(max(votes))] != y
            wrong += is_wrong
            e = wrong / met if m == 1 else 0.75 * errors[-1] + 0.25 * (wrong / met)
            chance = 1.0 if e == 1.0 else min(1.0, e / (1.0 - e))
            take = is_wrong or uniform(np.uint64(draw_in_row(np.uint64(row_key(key, n)), m))) < chance
        if take:
            block.append((x, y, w))
        if len(block) == block_size:
            models.append(learned())
            errors.append(e)
            block, met, wrong = [], 0, 0
    if not models:
        return [learned() if block else new_model(0)], ([e], [0.5])
    each = [w / t if t > 0.0 else 0.5 for w, t in zip(missed, tested, strict=True)]
    return models, (errors, each[: len(models)])


def adaptive(
    new_model,
    n_models,
    rows,
    labels,
    key,
    weights=None,
    *,
    lam=1.0,
    by_mistakes=False,
    by_weight=False,
    boosts=False,
    delta=0.002,
    clock=32,
    fired=False,
    test_after=False,
    codes=None,
):
    """ADWIN bagging, leveraging bagging, or with `boosts` ADWIN boosting, and what the detectors found.

    With `by_weight` an example that a model gets right is learned with the weight e/(1 − e), at most 1.
    """
    models = [new_model() for _ in range(n_models)]
    detectors = [Adwin(delta, clock) for _ in models]
    sums = [[0.0, 0.0, 0.0, 0.0] for _ in models]  # right, wrong, weight and number of the examples
    history = []
    for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
        weight = 1.0 if weights is None else float(weights[n])
        if weight == 0.0:
            continue
        row, passed, risen = np.uint64(row_key(key, n)), weight, []
        for m, model in enumerate(models):
            wanted = y if codes is None else codes[m][y]
            before, e = model.classify(x), detectors[m].mean()
            if boosts:
                k = poisson(passed, row, m)
            elif by_weight:
                k = weight if before != wanted or e >= 0.5 else weight * (e / (1.0 - e))
            elif by_mistakes:
                learns = before != wanted or uniform(draw_in_row(row, m)) * (1.0 - e) < e
                k = weight if learns else 0.0
            else:
                k = poisson(lam * weight, row, m)
            model.learn(x, wanted, k)
            is_wrong = (model.classify(x) if test_after else before) != wanted
            sums[m][is_wrong] += passed
            sums[m][2] += weight
            sums[m][3] += 1
            eps = sums[m][1] / (sums[m][0] + sums[m][1])
            passed = passed / (2.0 * (eps if is_wrong else 1.0 - eps))
            if detectors[m].update(float(is_wrong)) and detectors[m].mean() > e:
                risen.append((n, m, e, detectors[m].mean()))
        chosen = max(range(n_models), key=lambda m: detectors[m].mean())
        gone = {m if fired else chosen for _, m, *_ in risen}
        history += [(*found, found[1] if fired else chosen) for found in risen]
        for m in gone:
            models[m], detectors[m], sums[m] = new_model(), Adwin(delta, clock), [0.0, 0.0, 0.0, 0.0]
    return models, Replaced([detector.mean() for detector in detectors], sums, history)


class Replaced(NamedTuple):
    """What `adaptive` knows about its models, and what its detectors found."""

    errors: list
    sums: list
    history: list

    def votes(self):
        """Vote weights of boosted models."""
        votes = []
        for right, wrong, seen, n_seen in self.sums:
            eps = max(wrong / (right + wrong) if right + wrong else 0.5, 0.5 / max(seen, n_seen, 1.0))
            votes.append(log((1.0 - eps) / eps) if eps < 0.5 else 0.0)
        return votes if any(votes) else [1.0] * len(votes)


class Forest:
    """An adaptive random forest over `new_tree(j, g)`, which makes the g-th tree at place j, g from 0 on.

    Tree m has the places m and n_trees + m for itself and its background tree; when that takes over, they
    change places.
    """

    def __init__(self, new_tree, n_trees, key, lam=6.0, delta=1e-3, delta_warning=1e-2, clock=32):
        self.new_tree, self.key, self.lam, self.clock = new_tree, key, lam, clock
        self.delta, self.delta_warning = delta, delta_warning
        self.generations = [0] * (2 * n_trees)
        self.trees = [new_tree(m, 0) for m in range(n_trees)]
        self.places = list(range(n_trees))
        self.background = [None] * n_trees
        self.drifts = [Adwin(delta, clock) for _ in self.trees]
        self.warnings = [Adwin(delta_warning, clock) for _ in self.trees]
        self.right, self.seen = [0.0] * n_trees, [0.0] * n_trees
        self.history, self.n_warnings, self.n_seen, self.n_taken_over = [], 0, 0, 0

    def begin(self, place):
        self.generations[place] += 1
        return self.new_tree(place, self.generations[place])

    def other_place(self, m):
        return 2 * m + len(self.trees) - self.places[m]

    def has_risen(self, detector, is_wrong):
        before = detector.mean()
        if detector.update(float(is_wrong)) and detector.mean() > before:
            return before, detector.mean()
        return None

    def weights(self):
        found = [r / s if s else 0.0 for r, s in zip(self.right, self.seen, strict=True)]
        return found if any(found) else [1.0] * len(found)

    def predict(self, classes, x):
        votes = [0.0] * len(classes)
        for tree, weight in zip(self.trees, self.weights(), strict=True):
            said = tree.classify(x)
            if said is not None:
                votes[classes.index(said)] += weight
        return classes[votes.index(max(votes))]

    def learn(self, x, y, weight=1.0):
        row = np.uint64(row_key(self.key, self.n_seen))
        for m in range(len(self.trees)):
            is_wrong = self.trees[m].classify(x) != y
            self.trees[m].learn(x, y, poisson(self.lam * weight, row, m))
            if self.background[m] is not None:
                self.background[m].learn(x, y, poisson(self.lam * weight, row, len(self.trees) + m))
            if weight == 0.0:
                continue
            self.right[m] += weight * (not is_wrong)
            self.seen[m] += weight
            if self.has_risen(self.warnings[m], is_wrong):
                self.n_warnings += 1
                self.warnings[m] = Adwin(self.delta_warning, self.clock)
                self.background[m] = self.begin(self.other_place(m))
            if found := self.has_risen(self.drifts[m], is_wrong):
                self.history.append((self.n_seen, m, *found, m))
                self.replace(m)
        self.n_seen += 1

    def replace(self, m):
        former = self.places[m]
        if self.background[m] is not None:
            self.trees[m], self.places[m] = self.background[m], self.other_place(m)
            self.begin(former)
            self.n_taken_over += 1
        else:
            self.trees[m] = self.begin(former)
        self.background[m] = None
        self.right[m] = self.seen[m] = 0.0
        self.warnings[m] = Adwin(self.delta_warning, self.clock)
        self.drifts[m] = Adwin(self.delta, self.clock)
