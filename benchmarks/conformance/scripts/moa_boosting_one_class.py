"""MOA, CapyMOA: boosting-perfect. All labels are 1, and for some seeds 1 is never predicted."""

import numpy as np
from capymoa.classifier import OnlineBagging, OzaBoost
from capymoa.core import LabeledInstance
from capymoa.stream import Schema

schema = Schema.from_custom(["a", "y"], "y", {"y": ["0", "1"]})
for kind in (OnlineBagging, OzaBoost):
    right = [0] * 5
    for seed in range(5):  # if the first draw is 0, member 1 has erred once, and votes
        model = kind(schema, random_seed=seed)
        for i in range(500):
            example = LabeledInstance.from_array(schema, np.array([float(i % 7)]), 1)
            right[seed] += model.predict(example) == 1
            model.train(example)
    print(kind.__name__, "right of 500, seeds 0 to 4:", right)
    assert (min(right) == 0) == (kind is OzaBoost)
