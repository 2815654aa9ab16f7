"""Ensembles that follow the stream, beside MOA's: accuracy over ten seeds, and speed.

    python -m benchmarks.stream_ensembles            # both, printed
    python -m benchmarks.stream_ensembles record     # MOA's, into tests/ensembles/moa_ensembles.json

MOA is in the wheel of CapyMOA; Java is needed. Times are CPU seconds, predict then learn, MOA's without
the start of the Java VM; the second half is also given, in which its compiler has done most of its work.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.stats import ttest_ind

from benchmarks.peers import CAPYMOA, Missing, moa_jar
from oza import (
    AdaptiveRandomForestClassifier,
    ADWINBaggingClassifier,
    HoeffdingTreeClassifier,
    LeveragingBaggingClassifier,
    NaiveBayesClassifier,
    OnlineBaggingClassifier,
)
from oza.datasets import load_dataset
from oza.streams import LED, SEA, STAGGER, Agrawal, Chain, Hyperplane, RandomRBF, drift

RECORD = Path(__file__).parents[1] / "tests" / "ensembles" / "moa_ensembles.json"
N_EXAMPLES = 10_000
N_MEMBERS = 10
SEEDS = range(1, 11)

#: Streams of the comparison of accuracies, by name; Electricity is a data set.
STREAMS = {
    "sea": drift(SEA(1, noise=0.1), SEA(4, noise=0.1), N_EXAMPLES // 2),
    "hyperplane": Hyperplane(change=0.001),
    "rbf": RandomRBF(),
    "moving rbf": RandomRBF(n_classes=5, speed=0.001, n_moving=50),
    "led": drift(LED(), LED(n_drifting=7), N_EXAMPLES // 2),
    "agrawal": drift(Agrawal(1), Agrawal(7), N_EXAMPLES // 2, width=1000),
    "stagger": drift(STAGGER(1), STAGGER(2), N_EXAMPLES // 2),
    "chain": drift(Chain("synthetic2"), Chain("synthetic3"), N_EXAMPLES // 2),
    "electricity": None,
}

_MAJORITY = "-l (ARFHoeffdingTree -e 2000000 -g 50 -c 0.01 -l MC) -o (sqrt(M)+1)"


def _forest_of_majority_leaves():
    tree = HoeffdingTreeClassifier(leaf_prediction="majority", grace_period=50, delta=0.01)
    return AdaptiveRandomForestClassifier(tree)


#: By name: our ensemble as MOA has it, and MOA's notation for it, without the number of members.
ENSEMBLES = {
    "bagging": (
        lambda: OnlineBaggingClassifier(HoeffdingTreeClassifier()),
        "meta.OzaBag -l trees.HoeffdingTree",
    ),
    "ADWIN bagging": (
        lambda: ADWINBaggingClassifier(tested="after"),
        "meta.OzaBagAdwin -l trees.HoeffdingTree",
    ),
    "leveraging": (
        lambda: LeveragingBaggingClassifier(tested="after"),
        "meta.LeveragingBag -l trees.HoeffdingTree",
    ),
    "leveraging MC": (
        lambda: LeveragingBaggingClassifier(tested="after", output_codes=True),
        "meta.LeveragingBag -l trees.HoeffdingTree -o",
    ),
    "leveraging ME": (
        lambda: LeveragingBaggingClassifier(tested="after", variant="me"),
        "meta.LeveragingBag -l trees.HoeffdingTree -m LeveragingBagME",
    ),
    "adaptive forest": (
        AdaptiveRandomForestClassifier,
        "meta.AdaptiveRandomForest -o (sqrt(M)+1)",
    ),
    "adaptive forest, majority leaves": (
        _forest_of_majority_leaves,
        f"meta.AdaptiveRandomForest {_MAJORITY}",
    ),
    "adaptive forest, seeded, majority leaves": (_forest_of_majority_leaves, f"SeededForest {_MAJORITY}"),
    "adaptive forest, all columns": (
        lambda: AdaptiveRandomForestClassifier(max_features=None),
        "meta.AdaptiveRandomForest -m 100",
    ),
    "ADWIN bagging of Naive Bayes": (
        lambda: ADWINBaggingClassifier(NaiveBayesClassifier(), tested="after"),
        "meta.OzaBagAdwin -l bayes.NaiveBayes",
    ),
}
COMPARED = (
    *("ADWIN bagging", "leveraging", "leveraging MC", "leveraging ME"),
    *("adaptive forest", "adaptive forest, all columns"),
    *("adaptive forest, majority leaves", "adaptive forest, seeded, majority leaves"),
)
#: Speed: ensembles of 100 members, streams, and numbers of examples.
TIMED = ("bagging", "ADWIN bagging", "leveraging", "adaptive forest", "ADWIN bagging of Naive Bayes")
TIMED_STREAMS = {"synthetic2": Chain("synthetic2"), "rbf": RandomRBF()}
N_TIMED = 10_000


def members(name, ensemble):
    """How many members an ensemble has.

    MOA draws output codes until there are as many ones as zeros, or with an odd number of *members* nearly as
    many. With an odd number of classes and ten members it never ends.
    """
    is_endless = ensemble == "leveraging MC" and STREAMS[name] is not None and len(STREAMS[name].classes) % 2
    return N_MEMBERS + 1 if is_endless else N_MEMBERS


def examples(name, n=N_EXAMPLES):
    """(X, y, categorical_features, categories, classes) of a stream."""
    if name == "electricity":
        data = load_dataset(name)
        nominal = np.array([known is not None for known in data.categories])
        values = [None if known is None else list(range(len(known))) for known in data.categories]
        return data.data[:n], data.target[:n], nominal, values, list(range(len(data.target_names)))
    stream = {**STREAMS, **TIMED_STREAMS}[name]
    X, y = stream[:n]
    return X, y, stream.categorical_features, stream.categories, stream.classes


def moa(name, ensemble, n_members, vote="probability", seeds=SEEDS, n=N_EXAMPLES):
    """For each seed: accuracy, and CPU seconds of the first and of the second half."""
    X, y, _, values, classes = examples(name, n)
    found = run_moa(X, y, values, classes, vote, f"{ENSEMBLES[ensemble][1]} -s {n_members}", seeds)
    return [(right / len(y), first, second) for right, first, second, _ in found]


def run_moa(X, y, values, classes, vote, ensemble, seeds):
    """For each seed: how many are right, CPU seconds of the first and of the second half, and bytes.

    `ensemble` is in MOA's notation; `values` holds the values of each column, or None for a numeric one.
    """
    if shutil.which("java") is None:
        raise Missing("java is not found: MOA is left out")
    sizes = [*(0 if known is None else len(known) for known in values), len(classes)]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "examples"
        table.write_bytes(np.column_stack([X, y]).astype("<f8").tobytes())
        command = [
            *("java", "-XX:+UseSerialGC", "-cp", moa_jar(), Path(__file__).with_name("Ensembles.java")),
            *(table, ",".join(map(str, sizes)), vote, ensemble, *seeds),
        ]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
    found = [line.split() for line in done.stdout.splitlines()]
    return [(int(right), float(a), float(b), int(size)) for right, a, b, size in found]


def ours(name, ensemble, n_members, vote="probability", seeds=SEEDS, n=N_EXAMPLES):
    """For each seed: accuracy, and CPU seconds."""
    X, y, nominal, values, classes = examples(name, n)
    found = []
    for seed in seeds:
        model = ENSEMBLES[ensemble][0]()
        model.set_params(
            n_estimators=n_members, categorical_features=nominal, categories=values, random_state=seed
        )
        if "voting" in model.get_params():
            model.set_params(voting=vote)
        start = time.process_time()
        predicted = model.prequential_predict(X, y, classes=classes)
        found.append((float((predicted == y).mean()), time.process_time() - start))
    return found


def interval(differences):
    """Mean of the differences of ten seeds, and half of its 95 % interval."""
    return np.mean(differences), 2.262 * np.std(differences, ddof=1) / np.sqrt(len(differences))


def record():
    """Write MOA's accuracies, vote by probability, for each stream, ensemble and seed.

    The file is written after each of them, and what it already has is not measured again.
    """
    found = {
        "made_with": f"MOA in {CAPYMOA}",
        "made_by": "python -m benchmarks.stream_ensembles record",
        "n_examples": N_EXAMPLES,
        "n_members": N_MEMBERS,
        "accuracy": {},
    }
    if RECORD.exists():
        found["accuracy"] = json.loads(RECORD.read_text(encoding="utf-8"))["accuracy"]
    for name in STREAMS:
        for ensemble in COMPARED:
            key = f"{name}/{ensemble}"
            if key not in found["accuracy"]:
                found["accuracy"][key] = [
                    accuracy for accuracy, *_ in moa(name, ensemble, members(name, ensemble))
                ]
                RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
                print(key, found["accuracy"][key], flush=True)


def difference_of_means(first, second, level):
    """Mean of `first` minus that of `second`, and the ends of its interval by Welch."""
    found = ttest_ind(first, second, equal_var=False).confidence_interval(level)
    return np.mean(first) - np.mean(second), found.low, found.high


def beside_moa(key, recorded):
    """Our accuracies for each seed, and MOA's, of a stream and an ensemble; both sides vote alike.

    With output codes MOA adds up the bits that members predict, and else their probabilities.
    """
    name, ensemble = key.split("/")
    vote = "majority" if ensemble == "leveraging MC" else "probability"
    return [accuracy for accuracy, _ in ours(name, ensemble, members(name, ensemble), vote)], recorded[key]


def compare_accuracies():
    """Print the mean over seeds beside the recorded one of MOA."""
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))["accuracy"]
    for key in recorded:
        own, theirs = beside_moa(key, recorded)
        gap, half = interval(np.subtract(own, theirs))
        print(
            f"{key:30s} ours {np.mean(own):.4f}  MOA {np.mean(theirs):.4f}  {gap:+.4f} ± {half:.4f}",
            flush=True,
        )


def river(name, ensemble, n_members, n):
    """Examples per CPU second of River's ensemble; None if there is none for such columns."""
    from river import drift, forest, naive_bayes, tree
    from river import ensemble as ensembles

    X, y, nominal, _, _ = examples(name, n)
    columns = [j for j, answer in enumerate(nominal) if answer]
    base = tree.HoeffdingTreeClassifier(delta=1e-7, nominal_attributes=columns)
    if ensemble == "bagging":
        model = ensembles.BaggingClassifier(base, n_members, seed=0)
    elif ensemble == "ADWIN bagging":
        model = ensembles.ADWINBaggingClassifier(base, n_members, seed=0)
    elif ensemble == "leveraging":
        model = ensembles.LeveragingBaggingClassifier(base, n_members, w=6, seed=0)
    elif ensemble == "adaptive forest":
        model = forest.ARFClassifier(
            n_members, nominal_attributes=columns, drift_detector=drift.ADWIN(0.001), seed=0
        )
    elif columns:
        return None
    else:
        model = ensembles.ADWINBaggingClassifier(naive_bayes.GaussianNB(), n_members, seed=0)
    rows = [dict(enumerate(row)) for row in X.tolist()]
    start = time.process_time()
    for row, label in zip(rows, y.tolist(), strict=True):
        model.predict_one(row)
        model.learn_one(row, label)
    return n / (time.process_time() - start)


