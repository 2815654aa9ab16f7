"""River: boosting-sense, adwin-boosting-lambda, boosting-restart. A copy of each example, right or wrong."""

from collections import Counter

from river import base, ensemble

copies = Counter()


class Says0(base.Classifier):
    def learn_one(self, x, y):
        copies[y] += 1

    def predict_proba_one(self, x):
        return {0: 1.0, 1: 0.0}


for late in (0.7, 0.0):  # the share of errors after 4,000 examples, of which .2 are wrong
    model = ensemble.ADWINBoostingClassifier(Says0(), n_models=3, seed=1)
    first, _ = list(model), copies.clear()
    for i in range(6000):
        model.learn_one({}, int(i % 5 == 0 if i < 4000 else i % 10 < 10 * late))
        if i == 3999:
            right, wrong = copies[0] / 9600, copies[1] / 2400
            assert abs(right - wrong) < 0.1
    n_gone = sum(one is not other for one, other in zip(first, model, strict=True))
    print("copies, right and wrong:", right, wrong, "errors from .2 to", late, "replaced:", n_gone)
    assert (n_gone > 0) == (late == 0.0)
