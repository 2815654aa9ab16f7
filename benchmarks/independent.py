"""Record what other libraries' ensembles of Naive Bayes score on the splits of our study.

For each split, scikit-learn, MOA, Weka and River receive the training examples, in the study's order, and
the test examples as codes of nominal values. The results are added to the study `independent-check`, a row
for each implementation, algorithm, smoothing and split, with the version and the command. Recorded results
are not computed again. Our own results are recorded by `python -m reproduction run independent-check`.
"""

import argparse
import importlib.util
import re
import shutil
import subprocess
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import sklearn.ensemble
import sklearn.naive_bayes
from peers import CAPYMOA, Missing, moa_jar, version_of, write_arff

from oza.datasets import dataset_info
from reproduction.record import Store
from reproduction.record.store import provenance
from reproduction.studies.accuracy import Task
from reproduction.studies.protocol import N_FOLDS, Split
from reproduction.studies.variants import N_MODELS
from reproduction.topics.independent_check import (
    REPETITIONS,
    baseline_task,
    independent_check,
    predictions,
    sizes,
)

END = "\x04\n"  # what Repeat.java prints after each command

# River is slow, so it is run on these sets and the first repetition only.
RIVER_DATASETS = ("promoters", "balance", "breast-cancer", "german-credit")

# Commands by implementation and (algorithm, smoothing): for scikit-learn and River a Python expression of
# the learner, for MOA and Weka the task or class, with its options. In scikit-learn, smoothing 1e-300 means
# none, since it fails on the logarithm of 0; and its AdaBoost weights sum to 1, ours to the number of
# examples, so there a smoothing of 1 is divided by that number.
COMMANDS: dict[str, dict[tuple[str, float], str]] = {
    "scikit-learn": {
        (algorithm, alpha): command.format(
            base=f"CategoricalNB(alpha={smoothing}, force_alpha=True, min_categories=sizes)"
        )
        for alpha, as_one, as_weights in ((0.0, "1e-300", "1e-300"), (1.0, "1", "1 / n_train"))
        for algorithm, command, smoothing in (
            ("single", "{base}", as_one),
            ("bagging", f"BaggingClassifier({{base}}, n_estimators={N_MODELS}, random_state=seed)", as_one),
            ("boosting", f"AdaBoostClassifier({{base}}, n_estimators={N_MODELS})", as_weights),
        )
    },
    "MOA": {
        (algorithm, 1.0): f"EvaluateModel -m (LearnModel -l {learner} -s (ArffFileStream -f {{train}})) "
        "-s (ArffFileStream -f {test}) -e BasicClassificationPerformanceEvaluator -o {out}"
        for algorithm, learner in (
            ("single", "bayes.NaiveBayes"),
            ("online_bagging", f"(meta.OzaBag -l bayes.NaiveBayes -s {N_MODELS})"),
            ("online_boosting", f"(meta.OzaBoost -l bayes.NaiveBayes -s {N_MODELS})"),
        )
    },
    "Weka": {
        (algorithm, 1.0): f"weka.classifiers.{learner} -v -t {{train}} -T {{test}} "
        f"-classifications weka.classifiers.evaluation.output.prediction.CSV{options}"
        for algorithm, learner, options in (
            ("single", "bayes.NaiveBayes", ""),
            ("bagging", "meta.Bagging", f" -S {{seed}} -I {N_MODELS} -W weka.classifiers.bayes.NaiveBayes"),
            ("boosting", "meta.AdaBoostM1", f" -I {N_MODELS} -W weka.classifiers.bayes.NaiveBayes"),
        )
    },
    "River": {
        (algorithm, 1.0): command
        for algorithm, command in (
            ("single", "MultinomialNB(alpha=1)"),
            ("online_bagging", f"BaggingClassifier(MultinomialNB(alpha=1), n_models={N_MODELS}, seed=seed)"),
            (
                "online_boosting",
                f"AdaBoostClassifier(MultinomialNB(alpha=1), n_models={N_MODELS}, seed=seed)",
            ),
        )
    },
}


@dataclass(frozen=True)
class Case:
    """A split: its examples, how many values each attribute has, and a folder for files of its own."""

    task: Task
    examples: Split
    sizes: list[int]
    seed: int
    folder: Path


class ScikitLearn:
    name = "scikit-learn"

    @cached_property
    def version(self):
        return version_of("scikit-learn")

    def predict(self, command, case):
        examples = case.examples
        known = {"sizes": case.sizes, "n_train": len(examples.y_train), "seed": case.seed}
        model = eval(command, vars(sklearn.ensemble) | vars(sklearn.naive_bayes) | known)
        with np.errstate(divide="ignore"):  # a bootstrap sample may lack a class
            return model.fit(examples.X_train, examples.y_train).predict(examples.X_test)


class River:
    """Given a count of 1 for each value of an example, its Naive Bayes for counts is the usual one.

    Only its smoothing is not, where attributes have unlike numbers of values.
    """

    name = "River"

    def __init__(self):
        if importlib.util.find_spec("river") is None:
            raise Missing("river is not installed: pip install river")

    @cached_property
    def version(self):
        return version_of("river")

    def predict(self, command, case):
        from river import ensemble, naive_bayes

        def counts(codes):
            return {f"{a}={value}": 1 for a, value in enumerate(codes)}

        examples = case.examples
        model = eval(command, vars(ensemble) | vars(naive_bayes) | {"seed": case.seed})
        for codes, label in zip(examples.X_train.tolist(), examples.y_train.tolist(), strict=True):
            model.learn_one(counts(codes), label)
        return np.array([model.predict_one(counts(codes)) for codes in examples.X_test.tolist()])


