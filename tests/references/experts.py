"""Combinations of experts, one weight at a time."""

import math

from oza.kernels.arithmetic import add_exactly, exp

from .models import sum_of


class WeightedMajority:
    """Thesis Figure 2.8; the weight of an expert follows from its number of mistakes alone."""

    def __init__(self, n_experts, beta=0.5):
        self.beta = beta
        self.mistakes = [0] * n_experts

    def predict(self, advice):
        weights = [power(self.beta, k) for k in self.mistakes]
        unit = max(exponent for _, exponent in weights)
        return 1 if _total(weights, advice, 1, unit) >= _total(weights, advice, 0, unit) else 0

    def learn(self, advice, outcome):
        for i, bit in enumerate(advice):
            if bit != outcome:
                self.mistakes[i] += 1


class Winnow:
    """Littlestone's Winnow2; a weight is the product of its promotions and demotions, in order."""

    def __init__(self, n_attributes, alpha=2.0, threshold=None):
        self.factors = {1: alpha, 0: 1.0 / alpha}
        self.threshold = float(n_attributes) if threshold is None else threshold
        self.weights = [math.frexp(1.0)] * n_attributes

    def predict(self, attributes):
        return 1 if _total(self.weights, attributes, 1, 0) >= self.threshold else 0

    def learn(self, attributes, outcome):
        if self.predict(attributes) != outcome:
            for i, bit in enumerate(attributes):
                if bit == 1:
                    self.weights[i] = self.change(self.weights[i], outcome)

    def change(self, weight, outcome):
        return _times(weight, self.factors[outcome])


def _times(weight, factor):
    mantissa, exponent = math.frexp(factor)
    mantissa, shift = math.frexp(weight[0] * mantissa)
    return mantissa, weight[1] + exponent + shift


def power(factor, k):
    weight = math.frexp(1.0)
    for _ in range(k):
        weight = _times(weight, factor)
    return weight


def _total(weights, bits, wanted, unit):
    """Sum of the weights (mantissa, exponent) whose bit is `wanted`, in units of 2^unit."""
    high, low = 0.0, 0.0
    for (mantissa, exponent), bit in zip(weights, bits, strict=True):
        if bit == wanted:
            high, low = add_exactly(high, low, math.ldexp(mantissa, exponent - unit), 0.0)
    return high


class LeastSquares:
    """Linear prediction of one order, least squares with a ridge, by Givens rotations."""

    def __init__(self, order, ridge, amplitude):
        self.amplitude = amplitude
        self.factor = [[math.sqrt(ridge) if i == j else 0.0 for j in range(order)] for i in range(order)]
        self.targets = [0.0] * order
        self.past = [0.0] * order
        self.loss = 0.0

    def predict(self):
        solved = []
        for k, rest in enumerate(self.past):
            for j in range(k):
                rest = rest - self.factor[j][k] * solved[j]
            solved.append(rest / self.factor[k][k])
        forecast = sum_of(s * z for s, z in zip(solved, self.targets, strict=True))
        return min(max(forecast, -self.amplitude), self.amplitude)

    def learn(self, x):
        self.loss += (x - self.predict()) * (x - self.predict())
        row, target = list(self.past), x
        for j, factor in enumerate(self.factor):
            diagonal = math.sqrt(factor[j] * factor[j] + row[j] * row[j])
            cosine, sine = factor[j] / diagonal, row[j] / diagonal
            factor[j] = diagonal
            for k in range(j + 1, len(row)):
                factor[k], row[k] = cosine * factor[k] + sine * row[k], cosine * row[k] - sine * factor[k]
            above = self.targets[j]
            self.targets[j], target = cosine * above + sine * target, cosine * target - sine * above
        self.past = [x, *self.past[:-1]]


class UniversalLinearPredictor:
    """Thesis section 2.3: an independent predictor for each order, mixed by their losses."""

    def __init__(self, order, amplitude, ridge=1e-3):
        self.predictors = [LeastSquares(k, ridge, amplitude) for k in range(1, order + 1)]
        self.c = 4.0 * amplitude * amplitude

    def share(self, loss):
        """Unnormalised weight of an order."""
        return exp(-(loss - min(p.loss for p in self.predictors)) / (2.0 * self.c))

    def predict(self):
        shares = [self.share(p.loss) for p in self.predictors]
        total = sum_of(shares)
        return sum_of(s / total * p.predict() for s, p in zip(shares, self.predictors, strict=True))

    def learn(self, x):
        for predictor in self.predictors:
            predictor.learn(x)
