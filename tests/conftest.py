import os
import re

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

# Nothing depends on the time that a call takes, since a first one compiles and other programs may run beside;
# derandomised, so that a failure means a change in the code.
settings.register_profile(
    "oza", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("oza")

OF_PAGES = ("tests/book/", "tests/notebooks/", "tests/reproduction/")


class ByClass(LoadScopeScheduling):
    """Lets one worker run all tests of a classifier, so that no kernel is compiled twice; others by file."""

    def _split_scope(self, nodeid):
        path, _, test = nodeid.partition("::")
        named = re.search(r"\[.*?([A-Z]\w+?Classifier)", test)
        if not named or not path.startswith("tests/") or path.startswith(OF_PAGES):
            return path
        return named[1].replace("LeveragingBagging", "ADWINBagging")  # their kernels are the same


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return ByClass(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_runtest_setup(item):
    if item.get_closest_marker("archive") and not os.environ.get("OZA_DATA_MIRROR"):
        pytest.skip("OZA_DATA_MIRROR names no mirror of the archive's files")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter):
    """Say on the last line why tests were skipped."""
    yield
    for report in terminalreporter.stats.pop("skipped", ()):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        terminalreporter.stats.setdefault(f"skipped ({reason})", []).append(report)