class Java:
    """What MOA and Weka share: both are in the wheel of CapyMOA and read ARFF files."""

    def __init__(self):
        if shutil.which("javac") is None:
            raise Missing(f"no Java development kit is found: {self.name} is left out")
        self.jar = moa_jar()
        java = [
            "java",
            "-XX:+UseSerialGC",
            "-cp",
            str(self.jar),
            str(Path(__file__).with_name("Repeat.java")),
        ]
        self.process = subprocess.Popen(
            java, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    @cached_property
    def version(self):
        with zipfile.ZipFile(self.jar) as jar:
            text = jar.read(self.states_version).decode()
        found = re.search(r"version=(\S+)", text)
        return f"{found[1] if found else text.strip()}, in {CAPYMOA}"

    def predict(self, command, case):
        train, test, out = (case.folder / name for name in ("train.arff", "test.arff", "predicted"))
        write_split(case, train, test)
        out.unlink(missing_ok=True)
        words = self.words(command.format(train=train, test=test, out=out, seed=case.seed))
        print("\t".join(words), file=self.process.stdin, flush=True)
        printed = []
        for line in self.process.stdout:
            if line == END:
                return self.predicted("".join(printed), out)
            printed.append(line)
        raise RuntimeError(f"{self.name} did not finish {command!r}")


class Moa(Java):
    """The command line of MOA cannot set the seed of an ensemble: it is 1 on every split."""

    name = "MOA"
    states_version = "META-INF/maven/nz.ac.waikato.cms.moa/moa/pom.properties"

    def words(self, command):
        return ["moa.DoTask", command]

    def predicted(self, printed, out):
        return np.loadtxt(out, delimiter=",", dtype=np.int64, ndmin=2)[:, 0]


class Weka(Java):
    name = "Weka"
    states_version = "weka/core/version.txt"

    def words(self, command):
        return command.split()

    def predicted(self, printed, out):
        rows = printed.partition("inst#")[2].splitlines()[1:]  # such as 1,2:1,1:0,+,0.97
        return np.array([int(row.split(",")[2].partition(":")[2]) for row in rows if row])


def write_split(case, train, test):
    """Write training and test examples with the same declarations."""
    n_classes = len(dataset_info(case.task.dataset).classes)
    examples = case.examples
    for path, X, y in ((train, examples.X_train, examples.y_train), (test, examples.X_test, examples.y_test)):
        data = SimpleNamespace(
            name=case.task.dataset,
            X=X,
            y=y,
            n_train=len(y),
            feature_names=[f"a{a}" for a in range(len(case.sizes))],
            categories=[range(size) for size in case.sizes],
            target_names=range(n_classes),
        )
        write_arff(data, path)


def new_answers(peer, dataset, repetition, folder, store):
    """What is not recorded yet of one implementation on one repetition: each check with its answer."""
    if peer.name == "River" and (dataset not in RIVER_DATASETS or repetition > 0):
        return
    checks = {
        independent_check.task(dataset, peer.name, algorithm, "", alpha, repetition, fold): command
        for fold in range(N_FOLDS)
        for (algorithm, alpha), command in COMMANDS[peer.name].items()
    }
    done = store.recorded(checks)
    for check, command in checks.items():
        if check in done:
            continue
        task = baseline_task(dataset, check.algorithm, repetition, check.fold)
        examples, seed = task.examples(), repetition * N_FOLDS + check.fold + 1
        found = peer.predict(command, Case(task, examples, sizes(dataset, examples), seed, folder))
        if len(found) != len(examples.y_test):
            raise RuntimeError(f"{peer.name} gave {len(found)} predictions for {len(examples.y_test)}")
        n_correct = int((found == examples.y_test).sum())
        n_differ = int((found != predictions(task, check.alpha)).sum())
        yield check, independent_check.row(peer.version, len(found), n_correct, n_differ, command)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=tuple(COMMANDS), default=tuple(COMMANDS))
    parser.add_argument("--datasets", nargs="*", choices=tuple(REPETITIONS), default=tuple(REPETITIONS))
    parser.add_argument("--repetitions", type=int, default=max(REPETITIONS.values()), help="at most so many")
    parser.add_argument("--results", type=Path, metavar="DIR", help="folder of results")
    options = parser.parse_args()

    peers = []
    for make in (ScikitLearn, Moa, Weka, River):
        if make.name in options.only:
            try:
                peers.append(make())
            except Missing as why:
                print(why)
    with tempfile.TemporaryDirectory() as folder, closing(Store(options.results)) as store:
        store.export()
        for repetition, dataset, peer in product(range(options.repetitions), options.datasets, peers):
            if repetition < REPETITIONS[dataset]:
                n_new = 0
                for check, answer in new_answers(peer, dataset, repetition, Path(folder), store):
                    store.add(check, answer, provenance(independent_check.measure))
                    n_new += 1
                store.export()
                print(f"{dataset}, repetition {repetition}, {peer.name}: {n_new} new", flush=True)


if __name__ == "__main__":
    main()
