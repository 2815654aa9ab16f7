"""Speed of every base model in every online ensemble, on every kind of columns, and which aims are reached.

    python benchmarks/grid.py [--quick] [--no-peers] [--only WORD] [--save FILE]

Each ensemble of 100 models learns and votes on one core; rates are examples per CPU second, the median over
`--repeats` runs, in which the kinds of calls take turns. MOA and River, where they have the learner, vote and
learn in turn. Aims are ratios of rates that were measured in the same run.
"""

import itertools
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from bench import find_peers, parser_of
from peers import RiverLearner
from rows import Data, Row, load

import oza


class Base(NamedTuple):
    """A kind of base model."""

    model: str
    n_examples: int  # of a run: some tenths of a second
    moa: str | None = None  # its name in MOA
    river: Callable[[Data], Any] | None = None  # makes River's for the columns of some data
    times_moa: float | None = None  # ratio to MOA's rate that we aim at


class Ensemble(NamedTuple):
    """A kind of ensemble."""

    model: str
    moa: str
    river: str
    bases: tuple[str, ...]


def river_bayes(data):
    """Naive Bayes of River, which takes columns of one kind."""
    from river import naive_bayes

    kinds = {values is None for values in data.categories}
    if len(kinds) == 1:
        return naive_bayes.GaussianNB() if kinds == {True} else naive_bayes.MultinomialNB()
    return None


def river_hoeffding_tree(data):
    from river import tree

    nominal = [a for a, values in enumerate(data.categories) if values is not None]
    return tree.HoeffdingTreeClassifier(nominal_attributes=nominal)


BASES = {
    "Naive Bayes": Base("NaiveBayesClassifier", 10_000, "bayes.NaiveBayes", river_bayes, 8.0),
    "stumps": Base("DecisionStumpClassifier", 2_000, "trees.DecisionStump"),
    "lossless trees": Base("DecisionTreeClassifier", 100),
    "Hoeffding trees": Base(
        "HoeffdingTreeClassifier", 10_000, "trees.HoeffdingTree", river_hoeffding_tree, 15.0
    ),
    "networks": Base("NeuralNetworkClassifier", 2_000),
}
ENSEMBLES = {
    "online bagging": Ensemble("OnlineBaggingClassifier", "OzaBag", "BaggingClassifier", (*BASES,)),
    "online boosting": Ensemble("OnlineBoostingClassifier", "OzaBoost", "AdaBoostClassifier", (*BASES,)),
    "ADWIN bagging": Ensemble("ADWINBaggingClassifier", "OzaBagAdwin", "ADWINBaggingClassifier", (*BASES,)),
    "leveraging bagging": Ensemble(
        "LeveragingBaggingClassifier", "LeveragingBag", "LeveragingBaggingClassifier", (*BASES,)
    ),
    "adaptive forest": Ensemble(
        "AdaptiveRandomForestClassifier", "AdaptiveRandomForest", "ARFClassifier", ("Hoeffding trees",)
    ),
}
#: Streams, and whether the values of their nominal columns are passed as strings, in a frame.
TABLES = {
    "codes": ("synthetic2", False),
    "strings": ("synthetic2", True),
    "numbers": ("rbf", False),
    "mixed": ("agrawal-7", True),
}
CALLS = ("partial_fit", "predict", "prequential_predict", "one row a call")
N_ROWS = 200  # of one row a call
N_RIVER = 100  # River's ensembles are slow


class Table(NamedTuple):
    """A stream as users pass it."""

    X: Any
    is_nominal: Any  # "auto" where the types of the columns say it
    categories: list  # values of each column, None for a numeric one


def table_of(data, with_strings):
    """The columns of `data`, of which the nominal ones are codes, or strings in a frame."""
    if not with_strings:
        return Table(data.X, [values is not None for values in data.categories], data.declared)
    named = [None if values is None else [f"value{v}" for v in values] for values in data.declared]
    columns = {
        f"a{j}": data.X[:, j]
        if names is None
        else pd.Series(data.X[:, j]).map(dict(enumerate(names))).astype("str")
        for j, names in enumerate(named)
    }
    return Table(pd.DataFrame(columns), "auto", named)


def seconds_of(new, X, y, classes, declared):
    """CPU seconds an example of each kind of call, by learners that `new` makes.

    `partial_fit` gets the classes `declared`. A learner that predicts before it learns needs all `classes`.
    """
    found = {}

    def clock(call, n, work):
        start = time.process_time()
        work()
        found[call] = (time.process_time() - start) / n

    n, learner = len(y), new()
    clock("partial_fit", n, lambda: learner.partial_fit(X, y, classes=declared))
    learner = new()
    clock("prequential_predict", n, lambda: learner.prequential_predict(X, y, classes=classes))
    clock("predict", n, lambda: learner.predict(X))
    learner, rows = new(), range(min(n, N_ROWS))
    parts = [(X[i : i + 1], y[i : i + 1]) for i in rows]
    clock(
        "one row a call",
        len(rows),
        lambda: [learner.prequential_predict(*part, classes=classes) for part in parts],
    )
    return found


