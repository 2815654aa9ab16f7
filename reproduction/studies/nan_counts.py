"""What decision stumps count and choose on the first split of a data set, with a NaN and without."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from oza.datasets import dataset_info

from ..record.simulation import simulation
from .held_out import DATASETS
from .nan_settings import declared_values
from .nan_stump import NanStumpClassifier
from .protocol import prepare


@simulation(small={"dataset": "balance"}, calls=({"dataset": "mushroom"}, {"dataset": "nursery"}))
def counts_by_value(dataset: str) -> pd.DataFrame:
    """Count the training examples of the first split; all attributes must be nominal.

    A row for each attribute and declared value, a column for each class, all by name.

    >>> counts_by_value("nursery").loc["parents"].loc["usual"].to_dict()["recommend"]
    2
    """
    info, examples = dataset_info(dataset), prepare(dataset)
    tables = {}
    for attribute, codes in zip(info.attributes, examples.X_train.T, strict=True):
        counts = np.zeros((len(attribute.values), len(info.classes)), int)
        np.add.at(counts, (codes, examples.y_train), 1)
        tables[attribute.name] = pd.DataFrame(counts, [*attribute.values], [*info.classes])
    return pd.concat(tables, names=["attribute", "value"])


@simulation(small={"datasets": ["balance"]})
def attributes_chosen(datasets: Sequence[str] = DATASETS) -> pd.DataFrame:
    """Name the attributes that stumps test on the first split of data sets.

    A row for each data set: how many `attributes` it has, the gain of how many of them `is NaN`, which one is
    tested `with the NaN` and which `without`, and whether the latter `is lost` since its gain is NaN.

    >>> attributes_chosen(["nursery"])["without"].to_dict()
    {'nursery': 'health'}
    """
    rows = {}
    for dataset in datasets:
        examples, names = prepare(dataset), [attribute.name for attribute in dataset_info(dataset).attributes]
        values = declared_values(dataset, examples)
        right, faulty = (
            NanStumpClassifier(empty, categories=values).fit(examples.X_train, examples.y_train)
            for empty in ("nothing", "class")
        )
        is_nan = np.isnan(faulty.entropies_left_)
        tests = names[faulty.feature_], names[right.feature_], bool(is_nan[right.feature_])
        rows[dataset] = len(names), int(is_nan.sum()), *tests
    columns = ["attributes", "is NaN", "with the NaN", "without", "is lost"]
    return pd.DataFrame.from_dict(rows, "index", columns=columns)
