"""Accuracies of DECORATE, output codes, random forests and active learning beside those of other libraries.

    python benchmarks/diverse.py --weka WEKA.jar

Weka 3.6 has DECORATE (Debian's package `weka`; in later versions it is a package of its own),
`modAL-python` has active learning, scikit-learn has output codes and forests. All learn the same examples
of the same splits. What is not installed is left out.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import BaggingClassifier as ScikitBagging
from sklearn.ensemble import RandomForestClassifier as ScikitForest
from sklearn.multiclass import OutputCodeClassifier as ScikitCodes
from sklearn.tree import DecisionTreeClassifier as ScikitTree

from oza import (
    ActiveLearner,
    DecisionTreeClassifier,
    DecorateClassifier,
    OutputCodeClassifier,
    RandomForestClassifier,
)
from reproduction.studies.protocol import prepare

DATASETS = ("balance", "car-evaluation", "breast-cancer")
N_TRAIN = 120
SPLITS = [(repetition, fold) for repetition in range(2) for fold in range(5)]


def splits(dataset, with_numbers):
    for repetition, fold in SPLITS:
        split = prepare(dataset, repetition, fold, 0, with_numbers)
        yield split.X_train[:N_TRAIN], split.y_train[:N_TRAIN], split.X_test, split.y_test


def arff(path, X, y, values, n_classes):
    lines = ["@relation r"]
    lines += [f"@attribute a{j} {{{','.join(map(str, v))}}}" for j, v in enumerate(values)]
    lines += [f"@attribute class {{{','.join(map(str, range(n_classes)))}}}", "@data"]
    lines += [",".join(map(str, [*row, label])) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def of_weka(jar, X, y, X_test, y_test, scheme):
    """Accuracy of a Weka classifier, with J48 as base model where it has one."""
    values = [sorted({*X[:, j].tolist(), *X_test[:, j].tolist()}) for j in range(X.shape[1])]
    n_classes = int(max(y.max(), y_test.max())) + 1
    with tempfile.TemporaryDirectory() as folder:
        train, test = Path(folder, "train.arff"), Path(folder, "test.arff")
        arff(train, X, y, values, n_classes)
        arff(test, X_test, y_test, values, n_classes)
        command = ["java", "-cp", jar, *scheme[:1], "-t", train, "-T", test, "-p", "0", *scheme[1:]]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    marks = [line.split() for line in shown.splitlines() if line.strip()[:1].isdigit()]
    assert len(marks) == len(y_test), shown[:500]
    return float(np.mean([parts[1].split(":")[1] == parts[2].split(":")[1] for parts in marks]))


J48 = "weka.classifiers.trees.J48"
DECORATE = ("weka.classifiers.meta.Decorate", "-E", "15", "-I", "50", "-R", "1", "-S", "1", "-W", J48)


def decorate(jar):
    for dataset in DATASETS:
        for X, y, X_test, y_test in splits(dataset, False):
            values = [sorted({*X[:, j].tolist(), *X_test[:, j].tolist()}) for j in range(X.shape[1])]
            tree = DecisionTreeClassifier(prune=True)
            ours = DecorateClassifier(tree, random_state=1, categories=values).fit(X, y)
            alone = DecisionTreeClassifier(prune=True, categories=values).fit(X, y)
            yield (
                dataset,
                "DECORATE of 15 trees",
                ours.score(X_test, y_test),
                of_weka(jar, X, y, X_test, y_test, DECORATE),
            )
            yield (
                dataset,
                "single tree",
                alone.score(X_test, y_test),
                of_weka(jar, X, y, X_test, y_test, (J48,)),
            )


def codes():
    """Codes over scikit-learn's tree in both, so that only the codes differ."""
    for dataset in ("balance", "car-evaluation", "nursery"):
        for X, y, X_test, y_test in splits(dataset, True):
            tree = ScikitTree(random_state=0)
            ours = OutputCodeClassifier(tree, 15, random_state=1).fit(X, y)
            size = len(ours.codes_) / len(np.unique(y))
            theirs = ScikitCodes(tree, code_size=size, random_state=1).fit(X, y)
            yield dataset, "output codes", ours.score(X_test, y_test), theirs.score(X_test, y_test)


def forests():
    """Forests of a hundred trees; all columns are numeric in both, and probabilities are averaged in both."""
    for dataset in DATASETS:
        for seed, (X, y, X_test, y_test) in enumerate(splits(dataset, True)):
            ours = RandomForestClassifier(
                voting="probability", categorical_features=None, random_state=seed
            ).fit(X, y)
            theirs = ScikitForest(criterion="entropy", random_state=seed).fit(X, y)
            yield dataset, "random forest", ours.score(X_test, y_test), theirs.score(X_test, y_test)


def active():
    """Thirty queries by the margin of a bag of scikit-learn's trees."""
    from modAL.models import ActiveLearner as ModalLearner
    from modAL.uncertainty import margin_sampling

    for dataset in DATASETS:
        for X, y, X_test, y_test in splits(dataset, True):
            start = np.sort(np.concatenate([np.flatnonzero(y == c)[:2] for c in np.unique(y)]))
            scores = []
            for kind in ("ours", "modAL"):
                labelled, pool = start, np.delete(np.arange(len(y)), start)
                for _ in range(31):  # modAL's teach needs an older scikit-learn, so that both are made anew
                    bag = ScikitBagging(ScikitTree(), 15, random_state=1)
                    if kind == "ours":
                        learner = ActiveLearner(bag).fit(X[labelled], y[labelled])
                        place = int(learner.query(X[pool])[0])
                    else:
                        learner = ModalLearner(bag, margin_sampling, X[labelled], y[labelled])
                        place = int(np.ravel(learner.query(X[pool])[0])[0])
                    score = float((learner.predict(X_test) == y_test).mean())
                    labelled, pool = np.append(labelled, pool[place]), np.delete(pool, place)
                scores.append(score)
            yield dataset, "active learning, 30 queries", *scores


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--weka", help="jar of Weka 3.6")
    options = parser.parse_args()
    rows = [*codes(), *forests()]
    if options.weka:
        rows += decorate(options.weka)
    try:
        rows += active()
    except ImportError:
        print("modAL is not installed")
    table = pd.DataFrame(rows, columns=["dataset", "what", "ours", "theirs"])
    table["difference"] = table["ours"] - table["theirs"]
    found = table.groupby(["what", "dataset"], sort=False).agg(
        ours=("ours", "mean"),
        theirs=("theirs", "mean"),
        difference=("difference", "mean"),
        se=("difference", "sem"),
    )
    found["in standard errors"] = found["difference"] / found["se"]
    print(found.round(4).to_string())


if __name__ == "__main__":
    main()
