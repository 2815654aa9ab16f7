"""Studies with their own measures, and the generated calendar stream."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from oza import DecisionStumpClassifier, NaiveBayesClassifier, NeuralNetworkClassifier
from oza.datasets import calendar_stream, dataset_info
from reproduction.record import Store
from reproduction.studies import (
    STUDIES,
    attempts,
    error_tasks,
    stumps_by_attribute,
    tasks,
    timings,
)
from reproduction.studies.calendar import predictions
from reproduction.studies.overcounting import BY_ATTRIBUTES, BY_SIZE, of_sizes, of_subsets
from reproduction.studies.protocol import prepare
from reproduction.studies.times import SIZES, Learned
from reproduction.studies.variants import SEARCHES, Variant, score
from reproduction.tables import Record

from ..conftest import made_with


def test_a_stump_on_the_best_attribute_is_the_best_of_all():
    free = Variant("free", DecisionStumpClassifier(categorical_features=range(8)))
    scores = {each.name: score("nursery", each).mean for each in (*stumps_by_attribute("nursery"), free)}
    assert len(scores) == len(dataset_info("nursery").attributes) + 1
    best = scores.pop("free")
    assert best == max(scores.values()) > scores["attribute 1 (parents)"] + 0.2


def test_each_split_is_learned_by_a_model_that_has_seen_no_other():
    model = NeuralNetworkClassifier(categorical_features=range(4), random_state=0)
    first, again = (score("balance", Variant("network", model, "online_single")) for _ in range(2))
    assert first == again and first.standard_error > 0 and not hasattr(model, "classes_")


def test_a_variant_is_scored_on_as_many_repetitions_as_it_says():
    splits = []

    def given(*split):
        splits.append(split)
        return prepare(*split)

    score(
        "balance",
        Variant("plain", NaiveBayesClassifier(categorical_features=range(4)), repetitions=2, given=given),
    )
    assert splits == [("balance", repetition, fold) for repetition in range(2) for fold in range(5)]


def test_networks_with_ten_updates_are_named_so():
    names = [v.named or v.algorithm for v in SEARCHES["neural_network"]("balance")]
    assert names == ["single"] * 7 + ["online_single"] * 7 + ["online_single_10"] * 7


def test_searches_list_each_variant_once_for_each_data_set():
    trees = attempts("decision_tree", ["balance", "car-evaluation", "balance"])
    rows = STUDIES["variants"].compute(trees)
    assert rows["dataset"].value_counts().to_dict() == {"balance": 8, "car-evaluation": 4}
    means = rows.set_index(["dataset", "variant"])["mean"]
    assert means["balance", "gain ratio, unpruned"] > 0.7
    assert means["balance", "gain ratio, unpruned, numbers as symbols or bins"] > 0.7
    both = STUDIES["variants"].compute(attempts("first_attribute", ["nursery"])).set_index("variant")["mean"]
    assert both["best attribute"] > both["first attribute"] + 0.2
    assert attempts("smoothing", []) == attempts("bagged_decision_tree", ["connect4"]) == []


def test_the_stream_has_the_calendars_shape_and_follows_its_key():
    X, targets = calendar_stream()
    assert X.shape == (1790, 32)
    assert {name: len(np.unique(y)) for name, y in targets.items()} == {"day": 6, "duration": 13}
    again, other = calendar_stream(), calendar_stream(1)
    assert (again[0] == X).all() and (again[1]["day"] == targets["day"]).all()
    assert (other[1]["day"] != targets["day"]).any()


def test_the_calendar_run_covers_each_target_and_algorithm():
    rows = STUDIES["calendar"].compute(predictions("naive_bayes", n_models=2, n_appointments=60))
    assert len(rows) == 6 and rows["accuracy"].between(0, 1).all()


def test_errors_of_batch_boosting_end_at_one_half():
    errors = STUDIES["errors"].compute(error_tasks("balance", "naive_bayes", 10, 1))
    batch = errors.query("algorithm == 'boosting'")["error"]
    assert (batch < 0.5).all() and batch.iloc[0] < batch.iloc[-1]
    assert len(errors.query("algorithm == 'online_boosting'")) == 10


def test_times_cover_each_algorithm_size_and_repeat():
    rows = STUDIES["times-by-size"].compute(timings("balance", (60, 300), n_models=4, n_repeats=2))
    assert len(rows) == 6 * 2 * 2 and (rows["seconds"] > 0).all()
    assert rows.groupby("algorithm")["n_made"].max().drop("boosting").to_dict() == {
        "single": 1,
        "bagging": 4,
        "online_bagging": 4,
        "online_boosting": 4,
        "primed_boosting": 4,
    }
    assert rows.query("algorithm == 'boosting'")["n_made"].between(1, 4).all()


def test_recorded_times_of_different_sources_are_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    first, other = (next(t for t in tasks("times-by-size", "thesis") if t.dataset == name) for name in SIZES)
    with closing(Store()) as store:
        for task, source in ((first, "1f"), (other, "1f")):
            store.add(task, Learned(1, 0.5), replace(made_with(), source=source))
        store.export()
        Record().costs_by_size()
        store.add(other, Learned(1, 0.5), replace(made_with("2002"), source="2a"))
        store.export()
    with pytest.raises(ValueError, match=r"different sources of the library .1f, 2a.; measure all"):
        Record().costs_by_size()


def test_sizes_end_with_the_whole_training_set():
    for name, sizes in SIZES.items():
        assert list(sizes) == sorted(sizes) and sizes[-1] == dataset_info(name).n_train


def test_without_smoothing_unseen_values_rule_classes_out():
    rows = BY_SIZE.compute(of_sizes("synthetic3", (20, 2000))).set_index(["alpha", "n_train"])
    assert rows["others_ruled_out"][0.0, 20] > rows["others_ruled_out"][0.0, 2000]
    assert (rows["others_ruled_out"][1.0] == 0).all()
    assert rows["confidence"].between(0, 1).all()
    assert rows["accuracy"][0.0, 2000] > 0.8


def test_copies_of_an_attribute_are_counted_as_news():
    """More dependent attributes: less accurate and no less confident (data of one chain)."""
    found = BY_ATTRIBUTES.compute(of_subsets("synthetic3", (2, 20), n_subsets=3))
    rows = found.groupby("n_attributes").mean(numeric_only=True)
    assert rows["confidence"][20] > rows["confidence"][2]
    assert rows["accuracy"][20] < rows["confidence"][20]
