"""Evidence for and against the claims about the calendar."""

import pandas as pd


def calendar(tree=(0.5, 0.69), bagged=(0.55, 0.75), other=(0.4, 0.5)):
    columns = pd.MultiIndex.from_product(
        [["day", "duration"], ["single", "online_bagging"]], names=["target", "algorithm"]
    )
    rows = [[tree[0], bagged[0], tree[1], bagged[1]], [other[0], other[0], other[1], other[1]]]
    return pd.DataFrame(rows, index=["decision_tree", "naive_bayes"], columns=columns)


REFERENCE = {"day": 0.5, "duration": 0.63}
WINDOWS = pd.DataFrame({"first": [0.6, 0.65, 0.61], "second": [0.5, 0.52, 0.51]}, [100, 200, 300])
ONLINE = pd.Series({"first": 0.63, "second": 0.53})

EVIDENCE = {
    "C011": ((calendar(), True), (calendar(other=(0.6, 0.6)), True), (calendar(), False)),
    "C085": (
        ({"appointments": 1790, "inputs": 32, "day": 6, "duration": 13},),
        ({"appointments": 1790, "inputs": 34, "day": 6, "duration": 13},),
        (None,),
    ),
    "C087": (
        (calendar(), REFERENCE, True),
        (calendar(tree=(0.45, 0.69)), REFERENCE, True),
        (calendar(), REFERENCE, False),
    ),
    "C088": (
        (calendar(), REFERENCE, True),
        (calendar(other=(0.55, 0.5)), REFERENCE, True),
        (calendar(), REFERENCE, False),
    ),
    "C089": ((WINDOWS, ONLINE, True), (WINDOWS, ONLINE - 0.02, True), (WINDOWS, ONLINE, False)),
}
COUNTER = {"C086": lambda differing, n_examples: (dict.fromkeys(differing, 3), n_examples)}
