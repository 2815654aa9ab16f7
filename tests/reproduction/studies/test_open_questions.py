"""Studies of the paper's open questions: forms of online boosting, and lossy learners."""

import numpy as np
import pandas as pd
import pytest

from reproduction.pages import counted_gains
from reproduction.studies.boosting_forms import FORMS, gains


def runs(n_examples, spread=0.0, **more):
    """Ten runs of each form, of which some are right about so many more of 1,000 examples."""
    rng = np.random.default_rng(0)
    rows = [
        (
            "sea" if n_examples else "balance",
            *("naive_bayes", form, 5, n_examples, run, 1000),
            800 + more.get(form, 0) + int(spread * rng.normal()),
        )
        for form in FORMS
        for run in range(10)
    ]
    columns = ["dataset", "base_model", "form", "n_models", "n_examples", "run", "n_seen", "n_correct"]
    return pd.DataFrame(rows, columns=columns)


def test_forms_are_compared_on_the_same_runs():
    found = gains(runs(20_000, 1.0, later=30, **{"thesis, tested before": -30, "later, tested before": 4}))
    found = found.droplevel(["place", "base_model", "dataset"])
    assert found["equivalence"].to_dict() == {
        "thesis, tested before": "different",
        "later": "different",
        "later, tested before": "equal",
    }
    assert found.loc["later", "difference"] == pytest.approx(0.03, abs=0.002)
    counts = counted_gains(gains(runs(20_000, 1.0, later=30, **{"thesis, tested before": -30})))
    assert counts.loc[("stream", "naive_bayes", "later"), ["better", "worse"]].to_list() == [1, 0]
    assert counts.loc[("stream", "naive_bayes", "thesis, tested before"), "worse"] == 1
