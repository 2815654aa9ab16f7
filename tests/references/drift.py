"""ADWIN, with its buckets as lists, and with every cut tried."""

import math
from itertools import count

import numpy as np

from .models import sum_of


class Adwin:
    """ADWIN as MOA has it: a bucket is a number of values, their sum, and their spread around its mean."""

    def __init__(self, delta=0.002, clock=32):
        self.delta = delta
        self.clock = clock
        self.n_seen = 0
        self.rows = [[]]  # buckets of one value, of two, of four, ...: oldest first

    def buckets(self):
        """All buckets, oldest first."""
        return [bucket for row in reversed(self.rows) for bucket in row]

    def update(self, value):
        self.rows[0].append((1, value, 0.0))
        for r in count():
            if len(self.rows[r]) <= 5:
                break
            if r + 1 == len(self.rows):
                self.rows.append([])
            self.rows[r + 1].append(_merged(self.rows[r].pop(0), self.rows[r].pop(0)))
        self.n_seen += 1
        changed = False
        while self.n_seen % self.clock == 0 and self.has_changed():
            self.rows[-1].pop(0)
            while len(self.rows) > 1 and not self.rows[-1]:
                self.rows.pop()
            changed = True
        return changed

    def mean(self):
        buckets = self.buckets()
        return sum_of(total for _, total, _ in buckets) / max(sum(size for size, *_ in buckets), 1)

    def has_changed(self):
        buckets = self.buckets()
        return any(
            adwin_differs(_pooled(buckets[:i]), _pooled(buckets[i:]), self.delta)
            for i in range(1, len(buckets))
        )


class EveryCut:
    """ADWIN without buckets: keeps every value and tries every cut."""

    def __init__(self, delta=0.002, clock=32):
        self.delta = delta
        self.clock = clock
        self.n_seen = 0
        self.values = []

    def update(self, value):
        self.values.append(value)
        self.n_seen += 1
        changed = False
        while self.n_seen % self.clock == 0 and self.has_changed():
            self.values.pop(0)
            changed = True
        return changed

    def has_changed(self):
        values = np.array(self.values)
        n, total, variance = len(values), values.sum(), values.var()
        n_0 = np.arange(7, n - 6)
        u_0 = np.cumsum(values)[6 : n - 7]
        if n < 14:
            return False
        bound = adwin_bound(n_0, n - n_0, variance, self.delta, n)
        return bool((np.abs(u_0 / n_0 - (total - u_0) / (n - n_0)) > bound).any())


def _merged(first, second):
    """Number, sum and spread of two groups of values taken together."""
    n_0, u_0, v_0 = first
    n_1, u_1, v_1 = second
    return n_0 + n_1, u_0 + u_1, v_0 + v_1 + n_0 * n_1 / (n_0 + n_1) * (u_0 / n_0 - u_1 / n_1) ** 2


def _pooled(buckets):
    pool = buckets[0]
    for bucket in buckets[1:]:
        pool = _merged(pool, bucket)
    return pool


def adwin_differs(older, newer, delta):
    n_0, u_0, _ = older
    n_1, u_1, _ = newer
    n, _, spread = _merged(older, newer)
    return min(n_0, n_1) >= 7 and abs(u_0 / n_0 - u_1 / n_1) > adwin_bound(n_0, n_1, spread / n, delta, n)


def adwin_bound(n_0, n_1, variance, delta, n):
    share = 1 / (n_0 - 4) + 1 / (n_1 - 4)
    doubt = math.log(2 * math.log(n) / delta)
    return (2 * share * variance * doubt) ** 0.5 + 2 / 3 * doubt * share
