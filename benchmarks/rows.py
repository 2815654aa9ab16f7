"""The rows of the benchmark: one for each kind of work, with its peers and targets."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from peers import river_adwin, river_ensemble, river_tree
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import oza
from oza import drift, streams
from oza.classifier.online import OnlineKernelClassifier
from oza.datasets import load_dataset
from oza.discovery import all_estimators
from oza.ensembles.voting import VotingEnsemble
from oza.kernels.draws import uniforms


@dataclasses.dataclass(frozen=True)
class Data:
    """Encoded examples; the first `n_train` are the training examples."""

    name: str
    X: Any
    y: np.ndarray
    n_train: int
    feature_names: list
    categories: list | None  # values of each column, None for a numeric one; None: nothing is declared
    target_names: list

    @property
    def classes(self):
        return np.arange(len(self.target_names))

    @property
    def declared(self):
        """All values of every column, so that chunks of a stream have the same categories."""
        return [None if values is None else range(len(values)) for values in self.categories]

    @property
    def train(self):
        return self.X[: self.n_train], self.y[: self.n_train]

    @property
    def one_hot(self):
        return OneHotEncoder(categories=self.declared, sparse_output=False).fit_transform(self.train[0])


#: Streams by name, and how many examples of each are learned.
STREAMS = {"agrawal-7": streams.Agrawal(function=7), "rbf": streams.RandomRBF()}
#: Tables of 20 columns of names, of which nothing is declared, by the type of the columns.
NAMES: dict[str, Callable[[np.ndarray], Any]] = {
    "strings": lambda names: names,
    "strings, some missing": lambda names: np.where(uniforms(names.shape, "missing") < 0.05, None, names),
    "fixed-width strings": lambda names: names.astype(str),
    "frame of strings": lambda names: pd.DataFrame(names).astype("str"),
    "frame of objects": lambda names: pd.DataFrame(names.tolist(), dtype=object),
    "categories": lambda names: pd.DataFrame(names).astype("category"),
    "integers as objects": lambda names: (names == "value1").astype(int).astype(object),
}
N_FROM_STREAM = 100_000
N_ERRORS = 1_000_000


def load(name, n_train=None):
    """A nominal data set of the thesis, four fifths of it for training, or the beginning of a stream.

    "jumps" are zeros and ones whose share jumps every 10,000 values.
    """
    if name == "jumps":
        n = n_train or N_ERRORS
        y = (uniforms(n, "benchmark") < np.where(np.arange(n) // 10_000 % 2, 0.3, 0.1)).astype(np.int64)
        return Data(name, np.empty((n, 0)), y, n, [], [], ["0", "1"])
    if name in NAMES:
        n = n_train or 20_000
        codes = (8 * uniforms((n, 20), "names")).astype(int)
        X = NAMES[name](np.array([f"value{v}" for v in range(8)], object)[codes])
        return Data(name, X, codes[:, 0] % 2, n, [], None, ["0", "1"])
    if name in STREAMS:
        stream, n = STREAMS[name], n_train or N_FROM_STREAM
        X, y = stream[:n]
        names = [f"a{j}" for j in range(X.shape[1])]
        return Data(name, X, y, n, names, stream.categories, [str(label) for label in stream.classes])
    bunch = load_dataset(name)
    n_train = min(len(bunch.target), n_train or len(bunch.target) * 4 // 5)
    return Data(
        name,
        bunch.data,
        bunch.target,
        n_train,
        bunch.feature_names,
        bunch.categories,
        bunch.target_names,
    )


@dataclasses.dataclass(frozen=True)
class Row:
    """One kind of work.

    `model` names a class of `oza`, `base` that of its base models; a row with a class that `oza` lacks
    is skipped.  `peers` defines for each peer what it runs, `targets` the ratio of our speed to its
    speed that we aim at.
    """

    work: str
    dataset: str
    task: (
        str  # "fit", "learn", "classify", "prequential" (predict each example, then learn it), "learn row by
    )
    # row", "prequential row by row" (calls of one row), or "detect" (find changes in the labels)
    model: str
    base: str | None = None
    parameters: dict = dataclasses.field(default_factory=dict)
    peers: dict[str, Any] = dataclasses.field(default_factory=dict)
    targets: dict[str, float] = dataclasses.field(default_factory=dict)
    least_rate: float | None = None  # examples/s
    most_seconds: float | None = None
    long: bool = False  # minutes; only with --long

    @property
    def missing(self):
        """Names of the classes that `oza` does not have."""
        return [
            name
            for name in (self.model, self.base)
            if name and not hasattr(drift if self.task == "detect" else oza, name)
        ]

    def new(self, data, n_models):
        """The unfitted estimator."""
        parameters = dict(self.parameters)
        if data.categories is not None:
            is_nominal = [values is not None for values in data.categories]
            parameters |= {"categories": data.declared, "categorical_features": is_nominal}
        if self.base:
            parameters |= {"n_estimators": n_models, "estimator": getattr(oza, self.base)()}
        model = getattr(oza, self.model)(**parameters)
        return model.set_params(random_state=0) if "random_state" in model.get_params() else model

    def ready(self, data, n_models) -> Callable[[], Any]:
        """The work to be timed, after preparation."""
        if self.task == "detect":
            detector = getattr(drift, self.model)(**self.parameters)
            return lambda: detector.update(data.y)
        model = self.new(data, n_models)
        if self.task == "fit":
            return lambda: model.fit(*data.train)
        if self.task == "classify":
            model.fit(*data.train)
            return lambda: model.predict(data.train[0])
        call = model.partial_fit if self.task.startswith("learn") else model.prequential_predict
        X, y = data.train
        rows = range(len(y)) if self.task.endswith("row by row") else None

        def work():
            if rows is None:
                call(X, y, classes=data.classes)
            else:
                for n in rows:
                    call(X[n : n + 1], y[n : n + 1], classes=data.classes)

        return work


def batch_tree(data):
    """Our own batch tree, on the same examples as the online tree."""
    return data.n_train, lambda: Row("", data.name, "fit", TREE).ready(data, 1)


def cart(data):
    """scikit-learn's tree, which needs one-hot columns; encoding is not timed."""
    X = data.one_hot
    return data.n_train, lambda: lambda: DecisionTreeClassifier(random_state=0).fit(X, data.train[1])


