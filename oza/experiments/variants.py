"""What a single model would score under other assumptions than ours: the search for an explanation."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from ..datasets import dataset_info
from ..ensembles import AdaBoostClassifier, OnlineBoostingClassifier
from ..models import (
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    NaiveBayesClassifier,
    NeuralNetworkClassifier,
)
from .extra import kept
from .protocol import N_FOLDS, Split, prepare
from .pruning import RecountedTree
from .statistics import standard_error
from .study import ALGORITHMS, Task, is_small
from .stump_rules import RULES, RuleStump

N_MODELS = 100  # of every ensemble of the thesis (section 3.5)
_BAGS = ("bagging", "online_bagging")
_REPETITIONS = 10  # of the whole protocol, where it is cheap


def try_variants(
    datasets: Iterable[str],
    variants: Callable[[str], Mapping[str, Any]],
    algorithm: str = "single",
    named: str | None = None,
    repetitions: int = 1,
    given: Callable[[Task], Split] = prepare,
) -> pd.DataFrame:
    """Score variants of a model on the first repetitions of the thesis's protocol.

    Parameters
    ----------
    datasets : iterable of str
        Names in the catalogue.
    variants : callable
        Gives, for the name of a data set, the untrained classifier of each variant.
    algorithm : str, default="single"
        How they learn: as under this name in `oza.experiments.study.ALGORITHMS`.
    named : str or None, default=None
        What the algorithm is called in the result; None means `algorithm`.
    repetitions : int, default=1
        How many repetitions of the cross-validation, with one order each.
    given : callable, default=prepare
        Gives the examples of a task. By default they are those of models that take symbols and bins.

    Returns
    -------
    DataFrame
        Columns dataset, algorithm, variant, mean, standard_error: accuracy over the splits.

    Examples
    --------
    >>> from oza import NaiveBayesClassifier
    >>> from oza.experiments import try_variants
    >>> smoothing = {f"alpha={alpha}": NaiveBayesClassifier(alpha=alpha) for alpha in (0, 1)}
    >>> try_variants(["balance"], lambda dataset: smoothing)["mean"].round(2).to_list()
    [0.91, 0.92]
    """
    rows = []
    for dataset in datasets:
        info = dataset_info(dataset)
        folds = range(1 if info.split == "supplied" else N_FOLDS)
        tasks = [
            Task("variants", dataset, "", algorithm, 1, repetition, fold, 0)
            for repetition in range(repetitions)
            for fold in folds
        ]
        splits = [given(task) for task in tasks]
        for variant, untrained in variants(dataset).items():
            values = []
            for split in splits:
                model = clone(untrained)
                ALGORITHMS[algorithm].learn(model, split.X_train, split.y_train, len(info.classes))
                values.append(np.mean(model.predict(split.X_test) == split.y_test))
            rows.append((dataset, named or algorithm, variant, np.mean(values), standard_error(values)))
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "variant", "mean", "standard_error"])


def _of_one(place: int, algorithm: str) -> Any:
    stumps = _made(DecisionStumpClassifier(), algorithm)
    return make_pipeline(FunctionTransformer(lambda X: X[:, [place]]), stumps)


def _made(model: Any, algorithm: str) -> Any:
    return ALGORITHMS[algorithm].make(model, N_MODELS, 0)


def _made_and_tried(
    dataset: str,
    variants: Mapping[str, Any],
    algorithm: str,
    named: str | None = None,
    given: Callable[[Task], Split] = prepare,
) -> pd.DataFrame:
    made = {name: _made(model, algorithm) for name, model in variants.items()}
    return try_variants([dataset], lambda _: made, algorithm, named, given=given)


def _to_a_tree(task: Task) -> Task:
    return replace(task, base_model="decision_tree")


def _with_numbers(task: Task) -> Split:
    return prepare(_to_a_tree(task))


def _task(dataset: str) -> Task:
    return Task("variants", dataset, "", "single", 1, 0, 0, 0)


def _numeric(dataset: str) -> np.ndarray:
    return _to_a_tree(_task(dataset)).numeric


def _always(variants: Mapping[str, Any], dataset: str) -> Mapping[str, Any]:
    return variants


def stumps_by_attribute(dataset: str, algorithm: str = "single") -> dict[str, Any]:
    """For each attribute of a data set, by its number from 1 and its name, stumps that may test no other."""
    return {
        f"attribute {place + 1} ({attribute.name})": _of_one(place, algorithm)
        for place, attribute in enumerate(dataset_info(dataset).attributes)
    }


def trees_by_setting() -> dict[str, Any]:
    """Trees by both measures of the best test, pruned or not."""
    return {
        f"{criterion.replace('_', ' ')}, {'pruned' if prune else 'unpruned'}": DecisionTreeClassifier(
            criterion, prune
        )
        for criterion in ("gain_ratio", "information_gain")
        for prune in (True, False)
    }


def _trees(dataset: str, algorithms: Iterable[str]) -> pd.DataFrame:
    """Trees as they are now, and where a column holds numbers also as they were: by symbols and bins."""
    as_now = _to_a_tree(_task(dataset))
    former = {f"{name}, numbers as symbols or bins": tree for name, tree in trees_by_setting().items()}
    parts = []
    for algorithm in algorithms:
        made = {name: as_now.declared(_made(tree, algorithm)) for name, tree in trees_by_setting().items()}
        parts.append(try_variants([dataset], partial(_always, made), algorithm, given=_with_numbers))
        if as_now.numeric.any():
            parts.append(_made_and_tried(dataset, former, algorithm))
    return pd.concat(parts)


def _missing_below(task: Task) -> Split:
    """Examples for a tree, with a missing value below all numbers instead of above."""
    split = _with_numbers(task)
    train, test = split.X_train.copy(), split.X_test.copy()
    for column, attribute in enumerate(dataset_info(task.dataset).attributes):
        if attribute.numbers and "?" in attribute.values:
            for X in (train, test):
                X[X[:, column] == attribute.values.index("?"), column] = -1.0
    return split._replace(X_train=train, X_test=test)


def _missing_values(dataset: str) -> pd.DataFrame:
    """Pruned trees that have a missing value above all numbers (ours), or below."""
    parts = []
    for algorithm, (name, given) in product(
        ("single", *_BAGS), (("above all numbers", _with_numbers), ("below all numbers", _missing_below))
    ):
        tree = _made(DecisionTreeClassifier(prune=True), algorithm)
        made = {name: _to_a_tree(_task(dataset)).declared(tree)}
        parts.append(
            try_variants([dataset], partial(_always, made), algorithm, repetitions=_REPETITIONS, given=given)
        )
    return pd.concat(parts)


def _pruned(dataset: str) -> pd.DataFrame:
    """Trees pruned with the two tests of a column of two values counted as two (ours), or as one."""
    numeric = _numeric(dataset)
    declared = {"categorical_features": ~numeric} if numeric.any() else {}
    trees = {
        "a test for each value": RecountedTree(same_once=False, **declared),
        "one test for two values": RecountedTree(same_once=True, **declared),
    }
    return pd.concat(
        [
            try_variants([dataset], lambda _: trees, repetitions=_REPETITIONS, given=_with_numbers),
            _made_and_tried(dataset, trees, "bagging", given=_with_numbers),
        ]
    )


def stumps_by_rule(numeric: np.ndarray) -> dict[str, Any]:
    """Stumps by other rules: of all attributes and of the first, with a branch for each value and for one.

    Columns of the mask `numeric` are tested by thresholds. Settings are left out that come to the same as
    another.
    """
    found: dict[str, Any] = {}
    for rule, binary, n_columns in product(RULES, (False, True), (None, 1)):
        among = numeric[:n_columns]
        has_one_test = n_columns == 1 and not binary and not among.any()
        if (has_one_test and rule != RULES[0]) or (binary and among.all()):
            continue
        tests = [] if among.all() else ["one value" if binary else "each value"]
        tests += ["thresholds"] if among.any() else []
        tests += ["first attribute"] if n_columns else []
        found[", ".join([rule, *tests])] = RuleStump(rule, binary, n_columns, numeric)
    return found


def _stump_rules(dataset: str) -> pd.DataFrame:
    """Stumps to which all is symbols and bins, and where a column holds numbers also by thresholds."""
    repetitions = _REPETITIONS if is_small(dataset_info(dataset)) else 1
    numeric = _numeric(dataset)
    of_symbols = stumps_by_rule(np.zeros_like(numeric))
    parts = [try_variants([dataset], lambda _: of_symbols, repetitions=repetitions)]
    by_threshold = {name: stump for name, stump in stumps_by_rule(numeric).items() if name not in of_symbols}
    if by_threshold:
        parts.append(
            try_variants([dataset], lambda _: by_threshold, repetitions=repetitions, given=_with_numbers)
        )
    return pd.concat(parts)


def boosted_naive_bayes_by_reading() -> dict[str, Any]:
    """Boosted Naive Bayes, a hundred models, in batch and online, by smoothing and form of the weight."""
    found: dict[str, Any] = {}
    for alpha in (0.0, 1.0):
        base = NaiveBayesClassifier(alpha=alpha)
        found[f"batch, alpha {alpha:g}"] = AdaBoostClassifier(base)
        for form in ("thesis", "later"):
            found[f"online, {form}, alpha {alpha:g}"] = OnlineBoostingClassifier(
                base, weight_update=form, random_state=0
            )
    return found


def networks_by_setting(updates: int = 1) -> dict[str, Any]:
    """Networks of other sizes, rates and starts than ours; the thesis does not say which it used."""
    settings = [(hidden, rate, 0.05) for hidden in (5, 10, 20) for rate in (0.1, 0.5)] + [(10, 0.5, 0.5)]
    return {
        f"{hidden} hidden units, rate {rate}, start within {start}": NeuralNetworkClassifier(
            hidden, rate, updates=updates, initial_range=start, random_state=0
        )
        for hidden, rate, start in settings
    }


def _networks(dataset: str, batch: str, online: str) -> pd.DataFrame:
    return _in_three_ways(dataset, networks_by_setting, batch, online)


def _in_three_ways(
    dataset: str,
    networks: Callable[[int], Mapping[str, Any]],
    batch: str,
    online: str,
    given: Callable[[Task], Split] = prepare,
) -> pd.DataFrame:
    """Networks in batch, and online with one and with ten updates."""
    one, ten = networks(1), networks(10)
    return pd.concat(
        [
            _made_and_tried(dataset, one, batch, given=given),
            _made_and_tried(dataset, one, online, given=given),
            _made_and_tried(dataset, ten, online, named=f"{online}_10", given=given),
        ]
    )


#: What a network can be given of columns of numbers: the numbers themselves, brought to [0, 1], or symbols.
INPUTS = ("numbers as they are", "numbers scaled", "symbols")


def networks_by_input(inputs: str, updates: int = 1) -> dict[str, Any]:
    """Networks of several sizes, rates and starts that are given a data set's numbers in one of `INPUTS`."""
    declared = {} if inputs == "symbols" else {"categorical_features": None}
    return {
        f"{inputs}, {hidden} hidden units, rate {rate}, start within {start}": NeuralNetworkClassifier(
            hidden, rate, updates=updates, initial_range=start, random_state=0, **declared
        )
        for hidden, rate, start in product((5, 10, 20), (0.05, 0.1, 0.5, 1.0), (0.05, 0.5))
    }


