"""MOA, CapyMOA: boosting-vote. Another class is predicted than the one with most of the members' weight."""

import numpy as np
from capymoa.classifier import OzaBoost
from capymoa.core import LabeledInstance
from capymoa.stream import Schema

schema = Schema.from_custom(["a", "y"], "y", {"y": ["0", "1"]})
model, rng, n_differ = OzaBoost(schema, boosting_iterations=9).moa_learner, np.random.default_rng(1), 0
fields = [model.getClass().getDeclaredField(name) for name in ("scms", "swms")]
any(field.setAccessible(True) for field in fields)
for i, (a, y) in enumerate((a, 0.3 + 0.4 * (a > 0.5)) for a in rng.random(3000)):
    example = LabeledInstance.from_array(schema, np.array([a]), int(rng.random() < y)).java_instance
    if i >= 1000:
        weights = np.log(np.divide(*(field.get(model) for field in fields)))
        weights = weights[: np.argmax([*(weights <= 0), True])]  # those before the first error above 1/2 vote
        said = [list(member.getVotesForInstance(example)) for member in model.getSubClassifiers()]
        voted = sum(w if v[-1] > v[0] else -w for w, v in zip(weights, said, strict=False)) > 0
        n_differ += voted != (np.argmax(list(model.getVotesForInstance(example))) == 1)
    model.trainOnInstance(example)
print("in", n_differ, "of 2,000 examples the answer is not that of the weighted votes")
assert n_differ > 0
