"""Studies of the paper's open questions: forms of online boosting, and lossy learners."""

import numpy as np
import pandas as pd
import pytest

from oza import OnlineBoostingClassifier
from reproduction.pages import counted_gains, gains_table, lossy_curves
from reproduction.studies.boosting_forms import FORMS, FormTask, follow_form, form_tasks, gains
from reproduction.studies.lossy import UPDATES, Lossy, fitted_law, learn_lossy, lossy_tasks, mean_errors


def runs(n_examples, spread=0.0, **more):
    """Ten runs of each form, of which some are right about so many more of 1,000 examples."""
    rng = np.random.default_rng(0)
    rows = [
        (
            "sea" if n_examples else "balance",
            *("naive_bayes", form, 5, n_examples, run, 1000),
            800 + more.get(form, 0) + int(spread * rng.normal()),
        )
        for form in FORMS
        for run in range(10)
    ]
    columns = ["dataset", "base_model", "form", "n_models", "n_examples", "run", "n_seen", "n_correct"]
    return pd.DataFrame(rows, columns=columns)


def test_forms_are_compared_on_the_same_runs():
    found = gains(runs(20_000, 1.0, later=30, **{"thesis, tested before": -30, "later, tested before": 4}))
    found = found.droplevel(["place", "base_model", "dataset"])
    assert found["equivalence"].to_dict() == {
        "thesis, tested before": "different",
        "later": "different",
        "later, tested before": "equal",
    }
    assert found.loc["later", "difference"] == pytest.approx(0.03, abs=0.002)
    counts = counted_gains(gains(runs(20_000, 1.0, later=30, **{"thesis, tested before": -30})))
    assert counts.loc[("stream", "naive_bayes", "later"), ["better", "worse"]].to_list() == [1, 0]
    assert counts.loc[("stream", "naive_bayes", "thesis, tested before"), "worse"] == 1


def test_the_table_of_forms_marks_what_is_better_worse_equal_and_undecided():
    rows = pd.concat([runs(20_000, 1.0, later=30, **{"thesis, tested before": -30}), runs(0, 60.0)])
    shown = gains_table(gains(rows), "stream").shown
    assert shown.loc[("Naive Bayes", "SEA")].to_list()[1:3] == ["-3.0 ▽", "+3.0 ▲"]
    assert shown.loc[("Naive Bayes", "SEA")].iloc[3].endswith("=")
    (row,) = gains_table(gains(rows), "data set").shown.to_dict("records")
    assert row["later"].endswith("?")


def test_a_form_on_a_stream_is_a_prediction_before_each_example_is_learned():
    task = FormTask("synthetic2", "naive_bayes", "later, tested before", 3, 200, 1)
    found = follow_form(task)
    ensemble = task.estimator(range(20))
    assert isinstance(ensemble, OnlineBoostingClassifier)
    assert (ensemble.weight_update, ensemble.tested) == ("later", "before")
    assert found.n_seen == 200 and 0 <= found.first_error <= 1 and 1 <= found.n_voting <= 3


def test_all_forms_have_the_same_draws():
    seeds = {task.estimator([0]).random_state for task in form_tasks(1) if task.dataset == "led"}
    assert len(seeds) == 2  # of Naive Bayes and of Hoeffding trees


def test_networks_learn_no_more_examples_than_there_are():
    tasks = lossy_tasks(n_runs=1)
    assert {task.n_train for task in tasks if task.dataset == "car-evaluation"} == {250, 500, 1000}
    assert {task.updates for task in tasks} == set(UPDATES)
    found = learn_lossy(Lossy("car-evaluation", 0, 10, 250, 3))
    assert found.n_correct > found.n_test / 2


def test_a_law_is_fitted_without_the_largest_number_of_examples_and_fails_where_that_departs():
    sizes, updates = [100, 200, 400, 800], [1, 2, 4, 8]
    exact = pd.DataFrame({u: [0.1 + 5 * n**-0.5 * u**-0.25 for n in sizes] for u in updates}, sizes)
    assert fitted_law(exact).missed < 1e-6
    departed = exact.copy()
    departed.loc[800] += 0.05
    law = fitted_law(departed)
    assert law.missed == pytest.approx(0.05, abs=1e-4) and law.explained > 0.999


def test_curves_of_networks_say_in_words_what_they_show():
    rows = pd.DataFrame(
        [
            ("nursery", updates, 10, n, run, 100, 90 - updates)
            for updates in (0, 1, 4)
            for n in (250, 500)
            for run in range(2)
        ],
        columns=["dataset", "updates", "n_models", "n_train", "run", "n_test", "n_correct"],
    )
    errors = mean_errors(rows)
    assert errors.loc[("nursery", 10, 250)].round(2).to_dict() == {0: 0.1, 1: 0.11, 4: 0.14}
    assert (
        "Nursery, N = 500: 0.110 with one update, 0.140 with 4, 0.100 in batch" in lossy_curves(errors).text
    )
