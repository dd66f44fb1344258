"""One finished run for all tests of the workflow; each works in its own copy."""

import fcntl
import os

import pytest
from checkout import Checkout, check_out


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Checkout:
    """A checkout in which the small run is done, made once for all workers. Not to be changed: see `copy`."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "finished"
    with (shared / "finished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            making = check_out(tmp_path_factory.mktemp("making"))
            making.run()
            making.folder.rename(folder)
    return Checkout(folder)


@pytest.fixture
def copy(finished, tmp_path) -> Checkout:
    """A copy of the finished run, with Snakemake's memory of it."""
    return finished.clone(tmp_path / "copy")


@pytest.fixture
def fresh(tmp_path) -> Checkout:
    """A checkout in which nothing was run."""
    (tmp_path / "fresh").mkdir()
    return check_out(tmp_path / "fresh")
