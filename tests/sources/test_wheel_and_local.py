"""Members of wheels by the real pip, from an index of our own; files of this machine."""

import hashlib

import pytest

from headcount.config_sources import FileSource, WheelSource
from headcount.errors import UserError
from headcount.sources import fetch, fetch_all

A, B = b"first", b"second" * 1000


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def member(name, content, wheel="tiny==1.0"):
    return WheelSource(wheel=wheel, member=f"tiny/{name}", sha256=sha256(content))


def test_members_of_one_wheel_cost_one_download_and_the_wheel_goes(own_wheel, tmp_path, monkeypatch):
    own_wheel({"tiny/a": A, "tiny/b": B})
    log = tmp_path / "pip.log"
    monkeypatch.setenv("PIP_LOG", str(log))
    local = tmp_path / "mine"
    local.write_bytes(A)
    cache = tmp_path / "cache"
    paths = fetch_all([member("b", B), FileSource(path=local), member("a", A)], cache)
    assert [path.read_bytes() for path in paths] == [B, A, A]
    assert {path for path in cache.rglob("*") if path.is_file()} == {paths[0], paths[2]}
    fetch_all([member("a", A), member("b", B)], cache)
    assert log.read_text().count("Saved ") == 1


def test_a_damaged_member_is_fetched_anew(own_wheel, tmp_path):
    own_wheel({"tiny/a": A})
    path = fetch(member("a", A), tmp_path)
    path.write_bytes(b"")
    assert fetch(member("a", A), tmp_path).read_bytes() == A


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (member("none", A), "tiny/none of wheel tiny==1.0: the wheel has no such file"),
        (member("a", B), sha256(A)),
        (member("a", A, "tiny==9.9"), "(?s)wheel tiny==9.9: pip could not.*ERROR.*'path'"),
    ],
)
def test_a_failure_says_why_and_leaves_nothing(own_wheel, tmp_path, source, says):
    own_wheel({"tiny/a": A})
    cache = tmp_path / "cache"
    with pytest.raises(UserError, match=says):
        fetch(source, cache)
    assert [path for path in cache.rglob("*") if path.is_file()] == []


def test_a_wheel_that_is_no_zip(own_wheel, tmp_path):
    own_wheel({"tiny/a": A}).write_bytes(b"not a zip")
    with pytest.raises(UserError, match=r"tiny==1\.0"):
        fetch(member("a", A), tmp_path / "cache")


def test_a_file_of_this_machine_is_checked_and_left_where_it_is(tmp_path):
    path = tmp_path / "items.csv"
    with pytest.raises(UserError, match="no such file"):
        fetch(FileSource(path=path), tmp_path)
    path.write_bytes(A)
    assert fetch(FileSource(path=path), tmp_path) == path
    assert fetch(FileSource(path=path, sha256=sha256(A)), tmp_path) == path
    with pytest.raises(UserError, match=f"(?s){path}.*{sha256(B)}.*{sha256(A)}"):
        fetch(FileSource(path=path, sha256=sha256(B)), tmp_path)
