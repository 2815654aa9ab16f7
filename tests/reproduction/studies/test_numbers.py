"""Columns that are numbers for trees, and the former and the present setting."""

from dataclasses import replace

from oza.datasets import list_datasets
from reproduction.studies import STUDIES, Task, compute, tasks
from reproduction.studies.accuracy import FORMER_SETTINGS

TREE = Task("decision-trees", "balance", "decision_tree", "single", 1, 0, 0, 0)
FORMER = replace(TREE, study="decision-trees-of-symbols")


def test_trees_are_given_numbers_where_the_thesis_runs_trees():
    counts = {name: int(replace(TREE, dataset=name).numeric.sum()) for name in list_datasets()}
    assert {name: n for name, n in counts.items() if n} == {
        "balance": 4,
        "breast-cancer": 9,
        "german-credit": 7,
    }


def test_the_former_setting_keeps_splits_draws_and_results():
    assert list(FORMER_SETTINGS) == [FORMER.study] and FORMER_SETTINGS[FORMER.study] in STUDIES
    assert FORMER.seed == TREE.seed
    assert {task.dataset for task in tasks(FORMER.study, "thesis")} == {
        "balance",
        "breast-cancer",
        "german-credit",
    }
    rows = STUDIES[FORMER.study].recorded("thesis").query("dataset == 'balance'")
    digests = dict(zip(STUDIES[FORMER.study].tasks_in(rows), rows["digest"], strict=True))
    for task in (FORMER, replace(FORMER, algorithm="online_bagging", n_models=100, repetition=3, order=2)):
        assert compute(task).digest == digests[task]
