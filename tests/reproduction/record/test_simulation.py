"""Simulations on record: what is read is what was computed, for the calls of the book and small ones."""

import functools
import json

import numpy as np
import pandas as pd
import pytest

from reproduction.paths import DATA
from reproduction.record.bits import EXACT, OF_PROCESSOR, close
from reproduction.record.simulation import COMPUTED, Simulation, _written
from reproduction.topics import SIMULATIONS, simulations


def assert_same(read, computed):
    """Lists stand in place of arrays and of tuples without names."""
    if isinstance(computed, pd.DataFrame):
        pd.testing.assert_frame_equal(read, computed, check_exact=True)
    elif isinstance(computed, list | tuple | np.ndarray):
        assert type(read) is (type(computed) if hasattr(computed, "_fields") else list)
        for pair in zip(read, computed, strict=True):
            assert_same(*pair)
    elif isinstance(computed, dict):
        assert list(read) == list(computed)
        assert_same(list(read.values()), list(computed.values()))
    else:
        assert read == computed or (read != read and computed != computed)


@pytest.mark.full  # runs every simulation once
@pytest.mark.parametrize("name", simulations())
def test_what_is_read_is_what_was_computed(name, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path))
    simulated = simulations()[name]
    (call,) = simulated.calls("smoke")
    computed = simulated(**json.loads(call.arguments))
    (on_record,) = SIMULATIONS.recorded([call], DATA / "results")["value"]
    assert simulated.bits.agree(on_record, _written(computed)), simulated.bits
    again = functools.wraps(simulated._function)(lambda **arguments: computed)
    monkeypatch.setattr(simulated, "_function", again)
    assert_same(simulated.recorded(**json.loads(call.arguments)), computed)
    assert capsys.readouterr().out == f"{name}: {COMPUTED}\n"


def test_the_record_holds_the_calls_of_the_book_and_no_others():
    recorded = SIMULATIONS.tasks_in(SIMULATIONS.recorded(folder=DATA / "results"))
    assert sorted(recorded) == sorted({*SIMULATIONS.tasks("thesis"), *SIMULATIONS.tasks("smoke")})


@pytest.mark.parametrize(("bits", "passes"), [(EXACT, 1), (close(1e-9), 2), (OF_PROCESSOR, 0)])
def test_a_page_confirms_what_the_kind_of_bits_allows(bits, passes):
    simulated = Simulation(lambda: None, {}, [], bits)
    values = ([1.0, 0.3], [1.0, 0.1 + 0.2], [1.0, 0.31])
    for value in values[:passes]:
        simulated.confirm(np.array(value), values[0])
    for value in values[passes:]:
        with pytest.raises((AssertionError, ValueError), match=bits.kind):
            simulated.confirm(np.array(value), values[0])
