"""Results outside the studies: kept in files, computed once; the stream of the calendar's shape."""

import numpy as np
import pandas as pd
import pytest

from oza import DecisionStumpClassifier, NaiveBayesClassifier, NeuralNetworkClassifier
from oza.datasets import calendar_stream, dataset_info
from oza.experiments import (
    answers_by_attributes,
    answers_by_size,
    base_model_errors,
    calendar_accuracy,
    load_training_times,
    load_variants,
    record_training_times,
    stumps_by_attribute,
    training_times,
    try_variants,
)
from oza.experiments import times as times_module
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


def test_each_split_is_learned_by_a_model_that_has_seen_no_other():
    model = NeuralNetworkClassifier(random_state=0)
    rows = try_variants(["balance"], lambda _: {"first": model, "again": model}, "online_single")
    assert rows["mean"].nunique() == 1 and not hasattr(model, "classes_")


def test_searches_are_recorded_data_set_by_data_set(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    rows = load_variants("decision_tree", ["balance", "car-evaluation", "balance"])
    assert rows["dataset"].value_counts().to_dict() == {"balance": 4, "car-evaluation": 4}
    assert rows.set_index(["dataset", "variant"])["mean"]["balance", "gain ratio, unpruned"] > 0.7
    both = load_variants("first_attribute", ["nursery"]).set_index("variant")["mean"]
    assert both["best attribute"] > both["first attribute"] + 0.2
    assert len(list((tmp_path / "extra" / "variants").iterdir())) == 3
    assert load_variants("smoothing", []).empty


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


def test_times_cover_each_algorithm_size_and_repeat():
    rows = training_times("balance", (60, 300), n_models=4, n_repeats=2)
    assert len(rows) == 6 * 2 * 2 and (rows["seconds"] > 0).all()
    assert rows.groupby("algorithm")["n_made"].max().drop("boosting").to_dict() == {
        "single": 1,
        "bagging": 4,
        "online_bagging": 4,
        "online_boosting": 4,
        "primed_boosting": 4,
    }
    assert rows.query("algorithm == 'boosting'")["n_made"].between(1, 4).all()


def test_times_are_recorded_on_purpose_and_once(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    monkeypatch.setattr(times_module, "SIZES", {"balance": (50,)})
    measured = []

    def measure(dataset, sizes):
        measured.append(dataset)
        return training_times(dataset, sizes, n_models=2, n_repeats=1)

    monkeypatch.setattr(times_module, "training_times", measure)
    nothing = load_training_times()
    assert nothing.empty and not measured and list(tmp_path.iterdir()) == []
    first, again = record_training_times("balance"), record_training_times("balance")
    assert measured == ["balance"] and first.equals(again) and first.equals(load_training_times())
    assert set(nothing) < set(first) and "processor" in first


def test_recorded_times_of_different_sources_are_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    rows = pd.DataFrame({"dataset": ["census-income"], "seconds": [1.0], "processor": "p"})
    for dataset, source in (("census-income", "1f"), ("covertype-head", "1f")):
        kept_under(tmp_path, dataset, rows.assign(source=source))
    assert len(load_training_times()) == 2
    kept_under(tmp_path, "covertype-head", rows.assign(source="2a"))
    with pytest.raises(ValueError, match=r"different sources of the library .1f, 2a.; measure all"):
        load_training_times()


def kept_under(folder, dataset, rows):
    path = folder / "extra" / "times" / f"{dataset}-naive_bayes.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows.to_parquet(path)


def test_sizes_end_with_the_whole_training_set():
    for name, sizes in times_module.SIZES.items():
        assert list(sizes) == sorted(sizes) and sizes[-1] == dataset_info(name).n_train


def test_without_smoothing_unseen_values_rule_classes_out():
    rows = answers_by_size("synthetic3", (20, 2000)).set_index(["alpha", "n_train"])
    assert rows["others_ruled_out"][0.0, 20] > rows["others_ruled_out"][0.0, 2000]
    assert (rows["others_ruled_out"][1.0] == 0).all()
    assert rows["confidence"].between(0, 1).all()
    assert rows["accuracy"][0.0, 2000] > 0.8


def test_copies_of_an_attribute_are_counted_as_news():
    """More attributes, the same news: less accurate and no less sure (data of one chain)."""
    rows = (
        answers_by_attributes("synthetic3", (2, 20), n_subsets=3)
        .groupby("n_attributes")
        .mean(numeric_only=True)
    )
    assert rows["confidence"][20] > rows["confidence"][2]
    assert rows["accuracy"][20] < rows["confidence"][20]
