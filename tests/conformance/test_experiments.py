"""The experiments are about deviations on record, cover all seeds, and score what is predicted."""

import numpy as np
import pytest

from benchmarks.conformance import experiments
from benchmarks.conformance.cells import recorded as cells
from benchmarks.conformance.experiments import EXPERIMENTS, SEEDS, Experiment, Run, patched, record, recorded
from reproduction.tables import printed


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


class Says:
    """Says the same class always, or what it has learned last."""

    def __init__(self, said=None):
        self.said, self.last = said, 0

    def learn(self, x, y, weight):
        self.last = y

    def predict(self, x):
        return self.last if self.said is None else self.said


def scored(make, score, labels):
    stream = lambda seed: (np.zeros((len(labels), 1)), np.array(labels))  # noqa: E731
    experiment = Experiment("", (), "", "", "", "", stream, lambda seed, conforms: make, score)
    return experiments.score(experiment, 1, True)


def test_an_example_is_predicted_before_it_is_learned():
    assert scored(Says(), "accuracy", [1, 1, 0, 1]) == 0.25


def test_the_mean_recall_counts_both_classes_alike():
    assert scored(Says(0), "mean recall of the two classes", [0, 0, 0, 1]) == 0.5
    assert scored(Says(0), "accuracy", [0, 0, 0, 1]) == 0.75


class Plain:
    def doubled(self, x):
        y = x + x
        return y


def test_a_patch_changes_one_place_of_a_method():
    changed = patched(Plain, "doubled", ("x + x", "x + x + x"))
    assert changed().doubled(1) == 3 and Plain().doubled(1) == 2


@pytest.mark.parametrize("place", ["x - x", "y"], ids=["absent", "twice"])
def test_a_patch_that_fits_no_place_or_several_is_refused(place):
    with pytest.raises(ValueError, match="it must be once"):
        patched(Plain, "doubled", (place, "x"))


def test_a_run_takes_the_place_of_an_older_one(tmp_path):
    path = tmp_path / "record.csv"
    first, second = EXPERIMENTS[0].name, EXPERIMENTS[1].name
    old = [Run(name, "River", "1", "2026-01-01", 1, 0.5, 0.75) for name in (second, first)]
    record(old, path)
    new = Run(first, "River", "2", "2026-01-02", 1, 0.5, 1.0)
    record([new], path)
    assert recorded(path) == [new, old[0]] and new.lost == 0.5


def test_what_trackers_say_is_about_rows_of_the_table():
    assert set(printed("upstream")["row"]) <= {cell.row for cell in cells()}
