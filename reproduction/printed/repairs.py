"""Ways of boosting online compared, by the rules of `reproduction.studies.repairs`."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from oza.evaluation.significance import LEVEL

from ..statistics import holm, mean_against_zero, outcome, split_accuracies
from ..studies.bole_parts import LINES
from ..studies.repairs import (
    BASES,
    CONTROLS,
    DATASETS,
    REFERENCES,
    RESCALED,
    SAMPLES,
    SINGLE,
    THESIS,
    THIRD_SAMPLE,
    VARIANTS,
    recorded_beside,
)
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
        for way in (THESIS, *VARIANTS):
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
    found = _over_streams(rows[rows["run"].isin(sample)], (SINGLE, *VARIANTS), THESIS)
    found["family"] = found.index.get_level_values("way") != SINGLE
    return with_outcomes(found, ["family"]).drop(columns="family")


def beside_controls(rows: pd.DataFrame) -> pd.DataFrame:
    """Compare each way, at both scales, with the thesis's and with each control on the third sample.

    A row for each `reference`, and the rows of `on_streams` for it. Streams on which not all have run are
    left out.
    """
    rows = rows[rows["run"].isin(THIRD_SAMPLE)]
    names = (SINGLE, THESIS, *VARIANTS, *CONTROLS, *RESCALED)
    n_run = rows.groupby(_STREAM)["algorithm"].transform("nunique")
    rows = rows[n_run == len(names)]
    cells = {
        reference: _over_streams(rows, (*VARIANTS, *RESCALED), reference) for reference in (THESIS, *CONTROLS)
    }
    return with_outcomes(pd.concat(cells, names=["reference"]), ["reference"])


def remaining(cells: pd.DataFrame) -> pd.Series:
    """Say whether the lead of a way over the thesis's remains beside all controls: by way, drift and share.

    The rows are those of `beside_controls`. It remains where the way is significantly more accurate than the
    thesis's way and than each control.
    """
    p_values: Any = cells.groupby("reference")["p_value"].transform(holm)
    leads = cells["difference"].gt(0) & p_values.lt(LEVEL)
    return leads.groupby(level=["way", *_STREAM[:2]]).all()


#: What tells streams from each other.
_STREAM = ["drifts", "flipped", "dataset", "run"]


def _over_streams(rows: pd.DataFrame, ways: Iterable[str], reference: str) -> pd.DataFrame:
    accuracy = (rows["n_correct"] / rows["n_seen"]).rename("accuracy")
    table = accuracy.groupby([rows[name] for name in [*_STREAM, "algorithm"]]).mean().unstack("algorithm")
    cells = {}
    for condition, part in table.groupby(level=_STREAM[:2]):
        for way in ways:
            difference = mean_against_zero(part[way] - part[reference])
            cells[way, *condition] = {"accuracy": part[way].mean(), **difference._asdict()}
    index = pd.MultiIndex.from_tuples(cells, names=["way", *_STREAM[:2]])
    return pd.DataFrame([*cells.values()], index).sort_index()


def lines_of_bole(rows: pd.DataFrame) -> pd.DataFrame:
    """Judge each of BOLE's three lines by the rules of `reproduction.studies.bole_parts`.

    A row for each line: the mean difference of accuracy over data sets, with its interval and p-value by
    Holm's correction, of online boosting with the line `alone` from that without any, and of BOLE from BOLE
    without the line (`missing`); whether the line is `enough`, and whether it is `needed`.
    """
    splits = ["dataset", "base_model", "repetition", "fold"]
    votes = rows.set_index([*splits, "in_order", "later"])[["n_correct_first", "n_correct_all"]]
    accuracy = votes.div(rows["n_test"].to_numpy(), axis=0).set_axis([False, True], axis="columns")
    table = accuracy.rename_axis("all_vote", axis="columns").stack().unstack(LINES).dropna()
    n_splits: Any = table.groupby(splits[:2]).transform("size")
    of_datasets = table[n_splits.gt(1)].groupby(splits[:2]).mean().groupby("dataset").mean()
    none, all_three = (False,) * len(LINES), (True,) * len(LINES)
    found = {}
    for i, line in enumerate(LINES):
        only, without = (tuple((j == i) == has for j in range(len(LINES))) for has in (True, False))
        found[line, "alone"] = mean_against_zero(of_datasets[only] - of_datasets[none])
        found[line, "missing"] = mean_against_zero(of_datasets[all_three] - of_datasets[without])
    index = pd.MultiIndex.from_tuples(found, names=["line", "run"])
    cells = pd.DataFrame([each._asdict() for each in found.values()], index)
    cells["p_value"] = cells.groupby("run")["p_value"].transform(holm)
    shown = cells.unstack("run").loc[[*LINES]]
    gains = shown["difference"].gt(0) & shown["p_value"].lt(LEVEL)
    return shown.assign(enough=gains["alone"], needed=gains["missing"])


def costs(rows: pd.DataFrame) -> pd.DataFrame:
    """Median seconds and megabytes of each way on a stream of the study."""
    return rows.groupby("algorithm")[["seconds", "megabytes"]].median().loc[[SINGLE, THESIS, *VARIANTS]]


def earned(counts: pd.DataFrame, streams: pd.DataFrame) -> pd.DataFrame:
    """Say for each way which conditions of a class in the library it meets."""
    beside = counts.xs(THESIS, level="reference").loc[[*VARIANTS]]
    single = counts.xs(SINGLE, level="reference").loc[[*VARIANTS]]
    right = streams.xs(0.0, level="flipped")
    worse = right["outcome"].eq("worse").groupby(level="way").any()
    return pd.DataFrame(
        {
            "interval above 0 beside the thesis's": beside["difference"] > beside["half_width"],
            "never worse than a single model": single["worse"] == 0,
            "not worse on streams": ~worse.loc[[*VARIANTS]],
        }
    )
