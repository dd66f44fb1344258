"""Released runs, rebuilt for the claims that need them."""

from collections.abc import Callable

import pytest
from computed import Replay
from replays import replayed


@pytest.fixture(scope="session")
def replay(tmp_path_factory) -> Callable[[str], Replay]:
    """A released run by its name."""
    return lambda run: replayed(run, tmp_path_factory)
