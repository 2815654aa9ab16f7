"""Evidence about ensembles on streams that change."""

import pandas as pd

#: Accuracy and RAM-hours of each method, in thousandths.
AS_PRINTED = {
    "hoeffding_tree": (740, 0.01),
    "online_bagging": (772, 2.98),
    "adwin_bagging": (792, 1.48),
    "leveraging_bagging": (855, 20.17),
    "leveraging_bagging_mc": (845, 22.04),
    "leveraging_bagging_me": (808, 0.87),
}


def runs(n_streams=4, **changed):
    """Two runs on each stream; methods scatter by a thousandth. `changed` has other accuracies and costs."""
    rows = [
        (f"stream {n}", name, run, 1000, accuracy - 40 * n + (n * 7 + place) % 3 - 1, cost * 1.1**n)
        for place, (name, (accuracy, cost)) in enumerate((AS_PRINTED | changed).items())
        for n in range(n_streams)
        for run in range(2)
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "n_seen", "n_correct", "ram_hours"])


PRINTED = runs()
FEW = runs(n_streams=2)
MANY_CLASSES = {f"stream {n}": 3 for n in range(4)}

COUNTED = pd.DataFrame(
    {"size": [1, 2, 3], "printed": [10, 45, 120], "trees": [10, 45, 120], "subsets": [10, 45, 120]}
)
IN_ORDER = COUNTED.assign(trees=[10, 90, 720], subsets=[10, 45, 120])  # each order of columns has a tree

EVIDENCE = {
    "C141": ((COUNTED,), (IN_ORDER,), (COUNTED[:1],)),
    "C129": ((PRINTED,), (runs(adwin_bagging=(870, 1.48)),), (FEW,)),
    "C130": ((PRINTED,), (runs(adwin_bagging=(760, 1.48)),), (FEW,)),
    "C140": (
        (runs(leveraging_bagging_mc=(855, 22.04)), MANY_CLASSES),
        (runs(leveraging_bagging_mc=(830, 22.04)), MANY_CLASSES),
        (runs(leveraging_bagging_mc=(830, 22.04)), dict.fromkeys(MANY_CLASSES, 2)),
    ),
}

AGAINST = [
    ("C129", (runs(leveraging_bagging_mc=(845, 20.0)),)),  # another order of costs
    ("C129", (runs(adwin_bagging=(792, 21.0)),)),
    ("C129", (runs(leveraging_bagging_me=(785, 0.87)),)),  # less accurate than ADWIN bagging
    ("C129", (runs(leveraging_bagging_me=(808, 1.6)),)),
]
