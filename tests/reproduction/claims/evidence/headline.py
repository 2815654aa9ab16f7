"""Evidence about what the thesis says of itself: accuracies and times of batch and online ensembles."""

import pandas as pd

from .bagging import accuracies, apart

SETS = ("promoters", "chess", "nursery", "connect4", "census-income")
LARGER = (0.5, 0.4, 0.3, 0.2, 0.1)  # times as long, on ever larger sets


def joined(*tables, family, **changes):
    names = [family, f"online_{family}"]
    cells = accuracies(SETS, algorithms=["single", *names], **changes)
    return pd.concat(dict.fromkeys(tables, cells), names=["table"])


def times(bagging=LARGER, boosting=LARGER):
    found = {}
    for table, family, ratios in (("3.8", "bagging", bagging), ("4.7", "boosting", boosting)):
        rows = {
            (dataset, name): seconds
            for dataset, ratio in zip(SETS, ratios, strict=True)
            for name, seconds in ((family, 10.0), (f"online_{family}", 10.0 * ratio))
        }
        index = pd.MultiIndex.from_tuples(rows, names=["dataset", "algorithm"])
        found[table] = pd.DataFrame({"seconds": rows.values()}, index)
    return found


def both(star=()):
    """Accuracies of Tables 3.3 and 4.1; a star marks a batch ensemble that is better."""
    return {
        table: joined(table, family=family, star=[(name, family) for name in star]).droplevel("table")
        for table, family in (("3.3", "bagging"), ("4.1", "boosting"))
    }


EVIDENCE = {
    "C150": ((times(),), (times(boosting=LARGER[::-1]),), (times(bagging=(0.5, 0.4, 0.6, 0.5, 0.45)),)),
    "C151": ((both(), times()), (both(SETS), times())),
}
COUNTER = {
    "C148": apart,
    "C149": lambda cells: cells.assign(other_difference=0.0, other_half_width=0.001, other_p_value=1.0),
}

AGAINST = [
    ("C150", (times(bagging=(9.0, 7.0, 5.0, 3.0, 2.0)),)),
    ("C151", (both(), times((2.0,) * 5, (2.0,) * 5))),
]
