"""River: boosting-large-lambda. The mean of 200 draws from Poisson(2000)."""

import random

from river.utils.random import poisson

mean = sum(poisson(2000, random.Random(seed)) for seed in range(200)) / 200
print("Poisson(2000) has the mean", mean)
assert mean < 760