def _with_inputs(inputs: str, task: Task) -> Split:
    """Examples all of whose columns have values from 1 on, as numbers; scaled, they begin with 0."""
    split = prepare(task)
    if inputs == "symbols":
        return split
    train, test = split.X_train + 1.0, split.X_test + 1.0
    if inputs == "numbers scaled":
        least, most = train.min(axis=0), train.max(axis=0)
        train, test = ((X - least) / (most - least) for X in (train, test))
    return split._replace(X_train=train, X_test=test)


def _network_inputs(dataset: str) -> pd.DataFrame:
    return pd.concat(
        [
            _in_three_ways(
                dataset,
                partial(networks_by_input, inputs),
                "single",
                "online_single",
                partial(_with_inputs, inputs),
            )
            for inputs in INPUTS
        ]
    )


def _bagged_stumps(dataset: str) -> pd.DataFrame:
    return pd.concat(
        [
            try_variants([dataset], partial(stumps_by_attribute, algorithm=algorithm), algorithm)
            for algorithm in _BAGS
        ]
    )


#: What is tried on a data set, by the name of the search.
SEARCHES: dict[str, Callable[[str], pd.DataFrame]] = {
    "neural_network": partial(_networks, batch="single", online="online_single"),
    "decision_stump": lambda dataset: try_variants([dataset], stumps_by_attribute),
    "stump_rules": _stump_rules,
    "network_inputs": _network_inputs,
    "decision_tree": lambda dataset: _trees(dataset, ["single"]),
    "missing_values": _missing_values,
    "pruning": _pruned,
    "bagged_neural_network": partial(_networks, batch="bagging", online="online_bagging"),
    "bagged_decision_stump": _bagged_stumps,
    "bagged_decision_tree": lambda dataset: _trees(dataset, _BAGS),
    "boosted_naive_bayes": lambda dataset: try_variants(
        [dataset], lambda _: boosted_naive_bayes_by_reading()
    ),
    "first_attribute": lambda dataset: try_variants(
        [dataset],
        lambda _: {"best attribute": DecisionStumpClassifier(), "first attribute": _of_one(0, "single")},
    ),
    "smoothing": lambda dataset: try_variants(
        [dataset],
        lambda _: {
            "no smoothing": NaiveBayesClassifier(alpha=0.0),
            "one added": NaiveBayesClassifier(alpha=1.0),
        },
    ),
}


#: Variants that are no others: the settings of the studies themselves.
OURS = ("gain ratio, pruned", "10 hidden units, rate 0.5, start within 0.05")


def load_variants(search: str, datasets: Iterable[str]) -> pd.DataFrame:
    """Read what variants of a model score; compute and record what is not there.

    Parameters
    ----------
    search : str
        A name in `SEARCHES`.
    datasets : iterable of str
        Names in the catalogue.

    Returns
    -------
    DataFrame
        As `try_variants`. Networks: for learning in batch, and online with one and with ten updates.
        Bagged: in batch and online, of the data sets those that are small enough (`is_small`).
    """
    names = list(dict.fromkeys(datasets))
    if search.startswith("bagged"):
        names = [name for name in names if is_small(dataset_info(name))]
    found = [kept(f"variants/{search}-{name}", partial(SEARCHES[search], name)) for name in names]
    return pd.concat(found) if found else try_variants([], lambda _: {})
