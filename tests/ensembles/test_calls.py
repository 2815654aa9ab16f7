"""How much Python runs when a stream arrives row by row."""

import sys
from pathlib import Path

import numpy as np

import oza
from oza import OnlineBoostingClassifier

PACKAGE = Path(oza.__file__).parent


def calls_of(function):
    """(file, name) of each function of the package that is entered, compiled ones included."""
    found = []

    def note(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE):
            found.append((path.name, frame.f_code.co_name))

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return found


def test_one_row_of_online_boosting_takes_few_calls():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (200, 6)), rng.integers(0, 3, 200)
    model = OnlineBoostingClassifier(n_estimators=5, random_state=0, categorical_features=range(6)).fit(X, y)
    model.partial_fit(X[:1], y[:1])  # compiles
    calls = calls_of(lambda: model.partial_fit(X[1:2], y[1:2]))
    assert len(calls) <= 30
    compiled = {"learn_in_turn", "look_up"}
    files = {file for file, name in calls if name not in compiled}
    # `online.py` learns, `base.py` serves all classifiers; `table.py` checks X, `schema.py` encodes it;
    # `exclusive.py` makes threads wait for their turn.
    assert len(files - {"exclusive.py"}) <= 8
