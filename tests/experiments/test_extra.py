"""Results outside the studies: kept in files, computed once; the stream of the calendar's shape."""

import numpy as np
import pandas as pd

from oza import DecisionStumpClassifier, NaiveBayesClassifier
from oza.datasets import calendar_stream, dataset_info
from oza.experiments import base_model_errors, calendar_accuracy, stumps_by_attribute, try_variants
from oza.experiments.extra import kept


def test_what_is_kept_is_computed_once(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    calls = []

    def compute():
        calls.append(1)
        return pd.DataFrame({"value": [1.5, 2.5]})

    first, again = kept("some/thing", compute), kept("some/thing", compute)
    assert len(calls) == 1 and first.equals(again)
    assert first["value"].to_list() == [1.5, 2.5] and "numba" in first
    (tmp_path / "extra" / "some" / "thing.parquet").unlink()
    kept("some/thing", compute)
    assert len(calls) == 2


def test_a_stump_on_the_best_attribute_is_the_best_of_all():
    def both(dataset):
        return stumps_by_attribute(dataset) | {"free": DecisionStumpClassifier()}

    scores = try_variants(["nursery"], both).set_index("variant")["mean"]
    assert len(scores) == len(dataset_info("nursery").attributes) + 1
    assert scores["free"] == scores.drop("free").max() > scores["attribute 1 (parents)"] + 0.2


def test_variants_are_named_as_asked():
    rows = try_variants(
        ["balance"], lambda _: {"plain": NaiveBayesClassifier()}, "online_single", "online_single_10"
    )
    assert rows["algorithm"].to_list() == ["online_single_10"] and 0.85 < rows["mean"].item() < 0.95


def test_the_stream_has_the_calendars_shape_and_follows_its_key():
    X, targets = calendar_stream()
    assert X.shape == (1790, 32)
    assert {name: len(np.unique(y)) for name, y in targets.items()} == {"day": 6, "duration": 13}
    again, other = calendar_stream(), calendar_stream(1)
    assert (again[0] == X).all() and (again[1]["day"] == targets["day"]).all()
    assert (other[1]["day"] != targets["day"]).any()


def test_the_calendar_run_covers_each_target_and_algorithm():
    rows = calendar_accuracy("naive_bayes", n_models=2, n_appointments=60)
    assert len(rows) == 6 and rows["accuracy"].between(0, 1).all()


def test_errors_of_batch_boosting_end_at_one_half():
    errors = base_model_errors("balance", "naive_bayes", n_models=10)
    batch = errors.query("algorithm == 'boosting'")["error"]
    assert (batch < 0.5).all() and batch.iloc[0] < batch.iloc[-1]
    assert len(errors.query("algorithm == 'online_boosting'")) == 10
