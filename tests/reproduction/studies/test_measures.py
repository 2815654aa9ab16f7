"""Studies with their own measures, and the generated calendar stream."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from oza import DecisionStumpClassifier, NeuralNetworkClassifier
from oza.datasets import calendar_stream, dataset_info
from reproduction.printed.record import Record
from reproduction.record import Store
from reproduction.studies.times import SIZES, times_by_size
from reproduction.studies.variants import Variant, score, stumps_by_attribute
from reproduction.topics import tasks

from ..conftest import made_with


def test_a_stump_on_the_best_attribute_is_the_best_of_all():
    free = Variant("free", DecisionStumpClassifier(categorical_features=range(8)))
    scores = {each.name: score("nursery", each)[0] for each in (*stumps_by_attribute("nursery"), free)}
    assert len(scores) == len(dataset_info("nursery").attributes) + 1
    best = scores.pop("free")
    assert best == max(scores.values()) > scores["attribute 1 (parents)"] + 0.2


def test_each_split_is_learned_by_a_model_that_has_seen_no_other():
    model = NeuralNetworkClassifier(categorical_features=range(4), random_state=0)
    first, again = (score("balance", Variant("network", model, "online_single")) for _ in range(2))
    assert first == again and first[1] > 0 and not hasattr(model, "classes_")


def test_the_stream_has_the_calendars_shape_and_follows_its_key():
    X, targets = calendar_stream()
    assert X.shape == (1790, 32)
    assert {name: len(np.unique(y)) for name, y in targets.items()} == {"day": 6, "duration": 13}
    again, other = calendar_stream(), calendar_stream(1)
    assert (again[0] == X).all() and (again[1]["day"] == targets["day"]).all()
    assert (other[1]["day"] != targets["day"]).any()


def test_recorded_times_of_different_sources_are_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    first, other = (next(t for t in tasks("times-by-size", "thesis") if t.dataset == name) for name in SIZES)
    with closing(Store()) as store:
        for task, source in ((first, "1f"), (other, "1f")):
            store.add(task, times_by_size.row(1, 0.5), replace(made_with(), source=source))
        store.export()
        Record().costs_by_size()
        store.add(other, times_by_size.row(1, 0.5), replace(made_with("2002"), source="2a"))
        store.export()
    with pytest.raises(ValueError, match=r"different sources of the library .1f, 2a.; measure all"):
        Record().costs_by_size()