def perceptron(data):
    """scikit-learn's network, one example at a time; encoding is not timed."""
    n_examples = min(1000, data.n_train)
    X, y = data.one_hot[:n_examples], data.y[:n_examples]

    def ready():
        model = MLPClassifier(10, activation="logistic", solver="sgd", batch_size=1, random_state=0)

        def work():
            for n in range(n_examples):
                model.partial_fit(X[n : n + 1], y[n : n + 1], classes=data.classes)

        return work

    return n_examples, ready


def moa(ensemble, base):
    return f"meta.{ensemble} -l {base}"


BAG, BOOST = "OnlineBaggingClassifier", "OnlineBoostingClassifier"
ADWIN_BAG = "ADWINBaggingClassifier"
NAIVE_BAYES, STUMP, TREE = "NaiveBayesClassifier", "DecisionStumpClassifier", "DecisionTreeClassifier"


def online_ensembles():
    """Name and parameters of the online ensembles of any base model, by the names in their docstrings."""
    found = {}
    for name, ensemble in all_estimators(VotingEnsemble).items():
        takes_any = {"estimator", "n_estimators"} <= ensemble().get_params().keys()
        takes_any &= ensemble is not oza.AdaptiveRandomForestClassifier
        if issubclass(ensemble, OnlineKernelClassifier) and takes_any:
            title = ensemble.__doc__.partition(":")[0]
            parameters = {"n_prime": 200} if hasattr(ensemble(), "n_prime") else {}
            is_acronym = title[:2].isupper()
            found[title if is_acronym else title[0].lower() + title[1:]] = name, parameters
    return found


