"""The browser of the tests of pages."""

import os

import pytest

from tools.shot import Browser, browser_path


@pytest.fixture(scope="session")
def browser():
    if browser_path() is None and os.environ.get("CI") != "true":
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    with Browser() as browser:
        yield browser