def measure(ensemble, base, data, table, is_declared, n_models, repeats):
    """Examples a second of each kind of call."""
    X, y = table.X[: data.n_train], data.y[: data.n_train]
    told = {"categories": table.categories} if is_declared else {}
    declared = data.classes if is_declared or base == "networks" else None

    def new():
        return getattr(oza, ENSEMBLES[ensemble].model)(
            getattr(oza, BASES[base].model)(),
            n_estimators=n_models,
            categorical_features=table.is_nominal,
            random_state=0,
            **told,
        )

    seconds_of(new, X[:50], y[:50], data.classes, declared)  # loads or compiles the kernels
    runs = [seconds_of(new, X, y, data.classes, declared) for _ in range(repeats)]
    return {call: 1.0 / statistics.median(run[call] for run in runs) for call in CALLS}


def peer_rates(peers, ensemble, base, data, n_models):
    """Examples a second of each peer that has the learner."""
    kind, model = ENSEMBLES[ensemble], BASES[base]
    row = Row("", data.name, "prequential", kind.model, model.model)
    learners = {}
    if model.moa:
        of = "ARFHoeffdingTree" if kind.moa == "AdaptiveRandomForest" else model.moa
        learners["MOA"] = f"meta.{kind.moa} -l {of}"
    if model.river and model.river(data) is not None:
        learners["River"] = RiverLearner(
            lambda n: river_ensemble(kind, model, data, n), most_examples=N_RIVER
        )
    found = {}
    for name in learners.keys() & peers.keys():
        n, seconds = peers[name].measure(row, data, learners[name], n_models, 1)
        found[name] = n / statistics.median(seconds)
    return found


def river_ensemble(kind, model, data, n_models):
    from river import ensemble, forest

    if kind.river == "ARFClassifier":
        return forest.ARFClassifier(n_models=n_models, seed=0)
    return getattr(ensemble, kind.river)(model.river(data), n_models=n_models, seed=0)


def title_of(line):
    return f"{line['ensemble']} of {line['base']}, {line['table']}{', declared' * line['declared']}"


def aims(found):
    """What is aimed at: (line, what is compared, ratio, least ratio) of each comparison of measured rates."""
    by_key = {(line["ensemble"], line["base"], line["table"], line["declared"]): line for line in found}
    for (ensemble, base, table, is_declared), line in by_key.items():
        yield line, "predict to prequential_predict", line["predict"] / line["prequential_predict"], 1.0
        if table == "strings" and (codes := by_key.get((ensemble, base, "codes", is_declared))):
            yield line, "strings to codes, partial_fit", line["partial_fit"] / codes["partial_fit"], 0.5
        if not is_declared and (declared := by_key.get((ensemble, base, table, True))):
            yield (
                line,
                "undeclared to declared, partial_fit",
                line["partial_fit"] / declared["partial_fit"],
                0.9,
            )
        if (times := BASES[base].times_moa) and "MOA" in line:
            yield line, "prequential_predict to MOA", line["prequential_predict"] / line["MOA"], times
        if "River" in line:
            yield line, "one row a call to River", line["one row a call"] / line["River"], 1.0


def main():
    options = parser_of(__doc__, 3).parse_args()
    repeats, n_models = (1, 3) if options.quick else (options.repeats, 100)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        peers, notes = find_peers(Path(folder), not options.no_peers)
        for note in notes:
            print(note)
        for (name, (stream, with_strings)), (base, model) in itertools.product(TABLES.items(), BASES.items()):
            data = load(stream, 200 if options.quick else model.n_examples)
            table = table_of(data, with_strings)
            for ensemble, is_declared in itertools.product(ENSEMBLES, (True, False)):
                line = {"ensemble": ensemble, "base": base, "table": name, "declared": is_declared}
                if base not in ENSEMBLES[ensemble].bases or options.only not in title_of(line):
                    continue
                line |= measure(ensemble, base, data, table, is_declared, n_models, repeats)
                if is_declared and name != "strings":
                    line |= peer_rates(peers, ensemble, base, data, n_models)
                found.append(line)
                rates = (f"{kind} {line[kind]:,.0f}" for kind in (*CALLS, "MOA", "River") if kind in line)
                print(f"{title_of(line)}: {', '.join(rates)}", flush=True)
    print("Aims that were not reached:")
    for line, compared, ratio, least in aims(found):
        if ratio < least:
            missed = f"{compared} {ratio:.2f}, not {least:g}"
            print(f"{title_of(line)}: {missed}")
            line["missed"] = "; ".join(filter(None, [line.get("missed"), missed]))
    if options.save:
        columns = ["ensemble", "base", "table", "declared", *CALLS, "MOA", "River", "missed"]
        table = pd.DataFrame(found, columns=columns).replace({"declared": {True: "yes", False: "no"}})
        table.to_csv(options.save, index=False, float_format="%.0f", lineterminator="\n")


if __name__ == "__main__":
    main()
