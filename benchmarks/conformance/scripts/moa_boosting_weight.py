"""MOA, CapyMOA: boosting-weight. Of examples of weight 2 the later members learn 4, as a mean."""

import numpy as np
from capymoa.classifier import OzaBoost
from capymoa.core import LabeledInstance
from capymoa.stream import Schema

schema = Schema.from_custom(["a", "y"], "y", {"y": ["0", "1"]})
model = OzaBoost(schema, base_learner="functions.MajorityClass", boosting_iterations=3)
for i in range(3000):
    example = LabeledInstance.from_array(schema, np.array([0.0]), int(i % 5 == 0))
    example.java_instance.setWeight(2.0)
    model.train(example)
learned = [member.trainingWeightSeenByModel() / 3000 for member in model.moa_learner.getSubClassifiers()]
print("mean weight that each member has learned of an example of weight 2:", learned)
assert learned[0] < 2.2 and learned[1] > 3.5
