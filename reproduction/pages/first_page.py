"""What the first page of the book shows: online minus batch accuracy, and every printed cell."""

from typing import Any

import pandas as pd

from oza.evaluation.significance import LEVEL

from ..printed.layout import BASES, counterpart, layout
from ..printed.printed import EXCLUDED, label
from ..printed.record import Record
from ..statistics import holm, mean_against_zero, outcome

#: Tables of accuracies that have batch and online ensembles of one family, by family.
TABLES = {"bagging": ("3.3", "3.4", "3.5", "3.6", "3.7"), "boosting": ("4.1", "4.2", "4.3", "4.5", "4.6")}

_OUTCOMES = ["equal", "better", "worse", "undecided"]


def online_minus_batch(record: Record) -> pd.DataFrame:
    """Compare each online ensemble of the thesis with its batch counterpart, on each data set.

    `updates` of a network for each example are 0 for lossless learners, `difference` is online minus batch
    accuracy, `equivalence` by the rule of equality, with Holm's correction over the rows of a family with the
    same `updates`.

    >>> found = online_minus_batch(Record("smoke"))
    >>> sorted(found["family"].unique())
    ['bagging', 'boosting']
    """
    rows = []
    for family, tables in TABLES.items():
        for table in tables:
            base_model, columns, *_ = layout(table)
            online = next(name for name in columns if name.startswith(f"online_{family}"))
            assert counterpart(online, columns) == family
            updates = 0 if base_model != "neural_network" else 10 if online.endswith("_10") else 1
            cells = record.accuracy(table).xs(online, level="algorithm")
            for dataset, cell in cells[cells["other_difference"].notna()].iterrows():
                if dataset in EXCLUDED:
                    continue
                numbers = cell[["other_difference", "other_half_width", "other_p_value"]]
                rows.append((family, BASES[base_model], updates, label(str(dataset)), *numbers))
    names = ["family", "base_model", "updates", "dataset", "difference", "half_width", "p_value"]
    found = pd.DataFrame(rows, columns=names)
    is_sure = found.groupby(["family", "updates"])["p_value"].transform(holm) < LEVEL
    cases = zip(found["difference"], found["half_width"], is_sure, strict=True)
    found["equivalence"] = [outcome(*case) for case in cases]
    return found.drop(columns=["half_width", "p_value"])


def effects(gaps: pd.DataFrame) -> pd.DataFrame:
    """Sum up what `online_minus_batch` found, by family and base model.

    Numbers of pairs of base model and data set by outcome, all `pairs`, and the mean `difference` over the
    data sets in percentage points with the `half_width` of its 95 % interval. "lossless" is the mean of
    the three lossless base models, taken on each data set first.

    >>> int(effects(online_minus_batch(Record("smoke"))).loc[("bagging", "lossless"), "pairs"])
    6
    """
    gaps = gaps.assign(
        learner=gaps["base_model"] + gaps["updates"].map({0: "", 1: ", 1 update", 10: ", 10 updates"})
    )
    rows = {}
    for family, of_family in gaps.groupby("family", sort=False):
        of_lossless = of_family[of_family["updates"] == 0].assign(learner="lossless")
        for learner, part in pd.concat([of_lossless, of_family]).groupby("learner", sort=False):
            found = mean_against_zero(100 * part.groupby("dataset")["difference"].mean())
            counts = part["equivalence"].value_counts().reindex(_OUTCOMES, fill_value=0)
            sizes = {"pairs": len(part), "difference": found.difference, "half_width": found.half_width}
            rows[family, learner] = {**counts, **sizes}
    return pd.DataFrame.from_dict(rows, "index").round(4).rename_axis(["family", "learner"])


def printed_cells(cells: pd.DataFrame) -> list[dict[str, Any]]:
    """List the judged cells of a `Scorecard` for the map of the first page."""
    shown = cells[cells["printed"].notna() & cells["verdict"].ne("no printed value")].reset_index()
    return [
        {
            "table": str(row["table"]),
            "dataset": label(row["dataset"]),
            "algorithm": row["algorithm"],
            "ours": None if pd.isna(row["mean"]) else round(row["mean"], 4),
            "printed": row["printed"],
            "verdict": row["verdict"],
        }
        for row in shown.to_dict("records")
    ]
