"""MOA: awe-weights. On random labels a model has a weight, the more the more folds there are."""

import random

import numpy as np
from capymoa.base import MOAClassifier
from capymoa.core import LabeledInstance
from capymoa.stream import Schema
from moa.classifiers.meta import AccuracyWeightedEnsemble

schema = Schema.from_custom(["a", "b", "y"], "y", {"y": ["0", "1"]})
for n_folds in (2, 10, 50):
    model = MOAClassifier(AccuracyWeightedEnsemble, schema, f"-l bayes.NaiveBayes -f {n_folds}")
    draw = random.Random(1).random
    for _ in range(3000):
        model.train(LabeledInstance.from_array(schema, np.array([draw(), draw()]), int(draw() < 0.5)))
    field = model.moa_learner.getClass().getDeclaredField("storedWeights")
    field.setAccessible(True)
    largest = max(weight for weight, _ in field.get(model.moa_learner))
    print(n_folds, "folds, largest weight", largest)
    assert largest > 0.1
