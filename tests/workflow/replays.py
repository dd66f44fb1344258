"""Released runs, rebuilt without a network: each once a session, for all workers and for all that read its numbers."""

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest
from checkout import Checkout, check_out

TARGETS = {
    "showcase": ("tables", "effective_team_size"),
    "ledger": ("ledger",),
    "panel": ("crowd_rules", "best_member", "independent_voters"),
}
"""What is rebuilt of each run."""


@dataclass(frozen=True)
class Replay:
    """A checkout in which a released run was rebuilt. Not to be changed."""

    run: str
    checkout: Checkout

    @property
    def results(self) -> Path:
        return self.checkout.folder / "results" / self.run

    def table(self, name: str) -> pd.DataFrame:
        return pd.read_csv(self.results / f"tables/{name}.csv")

    def figure(self, name: str) -> pd.DataFrame:
        return pd.read_csv(self.results / f"figures/{name}.csv")


def replayed(run: str, factory: pytest.TempPathFactory) -> Replay:
    """A run in a folder that all workers share; whoever asks first makes it, the others wait, and none tries again."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, making = shared / f"replayed-{run}", shared / f"replaying-{run}"
    with (shared / f"replayed-{run}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert folder.exists() or not making.exists(), f"{run} could not be replayed: see the first test that needed it"
        if not folder.exists():
            making.mkdir()
            asked = ("--configfile", f"config/{run}.yaml", "--config", f"replay=resources/{run}", "--", *TARGETS[run])
            check_out(making).run(*asked, before=("unshare", "--map-root-user", "--net"))
            making.rename(folder)
    return Replay(run, Checkout(folder))
