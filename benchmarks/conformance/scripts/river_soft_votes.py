"""River: bagging-vote, boosting-vote. Two of three members say 1 by .6, one is sure of 0: the answer is 0."""

from river import base, ensemble


class Says(base.Classifier):
    def learn_one(self, x, y): ...

    def predict_proba_one(self, x):
        return {0: 1 - x[self.number], 1: x[self.number]}


for kind, asked in ((ensemble.BaggingClassifier, [0.6, 0.6, 0.0]), (ensemble.AdaBoostClassifier, [0.6, 0.0])):
    model = kind(Says(), n_models=len(asked), seed=1)
    for number, member in enumerate(model):
        member.number = number
    for i in range(1000):  # of boosting's members the first errs on .1, the second on .3: weights 2.2 and 1.6
        model.learn_one([float(i % 10 == 0), float(i % 10 in (1, 3, 7)), 0.0], 0)
    print(kind.__name__, model.predict_one(asked), "where votes make it 1")
    assert model.predict_one(asked) == 0
