"""The data sets as we have them and as printed (Table 3.1); the best accuracies on the Synthetic sets."""

from collections.abc import Mapping

import pandas as pd

from oza.datasets import dataset_info, list_datasets, load_dataset, verify_dataset

from ..claims.registry import Decision, claim, require
from ..printed.printed import label, printed
from ..printed.table import Table
from ..studies.protocol import N_FOLDS
from ..theory.chain_limits import Limits, chain_limits


def _limits(_: object) -> tuple[dict[str, Limits]]:
    return ({name: chain_limits(name) for name in ("synthetic1", "synthetic2", "synthetic3")},)


@claim("C065", evidence=_limits)
def synthetic_data_are_beyond_naive_bayes(limits: Mapping[str, Limits]) -> Decision:
    """Judge exact accuracies on the three Synthetic sets.

    The claim holds if, on each of them, the best classifier is not a Naive Bayes model, as four examples
    show, and Naive Bayes with the true law of each attribute is less accurate than it.
    """
    require(len(limits) >= 3, "needs all three Synthetic sets")
    holds = all(found.n_crossed > 0 and found.naive_bayes < found.bayes for found in limits.values())
    return holds, "best possible against Naive Bayes: " + ", ".join(
        f"{name} {found.bayes:.4f} against {found.naive_bayes:.4f}" for name, found in limits.items()
    )


_COUNTS = {"train_size": "Training", "test_size": "Test", "inputs": "Inputs", "classes": "Classes"}


def table_3_1() -> Table:
    """Set our data sets beside Table 3.1, and Soybean-Large beside the KDD paper's Table 1.

    Sets that are on this machine are counted; for the others stand the catalogue's numbers, which belong to
    files of a known checksum. A cell shows one number where both agree, "ours (printed)" where they differ.

    >>> table_3_1().shown.loc["Nursery"].to_list()
    ['10368', '2592', '8', '5', 'agrees']
    """
    theirs = printed("datasets").set_index("dataset")
    rows = []
    for name in list_datasets():
        for count, ours in zip(_COUNTS, _counts(name), strict=True):
            value = theirs[count].get(name)
            verdict = "no printed value" if pd.isna(value) else "agrees" if ours == value else "differs"
            text = f"{ours} ({value:.0f})" if verdict == "differs" else str(ours)
            rows.append((name, count, ours, value, verdict, text))
    cells = pd.DataFrame(rows, columns=["dataset", "count", "ours", "printed", "verdict", "text"])
    shown, verdicts = _wide(cells, "text"), _wide(cells, "verdict")
    order = ("differs", "no printed value", "agrees")
    of_rows = [next(verdict for verdict in order if verdict in row) for row in verdicts.to_numpy()]
    shown["Verdict"] = verdicts["Verdict"] = of_rows
    title = "Table 3.1: the data sets; in brackets, the printed value where it differs"
    return Table(title, cells.drop(columns="text"), shown, verdicts)


def _counts(name: str) -> tuple[int, int, int, int]:
    info = dataset_info(name)
    if any(part.state in ("missing", "damaged") for part in verify_dataset(name)):
        return info.n_train, info.n_test, len(info.attributes), len(info.classes)
    data = load_dataset(name)
    n_examples, n_inputs = data.data.shape
    n_train = data.n_train or n_examples - -(-n_examples // N_FOLDS)  # the test set is the largest fold
    return n_train, n_examples - n_train, n_inputs, len(set(data.target))


def _wide(cells: pd.DataFrame, column: str) -> pd.DataFrame:
    wide = cells.pivot(index="dataset", columns="count", values=column)
    wide = wide.loc[list_datasets(), list(_COUNTS)].rename(index=label, columns=_COUNTS)
    return wide.rename_axis(index="Data set", columns=None)
