"""What the pages made from results show beside the tables: curves of errors, the calendar, comparisons."""

import numpy as np
import pandas as pd
import pytest

from oza.claims import Verdict
from oza.exhibits import calendar_table, compared, error_curves, error_curves_text, printed, verdict_counts
from oza.exhibits._layout import LAYOUTS, counterpart, reference

from .test_exhibits import results


def test_each_column_is_compared_with_its_like():
    columns = LAYOUTS["3.11"].columns
    assert reference("bagging", columns) == "single"
    assert reference("online_bagging_10", columns) == "online_single_10"
    assert reference("online_bagging", LAYOUTS["3.4"].columns) == "single"
    assert counterpart("online_single_10", LAYOUTS["3.7"].columns) == "single"
    assert counterpart("bagging", LAYOUTS["3.7"].columns) == "online_bagging_10"
    assert counterpart("primed_boosting_10", LAYOUTS["4.6"].columns) == "boosting"
    assert counterpart("boosting", LAYOUTS["4.4"].columns) == ""


def test_two_algorithms_are_compared_on_the_splits_that_both_have():
    marks = compared(results(online_bagging=-0.05), "3.4", "online_bagging", "bagging")
    assert set(marks["welch"]) == {"worse"} and "nursery" not in marks.index
    assert marks["difference"].to_numpy() == pytest.approx(-0.05)
    assert set(compared(results(), "3.4", "online_bagging", "bagging")["welch"]) == {"none"}


def errors():
    rows = [("boosting", m, 0.1 * m) for m in (1, 2)] + [("online_boosting", m, 0.2) for m in (1, 2, 3)]
    frame = pd.DataFrame(rows, columns=["algorithm", "model", "error"])
    return pd.concat([frame.assign(dataset=name, base_model="naive_bayes") for name in ("balance", "chess")])


def test_curves_have_a_panel_for_each_data_set_and_base_model():
    figure = error_curves(errors())
    assert [axes.get_title() for axes in figure.axes] == ["Balance\nnaive bayes", "Chess\nnaive bayes"]
    _, batch, online = figure.axes[0].lines
    assert np.allclose(batch.get_ydata(), [0.1, 0.2]) and len(online.get_ydata()) == 3
    assert "balance, naive bayes, boosting: 2 models, error of the first 0.100" in error_curves_text(errors())


def test_the_calendar_table_sets_ours_beside_the_printed_values():
    rows = [("decision_tree", a, t, 0.25) for a in ("single", "online_bagging") for t in ("day", "duration")]
    rows += [("neural_network_10", "single", "day", 0.5)]
    shown = calendar_table(
        pd.DataFrame(rows, columns=["base_model", "algorithm", "target", "accuracy"])
    ).shown
    assert shown.loc["decision tree", ("day", "Online bagging, printed")] == "0.5536"
    assert shown.loc["decision tree", ("day", "Online bagging, generated")] == "0.2500"
    assert shown.loc["neural network, 10 updates", ("duration", "Single, printed")] == "0.5196"
    assert shown.loc["neural network, 10 updates", ("duration", "Single, generated")] == "–"
    assert len(printed("calendar")) == 22


def test_counts_join_claims_and_cells():
    cells = pd.DataFrame({"verdict": ["agrees", "differs", "agrees"]})
    assert verdict_counts([Verdict("C053", "holds", "")], cells) == {"agrees": 2, "differs": 1, "holds": 1}
