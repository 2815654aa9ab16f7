"""AdaBoost: what would refute its claims."""

from fractions import Fraction

import numpy as np
import pandas as pd

_SPLITS = pd.DataFrame({"dataset": ["balance", "car-evaluation", "nursery"] * 10, "test_at_zero": 0.3})

EVIDENCE = {
    "C096": [
        (_SPLITS.assign(test_at_end=0.3 + change + np.arange(30) % 7 / 1e4),) for change in (-0.2, 0.2, 0)
    ]
}

#: What would refute the claims.
COUNTER = {
    "C028": lambda factors: factors.assign(right=1.0),
    "C029": lambda errors: [*errors, 0.51],
    "C030": lambda noise: noise.assign(bagging=noise["boosting"]),
    "C092": lambda weights, wrong: ([Fraction(1, 10)] * 10, wrong),
    "C093": lambda disagreements, control: (dict.fromkeys(disagreements, 1), control),
    "C094": lambda runs: runs.assign(training_error=runs["bound"] + 0.1),
    "C095": lambda runs: runs.assign(bound=0.99),
    "C097": [
        lambda falls, arcing: (falls.assign(margin_at_end=0.0), arcing),
        lambda falls, arcing: (falls, arcing.abs() * [1, 1, -1]),
    ],
    "C005": lambda shares, n_examples: (shares - 1e-4, n_examples),
}
