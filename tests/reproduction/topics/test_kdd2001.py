"""Claims of the KDD paper about work and convergence: what would refute them."""

import pandas as pd

from oza.datasets import dataset_info
from reproduction.claims.criteria import COUNTS
from tests.reproduction.claims.contrasts import trees


def on_all_of_covertype(online):
    """Work on the whole of Forest Covertype, which cannot be had: ten in batch, and so much online."""
    whole = pd.MultiIndex.from_tuples(
        [("covertype", dataset_info("covertype").n_train)], names=["dataset", "n"]
    )
    return dict.fromkeys(COUNTS, pd.DataFrame({"boosting": 10.0, "online_boosting": online}, whole))


def each(**columns):
    """A change of every cost."""
    return lambda costs, *printed: ({name: cost.assign(**columns) for name, cost in costs.items()}, *printed)


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


EVIDENCE = {
    "C110": ((bayes(),), (bayes(bagging__single=["none", "none", "better", "none"]),)),
    "C121": ((on_all_of_covertype(1.0), 4.4), (on_all_of_covertype(20.0), 4.4), ({}, 4.4)),
}

COUNTER = {
    "C116": lambda n_models: n_models + 100,
    "C119": each(online_boosting=1e12),
    "C120": each(online_boosting=1.0),
    "C122": each(bagging=0.0, online_bagging=0.0),
    "C123": lambda gaps: gaps.assign(**{"contingency table": 0.1}),
}

AGAINST = [
    ("C110", (bayes(online_boosting__boosting=["worse", "none", "none", "none"]),)),
    ("C110", (bayes(boosting__single=["none", "better", "better", "better"]),)),
    ("C110", (bayes(online_boosting__single=["none", "better", "better", "better"]),)),
    ("C110", (bayes(online_bagging__single=["none", "none", "better", "none"]),)),
]
