"""Snakemake on a real Slurm: a run in the background, its jobs, and what Slurm says of them."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from checkout import Checkout

# Slurm is asked more often than a site's cluster would like, and there is no accounting to guess an account from.
_PROFILE = ("--profile", "slurm", "--slurm-init-seconds-before-status-checks", "1", "--slurm-no-account")


@dataclass(frozen=True)
class Job:
    """A job of Slurm's, ended or not."""

    fields: dict[str, str]

    @property
    def number(self) -> str:
        return self.fields["JobId"]

    @property
    def state(self) -> str:
        return self.fields["JobState"]

    @property
    def what(self) -> str:
        """The rule and the wildcards' values."""
        return self.fields["Comment"].removeprefix("rule_").replace("_wildcards_", " ")

    @property
    def gpus(self) -> int:
        """How many it was given."""
        given = re.search(r"JOB_GRES=gpu\S*:(\d+)", self.fields["rest"])
        return int(given[1]) if given else 0

    @property
    def ended(self) -> bool:
        return self.state not in ("PENDING", "RUNNING", "COMPLETING", "SUSPENDED")


def jobs(folder: Path, what: str = "") -> list[Job]:
    """The jobs that were submitted from a folder, in that order; only those of some rule and wildcards."""
    lines = scontrol("--details", "--oneliner", "show", "job").splitlines()
    known = [Job(dict(re.findall(r"(\S+?)=(\S*)", line)) | {"rest": line}) for line in lines if "JobId=" in line]
    own = [job for job in known if job.fields["WorkDir"] == str(folder) and job.what.startswith(what)]
    return sorted(own, key=lambda job: int(job.number))


def scontrol(*words: str) -> str:
    return subprocess.run(["scontrol", *words], capture_output=True, text=True, check=True).stdout


def wait_until(true: Callable[[], object], what: str, seconds: float = 240) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.2)


def words(*more: str) -> tuple[str, ...]:
    """The command line of a run under the slurm profile."""
    return (sys.executable, "-m", "snakemake", *_PROFILE, *more)


def run(checkout: Checkout, *more: str) -> str:
    """Run Snakemake under the slurm profile; the test fails where it fails."""
    done = checkout.call(*words(*more), timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@contextmanager
def running(checkout: Checkout, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """Snakemake in the background, which says what it says to a file `said`; it and its jobs end with the block."""
    with (checkout.folder / "said").open("wb") as said:
        process = subprocess.Popen(
            words(*more), cwd=checkout.folder, env=checkout.environment(), stdout=said, stderr=subprocess.STDOUT
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
            for job in jobs(checkout.folder):
                if not job.ended:
                    subprocess.run(["scancel", job.number], check=False)
