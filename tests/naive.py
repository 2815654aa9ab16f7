"""Slow, obvious twins of the kernels: plain Python, one model at a time, one example at a time.

Nothing is imported from the library but the arithmetic and the keyed draws that fix the bits.
An example is a list of values: strings, integers or booleans are nominal, floats numeric.
"""

import math

import numpy as np

from oza._arithmetic import add_exactly, exp_parts, log, two_product
from oza._random import integer_below, poisson, row_key


class NaiveBayes:
    """Thesis Figure 2.3: relative frequencies, no smoothing unless `alpha` asks for it."""

    def __init__(self, classes, alpha=0.0, var_smoothing=1e-9, sizes=None):
        self.classes = classes
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.sizes = sizes  # number of values of each attribute; needed for alpha > 0 alone
        self.n_c = dict.fromkeys(classes, 0.0)
        self.n_cav = {}
        self.sums = {}  # (class, attribute): sums of x and x², each in two parts

    def learn(self, x, y, weight=1.0):
        self.n_c[y] += weight
        for a, v in enumerate(x):
            if isinstance(v, float):
                s, s_low, q, q_low = self.sums.get((y, a), (0.0, 0.0, 0.0, 0.0))
                term, term_low = two_product(weight, v)
                s, s_low = add_exactly(s, s_low, term, term_low)
                square, square_low = two_product(v, v)
                term, term_low = two_product(weight, square)
                q, q_low = add_exactly(q, q_low, term, term_low + weight * square_low)
                self.sums[y, a] = s, s_low, q, q_low
            else:
                self.n_cav[y, a, v] = self.n_cav.get((y, a, v), 0.0) + weight

    def product(self, c, x):
        """(mantissa, exponent) of the prior times the factor of each attribute."""
        if self.n_c[c] == 0.0:
            return 0.0, 0
        product, exponent = math.frexp(self.n_c[c] / _sum(self.n_c[other] for other in self.classes))
        for a, v in enumerate(x):
            if not isinstance(v, float) and _sum(self.n_cav.get((k, a, v), 0.0) for k in self.classes) > 0.0:
                size = self.sizes[a] if self.alpha else 0
                share = (self.n_cav.get((c, a, v), 0.0) + self.alpha) / (self.n_c[c] + self.alpha * size)
                product, shift = math.frexp(product * min(share, 1.0))
                exponent += shift
        smoothing = self.var_smoothing * max(
            (self._total_variance(a) for a, v in enumerate(x) if isinstance(v, float)), default=0.0
        )
        for a, v in enumerate(x):
            if isinstance(v, float):
                mean, variance = mean_and_variance(*self.sums[c, a], self.n_c[c])
                variance += smoothing
                if variance > 0.0:
                    t = -0.5 * ((v - mean) * (v - mean)) / variance
                    m, k = exp_parts(t) if t >= -1e12 else (0.0, 0)
                    product, shift = math.frexp(product * (m / math.sqrt(2.0 * math.pi * variance)))
                    exponent += k + shift
        return product, exponent

    def _total_variance(self, a):
        s = s_low = q = q_low = 0.0
        for c in self.classes:
            part = self.sums.get((c, a), (0.0, 0.0, 0.0, 0.0))
            s, s_low = add_exactly(s, s_low, part[0], part[1])
            q, q_low = add_exactly(q, q_low, part[2], part[3])
        return mean_and_variance(s, s_low, q, q_low, _sum(self.n_c[c] for c in self.classes))[1]

    def classify(self, x):
        """The most probable class, or None for a model that has seen nothing."""
        most_frequent = max(self.classes, key=self.n_c.get)
        if self.n_c[most_frequent] == 0.0:
            return None
        winner, best = most_frequent, None
        for c in self.classes:
            mantissa, exponent = self.product(c, x)
            if mantissa > 0.0 and (best is None or (exponent, mantissa) > best):
                winner, best = c, (exponent, mantissa)
        return winner


