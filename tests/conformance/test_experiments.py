"""The experiments are about deviations on record, and cover all seeds."""

import pytest

from benchmarks.conformance.cells import recorded as cells
from benchmarks.conformance.experiments import EXPERIMENTS, SEEDS, recorded

pytestmark = pytest.mark.full  # the record of other libraries changes only when it is made anew


def test_every_experiment_is_about_a_deviation_on_record():
    verdicts = {(cell.row, cell.implementation): cell.verdict for cell in cells()}
    for experiment in EXPERIMENTS:
        assert {verdicts[row, experiment.implementation] for row in experiment.rows} == {"deviates"}


def test_every_seed_is_on_record_with_the_version_of_the_table():
    versions = {cell.implementation: cell.version for cell in cells()}
    runs = recorded()
    planned = [(experiment.name, seed) for experiment in EXPERIMENTS for seed in SEEDS]
    assert [(run.experiment, run.seed) for run in runs] == planned
    assert all(run.version == versions[run.implementation] for run in runs)
