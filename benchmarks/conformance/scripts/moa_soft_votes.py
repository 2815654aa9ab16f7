"""MOA, CapyMOA: bagging-vote. The class is not the one that most members predict."""

import random

import numpy as np
from capymoa.classifier import HoeffdingTree, OnlineBagging
from capymoa.core import LabeledInstance
from capymoa.stream import Schema

schema = Schema.from_custom(["a", "b", "y"], "y", {"y": ["0", "1"]})
model = OnlineBagging(schema, base_learner=HoeffdingTree(schema), ensemble_size=9)
draw, n_differ = random.Random(1).random, 0
for i in range(3000):
    a, b = draw(), draw()
    example = LabeledInstance.from_array(schema, np.array([a, b]), int(draw() < (0.3 + 0.4 * (a + b > 1))))
    if i >= 1000:
        members = model.moa_learner.getSubClassifiers()
        each = [list(member.getVotesForInstance(example.java_instance)) for member in members]
        n_differ += (2 * sum(votes.index(max(votes)) for votes in each) > 9) != model.predict(example)
    model.train(example)
print("in", n_differ, "of 2,000 examples the answer is not what most of the nine members say")
assert n_differ > 0