ROWS = [
    Row(
        "online bagging of Naive Bayes",
        "synthetic2",
        "learn",
        BAG,
        NAIVE_BAYES,
        peers={
            "MOA": moa("OzaBag", "bayes.NaiveBayes"),
            "River": river_ensemble("BaggingClassifier"),
        },
        targets={"MOA": 35, "River": 2500},
        least_rate=1.5e6,
    ),
    Row("online bagging of Naive Bayes", "synthetic2", "classify", BAG, NAIVE_BAYES, least_rate=8e5),
    Row(
        "online bagging of Naive Bayes",
        "synthetic2",
        "prequential",
        BAG,
        NAIVE_BAYES,
        peers={
            "MOA": moa("OzaBag", "bayes.NaiveBayes"),
            "River": river_ensemble("BaggingClassifier"),
        },
        targets={"MOA": 8},
    ),
    Row(
        "online boosting of Naive Bayes",
        "synthetic2",
        "learn",
        BOOST,
        NAIVE_BAYES,
        peers={
            "MOA": moa("OzaBoost", "bayes.NaiveBayes"),
            "River": river_ensemble("AdaBoostClassifier"),
        },
        targets={"MOA": 6, "River": 1700},
    ),
    Row(
        "online bagging of stumps",
        "synthetic2",
        "learn",
        BAG,
        STUMP,
        peers={"MOA": moa("OzaBag", "trees.DecisionStump")},
        targets={"MOA": 5},
    ),
    Row(
        "online boosting of stumps",
        "synthetic2",
        "learn",
        BOOST,
        STUMP,
        peers={"MOA": moa("OzaBoost", "trees.DecisionStump")},
        targets={"MOA": 2},
    ),
    *(
        Row(
            "one lossless online tree",
            dataset,
            "prequential",
            TREE,
            peers={"oza, batch": batch_tree},
            targets={"oza, batch": 1 / 15},
            long=True,
        )
        for dataset in ("nursery", "connect4", "synthetic2")
    ),
    *(
        Row("online boosting of trees", dataset, "learn", BOOST, TREE, most_seconds=most_seconds, long=True)
        for dataset, most_seconds in (("nursery", 60), ("connect4", 1200))
    ),
    Row(
        "one network, 10 hidden units",
        "connect4",
        "learn",
        "NeuralNetworkClassifier",
        parameters={"hidden_units": 10},
        peers={"scikit-learn": perceptron},
        targets={"scikit-learn": 200},
        least_rate=2.5e6,
    ),
    Row(
        "one batch tree",
        "connect4",
        "fit",
        TREE,
        peers={"scikit-learn": cart},
        targets={"scikit-learn": 1},
    ),
    *(
        Row(
            "one Hoeffding tree",
            dataset,
            "prequential",
            "HoeffdingTreeClassifier",
            peers={"MOA": "trees.HoeffdingTree", "River": river_tree(is_nominal)},
            targets={"MOA": ratio, "River": 150},
        )
        for dataset, is_nominal, ratio in (
            ("synthetic2", [True] * 20, 20),
            ("agrawal-7", STREAMS["agrawal-7"].categorical_features, 12.5),
            ("rbf", STREAMS["rbf"].categorical_features, 12.5),
        )
    ),
    Row(
        "one Hoeffding tree",
        "synthetic2",
        "prequential row by row",
        "HoeffdingTreeClassifier",
        peers={"River": river_tree([True] * 20)},
        targets={"River": 1},
    ),
    Row(
        "change detection by ADWIN",
        "jumps",
        "detect",
        "ADWIN",
        peers={"MOA": "ADWIN", "River": river_adwin()},
    ),
    *(
        Row(f"{work} of Naive Bayes", "rbf", "prequential", model, NAIVE_BAYES, {}, peers, targets, rate)
        for work, model, peers, targets, rate in (
            ("online bagging", BAG, {"MOA": moa("OzaBag", "bayes.NaiveBayes")}, {"MOA": 8}, 150_000),
            ("online boosting", BOOST, {"MOA": moa("OzaBoost", "bayes.NaiveBayes")}, {}, 75_000),
            ("ADWIN bagging", ADWIN_BAG, {"MOA": moa("OzaBagAdwin", "bayes.NaiveBayes")}, {}, 100_000),
        )
    ),
    Row("online bagging of Naive Bayes", "rbf", "learn", BAG, NAIVE_BAYES),
    Row("online bagging of Naive Bayes", "rbf", "classify", BAG, NAIVE_BAYES, least_rate=150_000),
    *(
        Row(f"online {work} of stumps", "rbf", task, model, STUMP, least_rate=rate)
        for work, model, rate in (("bagging", BAG, 5_000), ("boosting", BOOST, None))
        for task, rate in (("prequential", rate), ("learn", None), ("classify", None))
    ),
    *(
        Row("online bagging of Hoeffding trees", "rbf", task, BAG, "HoeffdingTreeClassifier", peers=peers)
        for task, peers in (
            ("prequential", {"MOA": moa("OzaBag", "trees.HoeffdingTree")}),
            ("classify", {}),
        )
    ),
    *(Row("one Naive Bayes", name, "learn", NAIVE_BAYES, least_rate=500_000) for name in NAMES),
    Row("one Naive Bayes", "synthetic2", "learn", NAIVE_BAYES),
    Row("one Naive Bayes", "synthetic2", "prequential", NAIVE_BAYES),
    *(
        Row(f"{name} of Naive Bayes", "car-evaluation", task, model, NAIVE_BAYES, parameters)
        for name, (model, parameters) in online_ensembles().items()
        for task in ("learn", "classify", "prequential", "learn row by row", "prequential row by row")
    ),
]

#: Learners whose state must not grow with the stream.
CONSTANT_MEMORY = [
    (BAG, NAIVE_BAYES),
    (BAG, STUMP),
    (BOOST, NAIVE_BAYES),
    (BAG, "NeuralNetworkClassifier"),
]
