"""Studies contain exactly the thesis's protocol."""

from collections import Counter
from dataclasses import replace

import pytest

from oza import BaggingClassifier, NaiveBayesClassifier, OnlineBaggingClassifier
from reproduction.studies.accuracy import Task
from reproduction.topics import tasks

TASK = Task("naive-bayes", "nursery", "naive_bayes", "online_bagging", 100, 1, 2, 3)


def test_the_thesis_profile_is_its_protocol():
    counts = Counter((t.dataset, t.algorithm) for t in tasks("naive-bayes", "thesis"))
    assert counts["nursery", "single"] == counts["nursery", "bagging"] == 50
    assert counts["nursery", "online_bagging"] == 250
    assert counts["census-income", "bagging"] == 10 and counts["census-income", "online_bagging"] == 50
    assert {t.n_models for t in tasks("naive-bayes", "thesis")} == {1, 100}


def test_every_field_changes_the_seed():
    changes = [replace(TASK, **{name: "x"}) for name in ("study", "dataset", "base_model", "algorithm")]
    changes += [replace(TASK, **{name: 9}) for name in ("n_models", "repetition", "fold", "order")]
    assert len({task.seed for task in [TASK, *changes]}) == 9


def test_a_task_makes_the_estimator_that_it_names():
    assert isinstance(replace(TASK, algorithm="single", n_models=1).estimator(), NaiveBayesClassifier)
    assert isinstance(replace(TASK, algorithm="bagging").estimator(), BaggingClassifier)
    online = TASK.estimator()
    assert isinstance(online, OnlineBaggingClassifier)
    assert (online.n_estimators, online.random_state) == (100, TASK.seed)


@pytest.mark.parametrize(("study", "profile"), [("no-such-study", "smoke"), ("naive-bayes", "fast")])
def test_an_unknown_name_is_refused_and_the_known_ones_listed(study, profile):
    with pytest.raises(ValueError, match="expected one of"):
        tasks(study, profile)
