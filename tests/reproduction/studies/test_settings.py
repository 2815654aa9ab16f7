"""Settings chosen on half of the data sets, and trees that are not pruned."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from oza.datasets import dataset_info, list_datasets
from reproduction.studies import STUDIES, Task, calibration, compute, network_settings, stump_settings, tasks
from reproduction.studies.accuracy import UNPRUNED
from reproduction.studies.held_out import DATASETS, count_differing, halves, held_out, judged_cells, splits
from reproduction.studies.protocol import Split, prepare
from reproduction.studies.stump_settings import PRESENT, SETTINGS, StumpRule, rule_on
from reproduction.tables import clockwork, printed

COLUMNS = ["setting", "dataset", "algorithm"]
SETS = ["promoters", "balance", "breast-cancer", "german-credit", "car-evaluation", "chess"]


def cells(**accuracies):
    """Cells of settings with these accuracies on `SETS`; what is printed is 0.5 everywhere."""
    index = pd.MultiIndex.from_product([accuracies, SETS, ["single"]], names=COLUMNS)
    values = np.concatenate([np.resize(of_setting, len(SETS)) for of_setting in accuracies.values()])
    means = pd.DataFrame({"mean": values, "half_width": 0.002, "n_splits": 50}, index)
    print_index = index[: len(SETS)].droplevel("setting")
    return judged_cells(means, pd.Series(0.5, print_index))


def test_the_halves_alternate_in_the_order_of_table_3_1():
    assert halves(reversed(SETS)) == (SETS[::2], SETS[1::2])
    choosing, testing = halves(DATASETS)
    assert len(choosing) == len(testing) == 6 and not set(choosing) & set(testing)
    assert sorted(choosing + testing, key=list_datasets().index) == list(DATASETS)


def test_every_data_set_with_a_printed_value_takes_part():
    theirs_by_table = dict(iter(printed("accuracy").dropna(subset="value").groupby("table")))
    for theirs in (theirs_by_table[number] for number in ("3.5", "3.6", "3.7")):
        assert set(theirs["dataset"]) - {"census-income", "covertype"} == set(DATASETS)


def test_the_testing_half_takes_no_part_in_the_choice():
    found = cells(present=[0.5, 0.5], worse_here=[0.7, 0.5], better_there=[0.7, 0.5])
    assert held_out(found, "present").chosen == "present"
    found = cells(present=[0.7, 0.5], other=[0.5, 0.7])  # right where it is chosen, wrong where it is tested
    outcome = held_out(found, "present")
    assert outcome.chosen == "other" and (outcome.gained, outcome.lost) == (0, 3)
    assert not outcome.explains and outcome.p_value == 1.0


def test_in_a_tie_the_nearer_setting_is_chosen():
    found = cells(present=[0.6, 0.5], near=[0.55, 0.5], far=[0.7, 0.5])
    assert count_differing(found)["choosing"]["differ"].tolist() == [3, 3, 3]
    outcome = held_out(found, "present")
    assert outcome.chosen == "near"
    assert outcome.p_value == 1.0 and not outcome.explains  # no cell differs with one of the two only


def test_more_cells_are_not_enough_without_significance():
    found = cells(present=[0.7, 0.7], other=[0.5, 0.5])
    outcome = held_out(found, "present")
    assert (outcome.differ, outcome.present_differ, outcome.of, outcome.gained) == (0, 3, 3, 3)
    assert outcome.p_value == pytest.approx(1 / 8) and not outcome.explains
    more = pd.concat([found, found.rename(index={"single": "bagging"})])
    outcome = held_out(more, "present")
    assert outcome.p_value == pytest.approx(1 / 64) and outcome.explains


def test_what_is_too_uncertain_does_not_differ_and_of_one_split_the_margin_decides():
    found = cells(present=[0.52])
    means = found[["mean", "half_width", "n_splits"]]
    theirs = found["printed"].droplevel("setting")
    widths = {0.002: True, 0.03: False, np.nan: True}
    for width, differs in widths.items():
        assert judged_cells(means.assign(half_width=width), theirs)["differs"].eq(differs).all()
    assert not judged_cells(means.assign(half_width=np.nan, mean=0.509), theirs)["differs"].any()


def test_a_cell_without_a_printed_value_is_not_judged():
    found = cells(present=[0.5])
    means = found[["mean", "half_width", "n_splits"]]
    theirs = pd.Series(0.5, means.index.droplevel("setting"))
    theirs["chess", "single"] = np.nan
    assert len(judged_cells(means, theirs)) == len(found) - 1


def test_large_sets_have_one_split_of_ensembles():
    assert {name: len(splits(name, True)) for name in ("balance", "mushroom", "synthetic1")} == {
        "balance": 10,
        "mushroom": 5,
        "synthetic1": 1,
    }
    assert len(splits("synthetic1", False)) == 5


# Networks


def test_the_present_setting_is_that_of_the_study_of_networks():
    trial = network_settings.NetworkTrial(network_settings.PRESENT, "balance", "online_bagging_10", 3, 1, 2)
    assert network_settings.SETTINGS[network_settings.PRESENT] == calibration.DEFAULT
    assert network_settings.classify(trial).digest == compute(trial.usual).digest
    for other in ("20 units, rate 0.5", "10 units, rate 0.1"):
        assert network_settings.classify(replace(trial, setting=other)).digest != compute(trial.usual).digest


def test_the_search_on_six_sets_suggests_a_candidate():
    distance = calibration.distances(calibration.STUDY.recorded("thesis"), printed("accuracy"))
    closest = calibration.Setting(*distance.mean(axis="columns").idxmin())
    assert closest in network_settings.SETTINGS.values()


@pytest.mark.parametrize(("dataset", "n_inputs"), [("nursery", 27), ("synthetic1", 40)])
def test_networks_by_times_have_the_inputs_and_units_that_the_printed_times_imply(dataset, n_inputs):
    setting = network_settings.setting_of(network_settings.BY_TIMES, dataset)
    known = calibration.inputs(setting, prepare(dataset))[2]
    of_two = sum(len(attribute.values) == 2 for attribute in dataset_info(dataset).attributes)
    assert sum(map(len, known)) - of_two == clockwork.n_inputs(dataset) == n_inputs
    least = clockwork.implied_units(dataset, n_inputs).min()
    assert 0.9 * least < setting.hidden_units < 1.2 * least


def test_grades_as_numbers_are_those_of_the_file():
    rows = Split(np.array([[0], [9]]), np.array([0, 1]), np.array([[10]]), np.array([0]))
    setting = network_settings.setting_of(network_settings.BY_TIMES, "breast-cancer")
    X_train, X_test, known = calibration.inputs(setting, rows)
    assert (X_train.ravel().tolist(), X_test.item(), known) == ([1.0, 10.0], 11.0, "auto")


def test_every_candidate_is_recorded_on_the_same_splits():
    means = network_settings.means([*network_settings.SETTINGS, network_settings.BY_TIMES])
    legible = printed("accuracy").query("base_model == 'neural_network'").dropna(subset="value")
    legible = legible[legible["dataset"].isin(DATASETS)].set_index(["dataset", "algorithm"]).index
    left_out = {(name, "bagging") for name in ("connect4", "synthetic1", "synthetic2", "synthetic3")}
    for _, of_setting in means.groupby("setting"):
        assert set(of_setting.droplevel("setting").index) == set(legible) - left_out
    n_splits = means["n_splits"].unstack("setting")
    assert n_splits.eq(n_splits[network_settings.PRESENT], axis="index").all(axis=None)


# Stumps


def test_the_present_rule_is_that_of_the_study_of_stumps():
    assert SETTINGS[0] == PRESENT and len(set(SETTINGS)) == len(set(map(str, SETTINGS))) == len(SETTINGS)
    for algorithm, size in (("single", 1), ("bagging", 100)):
        trial = stump_settings.StumpTrial(*PRESENT, "nursery", algorithm, size, 0, 1)
        usual = Task("decision-stumps", "nursery", "decision_stump", algorithm, size, 0, 1, 0)
        assert stump_settings.classify(trial).n_correct == compute(usual).n_correct


@pytest.mark.parametrize("dataset", ["balance", "nursery"])
def test_a_simpler_rule_is_the_same_on_a_data_set(dataset):
    for rule in SETTINGS:
        simple = rule_on(rule, dataset)
        assert rule_on(simple, dataset) == simple
        trials = [stump_settings.StumpTrial(*one, dataset, "single", 1, 0, 3) for one in (rule, simple)]
        first, second = map(stump_settings.classify, trials)
        assert first == second
    assert len({rule_on(rule, dataset) for rule in SETTINGS}) < len(SETTINGS)


def test_every_rule_is_recorded_on_the_same_splits():
    means = stump_settings.means()
    assert len(means) == len(SETTINGS) * len(DATASETS) * 2
    n_splits = means["n_splits"].unstack("setting")
    assert n_splits.eq(n_splits[str(PRESENT)], axis="index").all(axis=None)
    single = means.xs("single", level="algorithm")["mean"].unstack("dataset")
    assert (
        single.loc[str(StumpRule("gain ratio", thresholds=True)), "balance"]
        != single.loc["gain ratio, each value", "balance"]
    )
    same = [str(StumpRule("gain ratio", thresholds=is_threshold)) for is_threshold in (False, True)]
    assert single.loc[same, "nursery"].nunique() == 1


# Trees that are not pruned


def test_unpruned_trees_have_the_draws_of_pruned_ones_and_are_not_pruned():
    pruned = Task("decision-trees", "car-evaluation", "decision_tree", "online_bagging", 5, 0, 0, 0)
    unpruned = replace(pruned, study=UNPRUNED)
    assert unpruned.seed == pruned.seed and (unpruned.numeric == pruned.numeric).all()
    models = [task.estimator() for task in (pruned, unpruned)]
    assert [model.estimator.prune for model in models] == [True, False]
    assert [model.get_params()["random_state"] for model in models] == [pruned.seed] * 2
    assert compute(pruned).digest != compute(unpruned).digest


def test_unpruned_trees_have_the_runs_of_pruned_ones():
    names = {"single", "bagging", "online_bagging"}
    pruned = {task for task in tasks("decision-trees", "thesis") if task.algorithm in names}
    assert {replace(task, study="decision-trees") for task in tasks(UNPRUNED, "thesis")} == pruned
    recorded = STUDIES[UNPRUNED].recorded("thesis")
    assert len(recorded) == len([task for task in pruned if task.dataset != "covertype"])
