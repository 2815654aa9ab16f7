"""Evidence for and against the claims about mean proportions."""

import numpy as np
import pandas as pd

SIZES = pd.Series([2.0, 5.0, 100.0], index=[2, 5, 100])
RATIO, NO_SHIFT = 1 + 1 / SIZES, 0 * SIZES

EVIDENCE = {"C056": ((RATIO, NO_SHIFT), (RATIO + 1, NO_SHIFT), (RATIO, np.exp(-SIZES) / 2))}

COUNTER = {
    "C055": lambda variances: variances.assign(estimate=1.2 * variances["exact"]),
    "C057": lambda pointwise, distance, mass: (pointwise, 0 * distance + 0.3, mass),
    "C058": lambda probability: 0.9 * probability,
    "C060": lambda unreachable, largest: (0 * unreachable + 0.3, largest),
}
