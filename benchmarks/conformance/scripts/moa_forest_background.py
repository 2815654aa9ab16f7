"""MOA, CapyMOA: forest-background. A background tree learns an example once, not six times."""

import numpy as np
from capymoa.classifier import AdaptiveRandomForestClassifier
from capymoa.core import LabeledInstance
from capymoa.stream import Schema


def hidden(thing, name):
    field = thing.getClass().getDeclaredField(name)
    field.setAccessible(True)
    return field.get(thing)


schema = Schema.from_custom(["a", "b", "y"], "y", {"y": ["0", "1"]})
model, draw, found = AdaptiveRandomForestClassifier(schema, ensemble_size=5), np.random.default_rng(1), []
for i in range(4500):
    x, is_flipped = draw.random(2), draw.random() < (0, 0.1, 0.2)[i // 1500]
    model.train(LabeledInstance.from_array(schema, x, int((x[0] > 0.5) ^ is_flipped)))
    for other in (hidden(tree, "bkgLearner") for tree in hidden(model.moa_learner, "ensemble")):
        if other and (n := i - hidden(other, "createdOn")) > 100:
            found.append(hidden(other, "classifier").trainingWeightSeenByModel() / n)
print("weight per example since the warning:", sum(found) / len(found))
assert sum(found) / len(found) < 1.5
