"""Studies whose replicates are streams: what is drawn, and how long they must be."""

import pandas as pd
import pytest

from reproduction.studies import STUDIES, drawn_streams
from reproduction.studies.drawn_streams import KINDS, LENGTHS, METHODS, drawn_stream, drawn_tasks


@pytest.mark.parametrize("kind", KINDS)
def test_streams_of_a_kind_differ_and_only_by_their_number(kind):
    drawn = [drawn_stream(kind, number, 25_000) for number in range(4)]
    assert drawn[0] == drawn_stream(kind, 0, 25_000) and len(set(map(repr, drawn))) == 4
    X, y = drawn[0][:100]
    assert len(X) == len(y) == 100


def runs_of_lengths(accuracies, costs):
    """Runs of two methods on one stream, by length."""
    return pd.DataFrame(
        [
            ("sea", name, 0, length, 1000, int(1000 * share), cost)
            for length, shares, prices in zip(LENGTHS, accuracies, costs, strict=True)
            for name, share, cost in zip("ab", shares, prices, strict=True)
        ],
        columns=["dataset", "algorithm", "run", "n_examples", "n_seen", "n_correct", "ram_hours"],
    )


SAME = [(0.8, 0.7)] * 4, [(2.0, 1.0)] * 4


@pytest.mark.parametrize(
    ("accuracies", "costs", "length"),
    [
        (*SAME, 25_000),
        ([(0.8, 0.7), *[(0.82, 0.7)] * 3], SAME[1], 50_000),
        ([(0.6, 0.7), *SAME[0][1:]], SAME[1], 50_000),
        (SAME[0], [*[(1.0, 2.0)] * 2, *[(2.0, 1.0)] * 2], 25_000),
        (SAME[0], [(1.0, 2.0), *SAME[1][1:]], 50_000),
        ([(0.6, 0.5), (0.64, 0.5), (0.7, 0.5), (0.8, 0.5)], SAME[1], 200_000),
    ],
)
def test_the_shortest_length_is_judged_for_which_twice_the_length_changes_nothing(accuracies, costs, length):
    assert drawn_streams.length_that_matters(runs_of_lengths(accuracies, costs)) == length


def test_the_recorded_pilot_chooses_the_length_that_is_judged():
    study = STUDIES["drawn-streams"]
    pilot = study.recorded([task for n in LENGTHS for task in drawn_tasks(n, drawn_streams.PILOT)])
    assert drawn_streams.length_that_matters(pilot) == drawn_streams.JUDGED_LENGTH
    judged = drawn_streams.of_streams(study.recorded(drawn_tasks()))
    assert len(judged) >= 20 and not judged.isna().any(axis=None)
    assert list(judged["accuracy"]) == sorted(METHODS)
