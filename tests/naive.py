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


class DecisionStump:
    """Thesis section 2.1.1: the one test of highest gain, a majority class behind each outcome."""

    def __init__(self, classes, values):
        self.classes = classes
        self.values = values  # what each nominal attribute can be, in order; None for numeric ones
        self.n_c = dict.fromkeys(classes, 0.0)
        self.tables = [{} for _ in values]  # attribute: value: class: weight

    def learn(self, x, y, weight=1.0):
        self.n_c[y] += weight
        for table, v in zip(self.tables, self._values(x), strict=True):
            table.setdefault(v, dict.fromkeys(self.classes, 0.0))[y] += weight

    def _values(self, x):
        """The example with None for each value that is not known."""
        return [v if known is None or v in known else None for v, known in zip(x, self.values, strict=True)]

    def left_open(self, n_c):
        """n log n − Σ n_c log n_c."""
        return _x_log_x(_sum(n_c[c] for c in self.classes)) - _sum(_x_log_x(n_c[c]) for c in self.classes)

    def together(self, tables):
        total = dict.fromkeys(self.classes, 0.0)
        for n_c in tables:
            for c in self.classes:
                total[c] += n_c[c]
        return total

    def best_test(self):
        """(what it leaves open, attribute, threshold, class counts behind each outcome)."""
        return min(self._tests(), key=lambda test: test[:3])

    def _tests(self):
        for a, table in enumerate(self.tables):
            if self.values[a] is not None:
                groups = {v: table[v] for v in [*self.values[a], None] if v in table}
                yield _sum(self.left_open(n_c) for n_c in groups.values()), a, 0.0, groups
                continue
            numbers = sorted(v for v in table if any(table[v].values()))
            if len(numbers) < 2:
                n_c = self.together(table[v] for v in numbers)
                yield self.left_open(n_c), a, math.inf, {True: n_c}
            for i in range(1, len(numbers)):
                left = self.together(table[v] for v in numbers[:i])
                right = self.together(table[v] for v in reversed(numbers[i:]))
                middle = 0.5 * numbers[i - 1] + 0.5 * numbers[i]
                threshold = middle if numbers[i - 1] <= middle < numbers[i] else numbers[i - 1]
                total = self.left_open(left) + self.left_open(right)
                yield total, a, threshold, {True: left, False: right}

    def classify(self, x):
        """Majority class of the example's group, or of all; None if nothing was seen."""
        _, a, threshold, groups = self.best_test()
        v = self._values(x)[a]
        for n_c in (groups.get(v if self.values[a] is not None else v <= threshold), self.n_c):
            if n_c and any(n_c.values()):
                return max(self.classes, key=n_c.get)
        return None


def _x_log_x(x):
    return x * log(x) if x > 0.0 else 0.0
