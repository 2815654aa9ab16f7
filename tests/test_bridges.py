"""Our classifiers as those of River and of CapyMOA."""

import numpy as np
import pandas as pd
import pytest
from river import datasets, evaluate, metrics, preprocessing
from river import ensemble as river_ensemble

from oza import (
    HoeffdingTreeClassifier,
    LeveragingBaggingClassifier,
    NaiveBayesClassifier,
    RandomForestClassifier,
)
from oza.bridges.river import RiverClassifier

pytestmark = pytest.mark.full  # River and CapyMOA take long to import

STREAM = [*datasets.Phishing()]
NAMES = [*STREAM[0][0]]
X = np.array([[x[name] for name in NAMES] for x, _ in STREAM])
Y = np.array([y for _, y in STREAM])


def leveraging():
    return LeveragingBaggingClassifier(n_estimators=4, random_state=1)


def test_it_predicts_and_learns_as_the_classifier_does():
    bridged, own = RiverClassifier(leveraging()), leveraging()
    own.partial_fit(X[:1], Y[:1])
    bridged.learn_one(*STREAM[0])
    for n, (x, y) in enumerate(STREAM[1:300], 1):
        assert bridged.predict_one(x) == own.predict(X[[n]])[0]
        assert [*bridged.predict_proba_one(x).values()] == own.predict_proba(X[[n]])[0].tolist()
        bridged.learn_one(x, y)
        own.partial_fit(X[[n]], Y[[n]])
    assert not hasattr(bridged.classifier, "classes_")


def test_rows_of_a_table_are_learned_as_one_by_one():
    table, labels = pd.DataFrame(X, columns=NAMES), pd.Series(Y)
    by_one, at_once = RiverClassifier(leveraging()), RiverClassifier(leveraging())
    for x, y in STREAM[:300]:
        by_one.learn_one(x, y)
    at_once.learn_many(table[:300], labels[:300])
    later = table[300:400]
    assert at_once.predict_many(later).tolist() == [by_one.predict_one(x) for x, _ in STREAM[300:400]]
    shares = at_once.predict_proba_many(later)
    assert shares.index.equals(later.index) and [*shares.columns] == [False, True]
    assert shares.to_dict("records") == [by_one.predict_proba_one(x) for x, _ in STREAM[300:400]]


def test_pipelines_evaluators_and_ensembles_of_river_run_it():
    pipeline = preprocessing.StandardScaler() | RiverClassifier(leveraging())
    bagging = river_ensemble.BaggingClassifier(RiverClassifier(HoeffdingTreeClassifier()), n_models=3, seed=1)
    for model in (pipeline, bagging):
        assert evaluate.progressive_val_score(STREAM, model, metrics.Accuracy()).get() > 0.8
        assert evaluate.progressive_val_score(STREAM, model.clone(), metrics.LogLoss()).get() < 0.6


def test_names_become_strings_and_those_left_out_are_missing():
    model = RiverClassifier(NaiveBayesClassifier())
    for x, y in [({0: "a", 1: 0.5}, "yes"), ({0: "b"}, "no"), ({1: 2.0}, "no")]:
        model.learn_one(x, y)
    assert model.learner.feature_names_in_.tolist() == ["0", "1"]
    assert model.learner.class_count_.tolist() == [2.0, 1.0]
    with pytest.raises(ValueError, match="x holds '2', which is not the name of a column"):
        model.learn_one({0: "a", 2: 1.0}, "yes")


def test_a_batch_classifier_is_refused():
    with pytest.raises(TypeError, match="classifier must be an online classifier of oza"):
        RiverClassifier(RandomForestClassifier())


class TestCapyMOA:
    """They need CapyMOA and Java, which `make setup` does not install."""

    @pytest.fixture
    def bridge(self):
        pytest.importorskip("capymoa")
        from oza.bridges.capymoa import CapyMOAClassifier

        return CapyMOAClassifier

    def test_its_evaluators_run_it(self, bridge):
        from capymoa.evaluation import prequential_evaluation
        from capymoa.stream.generator import AgrawalGenerator

        stream = AgrawalGenerator()
        model = bridge(leveraging(), stream.get_schema(), random_seed=3)
        found = prequential_evaluation(stream, model, max_instances=3000)
        assert found["cumulative"].accuracy() > 75
        assert model.learner.is_categorical_.tolist() == [False] * 3 + [True] * 3 + [False] * 3
        assert model.learner.random_state == 3 and model.learner.classes_.tolist() == [0, 1]

    def test_a_batch_classifier_is_refused(self, bridge):
        with pytest.raises(TypeError, match="classifier must be an online classifier of oza"):
            bridge(RandomForestClassifier(), None)
