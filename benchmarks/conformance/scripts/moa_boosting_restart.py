"""MOA: boosting-restart. A member that begins anew is given weights of half of all examples."""

import random

import numpy as np
from capymoa.base import MOAClassifier
from capymoa.core import LabeledInstance
from capymoa.stream import Schema
from moa.classifiers.meta import OzaBoostAdwin

schema = Schema.from_custom(["a", "y"], "y", {"y": ["0", "1"]})
model = MOAClassifier(OzaBoostAdwin, schema, "-l functions.MajorityClass -s 3")
draw, seen, largest = random.Random(1).random, [0.0] * 3, [0.0, 0.0]
for i in range(6000):
    label = int(i % 10 == 9 if i < 4000 else draw() < 0.4)
    model.train(LabeledInstance.from_array(schema, np.zeros(1), label))
    now = [member.trainingWeightSeenByModel() for member in model.moa_learner.getSubClassifiers()]
    largest[i >= 4000] = max(largest[i >= 4000], *(b - a for a, b in zip(seen, now, strict=True)))
    seen = now
print("largest weight given, errors .1:", largest[0], "and after the change to .4:", largest[1])
assert largest[0] < 100 and largest[1] > 1000
