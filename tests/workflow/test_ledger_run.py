"""Panels and probes through the whole workflow: asked for, measured, released in both tiers, and replayed."""

import json
import shutil

import pyarrow.parquet as pq
import pytest
from checkout import Checkout, check_out

from headcount.schema import ANSWERS, PROBES, RESPONSES
from headcount.store import read

pytestmark = pytest.mark.workflow

CONFIG = """\
run: panels
seed: 1
models:
  a: &simulated
    family: one
    engine: simulated
    sampling: {slot_temperatures: [0.5, 0.7, 1.0]}
    population: {accuracy: 0.5, adoption: 0.3, redraw: 0.2, missing: 0.05, persuasion: 0.3}
  b:
    <<: *simulated
    family: two
teams:
  a: {members: [a]}
  b: {members: [b]}
tasks:
  letters: {format: file, source: {path: options.csv}}
  flipped: {format: high_flip, of: letters, model: a, items: 5}
experiments:
  panels: {teams: [a, b], tasks: [letters, flipped], conditions: [debate, self_correction], sizes: [3], updates: 3}
probing: {models: [a, b], tasks: [letters, flipped], items: 6}
protocol: {dialect: ledger}
fitting: {bootstrap: 20}
"""
QUESTIONS = "id,question,choice_a,choice_b,choice_c,choice_d,answer\n" + "".join(
    f"l{i:02},Which is zebra number {i}?,w{i},x{i},y{i},z{i},{'ABCD'[i % 4]}\n" for i in range(12)
)
OFFLINE = ("unshare", "--map-root-user", "--net")


@pytest.fixture(scope="module")
def debated(tmp_path_factory) -> Checkout:
    """A checkout in which the ledger was asked for, and all else of the run."""
    checkout = check_out(tmp_path_factory.mktemp("debated"))
    (checkout.folder / "options.csv").write_text(QUESTIONS)
    (checkout.folder / "panels.yaml").write_text(CONFIG)
    checkout.run("--configfile", "panels.yaml", "--", "ledger", "all")
    return checkout


def tables(checkout: Checkout) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (checkout.folder / "results/panels/tables").glob("*")}


def released(debated: Checkout, folder, tier: str) -> Checkout:
    """A checkout that has the release of a tier and asks for it, and neither questions nor a cache."""
    made = debated.clone(folder / "made")
    made.edit("panels.yaml", "run: panels\n", f"run: panels\ntier: {tier}\n")
    done = made.headcount("release", "panels.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    (folder / "replaying").mkdir()
    replaying = check_out(folder / "replaying")
    shutil.copytree(made.folder / "resources/panels", replaying.folder / "resources/panels")
    said = f"run: panels\ntier: {tier}\nreplay: resources/panels\n"
    (replaying.folder / "panels.yaml").write_text(CONFIG.replace("run: panels\n", said))
    return replaying


def test_the_chosen_questions_are_those_of_the_highest_solo_rate(debated):
    results = debated.folder / "results/panels"
    pool = read(results / "flip_pools/a/letters.parquet", PROBES).to_pandas()
    assert set(pool["probe"]) == {f"{strength}_solo" for strength in ("weak", "moderate", "strong", "very_strong")}
    rates = (
        pool.assign(flip=pool["flip"].astype(float)).groupby(["item", "agent"])["flip"].mean().groupby("item").mean()
    )
    order = rates.reset_index().sort_values(["flip", "item"], ascending=[False, True])
    chosen = pq.read_table(results / "items/flipped.parquet")["item"].to_pylist()
    assert sorted(order["item"].head(5)) == chosen


def test_every_agent_has_eight_probes_under_three_system_prompts(debated):
    for model in "ab":
        probes = read(debated.folder / f"results/panels/probes/{model}/letters.parquet", PROBES)
        assert probes.num_rows == 6 * 3 * 3 * 8
        assert set(probes["alternative_is_gold"].to_pylist()) <= {False, None}


def test_a_panel_has_four_rounds_of_three_who_are_read_by_the_ledgers_rules(debated):
    answers = read(debated.folder / "results/panels/answers/a.parquet", ANSWERS)
    assert answers.num_rows == 2 * (12 + 5) * 3 * 4
    assert set(answers["rule"].to_pylist()) == {"p1_tag", ""}


def test_the_manifest_chains_what_was_chosen_to_what_chose_it(debated):
    files = json.loads((debated.folder / "results/panels/manifest.json").read_text())["files"]
    assert files["items/flipped.parquet"]["made_from"] == ["items/letters.parquet", "flip_pools/a/letters.parquet"]
    assert files["probes/b/flipped.parquet"]["made_from"] == ["probe_replies/b/flipped.parquet"]


@pytest.mark.parametrize("tier", ["full", "open"])
def test_a_release_of_either_tier_rebuilds_every_table_without_a_network(debated, tmp_path, tier):
    replaying = released(debated, tmp_path, tier)
    replaying.run("--configfile", "panels.yaml", "--", "tables", before=OFFLINE)
    assert tables(replaying) == tables(debated)
    assert not (replaying.folder / "cache").exists()


def test_an_open_release_holds_no_text(debated, tmp_path):
    release = released(debated, tmp_path, "open").folder / "resources/panels"
    parts = {path.relative_to(release).parts[0] for path in release.rglob("*.parquet")}
    assert parts == {"answers", "probes"}
    said = "\n".join(str(pq.read_table(path).to_pylist()) for path in release.rglob("*.parquet"))
    said += (release / "release.json").read_text()
    assert "zebra" not in said
    assert "simulated\nFinal" not in said.replace("\\n", "\n")


def test_a_full_release_has_the_replies_of_probes_beside_those_of_panels(debated, tmp_path):
    release = released(debated, tmp_path, "full").folder / "resources/panels"
    places = read(release / "responses/a/letters.parquet", RESPONSES)["condition"].to_pylist()
    assert {place.partition(" ")[0] for place in places} == {"draws", "debate", "self_correction", "probe", "flip_pool"}
