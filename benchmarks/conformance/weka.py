"""The column of Weka, which is in the jar of MOA."""

import zipfile

import jpype

from benchmarks.conformance.cells import NotThere
from benchmarks.conformance.moa import JAR, field, start

ENSEMBLES = {"AdaBoost.M1": "weka.classifiers.meta.AdaBoostM1", "bagging": "weka.classifiers.meta.Bagging"}


class Batch:
    """An ensemble of Weka over stubs."""

    def __init__(self, ensemble, n_classes):
        self.ensemble, self.n_classes = ensemble, n_classes

    def example(self, x, y=0):
        example = jpype.JClass("weka.core.DenseInstance")(1.0, [*x, float(y)])
        example.setDataset(self.header)
        return example

    def fit(self, rows, labels):
        attribute, columns = jpype.JClass("weka.core.Attribute"), jpype.java.util.ArrayList()
        for a in range(len(rows[0])):
            columns.add(attribute(f"a{a}"))
        columns.add(attribute("class", jpype.java.util.ArrayList([f"v{y}" for y in range(self.n_classes)])))
        self.header = jpype.JClass("weka.core.Instances")("stream", columns, len(rows))
        self.header.setClassIndex(len(rows[0]))
        for x, y in zip(rows, labels, strict=True):
            self.header.add(self.example(x, y))
        jpype.JClass("WekaStub").made = 0
        self.ensemble.buildClassifier(self.header)
        return self

    def predict(self, x):
        return int(self.ensemble.classifyInstance(self.example(x)))

    def members(self):
        return list(field(self.ensemble, "m_Classifiers"))

    def n_kept(self):
        return int(field(self.ensemble, "m_NumIterationsPerformed"))


def version():
    with zipfile.ZipFile(JAR) as jar:
        return jar.read("weka/core/version.txt").decode().strip()


def make(algorithm, *, n_models=10, n_classes=2, seed=1, **_):
    if algorithm not in ENSEMBLES:
        raise NotThere()
    start()
    ensemble = jpype.JClass(ENSEMBLES[algorithm])()
    ensemble.setClassifier(jpype.JClass("WekaStub")())
    ensemble.setNumIterations(n_models)
    ensemble.setSeed(seed)
    return Batch(ensemble, n_classes)
