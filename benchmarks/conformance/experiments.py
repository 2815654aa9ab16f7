"""What ten deviations cost: an implementation beside one that differs from it in the deviation alone.

    python -m benchmarks.conformance.experiments            # all ten, seven minutes of processor time
    python -m benchmarks.conformance.experiments --only rare-class

Fixed before any was run: 20,000 examples, ten seeds, each for the stream and the ensemble. An example is
predicted and then learned; in batch the first half is learned and the second predicted. A score is the share
of examples predicted right, and for a rare class the mean recall of the two. What is lost is the score of
the conforming side minus that of the deviating one, with the 95 % interval of the t distribution over the
seeds. The book's rule of equality judges it, `reproduction.statistics.outcome`, with the margin of
0.01: accuracy is *lost*, *gained* or *equal*, or it is *undecided*.

The conforming side is the same class of the same version, with an option, other numbers or some of its
code changed. No stream, number of models or change was chosen by its outcome.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import date
from functools import partial
from importlib import import_module
from inspect import getsource
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np

from benchmarks.conformance.cells import COLUMNS, PEERS, ROOT, scripts
from benchmarks.conformance.rows import ROWS

RECORD = ROOT / "data" / "results" / "conformance-experiments.csv"
WORDS = RECORD.with_name("conformance.json")
N = 20_000
SEEDS = range(1, 11)
Stream = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Experiment:
    """A deviation, by the rows of the table that show it, and what it is compared with."""

    name: str
    rows: tuple[str, ...]
    implementation: str
    deviation: str
    conforming: str  # what is changed on the other side
    fed: str
    stream: Callable[[int], Stream]
    make: Callable[[int, bool], Any]  # a learner, by its seed and whether it conforms
    score: str = "accuracy"


@dataclass(frozen=True)
class Run:
    """The scores of both sides on the stream of one seed."""

    experiment: str
    implementation: str
    version: str
    date: str
    seed: int
    deviating: float
    conforming: float

    @property
    def lost(self) -> float:
        return self.conforming - self.deviating


def sums(seed: int, n_columns: int = 4, noise: float = 0.05) -> Stream:
    """Whether the first two columns sum up to more than 1; a share of the labels is wrong."""
    rng = np.random.default_rng(seed)
    X = rng.random((N, n_columns))
    return X, ((X[:, 0] + X[:, 1] > 1) ^ (rng.random(N) < noise)).astype(int)


def flip(seed: int) -> Stream:
    X, y = sums(seed)
    return X, np.where(np.arange(N) < N // 2, y, 1 - y)


def one_class_first(seed: int) -> Stream:
    X, y = sums(seed)
    return X, np.where(np.arange(N) < N // 2, 1, y)


def four_classes(seed: int) -> Stream:
    rng = np.random.default_rng(seed)
    X = rng.random((N, 4))
    y = 2 * (X[:, 0] + X[:, 1] > 1) + (X[:, 2] + X[:, 3] > 1)
    return X, np.where(rng.random(N) < 0.05, rng.integers(0, 4, N), y)


def rare(seed: int) -> Stream:
    rng = np.random.default_rng(seed)
    y = (rng.random(N) < 0.006).astype(int)
    return np.column_stack([rng.normal(3 * y), rng.random(N)]), y


def wide(seed: int) -> Stream:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, N)
    return 1000 * rng.normal(0.2 * y[:, None], 1, (N, 120)), y


def patched(kind: type, method: str, *changes: tuple[str, str]) -> type:
    """A subclass in which some places of the text of one method are replaced."""
    text, names = dedent(getsource(getattr(kind, method))), {}
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(f"{kind.__name__}.{method} has {old!r} {text.count(old)} times; it must be once")
        text = text.replace(old, new)
    exec(text, vars(sys.modules[kind.__module__]), names)
    return type(kind.__name__, (kind,), names)


ERRORS = ("int(y_pred == y)", "int(y_pred != y)")
LAMBDA = ("poisson(1, self._rng)", "poisson(lambda_poisson, self._rng)")


def river_ensemble(name: str, changes: tuple[tuple[str, str], ...], seed: int, conforms: bool) -> Any:
    from river import ensemble, tree

    from benchmarks.conformance.river import Online

    kind = getattr(ensemble, name)
    kind = patched(kind, "learn_one", *changes) if conforms else kind
    return Online(kind(tree.HoeffdingTreeClassifier(), n_models=3, seed=seed))


def river_forest(seed: int, conforms: bool) -> Any:
    from river import forest

    from benchmarks.conformance.river import Online

    kind, changes = forest.ARFClassifier, []
    for name in ("_warning_detectors[i]", "_drift_detectors[i]"):
        fed, found = f"self.{name}.update(drift_input)", f"if self.{name}.drift_detected:"
        changes += [(fed, f"before = self.{name}.estimation; {fed}")]
        changes += [(found, f"{found[:-1]} and self.{name}.estimation > before:")]
    kind = patched(kind, "learn_one", *changes) if conforms else kind
    return Online(kind(n_models=3, seed=seed))


def river_tree(seed: int, conforms: bool) -> Any:
    from river import tree

    from benchmarks.conformance.river import Online

    return Online(tree.HoeffdingTreeClassifier(**{"max_share_to_split": 1.0} if conforms else {}))


def moa(words: str, change: Callable[[Any, int], None], seed: int, conforms: bool) -> Any:
    """A learner of MOA in its notation, changed before it learns."""
    import jpype

    from benchmarks.conformance.moa import Online, start

    start()

    def made(header: Any) -> Any:
        kind = jpype.JClass("moa.classifiers.Classifier").class_
        model = jpype.JClass("moa.options.ClassOption").cliStringToObject(words, kind, None)
        model.setModelContext(header)
        model.setRandomSeed(seed)
        model.prepareForUse()
        model.resetLearning()
        if conforms:
            change(model, seed)
        return model

    return Online(made, 2)


def unchanged(model: Any, seed: int) -> None:
    pass


def nearly_perfect(model: Any, seed: int) -> None:
    from benchmarks.conformance.moa import field

    field(model, "swms")[:] = [1e-9] * 10


def own_draws(model: Any, seed: int) -> None:
    from benchmarks.conformance.moa import field

    for j, trainer in enumerate(field(model, "trainers")):
        field(trainer, "trRandom").setSeed(100 * seed + j)


def own_columns(model: Any, seed: int) -> None:
    import jpype

    from benchmarks.conformance.moa import field

    header = model.getModelContext()
    example = jpype.JClass("com.yahoo.labs.samoa.instances.DenseInstance")(header.numAttributes())
    example.setDataset(header)
    model.getVotesForInstance(example)  # makes the trees
    for j, member in enumerate(field(model, "ensemble")):
        tree = field(member, "classifier")
        tree.setRandomSeed(100 * seed + j)
        tree.resetLearning()


class Smaller:
    """A learner that is fed with a thousandth of each number."""

    def __init__(self, learner: Any):
        self.learner = learner

    def learn(self, x: list, y: int, weight: float) -> None:
        self.learner.learn([value / 1000 for value in x], y, weight)

    def predict(self, x: list) -> int:
        return self.learner.predict([value / 1000 for value in x])


def moa_naive_bayes(seed: int, conforms: bool) -> Any:
    learner = moa("bayes.NaiveBayes", unchanged, seed, conforms)
    return Smaller(learner) if conforms else learner


def moa_restart(seed: int, conforms: bool) -> Any:
    return moa("Restarted" if conforms else "meta.OzaBoostAdwin", unchanged, seed, conforms)


def sklearn_adaboost(seed: int, conforms: bool) -> Any:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    changes = (">= 1.0 - (1.0 / n_classes)", ">= 0.5"), (" + np.log(n_classes - 1.0)", "")
    kind = patched(AdaBoostClassifier, "_boost", *changes) if conforms else AdaBoostClassifier
    return kind(DecisionTreeClassifier(max_depth=3), n_estimators=50, random_state=seed)


SUMS = "x₁ + x₂ > 1 of four uniform columns, one label of twenty wrong"
EXPERIMENTS = (
    Experiment(
        "adwin-bagging",
        ("detector-sense", "worst-goes"),
        "River",
        "ADWIN bagging: detectors are fed with correctness, three Hoeffding trees",
        "`y_pred == y` becomes `y_pred != y`",
        f"{SUMS}; all labels flip after half",
        flip,
        partial(river_ensemble, "ADWINBaggingClassifier", (ERRORS,)),
    ),
    Experiment(
        "adwin-boosting",
        ("boosting-sense", "adwin-boosting-lambda"),
        "River",
        "ADWIN boosting: detectors as above, and Poisson(1) copies of each example, three Hoeffding trees",
        "the same, and Poisson(1) becomes Poisson(λ)",
        f"{SUMS}; all labels flip after half",
        flip,
        partial(river_ensemble, "ADWINBoostingClassifier", (ERRORS, LAMBDA)),
    ),
    Experiment(
        "forest-sense",
        ("forest-sense",),
        "River",
        "adaptive forest: a tree is replaced when its error falls, too, three trees",
        "a change counts only if the mean error is higher after it",
        f"{SUMS}; nothing changes",
        sums,
        river_forest,
    ),
    Experiment(
        "rare-class",
        ("tree-rare-class",),
        "River",
        "Hoeffding tree: a leaf with more than .99 of one class is not looked at",
        "`max_share_to_split=1.0`",
        "a class of .006, three deviations away in one of two columns",
        rare,
        river_tree,
        score="mean recall of the two classes",
    ),
    Experiment(
        "naive-bayes-wide",
        ("naive-bayes-wide",),
        "MOA",
        "Naive Bayes: products of densities underflow",
        "the same numbers divided by 1,000",
        "120 normal columns of scale 1,000, classes a fifth of a deviation apart",
        wide,
        moa_naive_bayes,
    ),
    Experiment(
        "boosting-perfect",
        ("boosting-perfect",),
        "MOA",
        "online boosting: a member without error ends the vote, ten Hoeffding trees",
        "each member begins with a weight of 10⁻⁹ of errors",
        f"one class in the first half, then {SUMS}",
        one_class_first,
        partial(moa, "meta.OzaBoost", nearly_perfect),
    ),
    Experiment(
        "boosting-restart",
        ("boosting-restart",),
        "MOA",
        "ADWIN boosting: a member that begins anew keeps the number of examples, ten Hoeffding trees",
        "it begins at 0 again (`Restarted.java`)",
        f"{SUMS}; all labels flip after half",
        flip,
        moa_restart,
    ),
    Experiment(
        "forest-columns",
        ("forest-columns",),
        "MOA",
        "adaptive forest: all trees draw columns with one seed, ten trees",
        "each tree has a seed of its own",
        "x₁ + x₂ > 1 of ten uniform columns, one label of twenty wrong",
        partial(sums, n_columns=10),
        partial(moa, "meta.AdaptiveRandomForest -s 10", own_columns),
    ),
    Experiment(
        "leveraging-jobs",
        ("leveraging-jobs",),
        "CapyMOA",
        "leveraging bagging with jobs: all members draw with one seed, ten Hoeffding trees, batches of 25",
        "each member has a seed of its own",
        SUMS,
        sums,
        partial(moa, "meta.minibatch.LeveragingBagMB -s 10 -c 1 -b 25", own_draws),
    ),
    Experiment(
        "samme",
        ("adaboost-half",),
        "scikit-learn",
        "AdaBoost: SAMME, which keeps models that err on more than 1/2, up to 50 trees of depth 3",
        "M1: 1/2 is the bound, and log((1 − ε)/ε) the vote",
        "four classes by x₁ + x₂ > 1 and x₃ + x₄ > 1, one label of twenty drawn anew; in batch",
        four_classes,
        sklearn_adaboost,
    ),
)


def score(experiment: Experiment, seed: int, conforms: bool) -> float:
    """How well one side predicts the stream of a seed."""
    X, y = experiment.stream(seed)
    learner = experiment.make(seed, conforms)
    if hasattr(learner, "fit"):
        half = len(y) // 2
        said, y = learner.fit(X[:half], y[:half]).predict(X[half:]), y[half:]
    else:
        said = []
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            said.append(learner.predict(x))
            learner.learn(x, label, 1.0)
    is_right = np.asarray(said) == y
    if experiment.score == "accuracy":
        return float(is_right.mean())
    return float(np.mean([is_right[y == label].mean() for label in np.unique(y)]))


def here(experiment: Experiment) -> str:
    """The version of an implementation and both scores of each seed, in this process."""
    column = import_module(f"benchmarks.conformance.{COLUMNS[experiment.implementation][0]}")
    scores = [[score(experiment, seed, conforms) for conforms in (False, True)] for seed in SEEDS]
    return json.dumps([column.version(), scores])


def run(experiment: Experiment) -> list[Run]:
    """Both sides in a process of the peers' environment."""
    command = [str(PEERS), "-m", "benchmarks.conformance.experiments", "--here", experiment.name]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    version, scores = json.loads(done.stdout.splitlines()[-1])
    stated = experiment.name, experiment.implementation, version, str(date.today())
    return [Run(*stated, seed, *pair) for seed, pair in zip(SEEDS, scores, strict=True)]


