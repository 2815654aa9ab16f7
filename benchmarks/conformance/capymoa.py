"""The column of CapyMOA: MOA's learners, as its classes set them up and with their defaults."""

from functools import partial
from importlib.metadata import version as version_of

import jpype

from benchmarks.conformance.cells import CLASSES, NotThere
from benchmarks.conformance.moa import MOST_JOBS, Detector, Online

jpype.addClassPath(str(CLASSES))

# Its import starts Java, which must know our stub by then.
from capymoa.base import MOAClassifier  # noqa: E402
from capymoa.classifier import (  # noqa: E402
    AdaptiveRandomForestClassifier,
    HoeffdingTree,
    LeveragingBagging,
    NaiveBayes,
    OnlineAdwinBagging,
    OnlineBagging,
    OzaBoost,
)
from capymoa.stream import Schema  # noqa: E402

ENSEMBLES = {
    "online bagging": OnlineBagging,
    "ADWIN bagging": OnlineAdwinBagging,
    "leveraging bagging": LeveragingBagging,
}
MODELS = {
    "Hoeffding tree": partial(HoeffdingTree, confidence=1e-7),  # as in the others
    "Naive Bayes leaf": partial(HoeffdingTree, leaf_prediction="NaiveBayes", grace_period=10**9),
    "naive Bayes": NaiveBayes,
}


def version():
    return version_of("capymoa")


def make(algorithm, *, n_models=10, n_classes=2, over="stub", seed=1, jobs=None, n_values=None, **_):
    def made(header):
        schema = Schema(header)
        set_up = {"schema": schema, "random_seed": seed}
        if algorithm in MODELS:
            return MODELS[algorithm](**set_up).moa_learner
        if algorithm == "online boosting":
            return OzaBoost(**set_up, base_learner="Stub", boosting_iterations=n_models).moa_learner
        if algorithm == "adaptive forest":
            tree = jpype.JClass("moa.classifiers.trees.ARFHoeffdingTree")
            tree = MOAClassifier(tree, schema, "-g 50 -c 0.01 -l MC")
            forest = AdaptiveRandomForestClassifier(**set_up, base_learner=tree, ensemble_size=n_models)
            return forest.moa_learner
        member = HoeffdingTree(schema)
        if over == "stub":
            member = MOAClassifier(jpype.JClass("Stub"), schema)
        parallel = {} if jobs is None else {"number_of_jobs": min(jobs, MOST_JOBS), "minibatch_size": 25}
        ensemble = ENSEMBLES[algorithm](**set_up, base_learner=member, ensemble_size=n_models, **parallel)
        return ensemble.moa_learner

    if algorithm == "ADWIN":
        return Detector()
    if algorithm not in {*ENSEMBLES, *MODELS, "online boosting", "adaptive forest"}:
        raise NotThere()
    return Online(made, n_classes, n_values)
