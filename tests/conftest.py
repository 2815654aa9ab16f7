import os

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("OZA_COMPILE", "now")  # what is tested is compiled, and so are its child processes

# Nothing depends on the time that a call takes, since a first one compiles and other programs may run beside;
# derandomised, so that a failure means a change in the code.
settings.register_profile(
    "oza", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("oza")


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No mirror, an empty cache and a server that refuses connections: only generated data."""
    from oza.kernels.compile import CACHE_FOLDER

    monkeypatch.setenv("OZA_DATA_MIRROR", str(tmp_path / "no-mirror"))
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "kernels").symlink_to(CACHE_FOLDER.parent)  # else every worker compiles all kernels
    monkeypatch.setenv("OZA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OZA_DATA_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OZA_RESULTS", str(tmp_path / "results"))
    return tmp_path


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
