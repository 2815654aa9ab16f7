"""Claims about boosting's accuracy: what would support and what would refute them."""

import pandas as pd

from tests.reproduction.claims.contrasts import accuracies, contrasts

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


def marks(better=(), lower=(), names=("promoters", "breast-cancer", "car-evaluation", "chess")):
    """Primed against unprimed: significantly better on some data sets, no gain on others."""
    found = contrasts(
        ["better" if name in better else "none" for name in names], pd.Index(names, name="dataset")
    )
    found.loc[found["mark"] == "none", "difference"] = 0.001
    found.loc[list(lower), "difference"] = -0.001
    return found


def curve(*found):
    """Online against batch boosting, for rising numbers of examples."""
    return contrasts(found, range(len(found)))


ONE_STAR = {"star": [("promoters", "boosting")]}


TREES, BAYES = marks(lower=["promoters", "breast-cancer"]), marks(lower=["car-evaluation"])

EVIDENCE = {
    "C013": (({"a": curve("worse", "a little worse")},), None, ({"a": curve("worse", "worse")},)),
    "C014": ((tables(),), (tables(lossy=0.85, other=0.8),)),
    "C015": ((tables(),), (tables(primed_other=0.99),)),
    "C107": (
        ({"4.1": boosting(), "4.2": boosting(**ONE_STAR)},),
        ({"4.1": boosting(star=[("balance", "online_boosting")]), "4.2": boosting(**ONE_STAR)},),
    ),
    "C111": ((marks(), marks(["promoters"])), (marks(), marks(["promoters", "chess"]))),
    "C112": ((TREES, BAYES), (TREES, marks(["car-evaluation"])), (TREES, marks())),
}

COUNTER = {
    "C012": lambda tables: {table: cells.assign(other_mark="worse") for table, cells in tables.items()},
    "C149": lambda cells: cells.assign(other_difference=0.0, other_half_width=0.001, other_p_value=1.0),
}
