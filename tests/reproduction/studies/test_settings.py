"""Settings chosen on half of the data sets, and trees that are not pruned."""

import numpy as np
import pandas as pd

from reproduction.studies import network_settings, stump_settings
from reproduction.studies.held_out import DATASETS, held_out, judged_cells
from reproduction.studies.stump_settings import PRESENT, SETTINGS, StumpRule
from reproduction.tables import printed

COLUMNS = ["setting", "dataset", "algorithm"]
SETS = ["promoters", "balance", "breast-cancer", "german-credit", "car-evaluation", "chess"]


def cells(**accuracies):
    """Cells of settings with these accuracies on `SETS`; what is printed is 0.5 everywhere."""
    index = pd.MultiIndex.from_product([accuracies, SETS, ["single"]], names=COLUMNS)
    values = np.concatenate([np.resize(of_setting, len(SETS)) for of_setting in accuracies.values()])
    means = pd.DataFrame({"mean": values, "half_width": 0.002, "n_splits": 50}, index)
    print_index = index[: len(SETS)].droplevel("setting")
    return judged_cells(means, pd.Series(0.5, print_index))


def test_the_testing_half_takes_no_part_in_the_choice():
    found = cells(present=[0.5, 0.5], worse_here=[0.7, 0.5], better_there=[0.7, 0.5])
    assert held_out(found, "present").chosen == "present"
    found = cells(present=[0.7, 0.5], other=[0.5, 0.7])  # right where it is chosen, wrong where it is tested
    outcome = held_out(found, "present")
    assert outcome.chosen == "other" and (outcome.gained, outcome.lost) == (0, 3)
    assert not outcome.explains and outcome.p_value == 1.0


def test_what_is_too_uncertain_does_not_differ_and_of_one_split_the_margin_decides():
    found = cells(present=[0.52])
    means = found[["mean", "half_width", "n_splits"]]
    theirs = found["printed"].droplevel("setting")
    widths = {0.002: True, 0.03: False, np.nan: True}
    for width, differs in widths.items():
        assert judged_cells(means.assign(half_width=width), theirs)["differs"].eq(differs).all()
    assert not judged_cells(means.assign(half_width=np.nan, mean=0.509), theirs)["differs"].any()


# Networks


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
