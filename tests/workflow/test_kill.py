"""Whatever ends a job, what was paid for is kept, and going on ends where an undisturbed run ends."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkout import CONFIG, Checkout, check_out

from headcount.content import content_hash
from headcount.debate.journal import stored
from headcount.schema import TURNS
from headcount.store import read

pytestmark = pytest.mark.workflow

ITEMS = 300
CELL = "results/small/turns/alone/letters/debate.parquet"
JOURNAL = "cache/a/letters/small-alone-debate.sqlite"
JOB = """
import sys
from pathlib import Path
sys.path.insert(0, "workflow/scripts")
import turns, yaml
from headcount.debate.shards import Shard
turns.main(
    yaml.safe_load(Path("small.yaml").read_text()),
    ("alone", "letters", "debate"),
    Path("cache"),
    Path("results/small/items/letters.parquet"),
    [Path("results/small/draws/a/letters.parquet")],
    Path("results/small/turns/alone/letters/debate.parquet"),
    Shard(),
)
"""


@pytest.fixture(scope="module")
def ready(tmp_path_factory) -> Checkout:
    """A checkout whose next job is a generation of a second or so."""
    checkout = check_out(tmp_path_factory.mktemp("ready"))
    rows = "".join(f"l{i},Which is letter {i}?,x{i},y{i},z{i},{'ABC'[i % 3]}\n" for i in range(ITEMS))
    (checkout.folder / "letters.csv").write_text("id,question,choice_a,choice_b,choice_c,answer\n" + rows)
    (checkout.folder / "small.yaml").write_text(CONFIG.replace("sizes: [1, 2, 3]}\n  mix", "sizes: [2, 3, 5]}\n  mix"))
    checkout.run("results/small/draws/a/letters.parquet")
    return checkout


@pytest.fixture(scope="module")
def undisturbed(ready, tmp_path_factory) -> Checkout:
    checkout = ready.clone(tmp_path_factory.mktemp("undisturbed") / "run")
    done = checkout.call(sys.executable, "-c", JOB)
    assert done.returncode == 0, done.stderr
    return checkout


def kept(checkout: Checkout) -> list[str]:
    """Keys of the replies in the cell's journals; more than once where they are there more than once."""
    folder = (checkout.folder / JOURNAL).parent
    return [row["key"] for row in stored(folder, "a", "letters")] if folder.exists() else []


def start(checkout: Checkout, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=checkout.folder,
        env=checkout.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[bytes], journal: Path, after: float) -> int:
    """Kill a job and its children, some seconds after it opened its journal."""
    before = journal.stat().st_mtime_ns if journal.exists() else 0
    while process.poll() is None and (not journal.exists() or journal.stat().st_mtime_ns == before):
        time.sleep(0.005)
    time.sleep(after)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def test_ten_kills_lose_nothing_that_was_committed_and_change_nothing(ready, undisturbed, tmp_path):
    checkout, rng = ready.clone(tmp_path / "killed"), random.Random(2606)
    sizes, died = [len(kept(checkout))], 0
    for _ in range(10):
        job = start(checkout, "-c", JOB)
        died += kill(job, checkout.folder / JOURNAL, rng.uniform(0, 0.1)) == -signal.SIGKILL
        sizes.append(len(kept(checkout)))
    assert died >= 5, sizes
    assert sizes == sorted(sizes)
    assert checkout.call(sys.executable, "-c", JOB).returncode == 0
    keys = kept(checkout)
    assert len(keys) == len(set(keys))
    assert set(keys) == set(kept(undisturbed))
    assert content_hash(read(checkout.folder / CELL, TURNS)) == content_hash(read(undisturbed.folder / CELL, TURNS))


def test_a_killed_snakemake_goes_on_after_unlock(ready, undisturbed, tmp_path):
    checkout = ready.clone(tmp_path / "killed")
    words = ("-m", "snakemake", "--cores", "2", CELL, "--configfile", "small.yaml")
    assert kill(start(checkout, *words), checkout.folder / JOURNAL, 0.1) == -signal.SIGKILL
    refused = checkout.snakemake(CELL)
    assert refused.returncode == 1
    assert "--unlock" in refused.stderr
    checkout.run("--unlock")
    checkout.run(CELL, "--rerun-incomplete")
    assert sorted(kept(checkout)) == sorted(kept(undisturbed))
    assert content_hash(read(checkout.folder / CELL, TURNS)) == content_hash(read(undisturbed.folder / CELL, TURNS))


def test_a_stopped_job_says_so_without_a_traceback(ready, tmp_path):
    """SIGTERM, as a cluster sends it at the end of a job's time."""
    checkout = ready.clone(tmp_path / "stopped")
    process = start(checkout, "-c", f"from headcount.jobs import job\nwith job('log'):\n exec({JOB!r})")
    journal = checkout.folder / JOURNAL
    while process.poll() is None and not journal.exists():
        time.sleep(0.005)
    time.sleep(0.1)
    process.terminate()
    log = (checkout.folder / "log", process.wait())[0].read_text()
    assert process.returncode == 1
    assert "Stopped by SIGTERM. What was answered is kept; run again to go on." in log
    assert "Traceback" not in log
    assert kept(checkout)
