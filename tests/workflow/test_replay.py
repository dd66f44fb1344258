"""A release and what is rebuilt from it: every table again, without a model, a network, a cache or a private text."""

import hashlib
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from checkout import CONFIG, Checkout, check_out

from headcount.debate.release_files import check_files
from headcount.schema import ANSWERS, ITEMS, RESPONSES

REPLAY = CONFIG.replace("run: small", "run: again\nreplay: resources/small")
RELEASED = {  # file: its columns, which say what may be published
    "items/letters.parquet": ITEMS,
    "responses/a/letters.parquet": RESPONSES,
    "responses/b/letters.parquet": RESPONSES,
    "answers/alone/secret.parquet": ANSWERS,
}


def hashes(folder: Path, pattern: str = "*") -> dict[str, str]:
    files = sorted(path for path in folder.rglob(pattern) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def released(finished, tmp_path_factory) -> Path:
    """The folder of the small run's release."""
    checkout = finished.clone(tmp_path_factory.mktemp("released") / "run")
    done = checkout.headcount("release", "small.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    return checkout.folder / "resources/small"


@pytest.fixture(scope="module")
def replaying(released, tmp_path_factory) -> Checkout:
    """A checkout that has the release, and neither items nor a cache."""
    checkout = check_out(tmp_path_factory.mktemp("replaying"))
    shutil.copytree(released, checkout.folder / "resources/small")
    (checkout.folder / "again.yaml").write_text(REPLAY)
    for source in ("letters.csv", "secret.csv", "small.yaml"):
        (checkout.folder / source).unlink()
    return checkout


def replay(checkout: Checkout) -> dict[str, str]:
    """Make the tables without a network; the hashes of all numbers that come out."""
    offline = ("unshare", "--map-root-user", "--net")
    checkout.run("--configfile", "again.yaml", "--", "tables", before=offline)
    return hashes(checkout.folder / "results/again/tables")


def test_unshare_really_shuts_the_network_off(finished):
    asked = "import socket; socket.create_connection(('127.0.0.1', 9), timeout=5)"
    refused = finished.call("unshare", "--map-root-user", "--net", "python3", "-c", asked)
    assert "Network is unreachable" in refused.stderr


def test_a_release_holds_the_allowed_files_and_columns(released):
    assert set(hashes(released)) == {*RELEASED, "release.json"}
    assert set(check_files(released / "release.json").files) == set(RELEASED)
    for name, table in RELEASED.items():
        assert pq.read_table(released / name).column_names == table.schema.names


def test_a_private_task_leaves_no_text(released, finished):
    said = "\n".join(str(pq.read_table(path).to_pylist()) for path in released.rglob("*.parquet"))
    secret = [*finished.folder.glob("results/small/draws/a/secret.parquet")]
    secret += finished.folder.glob("results/small/turns/alone/secret/*.parquet")
    texts = {text for path in secret for text in pq.read_table(path)["text"].to_pylist()}
    assert len(secret) == 4
    assert len(texts) > 50
    assert not [text for text in texts if repr(text)[1:-1] in said]
    assert "Which is letter 1?" in said  # what is not private is there to be found
    assert "zebra" not in said


def test_a_replay_rebuilds_every_table_and_leaves_the_release_alone(finished, replaying):
    folder = replaying.folder
    release = hashes(folder / "resources")
    assert replay(replaying) == hashes(finished.folder / "results/small/tables")
    assert hashes(folder / "resources") == release
    assert not (folder / "cache").exists()


@pytest.mark.workflow
def test_newer_files_and_other_code_of_debates_give_every_table_again(replaying):
    folder = replaying.folder
    before, release = replay(replaying), hashes(folder / "resources")
    for path in [*folder.glob("resources/**/*.parquet"), *folder.glob("results/**/*.parquet")]:
        path.touch()
    replaying.comment("workflow/headcount/debate/protocol.py")
    shutil.rmtree(folder / "results/again/tables")
    assert replay(replaying) == before
    assert hashes(folder / "resources") == release
    assert not (folder / "cache").exists()


def test_a_changed_release_is_noticed(replaying):
    checkout = replaying
    answers = checkout.folder / "resources/small/answers/alone/secret.parquet"
    kept = answers.read_bytes()
    rows = pq.read_table(answers)
    pq.write_table(rows.slice(0, rows.num_rows - 1), answers)
    stopped = checkout.snakemake("results/again/answers/alone.parquet", "--configfile", "again.yaml")
    answers.write_bytes(kept)
    assert stopped.returncode == 1
    assert "alone / secret / self_correction: teams of 3 hearing 0 have 35 turns, and need 36." in stopped.stderr


def test_release_of_a_run_that_is_not_finished_is_refused_and_spoils_nothing(replaying):
    before = hashes(replaying.folder / "resources")
    (replaying.folder / "other.yaml").write_text(CONFIG)
    refused = replaying.headcount("release", "other.yaml")
    assert refused.returncode == 1
    assert "results/small/items/letters.parquet: no such file." in refused.stderr
    assert "Traceback" not in refused.stderr
    assert hashes(replaying.folder / "resources") == before
