"""River: detector-sense, worst-goes. ADWIN bagging replaces a member when errors fall, not when they rise."""

import random

from river import base, ensemble


class Says0(base.Classifier):
    def learn_one(self, x, y): ...

    def predict_proba_one(self, x):
        return {0: 1.0, 1: 0.0}


for name, before, after in (("rises", 0.1, 0.6), ("falls", 0.6, 0.1)):
    model, draw = ensemble.ADWINBaggingClassifier(Says0(), n_models=4, seed=1), random.Random(1).random
    first = list(model)
    for i in range(3000):
        model.learn_one({}, int(draw() < (before if i < 1500 else after)))
    gone = sum(one is not other for one, other in zip(first, model, strict=True))
    print("the error", name, "from", before, "to", after, "- replaced:", gone)
    assert (gone > 0) == (name == "falls")
