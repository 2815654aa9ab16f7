"""The command `oza`: output, exit codes, recorded results and error messages."""

import argparse
import io
import subprocess
import sys

import pytest

from oza import __version__, cli
from reproduction.paths import DATA

pytestmark = pytest.mark.usefixtures("offline")


def test_the_version_is_the_library_s(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])
    assert stopped.value.code == 0 and capsys.readouterr().out == f"oza {__version__}\n"


COMMANDS = [[], ["data"], ["data", "fetch"], ["compare"]]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main([*command, "--help"])
    assert stopped.value.code == 0 and "usage: oza" in capsys.readouterr().out


def test_a_wrong_argument_gets_one_line_and_exit_code_2(capsys):
    assert cli.main(["data", "fetch", "nurserry"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("oza: ") and error.count("\n") == 1 and "nursery" in error


def test_data_list_says_what_is_here(capsys):
    assert cli.main(["data", "list"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert lines["nursery"].endswith("generated") and lines["mushroom"].endswith("missing")


def test_data_fetch_reports_unavailable_data_and_continues(capsys):
    assert cli.main(["data", "fetch", "mushroom", "nursery"]) == 1
    shown = capsys.readouterr()
    assert "nursery: generated" in shown.out and "mushroom" in shown.err and "OZA_DATA_MIRROR" in shown.err


def test_data_verify_finds_a_damaged_file(offline, capsys, monkeypatch):
    assert cli.main(["data", "verify"]) == 0
    folder = offline / "no-mirror" / "uci" / "mushroom"
    folder.mkdir(parents=True)
    (folder / "agaricus-lepiota.data").write_text("damaged")
    assert cli.main(["data", "verify"]) == 1
    assert "mushroom         all   damaged   has 7 bytes" in capsys.readouterr().out


def test_the_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "oza", "--version"], cwd=DATA.parent, capture_output=True, text=True
    )
    assert done.stdout == f"oza {__version__}\n"


def test_a_narrow_output_gets_escapes_and_one_that_is_closed_nothing(monkeypatch):
    parser = argparse.ArgumentParser("oza")
    parser.set_defaults(command=lambda _: print("▲ better") or print("note", file=sys.stderr) or 0)
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", narrow)
    monkeypatch.setattr(sys, "stderr", None)
    assert cli.run_command(parser, []) == 0
    sys.stderr.close()
    narrow.flush()
    assert narrow.buffer.getvalue().split() == [b"\\u25b2", b"better"]
