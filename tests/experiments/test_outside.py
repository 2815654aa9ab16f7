"""Results outside the studies are computed again, and a wrong one is found out."""

from functools import partial

import pandas as pd
import pytest

from oza.experiments import answers_by_size, base_model_errors, training_times, verify
from oza.experiments import times as times_module
from oza.experiments import work as work_module
from oza.experiments.curves import CURVES, Curve, record
from oza.experiments.outside import not_repeatable, repeatable_outside
from oza.experiments.times import record_training_times
from oza.experiments.work import BY_SIZE, record_work

from .test_results import Mapping


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder with a little of everything that is recorded outside the studies."""
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    monkeypatch.setitem(CURVES, "small", Curve("balance", "naive_bayes", ("boosting",), (50,), 1, 3, 2))
    record("small")
    monkeypatch.setattr(times_module, "SIZES", {"balance": (50,)})
    monkeypatch.setattr(work_module, "SIZES", {"balance": (50,)})
    monkeypatch.setattr(times_module, "training_times", partial(training_times, n_repeats=3))
    record_training_times("balance")
    record_work(BY_SIZE)
    for name, rows in {
        "errors/balance-naive_bayes": base_model_errors("balance", "naive_bayes", 3),
        "overcounting/census-income-sizes": answers_by_size("balance", [50], [0.0]),
        "variants/smoothing-balance": pd.DataFrame({"mean": [0.5]}),
    }.items():
        (tmp_path / "extra" / name).parent.mkdir(exist_ok=True)
        rows.to_parquet(tmp_path / "extra" / f"{name}.parquet")
    return tmp_path


def test_all_kinds_are_verified(folder):
    found = repeatable_outside(folder)
    kinds = {one.name.partition("/")[0] for one in found}
    assert kinds == {"curves", "errors", "times", "work", "overcounting"}
    assert len(found) == 2 + 2 + 3 + 6 + 1
    assert verify(found, 100, 0, Mapping()) == (len(found), [])


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("errors/balance-naive_bayes", "error"),
        ("times/balance-naive_bayes", "n_made"),
        ("work/times-by-size", "updates"),
        ("overcounting/census-income-sizes", "confidence"),
    ],
)
def test_a_tampered_file_is_found(folder, name, column):
    path = folder / "extra" / f"{name}.parquet"
    rows = pd.read_parquet(path)
    rows.assign(**{column: rows[column] + 1}).to_parquet(path)
    mismatches = verify(repeatable_outside(folder), 100, 0, Mapping())[1]
    assert mismatches and all(found.name.startswith(name) for found in mismatches)


def test_a_tampered_curve_is_found(folder):
    path = folder / "curves" / "small.csv"
    rows = pd.read_csv(path)
    rows.assign(n_correct=rows["n_correct"] + 1).to_csv(path, index=False)
    assert len(verify(repeatable_outside(folder), 100, 0, Mapping())[1]) == 2


def test_what_is_not_looked_at_is_listed(folder):
    (folder / "benchmarks.json").write_text("{}")
    assert not_repeatable(folder) == {"benchmarks.json": 1, "extra/variants": 1}


def test_nothing_recorded_is_nothing_to_verify(tmp_path):
    assert repeatable_outside(tmp_path) == [] and not_repeatable(tmp_path) == {}
