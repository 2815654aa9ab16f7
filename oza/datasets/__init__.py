"""The data sets of the thesis: where they come from, and how to have them as arrays.

`load_dataset` gives a data set as scikit-learn's own loaders do.  What is known of each one
(addresses, checksums, attributes, values, classes) is written once, in `data/catalogue/`.
"""

from ._binning import EqualFrequencyDiscretizer
from ._calendar import calendar_stream
from ._catalogue import Column, DataFile, DatasetInfo, dataset_info, list_datasets
from ._fetch import DatasetUnavailableError, FileState, fetch_dataset, verify_dataset
from ._load import load_dataset
from ._own import OwnData, own_data

__all__ = [
    "Column",
    "DataFile",
    "DatasetInfo",
    "DatasetUnavailableError",
    "EqualFrequencyDiscretizer",
    "FileState",
    "OwnData",
    "calendar_stream",
    "dataset_info",
    "fetch_dataset",
    "list_datasets",
    "load_dataset",
    "own_data",
    "verify_dataset",
]
