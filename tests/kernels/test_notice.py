"""A line on the terminal says, once, why calls take long at first; nothing is written elsewhere."""

import os
import sys

import pytest

from tests.processes import run

FIRST_CALL = """
import oza
from oza.kernels import compile
from oza.kernels.compile import CACHE_FOLDER
compile._PATIENCE = compile._LOOK = 0.0
oza.OnlineBaggingClassifier(n_estimators=9).partial_fit([[0.0, 1.0], [1.0, 1.0]] * 20, [1, 0] * 20)
oza.WeightedMajority().fit([[0, 1, 1], [1, 1, 0]], [1, 0])
print(CACHE_FOLDER)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no pseudo-terminals")
def test_a_user_at_a_terminal_reads_once_what_is_compiled_and_where_it_is_kept(tmp_path):
    import pty

    def shown(cache, quiet="", compiles="now"):
        ours, theirs = pty.openpty()
        variables = {"OZA_CACHE": str(cache), "OZA_QUIET": quiet, "OZA_COMPILE": compiles}
        done = run(FIRST_CALL, stderr=os.ttyname(theirs), **variables)
        os.write(theirs, b"end")
        os.close(theirs)
        text = os.read(ours, 100_000).decode().removesuffix("end")
        os.close(ours)
        return text, done[0]

    assert shown(tmp_path / "quiet", quiet="1", compiles="beside")[0] == ""
    text, folder = shown(tmp_path / "cache")
    assert text.count("\n") == 1 and text.startswith("oza: compiling learn_in_turn, ")
    assert f"kept in {folder} (OZA_QUIET=1" in text
    assert shown(tmp_path / "cache")[0] == ""
    text, _ = shown(tmp_path / "another", compiles="beside")
    assert text.count("\n") == 1 and "runs uncompiled until it is compiled" in text
