"""Other people's debates and probes get all that our own runs get."""

import sys

import numpy as np
import pandas as pd
import pytest
from saved_files import STRENGTHS, battery, majority, states, trace, write_lines

from headcount.config import load

pytestmark = pytest.mark.workflow

MODELS = ("gemma-3", "qwen3-4b")
FILES = "a.jsonl b.jsonl p.jsonl"


def random_debates(rng, count=8, rounds=4):
    """Agents who are right more often than not, and now and then follow the majority."""
    debates = []
    for _ in range(count):
        said = [[str(rng.choice([*"AAABC"])) for _ in range(3)]]
        for _ in range(rounds):
            said.append([majority(said[-1]) if rng.random() < 0.3 else str(rng.choice([*"AAABC"])) for _ in range(3)])
        debates.append(said)
    return debates


def import_files(checkout, *options):
    """Run the workflow that imports."""
    words = ("-s", "workflow/import.smk", "--cores", "1", "--config", "run=theirs", "task=mmlu_pro", f"files={FILES}")
    return checkout.call(sys.executable, "-m", "snakemake", *words, *options)


@pytest.fixture
def theirs(fresh):
    """A checkout with two models' debates, in both schemas, and their probes."""
    rng = np.random.default_rng(7)
    debates = {model: random_debates(rng) for model in MODELS}
    folder = fresh.folder
    write_lines(folder / "a.jsonl", [states(f"q{i}", said, "gemma-3") for i, said in enumerate(debates["gemma-3"])])
    write_lines(
        folder / "b.jsonl", [trace(f"q{i}", said[:4], "qwen3-4b") for i, said in enumerate(debates["qwen3-4b"])]
    )
    probes = [f"{strength}_{arm}" for strength in STRENGTHS for arm in ("solo", "social")]
    rows = [
        battery(f"q{item}", agent, "A", {name: "B" for name in probes if rng.random() < 0.3}, model_name=model)
        for model in MODELS
        for item in range(4)
        for agent in range(3)
    ]
    write_lines(folder / "p.jsonl", rows)
    return fresh, debates


def test_an_imported_run_has_its_ledger_its_measures_and_its_screens(theirs):
    checkout, debates = theirs
    assert import_files(checkout).returncode == 0
    checkout.edit("config/theirs.yaml", "probing:", "fitting: {bootstrap: 20}\nprobing:")
    checkout.run("--configfile", "config/theirs.yaml")
    results = checkout.folder / "results/theirs"
    for model in MODELS:
        rates = pd.read_csv(results / "tables/transition_rates.csv").set_index("team").loc[model]
        ends = [(majority(said[0]) == "A", majority(said[3]) == "A") for said in debates[model]]
        assert rates["collapse_events"] == sum(first and not last for first, last in ends)
        assert rates["correction_events"] == sum(last and not first for first, last in ends)
        assert len(pd.read_parquet(results / f"probes/{model}/mmlu_pro.parquet")) == 4 * 3 * 8
    regimes = pd.read_csv(results / "tables/regimes.csv")
    assert set(regimes["condition"]) == {"self_consistency", "debate"}
    assert (results / "manifest.json").is_file()
    assert checkout.jobs("--configfile", "config/theirs.yaml") == {}


def test_files_that_change_are_imported_again_and_bad_ones_change_nothing(theirs):
    checkout, _ = theirs
    assert import_files(checkout).returncode == 0
    settings = checkout.folder / "config/theirs.yaml"
    before = settings.read_bytes()
    with (checkout.folder / "a.jsonl").open("a") as file:
        file.write('{"question_id": "q9", "bench')
    refused = import_files(checkout)
    assert refused.returncode == 1
    assert "a.jsonl: line 9: the last line is not whole JSON" in refused.stderr
    assert settings.read_bytes() == before
    assert import_files(checkout, "skip_bad=true").returncode == 0
    assert load(settings).tasks["mmlu_pro"].items == 8
    assert "a.jsonl: line 9" in (checkout.folder / "results/theirs/import.txt").read_text()
