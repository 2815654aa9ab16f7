"""The conference paper: what would refute its claims."""

from tests.reproduction.claims.contrasts import trees


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


#: Evidence for the claims, against them, and too little.
EVIDENCE = {
    "C110": ((bayes(),), (bayes(bagging__single=["none", "none", "better", "none"]),)),
}

#: What would refute the claims.
COUNTER = {
    "C116": lambda n_models: n_models + 100,
}

AGAINST = [
    ("C110", (bayes(online_boosting__boosting=["worse", "none", "none", "none"]),)),
    ("C110", (bayes(boosting__single=["none", "better", "better", "better"]),)),
    ("C110", (bayes(online_boosting__single=["none", "better", "better", "better"]),)),
    ("C110", (bayes(online_bagging__single=["none", "none", "better", "none"]),)),
]
