"""The gap in the norm of section 3.4: the sum of the errors of one sample's proportions does not tend to 0.

The distances are sums of absolute differences: those between vectors of proportions and the uniform
vector (1/N)(1, …, 1).
"""

import math


def limit_distance(n_models: int) -> float:
    """Limit, as N grows, of the distance between the mean proportions of M samples and the uniform vector.

    N times a mean proportion tends to the mean of M Poisson(1) counts, whose mean absolute deviation from
    1 is 2 e⁻ᴹ Mᴹ / M!, in batch and online alike.

    >>> round(limit_distance(1), 4), round(limit_distance(100), 4)
    (0.7358, 0.0797)
    """
    return 2 * math.exp(n_models * math.log(n_models) - n_models - math.lgamma(n_models + 1))
