"""Evidence about recorded accuracies, base models and times of boosting."""

import pandas as pd

from ..contrasts import contrasts
from .bagging import accuracies

TABLES = ("4.1", "4.2", "4.3", "4.5", "4.6")
SETS = ["promoters", "balance", "synthetic2", "synthetic3"]


def boosting(ten="", names=SETS, **changes):
    """Cells of the three boosting algorithms."""
    algorithms = ["single", "boosting", f"online_boosting{ten}", f"primed_boosting{ten}"]
    means = changes.pop("means", {})
    means = {(name if name == "boosting" else name + ten): values for name, values in means.items()}
    return accuracies(names, algorithms=algorithms, means=means, **changes)


def tables(lossy=0.8, other=0.85, primed_lossy=0.9, primed_other=0.88, **changes):
    """Tables 4.1 to 4.6: accuracies of online and primed boosting, of networks and of the others."""
    return {
        table: boosting(
            "_10" if table == "4.6" else "",
            means={
                "online_boosting": lossy if table > "4.4" else other,
                "primed_boosting": primed_lossy if table > "4.4" else primed_other,
            },
            **changes,
        )
        for table in TABLES
    }


def in_each(**columns):
    """A change of all tables."""
    return lambda tables: {table: cells.assign(**columns) for table, cells in tables.items()}


def work(online, primed, tested=0.0, seconds=1.0):
    """Updates of batch boosting (1), online and primed boosting; classifications in batch."""
    names = [f"set{i}" for i in range(len(online))]
    index = pd.MultiIndex.from_product(
        [names, ["boosting", "online_boosting", "primed_boosting"]], names=["dataset", "algorithm"]
    )
    updates = [value for pair in zip(online, primed, strict=True) for value in (1.0, *pair)]
    cells = pd.DataFrame({"updates": updates, "seconds": seconds}, index)
    return {"4.8": cells.assign(operations=cells["updates"] + [tested, 0.0, 0.0] * len(online))}


def marks(better=(), lower=(), names=("promoters", "breast-cancer", "car-evaluation", "chess")):
    """Primed against unprimed: significantly better on some data sets, no gain on others."""
    found = contrasts(
        ["better" if name in better else "none" for name in names], pd.Index(names, name="dataset")
    )
    found.loc[found["mark"] == "none", "difference"] = 0.001
    found.loc[list(lower), "difference"] = -0.001
    return found


def errors(batch, online, dataset="synthetic2", base_model="naive_bayes", n_splits=2):
    rows = [
        (repetition, algorithm, i, e)
        for repetition in range(n_splits)
        for algorithm, sequence in (("boosting", batch), ("online_boosting", online))
        for i, e in enumerate(sequence, 1)
    ]
    frame = pd.DataFrame(rows, columns=["repetition", "algorithm", "model", "error"])
    return frame.assign(dataset=dataset, base_model=base_model)


def curve(*found):
    """Online against batch boosting, for rising numbers of examples."""
    return contrasts(found, range(len(found)))


RISING = [0.04 * m for m in range(1, 11)]
FALLING = RISING[::-1]

ONE_STAR = {"star": [("promoters", "boosting")]}
STARS = [(name, "boosting") for name in SETS]
TREES, BAYES = marks(lower=["promoters", "breast-cancer"]), marks(lower=["car-evaluation"])

EVIDENCE = {
    "C013": (({"a": curve("worse", "a little worse")},), None, ({"a": curve("worse", "worse")},)),
    "C014": ((tables(),), (tables(lossy=0.85, other=0.8),)),
    "C015": ((tables(),), (tables(primed_other=0.99),)),
    "C016": ((work([0.5, 0.6, 2.0], [0.1] * 3),), (work([0.5, 1.6, 2.0], [0.1] * 3),)),
    "C017": ((work([0.5, 0.6], [0.1, 0.2]),), (work([0.5, 0.2], [0.1, 0.2]),)),
    "C107": (
        ({"4.1": boosting(), "4.2": boosting(**ONE_STAR)},),
        ({"4.1": boosting(star=[("balance", "online_boosting")]), "4.2": boosting(**ONE_STAR)},),
    ),
    "C111": ((marks(), marks(["promoters"])), (marks(), marks(["promoters", "chess"]))),
    "C112": ((TREES, BAYES), (TREES, marks(["car-evaluation"])), (TREES, marks())),
    "C114": ((errors(RISING, RISING),), (errors(RISING, FALLING),)),
}

COUNTER = {
    "C012": in_each(other_mark="worse"),
    "C101": in_each(other_difference=-0.1),
    "C115": lambda errors: errors.assign(error=errors["error"].where(errors["model"] > 1, 0.9)),
    "C118": lambda passes, n_models: (passes | {"boosting": 5.0}, n_models),
}
