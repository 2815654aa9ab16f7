from itertools import product

import numpy as np
import pandas as pd
import pytest

from reproduction.studies.calibration import (
    ALGORITHMS,
    DEFAULT,
    GRID,
    SMALL,
    STUDY,
    Setting,
    count_correct,
    distances,
    leave_one_out,
)

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


def test_an_illegible_cell_and_another_base_model_count_nothing():
    ours = results(balance=(90, 84), chess=(10, 20))
    theirs = cells(-1.0, balance=0.9, chess=-1.0)
    other = cells(None, balance=0.5).assign(base_model="naive_bayes")
    distance = distances(ours, pd.concat([theirs, other]))
    assert list(distance) == ["balance"]
    assert distance.loc[DEFAULT, "balance"] == pytest.approx(0)


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


def test_the_record_holds_the_whole_search_and_can_be_computed_again():
    frame = STUDY.recorded("thesis")
    keys = frame[[*Setting._fields, "dataset", "algorithm"]].apply(tuple, axis=1)
    wanted = product(GRID, SMALL, ALGORITHMS)
    assert set(keys) == {(*setting, dataset, algorithm) for setting, dataset, algorithm in wanted}
    assert not keys.duplicated().any()
    for row in frame[frame["dataset"] == "balance"].sample(4, random_state=0).itertuples(index=False):
        assert count_correct(Setting(*row[:4]), "balance", row.algorithm, row.n_models) == row.n_correct
