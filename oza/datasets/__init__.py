"""The data sets of the thesis: their sources, and loaders that return arrays.

`load_dataset` returns a data set in the format of scikit-learn's loaders.  The facts about each one
(addresses, checksums, attributes, values, classes) are in one place, `data/catalogue/`.
"""

from .binning import EqualFrequencyDiscretizer
from .calendar import calendar_stream
from .catalogue import Column, DataFile, DatasetInfo, dataset_info, list_datasets
from .fetch import DatasetUnavailableError, FileState, fetch_dataset, verify_dataset
from .load import load_dataset

__all__ = [
    "Column",
    "DataFile",
    "DatasetInfo",
    "DatasetUnavailableError",
    "EqualFrequencyDiscretizer",
    "FileState",
    "calendar_stream",
    "dataset_info",
    "fetch_dataset",
    "list_datasets",
    "load_dataset",
    "verify_dataset",
]
