"""The column of this library."""

import numpy as np

import oza
from benchmarks.conformance.cells import NotThere
from benchmarks.conformance.scikit_learn import Batch, Numbered, Stub
from oza.drift import ADWIN
from oza.models.hoeffding_tree.state import LEAF

ENSEMBLES = {
    "online bagging": (oza.OnlineBaggingClassifier, {}),
    "online boosting": (oza.OnlineBoostingClassifier, {}),
    "BOLE": (oza.BOLEClassifier, {}),
    "ADWIN bagging": (oza.ADWINBaggingClassifier, {}),
    "ADWIN boosting": (oza.ADWINBoostingClassifier, {}),
    "leveraging bagging": (oza.LeveragingBaggingClassifier, {}),
    "leveraging bagging MC": (oza.LeveragingBaggingClassifier, {"output_codes": True}),
    "leveraging bagging ME": (oza.LeveragingBaggingClassifier, {"variant": "me"}),
    "accuracy weighted": (oza.AccuracyWeightedEnsembleClassifier, {}),
}
MODELS = {
    "Hoeffding tree": (oza.HoeffdingTreeClassifier, {}),
    "Naive Bayes leaf": (
        oza.HoeffdingTreeClassifier,
        {"leaf_prediction": "naive_bayes", "grace_period": 10**9},
    ),
    "naive Bayes": (oza.NaiveBayesClassifier, {}),
}
BATCH = {"AdaBoost.M1": oza.AdaBoostClassifier, "bagging": oza.BaggingClassifier}
MEMBERS = {"stub": Stub, "tree": oza.HoeffdingTreeClassifier, "naive Bayes": oza.NaiveBayesClassifier}


class Online:
    """A model that learns one example after the other."""

    def __init__(self, model, n_classes, is_nominal=False):
        self.model, self.classes, self.is_nominal = model, list(range(n_classes)), is_nominal
        self.is_numbered = False

    def row(self, x):
        return np.array([[str(value) for value in x]] if self.is_nominal else [x])

    def learn(self, x, y, weight):
        self.model.partial_fit(self.row(x), [y], classes=self.classes, sample_weight=[weight])
        if not self.is_numbered and isinstance(getattr(self.model, "estimator", None), Stub):
            for number, member in enumerate(self.members()):
                member.number = number
            self.is_numbered = True

    def predict(self, x):
        return int(self.model.predict(self.row(x))[0])

    def predict_each(self, x):
        return self.model.predict_each(self.row(x)).ravel().tolist()

    def members(self):
        return self.model._models.estimators

    def vote_weights(self):
        return self.model.vote_weights_.tolist()

    def n_nodes(self):
        return self.model.n_nodes_

    def n_replaced(self):
        return self.model.n_resets_

    def background_weights(self):
        n_trees = self.model.n_estimators
        backgrounds = list(self.model._models.trees)[n_trees:]
        return [
            weight_of(tree) if has_one else None
            for tree, has_one in zip(backgrounds, self.model._has_background.tolist(), strict=True)
        ]


def weight_of(tree):
    """What a Hoeffding tree has learned; the children of a node take over what it has."""
    nodes = tree.nodes[: tree.header["n_nodes"][0]]
    return float(tree.counts[: len(nodes)][nodes["attribute"] == LEAF].sum())


class Detector:
    def __init__(self):
        self.detector = ADWIN()

    def update(self, value):
        return self.detector.update(float(value))

    @property
    def width(self):
        return self.detector.width_


def version():
    return oza.__version__


def make(algorithm, *, n_models=10, n_classes=2, over="stub", seed=1, jobs=None, **_):
    if algorithm == "ADWIN":
        return Detector()
    if algorithm in BATCH:
        return Batch(BATCH[algorithm](Numbered(), n_models, random_state=seed))
    if algorithm in MODELS:
        kind, options = MODELS[algorithm]
        return Online(kind(**options), n_classes, is_nominal=algorithm == "Naive Bayes leaf")
    if algorithm == "adaptive forest":
        tree = oza.HoeffdingTreeClassifier(leaf_prediction="majority", grace_period=50, delta=0.01)
        return Online(oza.AdaptiveRandomForestClassifier(tree, n_models, random_state=seed), n_classes)
    if algorithm not in ENSEMBLES:
        raise NotThere()
    kind, options = ENSEMBLES[algorithm]
    if jobs is not None:
        options = options | {"n_jobs": jobs}
    ensemble = kind(MEMBERS[over](), n_estimators=n_models, random_state=seed, **options)
    return Online(ensemble, n_classes)
