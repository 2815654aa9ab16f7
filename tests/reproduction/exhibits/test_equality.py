"""What depends on the margin of equality is counted, and the rules are tried on the printed numbers."""

from reproduction.claims.registry import ON_PRINT
from reproduction.exhibits import (
    cases_of_equality,
    outcomes_by_margin,
    tried_on_print,
    verdicts_by_margin,
)
from reproduction.probes.overlapping_splits import false_alarms
from reproduction.tables import Record


def test_a_wider_margin_calls_more_cells_equal_and_none_fewer(full_card):
    counts = verdicts_by_margin(full_card.cells, [0.005, 0.01, 0.02])
    assert counts["agrees"].is_monotonic_increasing and counts["agrees"].is_unique
    assert counts["differs"].is_monotonic_decreasing
    assert counts.sum(axis="columns").nunique() == 1
    assert counts.loc[0.01].to_list() == full_card.cell_counts().loc["all"].to_list()[:3]


def test_the_margin_turns_claims_about_equality():
    found = outcomes_by_margin(Record(), ["C066", "C071", "C077"], [0.0001, 0.01, 0.02])
    assert found.loc["C066"].to_list() == ["undecided", "holds", "holds"]
    assert found.loc["C071", 0.01] == "fails"


def test_each_rule_is_shown_with_what_it_says_of_print():
    table = tried_on_print(Record(), ON_PRINT[:3]).cells
    assert table.index.to_list() == list(ON_PRINT[:3])
    assert table.loc["C066", "printed"] == "holds"


def test_the_picture_has_all_three_outcomes():
    assert {line.rpartition(", ")[2] for line in cases_of_equality().text.splitlines()} == {
        "equal",
        "different",
        "undecided",
    }


def test_tests_that_ignore_the_overlap_find_differences_where_there_are_none():
    shares = false_alarms(30, 60, repetitions=6, seed=1)["false_alarms"]
    assert shares["Welch"] > 0.3 and shares["paired"] > 0.3
    assert shares["corrected"] <= 0.15
    few = false_alarms(20, 60, repetitions=6, seed=1, n_train=12)["false_alarms"]
    assert few["corrected"] <= shares["corrected"] + 0.1
