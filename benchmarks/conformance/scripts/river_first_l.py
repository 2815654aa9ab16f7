"""River: boosting-first-l. A model that errs on .7 votes with the weight 1, and one after it votes, too."""

from river import base, ensemble


class Says(base.Classifier):
    def learn_one(self, x, y): ...

    def predict_proba_one(self, x):
        return {0: 1 - x[self.number], 1: x[self.number]}


model = ensemble.AdaBoostClassifier(Says(), n_models=2, seed=1)
for number, member in enumerate(model):
    member.number = number
for i in range(1000):
    model.learn_one([float(i % 10 < 7), float(i % 10 == 0)], 0)
votes = model.predict_proba_one([1.0, 0.0])
print("errors:", [model.wrong_weight[j] / 1000 for j in range(2)], "votes:", dict(votes))
assert 0.1 < votes[1] < 0.5  # the first says 1, with the weight 1
