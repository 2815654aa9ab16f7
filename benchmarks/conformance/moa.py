"""The column of MOA, which is in the wheel of CapyMOA."""

import os
import zipfile
from importlib.metadata import version as version_of
from importlib.util import find_spec
from pathlib import Path

import jpype

from benchmarks.conformance.cells import CLASSES, NotThere

JAR = Path(find_spec("capymoa").origin).parent / "jar" / "moa.jar"
#: Ensembles and models in MOA's notation.
ENSEMBLES = {
    "online bagging": "meta.OzaBag -s {n} -l {over}",
    "online boosting": "meta.OzaBoost -s {n} -l {over}",
    "BOLE": "meta.BOLE -s {n} -l {over}",
    "ADWIN bagging": "meta.OzaBagAdwin -s {n} -l {over}",
    "ADWIN boosting": "meta.OzaBoostAdwin -s {n} -l {over}",
    "leveraging bagging": "meta.LeveragingBag -s {n} -l {over}",
    "leveraging bagging MC": "meta.LeveragingBag -s {n} -l {over} -o",
    "leveraging bagging ME": "meta.LeveragingBag -s {n} -l {over} -m LeveragingBagME",
    "leveraging bagging half": "meta.LeveragingBag -s {n} -l {over} -m LeveragingBagHalf",
    "leveraging bagging WT": "meta.LeveragingBag -s {n} -l {over} -m LeveragingBagWT",
    "leveraging bagging subag": "meta.LeveragingBag -s {n} -l {over} -m LeveragingSubag",
    "accuracy weighted": "meta.AccuracyWeightedEnsemble -n {n} -l {over}",
    "adaptive forest": "meta.AdaptiveRandomForest -s {n} -l (ARFHoeffdingTree -g 50 -c 0.01 -l MC)",
    "Hoeffding tree": "trees.HoeffdingTree",
    "Naive Bayes leaf": "trees.HoeffdingTree -l NB -g 1000000000",
    "naive Bayes": "bayes.NaiveBayes",
}
PARALLEL = "meta.minibatch.LeveragingBagMB -s {n} -l {over} -c {jobs} -b 25"
MEMBERS = {"stub": "Stub", "tree": "trees.HoeffdingTree", "naive Bayes": "bayes.NaiveBayes"}


#: Java allows no more jobs than there are processors; members of a mini-batch learn as if there were several.
MOST_JOBS = len(os.sched_getaffinity(0))


def start():
    if not jpype.isJVMStarted():
        jpype.startJVM("-XX:+UseSerialGC", classpath=[str(JAR), str(CLASSES)])


def field(thing, name):
    """The value of a field that may be hidden, of a Java object."""
    kind = thing.getClass()
    while name not in {str(each.getName()) for each in kind.getDeclaredFields()}:
        kind = kind.getSuperclass()
    found = kind.getDeclaredField(name)
    found.setAccessible(True)
    return found.get(thing)


def header_of(n_columns, n_classes, n_values=None):
    """The declaration of columns and classes; `n_values` are those of a column of names."""
    java = jpype.JPackage("com.yahoo.labs.samoa.instances")

    def names(n):
        return jpype.java.util.ArrayList([f"v{value}" for value in range(n)])

    columns = jpype.java.util.ArrayList()
    for a in range(n_columns):
        columns.add(java.Attribute(f"a{a}", names(n_values)) if n_values else java.Attribute(f"a{a}"))
    columns.add(java.Attribute("class", names(n_classes)))
    header = java.InstancesHeader(java.Instances("stream", columns, 0))
    header.setClassIndex(n_columns)
    return header


class Online:
    """A learner of MOA, which `made(header)` makes when the number of columns is known."""

    def __init__(self, made, n_classes, n_values=None):
        self.made, self.n_classes, self.n_values = made, n_classes, n_values
        self.model = None

    def example(self, x, y=0, weight=1.0):
        if self.model is None:
            self.header = header_of(len(x), self.n_classes, self.n_values)
            self.model = self.made(self.header)
            for number, member in enumerate(self.members()):
                if isinstance(member, jpype.JClass("Stub")):
                    member.number = number
        example = jpype.JClass("com.yahoo.labs.samoa.instances.DenseInstance")(weight, [*x, float(y)])
        example.setDataset(self.header)
        return example

    def learn(self, x, y, weight):
        example = self.example(x, y, weight)
        self.model.trainOnInstance(example)

    def predict(self, x):
        example = self.example(x)
        return largest(self.model.getVotesForInstance(example))

    def members(self):
        if str(self.model.getClass().getName()).endswith("MB"):
            return [field(trainer, "learner") for trainer in field(self.model, "trainers")]
        return list(self.model.getSubClassifiers() or [])

    def trees(self):
        return list(field(self.model, "ensemble"))

    def predict_each(self, x):
        example = self.example(x)
        return [largest(field(tree, "classifier").getVotesForInstance(example)) for tree in self.trees()]

    def n_replaced(self):
        return sum(int(field(tree, "numberOfDriftsDetected")) for tree in self.trees())

    def background_weights(self):
        others = [field(tree, "bkgLearner") for tree in self.trees()]
        return [other and field(other, "classifier").trainingWeightSeenByModel() for other in others]

    def vote_weights(self):
        return [float(weight) for weight, _ in field(self.model, "storedWeights")]

    def n_nodes(self):
        return self.model.getNodeCount()


def largest(votes):
    """The class of the most votes, the first where there are none, as MOA's evaluators choose it."""
    votes = list(votes)
    return votes.index(max(votes)) if votes else 0


class Detector:
    def __init__(self):
        self.detector = jpype.JClass("moa.classifiers.core.driftdetection.ADWIN")(0.002)

    def update(self, value):
        return self.detector.setInput(float(value))

    @property
    def width(self):
        return self.detector.getWidth()


def version():
    with zipfile.ZipFile(JAR) as jar:
        lines = jar.read("META-INF/maven/nz.ac.waikato.cms.moa/moa/pom.properties").decode().splitlines()
    stated = dict(line.split("=") for line in lines if "=" in line)["version"]
    return f"{stated}, in capymoa {version_of('capymoa')}"


def make(algorithm, *, n_models=10, n_classes=2, over="stub", seed=1, jobs=None, n_values=None, **_):
    start()
    if algorithm == "ADWIN":
        return Detector()
    if algorithm not in ENSEMBLES:
        raise NotThere()
    words = (ENSEMBLES[algorithm] if jobs is None else PARALLEL).format(
        n=n_models, over=f"({MEMBERS[over]})", jobs=min(jobs or 1, MOST_JOBS)
    )

    def made(header):
        classifier = jpype.JClass("moa.classifiers.Classifier")
        model = jpype.JClass("moa.options.ClassOption").cliStringToObject(words, classifier.class_, None)
        model.setModelContext(header)
        model.setRandomSeed(seed)
        model.prepareForUse()
        model.resetLearning()
        return model

    return Online(made, n_classes, n_values)
