"""Configuration of all tests, notebooks and doctests."""

import gc
import re
import signal
from importlib.util import find_spec

import pytest

from tools.run_notebooks import own_kernel

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell: tests send Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

# To free memory at every 700 new objects, as by default, takes a third of the time in which pytest finds its
# tests, and a tenth of that in which kernels are compiled.
gc.set_threshold(1_000_000)

own_kernel()  # the kernels of all tests are of this environment, without the user's start-up files

if find_spec("capymoa") is None:  # which `make setup` does not install
    collect_ignore = ["oza/bridges/capymoa.py"]


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        from tools.replay import Run

        return Run.from_parent(parent, path=file_path)


def failure(report) -> str:
    """A test that failed, and why, in some words."""
    where = re.sub(r"(\.ipynb)::Cell ", r"\1 cell ", report.nodeid)
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else report.longreprtext
    why = re.search(r"stored .*, now .*", text) or re.search(r"\S.*", text)
    return f"{where} ({why[0][:100].strip()})" if why else where


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Say on the last line what failed, and what to do about it."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput"):
        return
    failed = [*reporter.stats.get("failed", ()), *reporter.stats.get("error", ())]
    if failed:
        more = [f"and {len(failed) - 3} more"] * (len(failed) > 3)
        differs = any("(stored " in failure(report) for report in failed)
        advice = "make notebooks if you meant it" if differs else "pytest --last-failed to see it again"
        told = "; ".join([*map(failure, failed[:3]), *more, f"run {advice}"])
        reporter.write_line(f"{len(failed)} failed: {told}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class ByClass(LoadScopeScheduling):
        """Let one worker run all tests of a class, so that no kernel is compiled twice; the others by file.

        `--dist loadgroup` would do it, but pytest-xdist 3.8 cannot rename the tests of pytest 9.2.
        """

        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            of_pages = file.startswith(("tests/book/", "tests/notebooks/", "tests/reproduction/"))
            named = re.search(r"\[.*?([A-Z]\w+?Classifier)", nodeid)
            if not named or not file.startswith("tests/") or of_pages:
                return file
            return named[1].replace("LeveragingBagging", "ADWINBagging")  # their kernels are the same

    return ByClass(config, log)
