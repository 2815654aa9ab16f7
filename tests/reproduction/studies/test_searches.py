"""Models used only in searches: trees pruned with another count of tests, stumps by other rules."""

import numpy as np
import pytest

from oza import BaggingClassifier, DecisionStumpClassifier, DecisionTreeClassifier
from oza.datasets import load_dataset
from reproduction.columns import nominal_columns
from reproduction.studies import STUDIES, attempts
from reproduction.studies.pruning import RecountedTree
from reproduction.studies.stump_rules import RULES, RuleStump
from reproduction.studies.variants import INPUTS, networks_by_input, stumps_by_rule
from reproduction.tables import printed

SETS = ["balance", "car-evaluation", "nursery"]


def _split(name, is_numeric=False):
    X, y = load_dataset(name, return_X_y=True)
    rows = np.random.default_rng(5).permutation(len(y))[:900]
    X = X.astype(float) if is_numeric else X
    return X[rows[:600]], y[rows[:600]], X[rows[600:]]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("is_numeric", [False, True])
def test_a_tree_pruned_outside_its_kernel_is_the_kernels_own(name, is_numeric):
    X, y, X_test = _split(name, is_numeric)
    columns = nominal_columns(X)
    weights = np.random.default_rng(1).integers(0, 4, len(y)).astype(float)
    for sample_weight in (None, weights):
        ours = DecisionTreeClassifier(prune=True, categorical_features=columns).fit(X, y, sample_weight)
        again = RecountedTree(same_once=False, categorical_features=columns).fit(X, y, sample_weight)
        np.testing.assert_array_equal(ours.predict(X_test), again.predict(X_test))


def test_bagging_of_both_is_the_same():
    X, y, X_test = _split("car-evaluation")
    declared = {"categorical_features": range(6)}
    bags = [
        BaggingClassifier(DecisionTreeClassifier(prune=True), 5, **declared, random_state=2).fit(X, y),
        BaggingClassifier(RecountedTree(same_once=False, **declared), 5, random_state=2).fit(X, y),
    ]
    np.testing.assert_array_equal(bags[0].predict(X_test), bags[1].predict(X_test))


def test_two_tests_that_divide_alike_cost_one_bit_too_much():
    """A leaf costs 4 bits here; a test and its leaves cost 3 if it is the only one, 4 if it is one of two."""
    X, y = np.array([[0], [0], [1]]), np.array([0, 0, 1])
    assert RecountedTree(False, categorical_features=[0]).fit(X, y).predict(X).tolist() == [0, 0, 0]
    assert RecountedTree(True, categorical_features=[0]).fit(X, y).predict(X).tolist() == [0, 0, 1]
    three = np.array([[0], [0], [1], [2]])  # three values, three different tests
    for same_once in (False, True):
        assert (
            RecountedTree(same_once, categorical_features=[0]).fit(three, [0, 0, 1, 1])._n_tests(three) == 3
        )


@pytest.mark.parametrize("name", SETS)
def test_a_stump_by_information_gain_is_ours(name):
    X, y, X_test = _split(name)
    ours = DecisionStumpClassifier(categorical_features=nominal_columns(X)).fit(X, y)
    again = RuleStump("information gain").fit(X, y)
    assert again.test_[1] == ours.feature_
    np.testing.assert_array_equal(again.predict(X_test), ours.predict(X_test))


def test_each_rule_may_choose_another_attribute():
    y = np.array([0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0])
    columns = [
        [0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1],  # no more errors than any other, and the first such
        [4, 1, 2, 3, 0, 1, 0, 2, 4, 0, 1, 2],  # the most information, in many branches
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],  # the most information for what its answer tells
    ]
    chosen = {rule: RuleStump(rule).fit(np.array(columns).T, y).test_[1] for rule in RULES}
    assert chosen == {"information gain": 1, "gain ratio": 2, "training error": 0}


def test_a_threshold_and_one_value_are_binary_tests():
    X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 1, 1, 0])
    assert RuleStump("training error").fit(X, y).predict(X).tolist() == [0, 1, 1, 0]
    assert RuleStump("training error", binary=True).fit(X, y).test_[0] == "value"
    by_threshold = RuleStump("training error", numeric=np.array([True])).fit(X, y)
    assert by_threshold.test_[0] == "threshold" and by_threshold.predict(X).tolist() == [0, 1, 1, 1]


def test_an_unknown_value_gets_the_majority():
    X, y = np.array([[0], [1], [1]]), np.array([0, 1, 1])
    assert RuleStump().fit(X, y).predict(np.array([[7]])).tolist() == [1]


def test_searches_contain_no_setting_twice():
    none, first, every = np.zeros(3, bool), np.array([True, False, False]), np.ones(3, bool)
    assert [len(stumps_by_rule(numeric)) for numeric in (none, first, every)] == [10, 9, 6]
    names = [name for inputs in INPUTS for name in networks_by_input(inputs)]
    assert len(names) == len(set(names)) == 72


def _away(search, names):
    """Recorded means of single stumps minus the printed ones, by variant and data set."""
    theirs = printed("accuracy").query("table == '3.5' and algorithm == 'single'")
    rows = STUDIES["variants"].recorded(attempts(search, names)).set_index(["variant", "dataset"])
    return rows["mean"].sub(theirs.set_index("dataset")["value"], level="dataset").dropna()


def test_the_page_on_stumps_says_what_the_search_found():
    away = _away("stump_rules", ["chess", "german-credit", "breast-cancer", "promoters"]).abs()
    fewest, gain = "training error, each value", "information gain, each value"
    assert away[fewest, "chess"] < 0.01 < away[gain, "chess"]
    assert away[gain, "german-credit"] < 0.01 < away[fewest, "german-credit"]
    assert away["information gain, thresholds, first attribute", "breast-cancer"] < 0.001
    assert away.xs("promoters", level="dataset").min() > 0.01
    of_all_four = away.unstack("dataset").dropna()
    assert len(of_all_four) == 10 and (of_all_four > 0.01).any(axis="columns").all()


def test_the_page_on_networks_says_what_the_search_found():
    cells = printed("accuracy").query("dataset == 'breast-cancer' and table in ('3.6', '3.7')")
    theirs = cells.drop_duplicates("algorithm").set_index("algorithm")["value"]
    rows = STUDIES["variants"].recorded(attempts("network_inputs", ["breast-cancer"]))
    found = rows.pivot(index="variant", columns="algorithm", values="mean")
    fits = (found - theirs[found.columns]).abs() <= 0.01
    assert len(found) == 72 and not fits.all(axis="columns").any()
    of_ten = found.index[fits["online_single_10"]]
    assert len(of_ten) and of_ten.str.startswith("numbers as they are").all()
    both_online = fits["online_single"] & fits["online_single_10"]
    assert both_online.any() and (found["single"][both_online] < theirs["single"] - 0.01).all()


def test_a_missing_value_below_all_numbers_comes_nearer_to_the_printed_means():
    rows = STUDIES["variants"].recorded(attempts("missing_values", ["breast-cancer"]))
    means = rows.pivot(index="algorithm", columns="variant", values="mean")
    theirs = printed("accuracy").query("table == '3.3' and dataset == 'breast-cancer'")
    away = means.sub(theirs.set_index("algorithm")["value"], axis="index").abs()
    assert (away["below all numbers"] < away["above all numbers"]).all()
