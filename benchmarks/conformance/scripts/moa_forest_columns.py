"""MOA, CapyMOA: forest-columns. The roots of all trees look at the same columns."""

import numpy as np
from capymoa.classifier import AdaptiveRandomForestClassifier
from capymoa.core import LabeledInstance
from capymoa.stream import Schema


def hidden(thing, name):
    kind = thing.getClass()
    while name not in {str(field.getName()) for field in kind.getDeclaredFields()}:
        kind = kind.getSuperclass()
    field = kind.getDeclaredField(name)
    field.setAccessible(True)
    return field.get(thing)


schema = Schema.from_custom([*"abcdefghij", "y"], "y", {"y": ["0", "1"]})
for seed in range(3):
    model = AdaptiveRandomForestClassifier(schema, ensemble_size=10, random_seed=seed)
    for i in range(3):
        model.train(LabeledInstance.from_array(schema, np.random.rand(10), i % 2))
    roots = [hidden(hidden(each, "classifier"), "treeRoot") for each in hidden(model.moa_learner, "ensemble")]
    print(columns := {tuple(sorted(hidden(root, "listAttributes"))) for root in roots})
    assert len(columns) == 1
