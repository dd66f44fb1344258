"""Weights are fetched and checked before a job that loads them begins, where Snakemake runs."""

import hashlib

import pytest
from checkout import Checkout, check_out

pytestmark = pytest.mark.workflow

SMALL = """\
run: small
models: {{m: {{family: f, engine: llamacpp, weights: {{path: model.gguf, sha256: {sha256}}}}}}}
teams: {{t: {{members: [m]}}}}
tasks: {{a: {{format: arithmetic, items: 2}}}}
experiments: {{e: {{teams: [t], tasks: [a], conditions: [debate], sizes: [2]}}}}
"""
WEIGHTS = "results/small/weights/m.txt"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Checkout:
    made = check_out(tmp_path_factory.mktemp("weights"))
    (made.folder / "model.gguf").write_bytes(b"weights")
    return made


def configure(checkout: Checkout, content: bytes) -> None:
    text = SMALL.format(sha256=hashlib.sha256(content).hexdigest())
    (checkout.folder / "small.yaml").write_text(text, encoding="utf-8")


def test_weights_are_had_before_the_jobs_that_load_them(checkout):
    configure(checkout, b"weights")
    assert checkout.jobs("results/small/turns/t/a/debate.parquet")["weights"] == 1
    checkout.run(WEIGHTS)
    assert (checkout.folder / WEIGHTS).read_text() == "model.gguf\n"


def test_weights_that_are_others_stop_the_run_before_a_model_is_started(checkout):
    configure(checkout, b"others")
    done = checkout.snakemake("results/small/draws/m/a.parquet")
    assert done.returncode == 1
    assert "model.gguf" in done.stderr
    assert "logs/weights/m.log" in done.stderr
    assert not (checkout.folder / "results/small/draws").exists()
