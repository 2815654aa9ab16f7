"""Evidence about the KDD paper's data, running times and earlier results."""

import pandas as pd

from oza.datasets import dataset_info
from reproduction.claims.criteria import COUNTS


def on_all_of_covertype(online):
    """Work on the whole of Forest Covertype, which cannot be had: ten in batch, and so much online."""
    whole = pd.MultiIndex.from_tuples(
        [("covertype", dataset_info("covertype").n_train)], names=["dataset", "n"]
    )
    return dict.fromkeys(COUNTS, pd.DataFrame({"boosting": 10.0, "online_boosting": online}, whole))


def each(**columns):
    """A change of every cost."""
    return lambda costs, *printed: ({name: cost.assign(**columns) for name, cost in costs.items()}, *printed)


EVIDENCE = {
    "C121": ((on_all_of_covertype(1.0), 4.4), (on_all_of_covertype(20.0), 4.4), ({}, 4.4)),
}

COUNTER = {
    "C065": lambda limits: {name: found._replace(naive_bayes=found.bayes) for name, found in limits.items()},
    "C119": each(online_boosting=1e12),  # many updates, but no more for more examples
    "C120": each(online_boosting=1.0),
    "C122": each(bagging=0.0, online_bagging=0.0),
    "C123": lambda gaps: gaps.assign(**{"contingency table": 0.1}),
}
