"""The released answers of a real model, replayed whole without a network; and what the README says of them."""

import re

import pandas as pd
import pytest
from checkout import ROOT, Checkout, check_out

CELLS = 2 * 4


@pytest.fixture(scope="module")
def replayed(tmp_path_factory) -> Checkout:
    checkout = check_out(tmp_path_factory.mktemp("showcase"))
    checkout.run(
        "--configfile",
        "config/showcase.yaml",
        "--",
        "tables",
        "effective_team_size",
        before=("unshare", "--net", "--map-root-user"),
    )
    return checkout


def test_every_cell_of_the_showcase_is_in_the_table(replayed):
    regimes = pd.read_csv(replayed.folder / "results/showcase/tables/regimes.csv")
    assert len(regimes) == CELLS
    assert (regimes["share_missing"] == 0).all()
    assert regimes["c"].between(0, 1).all()


def test_nothing_was_asked_and_nothing_released_was_touched(replayed):
    assert not (replayed.folder / "cache").exists()
    assert replayed.call("diff", "-r", "resources", str(ROOT / "resources")).returncode == 0


def test_the_readme_quotes_the_effective_team_sizes_of_the_showcase(replayed):
    """Ten agents before and after debate, on both tasks."""
    drawn = pd.read_csv(replayed.folder / "results/showcase/figures/effective_team_size.csv")
    ten = drawn[(drawn["kind"] == "measured") & (drawn["n"] == 10)].set_index(["task", "condition"])["n_eff"]
    readme = " ".join((replayed.folder / "README.md").read_text(encoding="utf-8").split())
    choice = re.search(r"ten agents are worth ([\d.]+) independent voters before they talk and ([\d.]+)", readme)
    number = re.search(r"ten are worth ([\d.]+), and ([\d.]+) after debate", readme)
    for task, said in (("mmlu_hard", choice), ("arithmetic", number)):
        measured = [f"{ten[task, condition]:.1f}" for condition in ("self_consistency", "debate")]
        assert list(said.groups()) == measured, task


def test_items_that_the_readme_names_are_in_the_showcase():
    named = re.findall(r"--run showcase --item (\S+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    known = pd.read_parquet(ROOT / "resources/showcase/items/mmlu_hard.parquet")["item"]
    assert named
    assert set(named) <= set(known)
