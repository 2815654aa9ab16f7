"""What `load_dataset` returns, on data that every machine has."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from oza.datasets import load_dataset


def test_a_bunch_holds_what_the_contract_lists():
    balance = load_dataset("balance")
    assert balance.data.shape == (625, 4) and balance.data.dtype == np.int64
    assert balance.data[0].tolist() == [0, 0, 0, 0] and balance.data[-1].tolist() == [4, 4, 4, 4]
    assert balance.target.dtype == np.int64 and np.bincount(balance.target).tolist() == [288, 49, 288]
    assert balance.target_names == ["L", "B", "R"]
    assert balance.feature_names == ["left weight", "left distance", "right weight", "right distance"]
    assert balance.categorical_features.dtype == bool and balance.categorical_features.all()
    assert balance.categories == [list("12345")] * 4
    assert balance.frame is None and balance.n_train is None
    assert (balance.name, balance.thesis_name) == ("balance", "Balance")
    assert "Balance Scale" in balance.DESCR and "CC BY 4.0" in balance.DESCR


def test_a_frame_holds_the_values_of_the_file():
    car = load_dataset("car-evaluation", as_frame=True)
    assert car.frame.columns.tolist() == [*car.feature_names, "class"]
    assert car.data.iloc[0].tolist() == ["vhigh", "vhigh", "2", "2", "small", "low"]
    assert all(isinstance(kind, pd.CategoricalDtype) for kind in car.data.dtypes)
    assert car.data["doors"].cat.categories.tolist() == ["2", "3", "4", "5more"]
    assert isinstance(car.target, pd.Series) and car.target.name == "class"
    codes = load_dataset("car-evaluation").data
    assert np.array_equal(np.column_stack([car.data[name].cat.codes for name in car.data]), codes)


def test_what_a_caller_changes_does_not_reach_the_next_caller():
    first = load_dataset("balance")
    before = first.data.copy(), first.target.copy(), list(first.target_names)
    first.data[:], first.target[:], first.target_names[0] = 3, 2, "changed"
    again = load_dataset("balance")
    assert np.array_equal(again.data, before[0]) and np.array_equal(again.target, before[1])
    assert again.target_names == before[2]


def test_a_training_set_is_refused_where_there_is_none():
    with pytest.raises(ValueError, match=r'the subset of balance must be "all"; got .train.'):
        load_dataset("balance", subset="train")
    with pytest.raises(ValueError, match=r'of census-income must be "all" or "train" or "test"; got .half.'):
        load_dataset("census-income", subset="half")


def test_importing_loads_neither_the_downloader_nor_the_progress_bar():
    code = "import sys, oza.datasets; print([m for m in ('pooch', 'requests', 'tqdm') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
