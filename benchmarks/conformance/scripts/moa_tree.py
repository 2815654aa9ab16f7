"""MOA, CapyMOA: tree-null-split, tree-own-examples. Noise is split, and n inherited."""

import random

import numpy as np
from capymoa.classifier import HoeffdingTree
from capymoa.core import LabeledInstance
from capymoa.stream import Schema

narrow = Schema.from_custom(["a", "y"], "y", {"y": ["0", "1"]})
wide = Schema.from_custom([*"abcd", "y"], "y", {"y": ["0", "1"]})
noise, pairs = (HoeffdingTree(schema, confidence=1e-7) for schema in (narrow, wide))
draw, splits = random.Random(1).random, []
for i in range(12_000):
    a, b = draw(), draw()
    noise.train(LabeledInstance.from_array(narrow, np.array([a]), int(draw() < 0.5)))
    label = int(draw() < 0.1 + 0.5 * (a > 0.5) + 0.3 * (b > 0.5))
    pairs.train(LabeledInstance.from_array(wide, np.array([a, b, a, b]), label))
    if pairs.moa_learner.getNodeCount() > 2 * len(splits) + 1:
        splits.append(i + 1)
print("nodes on noise:", noise.moa_learner.getNodeCount(), "splits at", splits[:2])
assert noise.moa_learner.getNodeCount() > 20 and splits[1] - splits[0] < 4000
