import pytest

from reproduction.pages.scorecard import scorecard
from reproduction.paths import DATA


@pytest.fixture(scope="session")
def full_card():
    """The scorecard of the results that come with the library, which takes seconds to compute."""
    return scorecard(DATA / "results")
