"""Studies whose replicates are streams, laws, orders or repetitions: what is drawn, and made of it."""

import numpy as np
import pandas as pd
import pytest

from oza.streams import Chain
from reproduction.simulations.convergence import law_stream, nearness, random_law
from reproduction.studies import STUDIES, blocks, boosting_laws, drawn_streams, leaf_budget, parallel
from reproduction.studies.drawn_streams import KINDS, LENGTHS, METHODS, drawn_stream, drawn_tasks


@pytest.mark.parametrize("kind", KINDS)
def test_streams_of_a_kind_differ_and_only_by_their_number(kind):
    drawn = [drawn_stream(kind, number, 25_000) for number in range(4)]
    assert drawn[0] == drawn_stream(kind, 0, 25_000) and len(set(map(repr, drawn))) == 4
    X, y = drawn[0][:100]
    assert len(X) == len(y) == 100


def test_the_pilot_has_other_streams_than_those_that_are_judged():
    assert not set(drawn_streams.PILOT) & set(drawn_streams.JUDGED)
    assert len(KINDS) * len(drawn_streams.JUDGED) >= 20


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


def test_fewer_examples_of_a_law_are_the_first_of_more():
    law = random_law(1, 3)
    (few, labels), (many, all_labels) = (law_stream(law, n, [1, 0]) for n in (50, 500))
    assert (few == many[:50]).all() and (labels == all_labels[:50]).all()
    shares = np.bincount(law_stream(law, 100_000, [1, 1])[1]) / 100_000
    np.testing.assert_allclose(shares, law.reshape(2, -1).sum(axis=1), atol=0.01)


class Always:
    """Predicts one class."""

    def __init__(self, label):
        self.label = label

    def predict(self, X):
        return np.full(len(X), self.label)


def test_nearness_is_summed_over_all_inputs():
    law = random_law(1, 3)
    share = law[1].sum()
    assert nearness(law, Always(0), Always(1)) == pytest.approx((1, 1 - share, share))
    assert nearness(law, Always(1), Always(1)) == pytest.approx((0, share, share))


def test_laws_are_averaged_over_streams_before_their_gap_is_taken():
    rows = pd.DataFrame(
        [("p", 1, 0, 10, 0.2, 0.8, 0.7), ("p", 1, 1, 10, 0.4, 0.7, 0.8), ("p", 2, 0, 10, 0.1, 0.6, 0.9)],
        columns=["dataset", "law", "stream", "n_examples", "disagreement", "batch", "online"],
    )
    found = boosting_laws.over_laws(rows)
    assert found["disagreement"]["p"].loc[10].tolist() == pytest.approx([0.3, 0.1])
    assert found["gap"]["p"].loc[10].tolist() == pytest.approx([0.0, 0.3])


def test_blocks_are_counted_until_the_error_first_is_at_most_the_target():
    best = 1 - Chain("synthetic2").bayes_accuracy
    target = best + 0.1 * (0.5 - best)
    errors = {(100, 0): [0.4, target + 1e-9, target, 0.4], (200, 0): [0.4, target - 0.01], (100, 1): [0.4]}
    rows = pd.DataFrame(
        [
            ("synthetic2", size, stream, i, error)
            for (size, stream), each in errors.items()
            for i, error in enumerate(each, start=1)
        ],
        columns=["dataset", "block_size", "stream", "blocks", "error"],
    )
    found = blocks.blocks_to_target(rows).loc["synthetic2"]
    assert found.loc[0].tolist() == [3, 2] and found.loc[1].isna().all()
    assert blocks.blocks_to_target(rows, share=0.5).loc[("synthetic2", 0)].tolist() == [2, 2]


def test_the_gain_of_many_trees_is_by_order_and_data_set():
    rows = pd.DataFrame(
        [
            (name, n, order, 0.1 * i + 0.01 * order * (n > 2))
            for i, name in enumerate("pq")
            for n in (1, 2, 4, 8)
            for order in (0, 1)
        ],
        columns=["dataset", "n_trees", "order", "error"],
    )
    found = leaf_budget.gain_of_many(rows)
    np.testing.assert_allclose(found[["p", "q"]], [[0, 0], [-0.01, -0.01]], atol=1e-12)


def test_speed_up_is_the_ratio_of_medians():
    rows = pd.DataFrame(
        [
            ("p", "q", n_jobs, repetition, "x", elapsed, cpu, critical)
            for n_jobs, elapsed, cpu, critical in ((1, 2.0, 2.0, 2.0), (2, 1.0, 2.0, 1.0))
            for repetition in range(3)
        ],
        columns=STUDIES["times-parallel"].key + STUDIES["times-parallel"].measured,
    )
    rows.loc[rows["repetition"] == 2, ["seconds", "critical"]] *= 100
    (found,) = parallel.speed_up(rows).to_dict("records")
    assert found == {"critical": 2.0, "elapsed": 2.0, "at_once": True, "same": True, "repetitions": 3}
    other = rows.assign(digest=np.where(rows["n_jobs"] == 2, "y", "x"), seconds=1000.0)
    (found,) = parallel.speed_up(other).to_dict("records")
    assert not found["same"] and not found["at_once"]


def test_the_time_with_a_processor_each_is_that_of_the_main_and_the_slowest_thread():
    one, two = (parallel.of_threads(parallel.Threads("nursery", "neural_network", n, 0)) for n in (1, 2))
    assert one.digest == two.digest and one.critical == pytest.approx(one.cpu, rel=0.2)
    assert 0.4 * two.cpu < two.critical < 0.8 * two.cpu
