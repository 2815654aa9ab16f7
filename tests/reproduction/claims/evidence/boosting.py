"""Evidence about boosting, batch and online."""

from ..contrasts import trees

WORSE_ONCE = ["none", "none", "worse", "none"]


def bayes(**changes):
    return trees(
        **{
            "online_boosting__boosting": ["none"] * 4,
            "online_boosting__single": ["better"] * 4,
            "bagging__single": ["none"] * 4,
            "online_bagging__single": ["none"] * 4,
        }
        | changes
    )


LATE = {"online_boosting__boosting": ["none", "none", "none", "worse"]}
EVIDENCE = {
    "C102": ((trees(),), (trees(**LATE),)),
    "C103": (
        (trees(),),
        (trees(primed_boosting__boosting=WORSE_ONCE, primed_200__boosting=WORSE_ONCE),),
        (trees(primed_boosting__boosting=WORSE_ONCE),),
    ),
    "C109": (
        (trees(),),
        (trees(bagging__single=["better", "better", "none", "better"]),),
        (trees(bagging__single=["better", "better", "unclear", "better"]),),
    ),
    "C110": ((bayes(),), (bayes(bagging__single=["none", "none", "better", "none"]),)),
    "C113": (
        (trees(primed_200__boosting=["worse", "worse", "none", "none"]),),
        (trees(primed_200__boosting=["none", "none", "none", "worse"]),),
        (trees(primed_200__boosting=["none", "none", "unclear", "none"]),),
    ),
}

COUNTER = {
    "C099": lambda first, later: (dict.fromkeys(first, 1), later),
    "C100": lambda ratio: ratio[::-1],
    "C116": lambda n_models: n_models + 100,
    "C117": lambda batch, online: (batch, [(errors, [1.0] * len(errors), n) for errors, _, n in online]),
}

AGAINST = [
    ("C102", (trees(online_boosting__boosting=["none"] * 4),)),
    ("C102", (trees(online_boosting__boosting=["a little worse", "none", "none", "none"]),)),
    ("C102", (trees(online_boosting__boosting=["worse", "none", "none", "worse"]),)),
    ("C109", (trees(online_boosting__boosting=["none"] * 4),)),
    ("C109", (trees(online_bagging__bagging=["worse", "none", "none", "none"]),)),
    ("C109", (trees(**LATE),)),
    ("C109", (trees(online_bagging__single=["better", "better", "none", "better"]),)),
    ("C109", (trees(boosting__single=["better", "better", "none", "better"]),)),
    ("C110", (bayes(online_boosting__boosting=["worse", "none", "none", "none"]),)),
    ("C110", (bayes(boosting__single=["none", "better", "better", "better"]),)),
    ("C110", (bayes(online_boosting__single=["none", "better", "better", "better"]),)),
    ("C110", (bayes(online_bagging__single=["none", "none", "better", "none"]),)),
]
