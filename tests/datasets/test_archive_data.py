"""The archive's files hold what their documentation says (needs `OZA_DATA_MIRROR`)."""

import numpy as np
import pytest

from oza.datasets import dataset_info, list_datasets, load_dataset

# Class counts as documented by the archive, in the order of the catalogue's classes; for
# Soybean and Census Income of the training and of the test set.
COUNTS = {
    "promoters": [53, 53],
    "balance": [288, 49, 288],
    "breast-cancer": [458, 241],
    "german-credit": [700, 300],
    "car-evaluation": [1210, 384, 69, 65],
    "chess": [1669, 1527],
    "mushroom": [4208, 3916],
    "nursery": [4320, 2, 328, 4266, 4044],
    "connect4": [44473, 16635, 6449],
    "covertype-head": [2942, 6022, 2160, 2160, 2396, 2160, 2160],
}
SUPPLIED = {
    "soybean-large": (
        [10, 10, 10, 40, 20, 10, 10, 40, 10, 10, 10, 20, 10, 40, 40, 6, 6, 1, 4],
        [10, 10, 10, 48, 24, 10, 10, 52, 10, 10, 10, 24, 10, 51, 51, 9, 8, 15, 4],
    ),
    "census-income": ([187141, 12382], [93576, 6186]),
}
# Rows with a missing value, by attribute (train and test together).
MISSING = {
    "breast-cancer": {"bare nuclei": 16},
    "mushroom": {"stalk-root": 2480},
    "census-income": {
        "state of previous residence": 708 + 330,
        "migration code-change in msa": 99696 + 49946,
        "migration code-change in reg": 99696 + 49946,
        "migration code-move within reg": 99696 + 49946,
        "migration prev res in sunbelt": 99696 + 49946,
        "country of birth father": 6713 + 3429,
        "country of birth mother": 6119 + 3072,
        "country of birth self": 3393 + 1764,
    },
}


def each(names):
    """Run a test for each of these data sets; for one that is generated, on every machine."""
    marks = {name: () if dataset_info(name).generated else pytest.mark.archive for name in names}
    return pytest.mark.parametrize("name", [pytest.param(name, marks=marks[name]) for name in marks])


def test_every_set_that_is_available_is_counted():
    drawn = [name for name in list_datasets() if dataset_info(name).generator == "chain"]
    assert sorted([*COUNTS, *SUPPLIED, *drawn, "covertype"]) == sorted(list_datasets())


@each(SUPPLIED)
def test_class_counts_of_both_supplied_parts_are_the_documented_ones(name):
    whole = load_dataset(name)
    n = whole.n_train
    for subset, rows, counts in (
        ("train", slice(None, n), SUPPLIED[name][0]),
        ("test", slice(n, None), SUPPLIED[name][1]),
    ):
        part = load_dataset(name, subset=subset)
        assert np.bincount(part.target).tolist() == counts
        assert np.array_equal(part.data, whole.data[rows]) and part.n_train == n


@each([*COUNTS, *SUPPLIED])
def test_there_are_as_many_rows_and_numbers_as_declared(name):
    info, bunch = dataset_info(name), load_dataset(name)
    assert len(bunch.data) == info.n_train + info.n_test
    for column, attribute in zip(bunch.data.T, info.attributes, strict=True):
        if attribute.kind == "nominal":
            assert set(np.unique(column)) <= set(range(len(attribute.values)))
        else:
            assert np.isfinite(column).all()


@each(MISSING)
def test_missing_values_are_where_the_documentation_has_them(name):
    bunch = load_dataset(name)
    found = {}
    for column, feature, values in zip(bunch.data.T, bunch.feature_names, bunch.categories, strict=True):
        if values and "?" in values:
            found[feature] = int((column == values.index("?")).sum())
    assert found == MISSING[name]
