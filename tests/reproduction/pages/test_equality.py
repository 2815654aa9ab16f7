"""What depends on the margin of equality is counted, and the rules are tried on the printed numbers."""

import pytest

from reproduction.claims import claims_where, on_print, recorded_verdicts
from reproduction.pages import (
    cases_of_equality,
    outcomes_by_margin,
    tried_on_print,
    verdicts_by_margin,
)
from reproduction.paths import DATA
from reproduction.simulations.overlapping_splits import false_alarms, p_values_of_equals
from reproduction.studies.statistics import BY_EQUALITY
from reproduction.tables import Record

OUTCOMES = recorded_verdicts(DATA / "results").set_index("claim")["outcome"]


@pytest.fixture(scope="module")
def record():
    return Record()


def test_a_wider_margin_calls_more_cells_equal_and_none_fewer(full_card):
    counts = verdicts_by_margin(full_card.cells, [0.005, 0.01, 0.02])
    assert counts["agrees"].is_monotonic_increasing and counts["agrees"].is_unique
    assert counts["differs"].is_monotonic_decreasing
    assert counts.sum(axis="columns").nunique() == 1
    present = full_card.cell_counts().loc["all"]
    present["differs"] += present["explained"]
    assert counts.loc[0.01].to_list() == present[[*BY_EQUALITY]].to_list()


def test_the_margin_turns_claims_about_equality(record):
    found = outcomes_by_margin(record, claims_where("on_print"), [0.0001, 0.01, 0.02])
    assert found[0.01].to_dict() == OUTCOMES.loc[found.index].to_dict()
    assert ((found[0.0001] == "undecided") & (found[0.02] == "holds")).any()


def test_each_rule_is_shown_with_what_it_says_of_print(record):
    table = tried_on_print(record).cells
    assert table.index.to_list() == claims_where("on_print")
    assert table["ours"].to_dict() == OUTCOMES.loc[table.index].to_dict()
    assert table["printed"].to_dict() == {number: on_print(number).outcome for number in table.index}


def test_the_picture_has_all_three_outcomes():
    assert {line.rpartition(", ")[2] for line in cases_of_equality().text.splitlines()} == {
        "equal",
        "different",
        "undecided",
    }


def test_tests_that_ignore_the_overlap_find_differences_where_there_are_none():
    shares = false_alarms(p_values_of_equals(30, 60, repetitions=6))["false_alarms"]
    assert shares["Welch"] > 0.3 and shares["paired"] > 0.3
    assert shares["corrected"] <= 0.15
    few = false_alarms(p_values_of_equals(20, 60, repetitions=6, n_train=12))["false_alarms"]
    assert few["corrected"] <= shares["corrected"] + 0.1
