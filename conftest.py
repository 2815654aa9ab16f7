"""Configuration of all tests, notebooks and doctests."""

import re
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools.run_notebooks import own_kernel

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell: tests send Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

own_kernel()  # the kernels of all tests are of this environment, without the user's start-up files

if find_spec("capymoa") is None:  # which `make setup` does not install
    collect_ignore = ["oza/bridges/capymoa.py"]


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        from tools.replay import Run

        return Run.from_parent(parent, path=file_path)


TESTS = Path(__file__).parent / "tests"
OF_PAGES = tuple(TESTS / name for name in ("book", "notebooks", "reproduction"))


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """Let one worker run all tests of a class, so that no kernel is compiled twice; the others by file."""
    for item in items:
        group = str(item.path)
        if item.path.is_relative_to(TESTS) and not any(map(item.path.is_relative_to, OF_PAGES)):
            named = re.search(r"\[.*?([A-Z]\w+?Classifier)", item.name)
            group = named[1] if named else group
        item.add_marker(pytest.mark.xdist_group(group))
