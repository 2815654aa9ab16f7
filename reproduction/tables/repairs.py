"""Ways of boosting online compared, by the rules of `reproduction.studies.repairs`."""

import pandas as pd

from oza.evaluation.significance import LEVEL

from ..studies.repairs import BASES, DATASETS, REFERENCES, SAMPLES, SINGLE, THESIS, WAYS, recorded_beside
from ..studies.statistics import holm, mean_against_zero, outcome, split_accuracies
from .comparing import SPLIT, compare

OUTCOMES = ("better", "equal", "worse", "undecided")


def with_outcomes(cells: pd.DataFrame, family: list[str]) -> pd.DataFrame:
    """Add the column `outcome` to comparisons, with Holm's correction within each `family` of rows."""
    is_sure = cells.groupby(family)["p_value"].transform(holm) < LEVEL
    found = zip(cells["difference"], cells["half_width"], is_sure, strict=True)
    return cells.assign(outcome=[outcome(*each) for each in found])


def beside_references(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each way, and the thesis's, with the references on the splits that were run.

    The rows are those of the study `repaired-boosting`. A row for each way, reference, base model and data
    set of which two splits were run: the columns of `compare`, and `outcome`.
    """
    parts = {}
    for base_model in BASES:
        mine = rows[rows["base_model"] == base_model]
        recorded = recorded_beside(base_model)
        places = pd.MultiIndex.from_frame(mine[["dataset", *SPLIT]]).unique()
        was_run = pd.MultiIndex.from_frame(recorded[["dataset", *SPLIT]]).isin(places)
        splits = split_accuracies(pd.concat([mine, recorded[was_run]])).droplevel("base_model")
        for way in (THESIS, *WAYS):
            for reference in REFERENCES:
                if way != reference:
                    found = compare(splits, way, reference)
                    parts[way, reference, base_model] = found[found["n_splits"] > 1]
    cells = pd.concat(parts, names=["way", "reference", "base_model", "dataset"]).sort_index()
    return with_outcomes(cells, ["way", "reference"])


def counted_outcomes(cells: pd.DataFrame) -> pd.DataFrame:
    """Count the outcomes of `beside_references`, for each way and reference.

    Beside the counts `not run`, of 39 pairs, and the mean `difference` over data sets, whose pairs are
    averaged, with the `half_width` of its 95 % interval.
    """
    levels = ["way", "reference"]
    counts = pd.get_dummies(cells["outcome"]).groupby(level=levels).sum()
    counts = counts.reindex(columns=[*OUTCOMES], fill_value=0)
    counts["not run"] = len(BASES) * len(DATASETS) - counts.sum(axis=1)
    of_datasets = cells["difference"].groupby(level=[*levels, "dataset"]).mean()
    means = of_datasets.groupby(level=levels).agg(list).map(mean_against_zero)
    counts["difference"] = [mean.difference for mean in means]
    counts["half_width"] = [mean.half_width for mean in means]
    return counts


def on_streams(rows: pd.DataFrame, sample: range = SAMPLES[1]) -> pd.DataFrame:
    """Compare each way, and a single model, with the thesis's over the streams of a sample.

    A row for each way, kind of stream (`drifts`) and share of wrong labels: its mean `accuracy`, the fields
    of `Compared`, and `outcome`.
    """
    rows = rows[rows["run"].isin(sample)]
    accuracy = (rows["n_correct"] / rows["n_seen"]).rename("accuracy")
    at = ["drifts", "flipped", "dataset", "run"]
    table = accuracy.groupby([rows[name] for name in [*at, "algorithm"]]).mean().unstack("algorithm")
    cells = {}
    for condition, part in table.groupby(level=at[:2]):
        for way in (SINGLE, *WAYS):
            difference = mean_against_zero(part[way] - part[THESIS])
            cells[way, *condition] = {"accuracy": part[way].mean(), **difference._asdict()}
    index = pd.MultiIndex.from_tuples(cells, names=["way", *at[:2]])
    found = pd.DataFrame([*cells.values()], index).sort_index()
    found["family"] = found.index.get_level_values("way") != SINGLE
    return with_outcomes(found, ["family"]).drop(columns="family")


def costs(rows: pd.DataFrame) -> pd.DataFrame:
    """Median seconds and megabytes of each way on a stream of the study."""
    return rows.groupby("algorithm")[["seconds", "megabytes"]].median().loc[[SINGLE, THESIS, *WAYS]]


def earned(counts: pd.DataFrame, streams: pd.DataFrame) -> pd.DataFrame:
    """Say for each way which conditions of a class in the library it meets."""
    beside = counts.xs(THESIS, level="reference").loc[[*WAYS]]
    single = counts.xs(SINGLE, level="reference").loc[[*WAYS]]
    right = streams.xs(0.0, level="flipped")
    worse = right["outcome"].eq("worse").groupby(level="way").any()
    return pd.DataFrame(
        {
            "more accurate than the thesis's way": beside["difference"] > beside["half_width"],
            "never worse than a single model": single["worse"] == 0,
            "not worse on streams": ~worse.loc[[*WAYS]],
        }
    )
