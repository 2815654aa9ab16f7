"""River: forest-sense. Trees are replaced when the labels become learnable."""

import random

from river import forest

model, draw = forest.ARFClassifier(n_models=5, seed=1), random.Random(1).random
for i in range(3000):
    x = {name: draw() for name in "abcd"}
    model.learn_one(x, int(draw() < 0.5) if i < 1500 else int(x["a"] > 0.5))
    if i == 1499:
        before = model.n_drifts_detected()
print("replaced while the labels were random:", before, "and when they could be learned:", end=" ")
print(model.n_drifts_detected() - before)
assert model.n_drifts_detected() > before
