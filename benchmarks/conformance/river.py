"""The column of River."""

from importlib.metadata import version as version_of

from river import base, drift, ensemble, forest, naive_bayes, tree

from benchmarks.conformance.cells import NotThere

ENSEMBLES = {
    "online bagging": (ensemble.BaggingClassifier, {}),
    "online boosting": (ensemble.AdaBoostClassifier, {}),
    "BOLE": (ensemble.BOLEClassifier, {}),
    "ADWIN bagging": (ensemble.ADWINBaggingClassifier, {}),
    "ADWIN boosting": (ensemble.ADWINBoostingClassifier, {}),
    "leveraging bagging": (ensemble.LeveragingBaggingClassifier, {}),
    "leveraging bagging ME": (ensemble.LeveragingBaggingClassifier, {"bagging_method": "me"}),
    "leveraging bagging half": (ensemble.LeveragingBaggingClassifier, {"bagging_method": "half"}),
    "leveraging bagging WT": (ensemble.LeveragingBaggingClassifier, {"bagging_method": "wt"}),
    "leveraging bagging subag": (ensemble.LeveragingBaggingClassifier, {"bagging_method": "subag"}),
}
MODELS = {
    "Hoeffding tree": lambda: tree.HoeffdingTreeClassifier(),
    "Naive Bayes leaf": lambda: tree.HoeffdingTreeClassifier(
        leaf_prediction="nb", grace_period=10**9, nominal_attributes=[0]
    ),
    "naive Bayes": lambda: naive_bayes.GaussianNB(),
}


class Stub(base.Classifier):
    """Says what column `number` says, and counts what it learns."""

    number, weight, label = 0, 0.0, None

    def learn_one(self, x, y):
        self.weight += 1.0
        self.label = y

    def predict_proba_one(self, x):
        said = x[min(self.number, len(x) - 1)]
        return {0: 1 - said, 1: said}


class Online:
    """A model of River; its trees know a weight, its ensembles do not."""

    def __init__(self, model):
        self.model = model
        if isinstance(model, base.WrapperEnsemble):
            for number, member in enumerate(model):
                member.number = number

    def learn(self, x, y, weight):
        if weight != 1.0:
            raise NotThere("ensembles learn no weights")
        self.model.learn_one(dict(enumerate(x)), y)

    def predict(self, x):
        said = self.model.predict_one(dict(enumerate(x)))
        return 0 if said is None else said

    def members(self):
        return list(self.model)

    def n_nodes(self):
        return max(self.model.n_nodes, 1)

    def predict_each(self, x):
        return [member.predict_one(dict(enumerate(x))) for member in self.model]

    def n_replaced(self):
        return self.model.n_drifts_detected()

    def background_weights(self):
        return [other and other._train_weight_seen_by_model for other in self.model._background]


class Detector:
    def __init__(self):
        self.detector = drift.ADWIN()

    def update(self, value):
        self.detector.update(value)
        return self.detector.drift_detected

    @property
    def width(self):
        return self.detector.width


def version():
    return version_of("river")


def make(algorithm, *, n_models=10, over="stub", seed=1, jobs=None, **_):
    if algorithm == "ADWIN":
        return Detector()
    if algorithm in MODELS:
        return Online(MODELS[algorithm]())
    if algorithm == "adaptive forest":
        return Online(forest.ARFClassifier(n_models=n_models, seed=seed, leaf_prediction="mc"))
    if algorithm not in ENSEMBLES or jobs is not None:
        raise NotThere()
    kind, options = ENSEMBLES[algorithm]
    member = Stub() if over == "stub" else tree.HoeffdingTreeClassifier()
    return Online(kind(member, n_models=n_models, seed=seed, **options))
