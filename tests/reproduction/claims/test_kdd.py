"""What the evidence about work and running times says in words, and when the counts disagree."""

import pytest

from reproduction.claims import CHECKS, EVIDENCE
from reproduction.tables import Record

from .evidence.kdd import UNEVEN, costs


def test_a_stand_in_is_reported_but_decides_nothing():
    verdict = CHECKS["C121"](costs("covertype-head", start=0.0), 4.4)
    assert verdict.outcome == "untestable"
    assert (
        "16,000 examples of Forest Covertype (first 20,000 rows) batch takes 10 times the updates"
        in verdict.evidence
    )


def test_a_part_of_the_training_set_does_not_decide_for_all_of_it():
    part = {name: cost.query("n_train < 199523") for name, cost in costs("census-income").items()}
    assert CHECKS["C120"](part, 21.3).outcome == "undecided"


@pytest.mark.parametrize(("number", "printed"), [("C119", ()), ("C120", (21.3,))])
def test_counts_that_disagree_decide_nothing(number, printed):
    uneven = costs("census-income", start=1e4, **UNEVEN)
    assert CHECKS[number](uneven, *printed).outcome == "undecided"


@pytest.mark.parametrize("number", ["C119", "C120", "C122"])
def test_times_are_reported_but_not_judged(number):
    found = costs("census-income")
    slow = found["seconds"].assign(online_boosting=1e6, bagging=1e6)
    verdicts = [
        CHECKS[number](case, *([21.3] if number == "C120" else []))
        for case in (found, found | {"seconds": slow})
    ]
    assert verdicts[0].outcome == verdicts[1].outcome == "holds"
    assert verdicts[0].evidence != verdicts[1].evidence


@pytest.mark.parametrize("number", ["C106", "C107", "C111", "C112"])
def test_trees_count_where_the_paper_ran_them(number):
    """The evidence on trees comes first, or in Table 3.3 or 4.1."""
    found = EVIDENCE[number](Record())[0]
    if number == "C106":
        found = found.loc["3.3"]
    trees = found["4.1"] if number == "C107" else found
    names = set(trees.index.get_level_values("dataset"))
    assert names == {"promoters", "balance", "breast-cancer", "car-evaluation"}
