import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Nothing depends on the time that a call takes, since a first one compiles and other programs may run beside;
# derandomised, so that a failure means a change in the code.
settings.register_profile(
    "oza", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("oza")

HERE = Path(__file__).parent
OF_PAGES = tuple(HERE / name for name in ("book", "notebooks", "reproduction"))


def pytest_collection_modifyitems(items):
    """Let one worker run all tests of a class, so that no kernel is compiled twice; the others by file."""
    for item in items:
        group = str(item.path)
        if item.path.is_relative_to(HERE) and not any(map(item.path.is_relative_to, OF_PAGES)):
            named = re.search(r"\[.*?([A-Z]\w+?Classifier)", item.name)
            group = named[1] if named else group
        item.add_marker(pytest.mark.xdist_group(group))


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
