"""Claims about times and work: what would support and what would refute them."""

import pandas as pd

from tests.reproduction.claims.contrasts import accuracies, slower_online


def work(online, primed, tested=0.0, seconds=1.0):
    """Updates of batch boosting (1), online and primed boosting; classifications in batch."""
    names = [f"set{i}" for i in range(len(online))]
    index = pd.MultiIndex.from_product(
        [names, ["boosting", "online_boosting", "primed_boosting"]], names=["dataset", "algorithm"]
    )
    updates = [value for pair in zip(online, primed, strict=True) for value in (1.0, *pair)]
    cells = pd.DataFrame({"updates": updates, "seconds": seconds}, index)
    return {"4.8": cells.assign(operations=cells["updates"] + [tested, 0.0, 0.0] * len(online))}


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
    "C016": [(work([0.5] * n + [2.0] * (10 - n), [0.1] * 10),) for n in (9, 1, 6)],
    "C017": ((work([0.5, 0.6], [0.1, 0.2]),), (work([0.5, 0.2], [0.1, 0.2]),)),
    "C150": ((times(),), (times(boosting=LARGER[::-1]),), (times(bagging=(0.5, 0.4, 0.6, 0.5, 0.45)),)),
    "C151": ((both(), times()), (both(SETS), times())),
}

COUNTER = {
    "C084": lambda times, blocks: ({name: slower_online(cells) for name, cells in times.items()}, blocks),
    "C118": lambda passes, n_models: (passes | {"boosting": 5.0}, n_models),
}

AGAINST = [
    ("C150", (times(bagging=(9.0, 7.0, 5.0, 3.0, 2.0)),)),
    ("C151", (both(), times((2.0,) * 5, (2.0,) * 5))),
]
