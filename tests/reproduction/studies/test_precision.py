"""The number of repetitions of each cell follows from its pilot."""

import pytest

from oza.datasets import dataset_info
from reproduction.studies import STUDIES, tasks
from reproduction.studies.accuracy import fewer_repetitions
from reproduction.studies.precision import MOST, repetitions_needed
from reproduction.studies.protocol import N_FOLDS

STUDIES_WITH_FEWER = sorted({study for study, *_ in fewer_repetitions()})


@pytest.mark.parametrize("study", STUDIES_WITH_FEWER)
def test_the_recorded_pilots_ask_for_the_repetitions_of_the_table(study):
    results = STUDIES[study].recorded("thesis").query("repetition == 0 and order == 0")
    accuracy = (results["n_correct"] / results["n_test"]).groupby(
        [results["dataset"], results["base_model"], results["algorithm"]]
    )
    for (name, *cell), repetitions in fewer_repetitions().items():
        if name != study:
            continue
        pilot = accuracy.get_group(tuple(cell)) if tuple(cell) in accuracy.groups else []
        if dataset_info(cell[0]).split == "supplied":
            assert repetitions == 5, cell
        elif len(pilot) < N_FOLDS:
            assert repetitions == 1, cell  # the pilot itself is still to be run
        else:
            assert repetitions == repetitions_needed(pilot), cell


def test_a_cell_of_the_table_has_one_order_and_its_repetitions():
    listed = tasks("neural-networks", "thesis")
    for (study, dataset, base_model, algorithm), repetitions in fewer_repetitions().items():
        assert study in STUDIES
        if study == "neural-networks":
            mine = [
                t
                for t in listed
                if (t.dataset, t.base_model, t.algorithm) == (dataset, base_model, algorithm)
            ]
            assert {t.order for t in mine} == {0}
            assert {t.repetition for t in mine} == set(range(repetitions))


@pytest.mark.parametrize(("spread", "expected"), [(0.0, 1), (0.0045, 1), (0.0063, 2), (0.1, MOST)])
def test_more_spread_needs_more_repetitions(spread, expected):
    pilot = [0.8 - spread, 0.8, 0.8, 0.8, 0.8 + spread]  # standard deviation: spread / √2
    assert repetitions_needed(pilot) == expected


def test_a_pilot_has_five_splits():
    with pytest.raises(ValueError, match="pilot: 4 accuracies; expected 5"):
        repetitions_needed([0.8] * 4)
