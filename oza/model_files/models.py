"""What the states of base models must be.

What depends on the parameters and the vocabulary alone is not read from a file: it is made anew, and taken
from a state just begun. Buffers too. What has been learned is checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import InputTags

from ..classifier.contract import BaseModel
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
from .contents import (
    ANY,
    FINITE,
    NUMBERS,
    WEIGHTS,
    array,
    codes_in,
    declared,
    fields,
    is_own,
    limits_of,
    record,
    require,
    whole,
)


def checked_models(
    name: str, found: Any, kind: BaseModel, schema: Schema, classes: np.ndarray, n_models: int
) -> Any:
    """The packed state of M base models of a kind, as `_unpack` takes it."""
    require(n_models_in(found) == n_models, f"{name} does not hold {n_models} models")
    if isinstance(kind, ThirdParty):
        return _third_party(name, record(name, found, ThirdPartyModels), kind, classes, n_models)
    if isinstance(kind, NeuralNetworkClassifier):  # without the draws of weights, which take time
        no_shared_inputs = np.zeros(len(schema.sizes), bool)
        pattern = kind._untrained(schema, len(classes), n_models, no_shared_inputs, 0)
    else:
        pattern = kind._pack(kind._new_models(schema, classes, n_models))
    record(name, found, type(pattern))
    return _CHECKS.get(type(pattern), _as_declared)(name, found, pattern, schema, len(classes))


def n_models_in(found: Any) -> int:
    """How many base models a packed state holds: so many must be possible, before a pattern is made."""
    if isinstance(found, ThirdPartyModels):
        return len(found.estimators)
    if isinstance(found, PackedTrees):
        return len(found.trees)
    if isinstance(found, LearnedExamples):
        return len(found.keys)
    of_models = {name: axes for name, (axes, _) in arrays_of(type(found)).items() if "M" in axes}
    name, axes = next(iter(of_models.items()))
    return getattr(found, name).shape[axes.index("M") - len(axes)]


def _as_declared(name: str, found: Any, pattern: Any, schema: Schema, n_classes: int) -> Any:
    """A state whose annotations say which arrays are of the models: these are read, all else is made anew."""
    limits, learned = limits_of(schema, n_classes), {}
    if not is_own(type(pattern)):
        checked = declared(name, found, pattern, limits)
        return pattern._replace(**{field: getattr(checked, field) for field in arrays_of(type(pattern))})
    for field, (axes, contents) in arrays_of(type(pattern)).items():
        if "M" in axes:
            like = getattr(pattern, field)
            between = (-1, limits[contents] - 1) if contents else ANY
            learned[field] = array(f"{name}.{field}", getattr(found, field), like.dtype, like.shape, between)
    return pattern._replace(**learned)


def _naive_bayes(name: str, found: NaiveBayes, pattern: NaiveBayes, schema: Schema, n_classes: int) -> Any:
    moments = {}
    for field in ("moments", "column_moments"):
        like = getattr(pattern, field)
        moments[field] = array(f"{name}.{field}", getattr(found, field), like.dtype, like.shape, FINITE)
        weights, *_, variances = moments[field]
        is_good = (weights >= 0).all() and (variances >= 0).all()
        require(is_good, f"{name}.{field} has a negative weight or variance")
    kept = {field: getattr(pattern, field) for field in ("attribute_sizes", "alpha", "var_smoothing")}
    return fields(name, found, pattern, **moments, **kept)


def _stump(name: str, found: DecisionStump, pattern: DecisionStump, schema: Schema, n_classes: int) -> Any:
    numbers = array(f"{name}.numbers", found.numbers, np.float64, (None,), FINITE)
    n_numbers, n_numeric, n_models = len(numbers), len(pattern.number_starts) - 1, len(pattern.chosen)
    starts = array(f"{name}.number_starts", found.number_starts, np.int64, (n_numeric + 1,))
    is_good = starts[0] == 0 and starts[-1] == n_numbers and (np.diff(starts) >= 0).all()
    require(is_good, f"{name}.number_starts does not divide its numbers")
    ascends = np.diff(numbers) > 0
    ascends[starts[(starts > 0) & (starts < n_numbers)] - 1] = True  # from one attribute to the next
    require(ascends.all(), f"{name}.numbers are not in ascending order")
    rows = array(f"{name}.rows", found.rows, np.int64, (n_numbers + 1,))
    is_good = rows[-1] == 0 and (np.sort(rows) == np.arange(n_numbers + 1)).all()
    require(is_good, f"{name}.rows does not give each number a row of its own")
    counts = array(
        f"{name}.number_counts", found.number_counts, np.float64, (None, n_classes, n_models), WEIGHTS
    )
    require(len(counts) > n_numbers, f"{name}.number_counts has too few rows")
    last = len(pattern.attributes) - 1
    counted = fields(
        name,
        found,
        pattern,
        numbers=numbers,
        number_starts=starts,
        rows=rows,
        number_counts=counts,
        blocks=pattern.blocks,
        block_starts=pattern.block_starts,
        block_rows=pattern.block_rows,
        first_blocks=pattern.first_blocks,
        block_counts=pattern.block_counts,
        has_fractions=(counts % 1.0 > 0.0).any(axis=(0, 1)),
        branch_starts=pattern.branch_starts,
        attributes=pattern.attributes,
        chosen=array(f"{name}.chosen", found.chosen, np.int64, (n_models,), (0, last)),
        threshold=array(f"{name}.threshold", found.threshold, np.float64, (n_models,)),
        floors=array(f"{name}.floors", found.floors, np.float64, pattern.floors.shape),
        sought=pattern.sought,
        places=pattern.places,
    )
    return with_block_counts(counted)


def _network(name: str, found: NeuralNetwork, pattern: NeuralNetwork, schema: Schema, n_classes: int) -> Any:
    """Networks; which values share an input, and the keys of the draws, depend on the order of the stream."""
    inputs = array(f"{name}.inputs", found.inputs, np.int64, pattern.inputs.shape)
    has_input = inputs >= 0
    is_good = (inputs == np.where(has_input, np.cumsum(has_input), -1)).all()
    require(is_good, f"{name}.inputs does not number the inputs")
    n_models, _, width = pattern.first.shape
    n_inputs = 1 + int(has_input.sum()) + len(schema.categories) - len(schema.sizes)
    n_updates = (n_models,)
    return pattern._replace(
        first=array(f"{name}.first", found.first, np.float64, (n_models, n_inputs, width)),
        second=array(f"{name}.second", found.second, np.float64, pattern.second.shape),
        n_updates=array(f"{name}.n_updates", found.n_updates, np.int64, n_updates, NUMBERS),
        n_bounded=array(f"{name}.n_bounded", found.n_bounded, np.int64, n_updates, NUMBERS),
        inputs=inputs,
        key=whole(f"{name}.key", found.key, high=2**64 - 1),
        input_keys=array(f"{name}.input_keys", found.input_keys, np.uint64, (n_inputs,)),
        input_places=array(f"{name}.input_places", found.input_places, np.int64, (n_inputs,)),
        output_keys=array(f"{name}.output_keys", found.output_keys, np.uint64, (n_classes,)),
        output_places=array(f"{name}.output_places", found.output_places, np.int64, (n_classes,)),
    )


def _examples(
    name: str, found: LearnedExamples, pattern: LearnedExamples, schema: Schema, n_classes: int
) -> Any:
    """The examples from which decision trees are grown again."""
    codes = codes_in(f"{name}.codes", found.codes, schema)
    n_examples, n_models = len(codes), len(pattern.keys)
    return LearnedExamples(
        pattern.parameters,
        codes,
        array(f"{name}.numbers", found.numbers, np.float64, (n_examples, pattern.numbers.shape[1])),
        array(f"{name}.labels", found.labels, np.int32, (n_examples,), (0, n_classes - 1)),
        array(f"{name}.weights", found.weights, np.float64, (n_examples, n_models), WEIGHTS),
        array(f"{name}.keys", found.keys, np.uint64, (n_models,)),
    )


# Hoeffding trees


def _trees(name: str, found: PackedTrees, pattern: PackedTrees, schema: Schema, n_classes: int) -> Any:
    is_good = type(found.trees) is tuple and len(found.trees) == len(pattern.trees)
    require(is_good, f"{name} does not hold {len(pattern.trees)} trees")
    pairs = zip(found.trees, pattern.trees, strict=True)
    trees = [_tree(f"{name}.trees[{m}]", *pair, pattern.settings) for m, pair in enumerate(pairs)]
    return pattern._replace(trees=tuple(trees))


def _tree(name: str, found: Tree, pattern: Tree, settings: Settings) -> Tree:
    record(name, found, Tree)
    nodes = array(f"{name}.nodes", found.nodes, pattern.nodes.dtype, (None,))
    header = array(f"{name}.header", found.header, pattern.header.dtype, (1,))
    n_nodes, n_rows = int(header["n_nodes"][0]), int(header["n_rows"][0])
    require(n_nodes == len(nodes) > 0, f"{name} has {len(nodes)} nodes, not {n_nodes}")
    require(n_rows >= 0, f"{name} has {n_rows} rows of statistics")
    parts = {
        "counts": array(
            f"{name}.counts", found.counts, np.float64, (n_nodes, pattern.counts.shape[1]), WEIGHTS
        )
    }
    for field in ("tables", "totals", "moments", "constants", "leaves"):
        of_rows = (max(n_rows, 1), *getattr(pattern, field).shape[1:])
        parts[field] = array(f"{name}.{field}", getattr(found, field), np.float64, of_rows)
    tree = Tree(nodes=nodes, header=header, **parts)
    _check_nodes(name, nodes, settings)
    if has_options(nodes):
        _check_paths(name, nodes, settings)
    is_leaf = nodes["attribute"] == LEAF
    require(header["n_leaves"][0] == is_leaf.sum(), f"{name} does not have {header['n_leaves'][0]} leaves")
    n_learning = (is_leaf & (nodes["row"] != FROZEN)).sum()
    is_plain = "option" not in (nodes.dtype.names or ())  # option trees freeze no leaves and do not count
    require(
        not is_plain or header["n_learning"][0] == n_learning, f"{name} does not have its learning leaves"
    )
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
    names = {"kind", "classes", "has_learned", "estimators"}
    require(vars(found).keys() == names, f"{name} has other attributes")
    checked_kind(f"{name}.kind", found.kind)
    require(found.kind.method == kind.method, f"{name}.kind learns by {found.kind.method}")
    is_same = type(found.classes) is np.ndarray and np.array_equal(found.classes, classes)
    require(is_same, f"{name}.classes are not those of the ensemble")
    is_good = type(found.estimators) is list and len(found.estimators) == n_models
    require(is_good, f"{name} does not hold {n_models} classifiers")
    for m, each in enumerate(found.estimators):
        is_good = hasattr(each, "predict") and hasattr(each, "fit") and not isinstance(each, type)
        require(is_good, f"{name}.estimators[{m}] is no classifier")
    found.has_learned = array(f"{name}.has_learned", found.has_learned, np.bool_, (n_models,))
    return found


def checked_kind(name: str, found: ThirdParty) -> ThirdParty:
    """The type of classifiers of another library."""
    require(type(found) is ThirdParty, f"{name} is of the type {type(found).__name__}")
    flags = {"takes_sparse", "takes_nan", "takes_weight", "weighs_one"}
    is_good = vars(found).keys() == {"estimator", "method", "key"} | flags
    require(is_good and found.method in ("fit", "partial_fit"), f"{name} has other attributes")
    require(all(type(vars(found)[flag]) is bool for flag in flags), f"{name} has flags that are none")
    whole(f"{name}.key", found.key, high=2**64 - 1)
    is_good = hasattr(type(found.estimator), found.method) and not isinstance(found.estimator, type)
    require(is_good, f"{name}.estimator is no classifier")
    again = ThirdParty(found.estimator, found.method, InputTags(), found.key)
    is_same = (again.takes_weight, again.weighs_one) == (found.takes_weight, found.weighs_one)
    require(is_same, f"{name} is not as its classifier says")
    return found


_CHECKS: dict[type, Any] = {
    DecisionStump: _stump,
    LearnedExamples: _examples,
    NaiveBayes: _naive_bayes,
    NeuralNetwork: _network,
    PackedTrees: _trees,
}