class DecisionTree:
    """Binary tests by gain ratio or gain, grown anew from all examples whenever it is asked.

    A node is a dictionary: "counts" (weight of each class), and unless it is a leaf "test" (column,
    value or threshold), "yes", "no", and "cut", which says whether pruning makes it a leaf.
    """

    def __init__(self, classes, gain_ratio=True, prune=False):
        self.classes = classes
        self.gain_ratio = gain_ratio
        self.prune = prune
        self.weights = {}  # of each distinct example, in the order of first arrival

    def learn(self, x, y, weight=1.0):
        if weight > 0.0:
            example = (*(v + 0.0 if isinstance(v, float) else v for v in x), y)
            self.weights[example] = self.weights.get(example, 0.0) + weight

    def tree(self):
        return self._grow(list(self.weights.items()))

    def _grow(self, examples):
        counts = self._counts(examples)
        node = {"counts": counts, "cut": False}
        present = [n for n in counts if n > 0.0]
        total = _sum(counts)
        wrong = total - max(counts)
        node["cost"] = log(2.0)
        if len(present) > 1:
            node["cost"] += log(len(present))
            node["cost"] += wrong * (log(total + 1.0) + log(len(present) - 1))
        scores = self._scores(examples, counts) if len(present) > 1 else {}
        if scores:
            column, value = max(scores, key=scores.get)  # the first of equals
            node["test"] = column, value
            node["yes"] = self._grow([e for e in examples if passes(e[0][column], value)])
            node["no"] = self._grow([e for e in examples if not passes(e[0][column], value)])
            divided = log(2.0) + log(len(scores))
            divided += node["yes"]["cost"] + node["no"]["cost"]
            if self.prune and node["cost"] <= divided:
                node["cut"] = True
            else:
                node["cost"] = divided
        return node

    def _counts(self, examples):
        return [_sum(w for x, w in examples if x[-1] == c) for c in self.classes]

    def _scores(self, examples, counts):
        """Score of each test that separates, in the order of columns and of values."""
        scores = {}
        for column in range(len(examples[0][0]) - 1):
            for value in sorted({x[column] for x, w in examples}):
                if isinstance(value, float):  # a running sum over sorted examples
                    passing = sorted(
                        (e for e in examples if e[0][column] <= value), key=lambda e: e[0][column]
                    )
                else:
                    passing = [e for e in examples if e[0][column] == value]
                score = self._score(counts, self._counts(passing))
                if score is not None:
                    scores[column, value] = score
        return scores

    def _score(self, counts, yes):
        no = [max(n - n_yes, 0.0) for n, n_yes in zip(counts, yes, strict=True)]
        if _sum(yes) <= 0.0 or _sum(no) <= 0.0:
            return None
        x_all, x_yes, x_no = (n_log_n(_sum(part)) for part in (counts, yes, no))
        spread, spread_yes, spread_no = (
            n_log_n(_sum(part)) - _sum(n_log_n(n) for n in part) for part in (counts, yes, no)
        )
        gain = spread - (spread_yes + spread_no)
        if gain < 1e-12 * _sum(counts):
            gain = 0.0
        if not self.gain_ratio:
            return gain
        information = x_all - (x_yes + x_no)
        return gain / information if information > 0.0 else 0.0

    def classify(self, x):
        """Class of the leaf, or None for a tree that has learned nothing; `None` in `x` is unknown."""
        if not self.weights:
            return None
        node = self.tree()
        while "test" in node and not node["cut"]:
            column, value = node["test"]
            if x[column] is None:
                answer = _sum(node["yes"]["counts"]) >= _sum(node["no"]["counts"])
            else:
                answer = passes(x[column], value)
            node = node["yes" if answer else "no"]
        return self.classes[node["counts"].index(max(node["counts"]))]


def passes(v, value):
    return v <= value if isinstance(value, float) else v == value


def n_log_n(n):
    return n * log(n) if n > 0.0 else 0.0


def _sum(values):
    """Left to right, rounding each time, as the kernels do (the built-in sum compensates)."""
    total = 0.0
    for value in values:
        total = total + value
    return total


def mean_and_variance(s, s_low, q, q_low, n):
    if n == 0.0:
        return 0.0, 0.0
    mean = s / n
    p, r = two_product(mean, n)
    mean_low = (((s - p) - r) + s_low) / n
    square = q / n
    p, r = two_product(square, n)
    square_low = (((q - p) - r) + q_low) / n
    p, r = two_product(mean, mean)
    high, low = add_exactly(square, square_low, -p, -(r + 2.0 * mean * mean_low))
    return mean + mean_low, max(high + low, 0.0)


def bagging(new_model, n_models, rows, labels, key, weights=None):
    """Thesis Figure 3.1: each model learns N examples drawn with replacement."""
    models = [new_model() for _ in range(n_models)]
    for m, model in enumerate(models):
        row = np.uint64(row_key(key, m))
        copies = [0] * len(rows)
        for draw in range(len(rows)):
            copies[integer_below(len(rows), row, draw)] += 1
        for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
            model.learn(x, y, copies[n] * (1.0 if weights is None else weights[n]))
    return models


def online_bagging(new_model, n_models, rows, labels, key, weights=None):
    """Thesis Figure 3.3: each model learns each example k ~ Poisson(1) times."""
    models = [new_model() for _ in range(n_models)]
    for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
        for m, model in enumerate(models):
            k = poisson(1.0 if weights is None else float(weights[n]), np.uint64(row_key(key, n)), m)
            model.learn(x, y, k)
    return models


def vote(models, classes, x):
    """Votes for each class; a model that has seen nothing casts none."""
    votes = dict.fromkeys(classes, 0)
    for model in models:
        label = model.classify(x)
        if label is not None:
            votes[label] += 1
    return [votes[c] for c in classes]
