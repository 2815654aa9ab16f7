import math
from itertools import product

import numpy as np
import pandas as pd
import pytest

from oza import NeuralNetworkClassifier
from reproduction.studies.calibration import (
    ALGORITHMS,
    DEFAULT,
    GRID,
    SMALL,
    STUDY,
    Setting,
    count_correct,
    distances,
    inputs,
    leave_one_out,
    trials,
)
from reproduction.studies.protocol import Split
from reproduction.tables import printed

OTHER = Setting(5, 1.0, 0.5, "signed")


def results(**n_correct):
    """One row for each setting and data set, of one algorithm and 100 examples."""
    rows = [
        (*setting, dataset, "single", 1, count, 100)
        for dataset, counts in n_correct.items()
        for setting, count in zip((DEFAULT, OTHER), counts, strict=True)
    ]
    columns = [*Setting._fields, "dataset", "algorithm", "n_models", "n_correct", "n_examples"]
    return pd.DataFrame(rows, columns=columns)


def cells(value, **others):
    frame = pd.DataFrame({"dataset": list(others), "value": list(others.values())})
    return frame.assign(base_model="neural_network", algorithm="single").replace({"value": {value: np.nan}})


def test_a_distance_is_in_standard_errors_of_an_accuracy():
    distance = distances(results(balance=(90, 84)), cells(None, balance=0.9))
    assert distance.loc[DEFAULT, "balance"] == pytest.approx(0)
    assert distance.loc[OTHER, "balance"] == pytest.approx(0.06 / math.sqrt(0.9 * 0.1 / 100))


def test_an_illegible_cell_and_another_base_model_count_nothing():
    ours = results(balance=(90, 84), chess=(10, 20))
    theirs = cells(-1.0, balance=0.9, chess=-1.0)
    other = cells(None, balance=0.5).assign(base_model="naive_bayes")
    distance = distances(ours, pd.concat([theirs, other]))
    assert list(distance) == ["balance"]
    assert distance.loc[DEFAULT, "balance"] == pytest.approx(0)


def test_a_table_that_repeats_a_cell_does_not_count_it_twice():
    ours = pd.concat([results(balance=(90, 84)), results(balance=(80, 84)).assign(algorithm="bagging")])
    theirs = cells(None, balance=0.9)
    both = pd.concat([theirs, theirs, theirs.assign(algorithm="bagging")])
    expected = 0.5 * 0.1 / math.sqrt(0.9 * 0.1 / 100)
    assert distances(ours, both).loc[DEFAULT, "balance"] == pytest.approx(expected)


def test_the_data_set_that_is_judged_takes_no_part_in_the_choice():
    distance = distances(
        results(balance=(90, 50), chess=(90, 50), promoters=(10, 90)),
        cells(None, balance=0.9, chess=0.9, promoters=0.9),
    )
    table = leave_one_out(distance)
    assert table.loc["promoters", "hidden_units"] == DEFAULT.hidden_units  # though the other would be right
    assert table.loc["promoters", "chosen"] == distance.loc[DEFAULT, "promoters"] > 0
    assert table.loc["promoters", "least"] == pytest.approx(0)
    assert table.loc["balance", "hidden_units"] == OTHER.hidden_units


def test_a_signed_input_for_each_value():
    rows = Split(np.array([[0, 0], [1, 1], [0, 2]]), np.zeros(3), np.array([[1, 7]]), np.zeros(1))
    X_train, X_test, _ = inputs(DEFAULT._replace(coding="signed"), rows)
    assert X_train[:2].tolist() == [[1, -1, 1, -1, -1], [-1, 1, -1, 1, -1]]
    assert X_test.tolist() == [[-1, 1, -1, -1, -1]]  # a value never seen switches nothing on


@pytest.mark.parametrize(("coding", "n_inputs"), [("value", 1 + 3), ("each", 3 + 3)])
def test_a_column_of_two_values_is_one_input_or_two(coding, n_inputs):
    rows = Split(np.array([[0, 0], [1, 1], [0, 2]]), np.array([0, 1, 1]), np.array([[1, 1]]), np.zeros(1))
    X_train, _, declared = inputs(DEFAULT._replace(coding=coding), rows)
    network = NeuralNetworkClassifier(categories=declared, random_state=0).fit(X_train, rows.y_train)
    assert len(network.coefs_[0]) == n_inputs


def test_each_part_of_a_setting_makes_a_difference():
    settings = [
        DEFAULT,
        DEFAULT._replace(hidden_units=5),
        DEFAULT._replace(learning_rate=0.1),
        DEFAULT._replace(initial_range=0.5),
        DEFAULT._replace(coding="signed"),
    ]
    found = STUDY.compute(trials(settings, ["balance"], n_models=2))
    assert len(found) == len(settings) * len(ALGORITHMS)
    outcomes = found.groupby(list(Setting._fields))["n_correct"].agg(tuple)
    assert len(set(outcomes)) == len(settings)
    assert (found["n_examples"] == 625).all()


def test_the_record_holds_the_whole_search_and_can_be_computed_again():
    frame = STUDY.recorded("thesis")
    keys = frame[[*Setting._fields, "dataset", "algorithm"]].apply(tuple, axis=1)
    wanted = product(GRID, SMALL, ALGORITHMS)
    assert set(keys) == {(*setting, dataset, algorithm) for setting, dataset, algorithm in wanted}
    assert not keys.duplicated().any()
    for row in frame[frame["dataset"] == "balance"].sample(4, random_state=0).itertuples(index=False):
        assert count_correct(Setting(*row[:4]), "balance", row.algorithm, row.n_models) == row.n_correct


def test_the_default_is_searched_too_and_the_printed_cells_are_found():
    assert DEFAULT in GRID
    cells = printed("accuracy").query("base_model == 'neural_network'")
    assert set(STUDY.recorded("thesis")["algorithm"]) == set(ALGORITHMS) == set(cells["algorithm"])
    distance = distances(STUDY.recorded("thesis"), printed("accuracy"))
    assert tuple(distance) == SMALL
    assert len(distance) == len(GRID)
    assert np.isfinite(distance).all(axis=None)
