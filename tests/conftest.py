import os

import pytest
from hypothesis import settings

# No deadline, since a first call compiles; derandomised, so that a failure means a change in the code.
settings.register_profile("oza", deadline=None, derandomize=True)
settings.load_profile("oza")


def pytest_runtest_setup(item):
    if item.get_closest_marker("archive") and not os.environ.get("OZA_DATA_MIRROR"):
        pytest.skip("OZA_DATA_MIRROR names no mirror of the archive's files")
