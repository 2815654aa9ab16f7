"""MOA, CapyMOA: naive-bayes-wide. All products underflow with 120 columns of scale 1,000."""

import random

import numpy as np
from capymoa.classifier import NaiveBayes
from capymoa.core import LabeledInstance
from capymoa.stream import Schema

for scale in (1, 1000):
    schema = Schema.from_custom([*(f"a{a}" for a in range(120)), "y"], "y", {"y": ["0", "1"]})
    model, r, n_none = NaiveBayes(schema), random.Random(1), 0
    for i in range(1000):
        y = r.randrange(2)
        x = [scale * r.gauss(0.5 * y, 1) for _ in range(120)]
        example = LabeledInstance.from_array(schema, np.array(x), y)
        n_none += i >= 500 and max(model.moa_learner.getVotesForInstance(example.java_instance)) == 0
        model.train(example)
    print("scale", scale, "- all votes are 0 for", n_none, "of 500 examples")
    assert (n_none > 400) == (scale == 1000)