def compare_speeds(names=tuple(TIMED_STREAMS), n_members=100, n=N_TIMED, n_river=500):
    """Print examples per CPU second, and the ratio to MOA in all and in its second half, and to River.

    Our members are tested before they learn, as by default, and vote by majority; MOA's are tested after.
    """
    has_river = importlib.util.find_spec("river") is not None
    for name in names:
        for ensemble in TIMED:
            timed_ensemble(name, ensemble, 2, 500)  # compiles
            own = n / np.median([timed_ensemble(name, ensemble, n_members, n) for _ in range(3)])
            ((_, first, second),) = moa(name, ensemble, n_members, seeds=[1], n=n)
            theirs = n / (first + second)
            print(
                f"{name}, {ensemble}: {own:.0f}/s, MOA {theirs:.0f}/s, ratio {own / theirs:.1f}, "
                f"to its second half {own / (n / 2 / second):.1f}",
                end="",
                flush=True,
            )
            slowest = river(name, ensemble, n_members, n_river) if has_river else None
            print(f", River {slowest:.0f}/s, ratio {own / slowest:.0f}" if slowest else "", flush=True)


def timed_ensemble(name, ensemble, n_members, n):
    """CPU seconds in which our ensemble predicts and learns `n` examples."""
    X, y, nominal, values, classes = examples(name, n)
    model = ENSEMBLES[ensemble][0]().set_params(
        n_estimators=n_members, categorical_features=nominal, categories=values, random_state=0
    )
    if "tested" in model.get_params():
        model.set_params(tested="before")
    start = time.process_time()
    model.prequential_predict(X, y, classes=classes)
    return time.process_time() - start


if __name__ == "__main__":
    if sys.argv[1:] == ["record"]:
        record()
    else:
        compare_accuracies()
        compare_speeds()
