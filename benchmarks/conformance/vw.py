"""The column of Vowpal Wabbit as a classifier, whose members are linear and whose classes are −1 and 1."""

from importlib.metadata import version as version_of

from vowpalwabbit import Workspace

from benchmarks.conformance.cells import Hidden, NotThere


class Online:
    """Online bagging; its answer is the class if it is one of the labels, or else the answer itself."""

    def __init__(self, n_models):
        self.model = Workspace(f"--binary --bootstrap {n_models} --bs_type vote --quiet")

    def learn(self, x, y, weight):
        self.model.learn(f"{2 * y - 1} {weight} | " + text(x))

    def predict(self, x):
        said = self.model.predict("| " + text(x))
        return {-1: 0, 1: 1}.get(said, f"{said}, which is no label")


def text(x):
    return " ".join(f"{'abcdef'[a]}:{value}" for a, value in enumerate(x))


def version():
    return version_of("vowpalwabbit")


def make(algorithm, *, n_models=10, over="stub", **_):
    if algorithm == "online boosting":
        raise NotThere("its boosting is that of Beygelzimer, Kale and Luo (2015)")
    if algorithm != "online bagging":
        raise NotThere()
    if over == "stub":
        raise Hidden("its members are linear models, and no others can take their place")
    return Online(n_models)
