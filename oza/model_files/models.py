"""What the states of base models must be.

What depends on the parameters and the vocabulary alone is not read from a file: it is made anew, and taken
from a state just begun. Buffers too. What has been learned is checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import InputTags

from ..classifier.contract import BaseModel, n_models_of
from ..classifier.third_party import ThirdParty, ThirdPartyModels
from ..columns.schema import Schema
from ..kernels.states import arrays_of
from ..models.decision_stump.state import DecisionStump, with_block_counts
from ..models.decision_tree.state import LearnedExamples
from ..models.hoeffding_tree.classifier import PackedTrees
from ..models.hoeffding_tree.state import FROZEN, LEAF, NO_ROW, OPTION, Settings, Tree, has_options
from ..models.naive_bayes.kernels import NaiveBayes
from ..models.neural_network.classifier import NeuralNetworkClassifier
from ..models.neural_network.kernels import NeuralNetwork
from .contents import WEIGHTS, array, conformed, fields, limits_of, record, require, whole


def checked_models(
    name: str, found: Any, kind: BaseModel, schema: Schema, classes: np.ndarray, n_models: int
) -> Any:
    """The packed state of M base models of a kind, as `_unpack` takes it."""
    require(n_models_in(found) == n_models, f"{name} does not hold {n_models} models")
    if isinstance(kind, ThirdParty):
        return _third_party(name, record(name, found, ThirdPartyModels), kind, classes, n_models)
    if isinstance(kind, NeuralNetworkClassifier):  # without the draws of weights, which take time
        shared = _shared_inputs(f"{name}.inputs", record(name, found, NeuralNetwork).inputs, schema)
        key = whole(f"{name}.key", found.key, high=2**64 - 1)
        pattern = kind._untrained(schema, len(classes), n_models, shared, key)
    else:
        pattern = kind._pack(kind._new_models(schema, classes, n_models))
    limits = limits_of(schema, len(classes))
    if isinstance(pattern, LearnedExamples):  # from which decision trees are grown again
        return conformed(name, found, pattern, limits)
    if isinstance(pattern, PackedTrees):
        return _trees(name, record(name, found, PackedTrees), pattern, limits)
    of_models = {field for field, (axes, _) in arrays_of(type(pattern)).items() if "M" in axes}
    learned = [field for field in pattern._fields if field in of_models ^ _OTHERS.get(type(pattern), set())]
    models = fields(name, found, pattern, limits, learned)
    return _CHECKS.get(type(pattern), lambda _, models: models)(name, models)


def n_models_in(found: Any) -> int:
    """How many base models a packed state holds: so many must be possible, before a pattern is made."""
    if isinstance(found, ThirdPartyModels):
        return len(found.estimators)
    if isinstance(found, PackedTrees):
        return len(found.trees)
    return n_models_of(found)


def _naive_bayes(name: str, models: NaiveBayes) -> NaiveBayes:
    for moments in (models.moments, models.column_moments):
        weights, *_, variances = moments
        require((weights >= 0).all() and (variances >= 0).all(), f"{name} has a negative weight or variance")
    return models


def _stump(name: str, models: DecisionStump) -> DecisionStump:
    """Stumps, of which the counts of blocks follow from those of the numbers."""
    numbers, starts, rows = models.numbers, models.number_starts, models.rows
    is_good = starts[0] == 0 and starts[-1] == len(numbers) and (np.diff(starts) >= 0).all()
    require(is_good, f"{name}.number_starts does not divide its numbers")
    ascends = np.diff(numbers) > 0
    ascends[starts[(starts > 0) & (starts < len(numbers))] - 1] = True  # from one attribute to the next
    require(ascends.all(), f"{name}.numbers are not in ascending order")
    is_good = rows[-1] == 0 and (np.sort(rows) == np.arange(len(numbers) + 1)).all()
    require(is_good, f"{name}.rows does not give each number a row of its own")
    has_fractions = np.asarray((models.number_counts % 1.0 > 0.0).any(axis=(0, 1)))
    return with_block_counts(models._replace(has_fractions=has_fractions))


def _shared_inputs(name: str, inputs: Any, schema: Schema) -> np.ndarray:
    """Which attributes have one input for both values, which depends on the order of the stream."""
    array(name, inputs, np.int64, (int(schema.sizes.sum()),))
    shared = schema.sizes == 2
    shared[shared] = inputs[schema.starts[shared]] < 0
    return shared


# Hoeffding trees


def _trees(name: str, found: PackedTrees, pattern: PackedTrees, limits: dict[str, Any]) -> PackedTrees:
    require(type(found.trees) is tuple, f"{name}.trees is no tuple")
    pairs = zip(found.trees, pattern.trees, strict=True)
    trees = [_tree(f"{name}.trees[{m}]", *pair, pattern.settings, limits) for m, pair in enumerate(pairs)]
    return pattern._replace(trees=tuple(trees))


def _tree(name: str, found: Tree, pattern: Tree, settings: Settings, limits: dict[str, Any]) -> Tree:
    tree = fields(name, found, pattern, limits, pattern._fields)
    nodes, header = tree.nodes, tree.header
    fits = header["n_nodes"][0] == len(nodes) and max(1, header["n_rows"][0]) == len(tree.leaves)
    require(fits and header["n_rows"][0] >= 0, f"{name} has not as many nodes and rows as it says")
    _check_nodes(name, nodes, settings)
    is_leaf = nodes["attribute"] == LEAF
    require(header["n_leaves"][0] == is_leaf.sum(), f"{name} does not have {header['n_leaves'][0]} leaves")
    if has_options(nodes):  # option trees freeze no leaves and do not count
        _check_paths(name, nodes, settings)
    else:
        n_learning = (is_leaf & (nodes["row"] != FROZEN)).sum()
        require(header["n_learning"][0] == n_learning, f"{name} does not have its learning leaves")
    _check_rows(name, tree, settings)
    return tree


def _n_branches(nodes: np.ndarray, tests: np.ndarray, settings: Settings) -> np.ndarray:
    """Number of branches of each test."""
    sizes = np.append(np.diff(settings.starts), 2)
    attribute = nodes["attribute"][tests]
    is_numeric = attribute >= len(sizes) - 1
    is_binary = is_numeric | (nodes["value"][tests] >= 0)
    return np.where(is_binary, 2, sizes[np.where(is_numeric, len(sizes) - 1, attribute)])


def _check_nodes(name: str, nodes: np.ndarray, settings: Settings) -> None:
    """Every node but the root has one parent, which comes before it: so there is no cycle."""
    n_nodes, n_nominal = len(nodes), len(settings.starts) - 1
    attribute, value, child = nodes["attribute"], nodes["value"], nodes["child"].astype(np.int64)
    is_good = (attribute >= LEAF) & (attribute < len(settings.order))
    require(is_good.all(), f"{name} tests attributes that there are not")
    tests = np.flatnonzero(attribute >= 0)
    nominal = tests[attribute[tests] < n_nominal]
    of_test = attribute[nominal]
    codes = value[nominal]
    is_good = (codes == -1) | ((codes >= settings.starts[of_test]) & (codes < settings.starts[of_test + 1]))
    require(is_good.all(), f"{name} tests values that there are not")
    n_branches = _n_branches(nodes, tests, settings)
    widest = nodes["widest"][tests]
    require(((widest >= 0) & (widest < n_branches)).all(), f"{name} has tests whose widest branch is none")
    is_good = (child[tests] > tests) & (child[tests] + n_branches <= n_nodes)
    require(is_good.all(), f"{name} has nodes whose children are not behind them")
    first = np.repeat(child[tests] - np.cumsum(n_branches) + n_branches, n_branches)
    children, parents = first + np.arange(len(first)), np.repeat(tests, n_branches)
    options = np.empty(0, np.int64)
    if has_options(nodes):
        owners = np.flatnonzero(nodes["option"] != 0)
        options = nodes["option"][owners].astype(np.int64)
        is_good = (options > owners) & (options < n_nodes) & (attribute[owners] >= 0)
        require(is_good.all(), f"{name} has options that are not behind their nodes")
        above = np.where(nodes["row"][owners] == OPTION, nodes["parent"][owners], owners)
        children, parents = np.append(children, options), np.append(parents, above)
    n_parents = np.bincount(children, minlength=n_nodes)
    require(n_parents[0] == 0 and (n_parents[1:] == 1).all(), f"{name} has nodes without one parent each")
    names_it = nodes["parent"][0] == -1 and (nodes["parent"][children] == parents).all()
    require(names_it, f"{name} has nodes that name another parent")
    are_options = np.array_equal(np.flatnonzero(nodes["row"] == OPTION), np.sort(options))
    require(are_options and (attribute[options] >= 0).all(), f"{name} has options that are none")


def _check_paths(name: str, nodes: np.ndarray, settings: Settings) -> None:
    """An example comes to no more leaves than `paths` says, and to at most `max_options`."""
    n_leaves = np.ones(len(nodes), np.int64)  # to which an example may come from a node
    tests = np.flatnonzero(nodes["attribute"] >= 0)[::-1]
    for i, n in zip(tests.tolist(), _n_branches(nodes, tests, settings).tolist(), strict=True):
        node = nodes[i]
        most = n_leaves[node["child"] : node["child"] + n].max()
        require(node["paths"] == most, f"{name} has nodes with a wrong number of paths")
        n_leaves[i] = most + (n_leaves[node["option"]] if node["option"] else 0)
    require(n_leaves[0] <= settings.max_options, f"{name} has too many options")


def _check_rows(name: str, tree: Tree, settings: Settings) -> None:
    """Each row of statistics belongs to one node, or is in the list of free ones, which ends."""
    row, is_leaf = tree.nodes["row"], tree.nodes["attribute"] == LEAF
    n_rows, free = int(tree.header["n_rows"][0]), tree.header["free_row"][0].item()
    used = np.sort(row[row >= 0])
    is_good = (used < n_rows).all() and (np.diff(used) > 0).all() and (row >= OPTION).all()
    keeps = has_options(tree.nodes)  # whether tests may keep their statistics
    is_good = is_good and (is_leaf | (row == NO_ROW) | keeps).all() and (is_leaf | (row != FROZEN)).all()
    require(is_good, f"{name} has nodes with wrong rows of statistics")
    taken = {*used.tolist()}
    while free != -1:
        require(0 <= free < n_rows and free not in taken, f"{name} has a wrong list of free rows")
        taken.add(free)
        following = float(tree.leaves[int(free), 0])
        require(following.is_integer(), f"{name} has a wrong list of free rows")
        free = int(following)
    for field in ("tables", "totals", "leaves"):
        part = getattr(tree, field)[used]
        array(f"{name}.{field}", part, np.float64, part.shape, WEIGHTS)
    n_classes, sizes = tree.counts.shape[1], np.diff(settings.starts)
    by_value = tree.tables[used].reshape(len(used), int(sizes.sum()), n_classes)
    for a, (first, size) in enumerate(zip(settings.starts.tolist(), sizes.tolist(), strict=False)):
        sums = by_value[:, first : first + size].sum(axis=1)
        require(np.allclose(sums, tree.totals[used][..., a]), f"{name}.totals are not the sums of its tables")
    moments, constants = tree.moments[used], tree.constants[used]
    is_good = np.isfinite(moments[..., [0, 2, 3, 4, 5]]).all() and (moments[..., 1] >= 0).all()
    array(f"{name}.moments", moments[..., 2], np.float64, moments.shape[:3], WEIGHTS)
    require(is_good, f"{name}.moments are not finite")
    if moments.shape[2] > 0:
        is_good = (constants[..., 0] >= 0).all() and (abs(constants[..., 1]) < 2.0**40).all()
    require(is_good and (constants[..., 2:] >= 0).all(), f"{name}.constants are out of range")


# Classifiers of other libraries


def _third_party(
    name: str, found: ThirdPartyModels, kind: ThirdParty, classes: np.ndarray, n_models: int
) -> ThirdPartyModels:
    """M classifiers; what they hold is the business of their library, and of those who trust it."""
    require(type(found.estimators) is list, f"{name} does not hold {n_models} classifiers")
    for m, each in enumerate(found.estimators):
        is_good = hasattr(each, "predict") and hasattr(each, "fit") and not isinstance(each, type)
        require(is_good, f"{name}.estimators[{m}] is no classifier")
    models = ThirdPartyModels(kind, classes, 0)
    models.estimators = found.estimators
    models.has_learned = array(f"{name}.has_learned", found.has_learned, np.bool_, (n_models,))
    return models


def checked_kind(name: str, found: ThirdParty, method: str) -> ThirdParty:
    """The type of classifiers of another library, which learn by `method`."""
    require(type(found.takes_sparse) is bool, f"{name} has a flag that is none")
    is_good = hasattr(type(found.estimator), method) and not isinstance(found.estimator, type)
    require(is_good, f"{name}.estimator is no classifier")
    key = whole(f"{name}.key", found.key, high=2**64 - 1)
    return ThirdParty(found.estimator, method, InputTags(sparse=found.takes_sparse), key)


#: Arrays that are learned though they have no axis of models, and those with one that follow from others.
_OTHERS: dict[type, set[str]] = {
    DecisionStump: {"numbers", "number_starts", "rows"} | {"block_counts", "has_fractions"},
    NeuralNetwork: {"input_keys", "input_places", "output_keys", "output_places"},
}
#: Checks of states of which more is known than their annotations say.
_CHECKS: dict[type, Any] = {DecisionStump: _stump, NaiveBayes: _naive_bayes}
