"""One finished run for all tests of the workflow; each works in its own copy."""

import pytest
from checkout import Checkout, check_out


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Checkout:
    """A checkout in which the small run is done. Not to be changed: see `copy`."""
    checkout = check_out(tmp_path_factory.mktemp("finished"))
    checkout.run()
    return checkout


@pytest.fixture
def copy(finished, tmp_path) -> Checkout:
    """A copy of the finished run, with Snakemake's memory of it."""
    return finished.clone(tmp_path / "copy")


@pytest.fixture
def fresh(tmp_path) -> Checkout:
    """A checkout in which nothing was run."""
    (tmp_path / "fresh").mkdir()
    return check_out(tmp_path / "fresh")
