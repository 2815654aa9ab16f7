"""The thesis's printed values, from `data/reference/` and, of the Synthetic sets, from the catalogue."""

from collections.abc import Iterable
from functools import lru_cache

import pandas as pd

from oza.datasets import dataset_info, list_datasets
from oza.datasets.catalogue import CATALOGUE

from ..paths import DATA

#: Data sets whose results are shown without being counted as a row of the thesis, and why.
EXCLUDED = {
    "census-income": "the thesis does not say which of the archive's 40 inputs make up its 39",
    "covertype-head": "stands in for the full Forest Covertype file",
}


def of_the_thesis(cells: pd.DataFrame) -> pd.DataFrame:
    """Leave out Soybean-Large, which is in the conference paper only: no table of the thesis has it."""
    return cells[cells.index.get_level_values("dataset") != "soybean-large"]


def printed(name: str) -> pd.DataFrame:
    """Read a file of printed values, such as "accuracy" or "running_times", by our names; NaN if illegible.

    >>> cells = printed("accuracy").query("table == '3.4' and dataset == 'mushroom'")
    >>> cells["value"].to_list()
    [0.9966, 0.9966, 0.9966]
    """
    return _read(name).copy()


@lru_cache
def _read(name: str) -> pd.DataFrame:
    paths = {path.stem: path for folder in (DATA / "reference", CATALOGUE) for path in folder.glob("*.csv")}
    if name not in paths:
        raise ValueError(f"name={name!r}: expected one of {', '.join(sorted(paths))}")
    frame = pd.read_csv(paths[name], dtype={"table": str})
    if "dataset" in frame:
        names = {dataset_info(key).thesis_name: key for key in list_datasets()}
        frame["dataset"] = frame["dataset"].replace(names)
    if "algorithm" in frame:
        online = frame["algorithm"].str.replace("single_online", "online_single")
        frame["algorithm"] = online.str.removesuffix("_1")  # one update is the rule, ten have a suffix
    return frame


def label(dataset: str) -> str:
    """Give the name that a data set has in the thesis's tables."""
    return dataset_info(dataset).thesis_name


def listed(datasets: Iterable[str]) -> str:
    """Name data sets in a sentence, as the thesis does.

    >>> listed(["chess"]), listed(["balance", "chess", "car-evaluation"]), listed([])
    ('Chess', 'Balance, Chess and Car Evaluation', 'none')
    """
    names = [label(name) for name in datasets]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]])) or "none"


def where_kdd_ran_trees(rows: pd.DataFrame) -> pd.DataFrame:
    """Select the rows of the data sets on which the KDD paper ran trees (its section 4.2)."""
    datasets = printed("datasets").query("decision_trees_in_kdd == 'yes'")["dataset"]
    return rows[rows.index.isin(datasets, level="dataset")]


def cells_of(name: str, table: str) -> pd.DataFrame:
    """Printed cells of one table, indexed by data set and algorithm; none if our copy has no such page."""
    frame = printed(name)
    return frame[frame["table"] == table].set_index(["dataset", "algorithm"])
