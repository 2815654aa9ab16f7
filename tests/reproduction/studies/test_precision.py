"""The number of repetitions of each cell follows from its pilot."""

import pytest

from oza.datasets import dataset_info
from reproduction.studies import STUDIES
from reproduction.studies.accuracy import fewer_repetitions
from reproduction.studies.precision import repetitions_needed
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
