"""What a decision stump counts: the training examples of a split by attribute, value and class."""

import numpy as np
import pandas as pd

from oza.datasets import dataset_info

from ..studies.protocol import prepare
from .simulation import simulation


@simulation(small={"dataset": "balance"}, calls=({"dataset": "mushroom"}, {"dataset": "nursery"}))
def counts_by_value(dataset: str, repetition: int = 0, fold: int = 0) -> pd.DataFrame:
    """Count the training examples of a split whose attributes are all nominal.

    A row for each attribute and declared value, a column for each class, all by name.

    >>> counts_by_value("nursery").loc["parents"].loc["usual"].to_dict()["recommend"]
    2
    """
    info, examples = dataset_info(dataset), prepare(dataset, repetition, fold)
    tables = {}
    for attribute, codes in zip(info.attributes, examples.X_train.T, strict=True):
        counts = np.zeros((len(attribute.values), len(info.classes)), int)
        np.add.at(counts, (codes, examples.y_train), 1)
        tables[attribute.name] = pd.DataFrame(counts, [*attribute.values], [*info.classes])
    return pd.concat(tables, names=["attribute", "value"])
