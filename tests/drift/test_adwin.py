import json
import math
import pickle
import shutil

import numpy as np
import pytest
import skops.io
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.adwin import RECORD, SERIES, moa_answers, series
from oza.drift import ADWIN
from oza.drift.windows import mean_of, new_windows, observe, observe_block
from oza.kernels.draws import uniforms
from tests import references

MOA = json.loads(RECORD.read_text(encoding="utf-8"))


def jump(before, after, name, n=1000):
    """Errors with one probability, then as many with another."""
    return uniforms(2 * n, "jump", name) < np.repeat([before, after], n)


def buckets(detector):
    """Number of values and sum of each bucket, oldest first."""
    windows = detector._windows
    found = []
    for row in reversed(range(int(windows.n_rows[0]))):
        for i in range(int(windows.sizes[0, row])):
            place = (windows.oldest[0, row] + i) % windows.sums.shape[2]
            found.append((2**row, float(windows.sums[0, row, place, 0])))
    return found


@st.composite
def values(draw, binary=True):
    """A series with a few jumps, cut into pieces."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    means = draw(st.lists(st.floats(0, 1), min_size=1, max_size=4))
    pieces = [rng.random(draw(st.integers(1, 300))) for _ in means]
    if binary:
        series = np.concatenate([(p < mean).astype(float) for p, mean in zip(pieces, means, strict=True)])
    else:
        series = np.concatenate([(p + mean) / 2 for p, mean in zip(pieces, means, strict=True)])
    return series, np.sort(rng.integers(0, len(series), 5))


class TestAgainstMoa:
    @pytest.mark.parametrize("name", SERIES)
    def test_every_change_is_found_where_moa_finds_it(self, name):
        delta, clock, *_ = SERIES[name]
        detector = ADWIN(delta, clock)
        given, recorded = series(name), MOA["series"][name]
        assert np.flatnonzero(detector.update(given)).tolist() == recorded["positions"]
        detector, widths, means = ADWIN(delta, clock), [], []
        ends = [*(n + 1 for n in recorded["positions"]), len(given)]
        for start, end in zip([0, *ends], ends, strict=False):
            detector.update(given[start:end])
            widths.append(detector.width_)
            means.append(detector.mean_)
        assert widths == recorded["widths"]
        assert means == pytest.approx(recorded["means"], rel=1e-12)

    @pytest.mark.long
    @pytest.mark.skipif(shutil.which("java") is None, reason="MOA needs Java")
    def test_the_record_is_what_moa_says_today(self):
        for name in SERIES:
            assert moa_answers(name) == MOA["series"][name]


class TestAgainstPlainPython:
    @pytest.mark.parametrize("binary", [True, False])
    @settings(max_examples=25)
    @given(data=st.data())
    def test_the_same_buckets_after_every_value(self, binary, data):
        stream, _ = data.draw(values(binary))
        delta = data.draw(st.sampled_from([0.002, 0.1, 0.9]))
        clock = data.draw(st.sampled_from([1, 7, 32]))
        ours, twin = ADWIN(delta, clock), references.Adwin(delta, clock)
        for value in stream.tolist():
            assert ours.update(value) == twin.update(value)
            expected = [(n, total) for n, total, _ in twin.buckets()]
            assert [n for n, _ in buckets(ours)] == [n for n, _ in expected]
            assert [u for _, u in buckets(ours)] == pytest.approx([u for _, u in expected], rel=1e-12, abs=0)


class TestWindow:
    @pytest.mark.parametrize("binary", [True, False])
    @settings(max_examples=40)
    @given(data=st.data())
    def test_mean_and_width_are_those_of_the_values_that_are_kept(self, binary, data):
        stream, cuts = data.draw(values(binary))
        detector = ADWIN(0.1)
        for end in cuts.tolist():
            detector.update(stream[detector.n_seen_ : end])
            kept = stream[end - detector.width_ : end]
            if detector.width_:
                assert detector.mean_ == (kept.mean() if binary else pytest.approx(kept.mean(), rel=1e-12))
            assert sum(n for n, _ in buckets(detector)) == detector.width_
            assert detector.n_buckets_ == len(buckets(detector))
            assert detector.n_buckets_ <= 5 * math.log2(max(detector.width_, 1)) + 5

    def test_a_sum_of_zeros_and_ones_is_exact_and_a_sum_of_numbers_keeps_no_old_error(self):
        detector = ADWIN(0.9)
        detector.update(np.tile([0.1, 0.9, 0.1, 0.9, 0.5], 200_000))
        detector.update(np.zeros(64))
        detector.update(np.zeros(3_000_000))
        assert detector.mean_ < 1e-6
        exact = ADWIN()
        exact.update(np.tile([0, 1, 1], 100_000))
        assert exact.mean_ == 2 / 3

    def test_a_constant_stream_never_changes(self):
        for value in (0.0, 1.0, 0.1):
            assert not ADWIN(0.9, 1).update(np.full(5000, value)).any()


class TestDetector:
    @settings(max_examples=20)
    @given(data=st.data())
    def test_any_pieces_give_the_same_detector(self, data):
        stream, cuts = data.draw(values(data.draw(st.booleans())))
        whole, pieces = ADWIN(), ADWIN()
        expected = whole.update(stream)
        found = [pieces.update(piece) for piece in np.split(stream, cuts)]
        assert np.concatenate(found).tolist() == expected.tolist()
        for old, new in zip(whole._windows, pieces._windows, strict=True):
            assert (old == new).all()

    def test_it_is_kept_in_files_and_goes_on_from_there(self):
        detector = ADWIN(delta=0.01, clock=8)
        detector.update(jump(0.1, 0.4, "file"))
        packed = skops.io.dumps(detector)
        copies = [
            pickle.loads(pickle.dumps(detector)),
            skops.io.loads(packed, trusted=skops.io.get_untrusted_types(data=packed)),
        ]
        more = jump(0.4, 0.1, "more")
        expected = detector.update(more).tolist()
        assert any(expected)
        for copy in copies:
            assert copy.update(more).tolist() == expected

    def test_after_a_reset_it_is_as_new(self):
        detector = ADWIN()
        detector.update(jump(0.1, 0.9, "reset"))
        assert detector.reset() is detector
        assert (detector.width_, detector.n_buckets_, detector.n_seen_) == (0, 0, 0)
        assert math.isnan(detector.mean_)
        new = ADWIN()
        stream = jump(0.3, 0.9, "again")
        assert detector.update(stream).tolist() == new.update(stream).tolist()
        for old, fresh in zip(detector._windows, new._windows, strict=True):
            assert (old == fresh).all()

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (1.5, "values is 1.5; ADWIN takes numbers from 0 to 1. Scale"),
            ([0, 1, -0.25], r"values\[2\] is -0.25"),
            ([0.5, math.nan], r"values\[1\] is nan"),
            (np.ma.array([0.5, 1.0], mask=[0, 1]), "values has masked values"),
            ([[0, 1]], r"values has shape \(1, 2\)"),
            (["a"], "values holds 'a'"),
            (None, "values holds None"),
        ],
    )
    def test_bad_values_are_refused_and_change_nothing(self, given, message):
        detector = ADWIN()
        detector.update([0, 1])
        before = pickle.dumps(detector)
        with pytest.raises(ValueError, match=message):
            detector.update(given)
        assert pickle.dumps(detector) == before

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"delta": 0}, "delta must be a number above 0 and below 1"),
            ({"delta": 1}, "got 1"),
            ({"delta": "small"}, "got 'small'"),
            ({"clock": 0}, "clock must be an integer of at least 1; got 0"),
            ({"clock": 3.5}, "got 3.5"),
            ({"clock": True}, "got True"),
        ],
    )
    def test_bad_parameters_are_refused(self, parameters, message):
        with pytest.raises(ValueError, match=message):
            ADWIN(**parameters).update(0)


class TestMembers:
    def test_each_window_is_as_if_it_were_alone(self):
        streams = [jump(0.1, after, "member").astype(float) for after in (0.2, 0.5, 0.9)]
        windows = new_windows(3)
        alone = [ADWIN() for _ in streams]
        for start in range(0, 2000, 128):
            for m, stream in enumerate(streams):
                is_cut = np.empty(len(stream[start : start + 128]), bool)
                observe_block(windows, m, stream[start : start + 128], 0.002, 32, is_cut)
                assert is_cut.tolist() == alone[m].update(stream[start : start + 128]).tolist()
        for m, detector in enumerate(alone):
            assert mean_of(windows, m) == detector.mean_
            assert windows.widths[m] == detector.width_

    def test_kernels_of_one_value_and_of_a_block_are_one(self):
        from oza.kernels.compile import kernel

        @kernel
        def one_by_one(windows, values, is_cut):
            for n in range(len(values)):
                is_cut[n] = observe(windows, 0, values[n], 0.002, 32)

        stream = jump(0.1, 0.5, "kernel").astype(float)
        found, expected = np.empty((2, len(stream)), bool)
        one_by_one(new_windows(1), stream, found)
        observe_block(new_windows(1), 0, stream, 0.002, 32, expected)
        assert (found == expected).all()
        assert found.any()
