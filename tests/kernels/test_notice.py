"""A line on the terminal says what is compiled where that takes long; nothing is written elsewhere."""

import os
import sys

import pytest

from tests.processes import run

IN_A_THREAD = """
import threading
import oza
from oza.kernels import notice
from oza.kernels.compile import CACHE_FOLDER
notice.PATIENCE = 0.05
def fit():
    oza.WeightedMajority().fit([[0, 1, 1], [1, 1, 0]], [1, 0])
thread = threading.Thread(target=fit)
thread.start()
thread.join()
print(CACHE_FOLDER)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no pseudo-terminals")
def test_a_user_at_a_terminal_reads_what_is_compiled_and_where_it_is_kept(tmp_path):
    import pty

    def shown(cache, quiet=""):
        ours, theirs = pty.openpty()
        done = run(IN_A_THREAD, stderr=os.ttyname(theirs), OZA_CACHE=str(cache), OZA_QUIET=quiet)
        os.write(theirs, b"end")
        os.close(theirs)
        text = os.read(ours, 100_000).decode().removesuffix("end")
        os.close(ours)
        return text, done[0]

    assert shown(tmp_path / "quiet", quiet="1")[0] == ""
    text, folder = shown(tmp_path / "cache")
    assert text.count("\n") == 1 and text.startswith("oza: compiling _predict_and_learn for Weights. ")
    assert f"compiled once, and kept in {folder} (OZA_QUIET=1" in text
    assert shown(tmp_path / "cache")[0] == ""