def recorded(path: Path = RECORD) -> list[Run]:
    """The runs on record, in the order of the experiments."""
    kinds = {"seed": int, "deviating": float, "conforming": float}
    with path.open(newline="", encoding="utf-8") as file:
        lines: list[dict] = list(csv.DictReader(file))
    return [Run(**line | {name: kind(line[name]) for name, kind in kinds.items()}) for line in lines]


def record(runs: list[Run], path: Path = RECORD) -> None:
    """Write runs, and those on record of other experiments."""
    kept = [*runs, *(recorded(path) if path.exists() else [])]
    by_key = {(run.experiment, run.seed): run for run in reversed(kept)}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Run)], lineterminator="\n")
        writer.writeheader()
        for experiment in EXPERIMENTS:
            writer.writerows(
                asdict(by_key[experiment.name, s]) for s in SEEDS if (experiment.name, s) in by_key
            )


_OF_RULES = ("algorithm", "rule", "place", "fed", "expected")
_OF_EXPERIMENTS = ("implementation", "deviation", "conforming", "fed", "score")


def in_words() -> str:
    """Rules, scripts and experiments in words, for those who read the record and not this code."""
    found = {
        "rules": [{"row": row.name, **{name: getattr(row, name) for name in _OF_RULES}} for row in ROWS],
        "scripts": [
            {"row": row, "implementation": name, "script": path.relative_to(ROOT).as_posix()}
            for (row, name), path in scripts().items()
        ],
        "experiments": [
            {"experiment": one.name, **{name: getattr(one, name) for name in _OF_EXPERIMENTS}}
            for one in EXPERIMENTS
        ],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    by_name = {experiment.name: experiment for experiment in EXPERIMENTS}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.conformance.experiments", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=by_name, default=by_name)
    parser.add_argument("--here", choices=by_name, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(here(by_name[options.here]), flush=True)
        os._exit(0)  # without waiting for threads of an implementation that never end
    for name in options.only:
        runs = run(by_name[name])
        record(runs)
        WORDS.write_text(in_words(), encoding="utf-8")
        print(f"{name:18s} lost {np.mean([run.lost for run in runs]):.4f}", flush=True)


if __name__ == "__main__":
    main()
