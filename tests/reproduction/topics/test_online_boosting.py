"""Online boosting: what would refute the claims."""

from tests.reproduction.claims.contrasts import trees

WORSE_ONCE = ["none", "none", "worse", "none"]
LATE = {"online_boosting__boosting": ["none", "none", "none", "worse"]}

#: Evidence for the claims, against them, and too little.
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
    "C113": (
        (trees(primed_200__boosting=["worse", "worse", "none", "none"]),),
        (trees(primed_200__boosting=["none", "none", "none", "worse"]),),
        (trees(primed_200__boosting=["none", "none", "unclear", "none"]),),
    ),
}

#: What would refute the claims.
COUNTER = {
    "C101": lambda tables: {name: cells.assign(other_difference=-0.1) for name, cells in tables.items()},
    "C099": lambda first, later: (dict.fromkeys(first, 1), later),
    "C100": lambda ratio: ratio[::-1],
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
]
