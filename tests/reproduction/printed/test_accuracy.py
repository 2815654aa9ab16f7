"""Cells say what the results say, beside what is printed, with the right verdict."""

import pytest

from reproduction.printed.accuracy import accuracy_cells
from reproduction.printed.printed import printed
from reproduction.printed.times import time_cells

from .given import counted, results


def test_printed_values_are_numbers_under_our_names():
    frame = printed("accuracy")
    assert frame["value"].dtype == float and frame["value"].isna().sum() == 11
    assert "soybean-large" in set(printed("datasets")["dataset"])
    assert not any(name[0].isupper() for name in frame["dataset"])
    with pytest.raises(ValueError, match="expected one of accuracy"):
        printed("nothing")


def test_each_cell_has_the_verdict_it_deserves():
    verdicts = accuracy_cells(results(), "3.4")["verdict"]
    assert verdicts["balance", "single"] == "agrees"
    assert verdicts["chess", "online_bagging"] == "no printed value"
    assert verdicts["soybean-large", "single"] == "no printed value"
    assert verdicts["census-income", "single"] == verdicts["covertype-head", "bagging"] == "excluded"
    assert verdicts["covertype", "single"] == verdicts["nursery", "bagging"] == "not run"


def test_counter_evidence_turns_a_cell_over():
    assert accuracy_cells(results(single=-0.02), "3.4")["verdict"]["balance", "single"] == "differs"
    assert accuracy_cells(results(single=-0.009), "3.4")["verdict"]["balance", "single"] == "undecided"
    assert accuracy_cells(results(single=-0.007), "3.4")["verdict"]["balance", "single"] == "agrees"


def test_marks_follow_the_evidence():
    cells = accuracy_cells(results(bagging=0.05, online_bagging=-0.05), "3.4")
    for test in ("welch", "paired", "corrected"):
        assert cells.loc[("balance", "bagging"), test] == "better"
        assert cells.loc[("balance", "online_bagging"), test] == "worse"
        assert cells.loc[("balance", "single"), test] == "none"
        assert cells.loc[("nursery", "bagging"), test] == "unknown"
    assert cells["star"]["balance", "bagging"] and not cells["star"]["balance", "online_bagging"]
    equal = accuracy_cells(results(), "3.4")
    assert equal["n_splits"]["balance", "online_bagging"] == 10  # of two orders each
    assert set(equal.loc["balance", "welch"]) == {"none"} and not equal["star"].any()


def test_cells_tell_how_far_an_ensemble_is_from_one_model_and_from_its_counterpart():
    cells = accuracy_cells(results(bagging=0.05, online_bagging=-0.05), "3.4").loc["balance"]
    assert cells["single_difference"]["bagging"] == pytest.approx(0.05)
    assert cells["other_difference"]["bagging"] == pytest.approx(0.1)
    assert cells["other_difference"]["online_bagging"] == pytest.approx(-0.1)
    assert (cells["single_welch"] == cells["welch"])[["bagging", "online_bagging"]].all()
    assert (cells["single_mark"] == cells["corrected"])[["bagging", "online_bagging"]].all()
    assert (cells["star"] == (cells["other_welch"] == "better")).all()
    assert set(cells.loc["single", ["single_mark", "other_mark"]]) == {"unknown"}
    assert (cells.loc["bagging", ["single_half_width", "other_half_width"]] < 1e-6).all()


def test_results_of_another_base_model_or_an_unknown_table_are_refused():
    with pytest.raises(ValueError, match=r"Table 3\.3 is of 'decision_tree'"):
        accuracy_cells(results(), "3.3")
    with pytest.raises(ValueError, match=r"table='9\.9': expected one of 2\.4"):
        accuracy_cells(results(), "9.9")


def test_each_printed_value_finds_its_column():
    for table in ("3.3", "3.4", "3.5", "3.6", "3.7"):
        theirs = printed("accuracy").query("table == @table")
        cells = accuracy_cells(results().iloc[:0], table)
        assert cells["printed"].notna().sum() == theirs["value"].notna().sum()
    for table in ("3.8", "3.9", "3.10", "3.11"):
        theirs = printed("running_times").query("table == @table")
        cells = time_cells(results().iloc[:0], table, counted().iloc[:0])
        assert cells["printed"].notna().sum() == len(theirs)
