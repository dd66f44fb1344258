"""A file is kept whole and right, or not at all."""

import hashlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.errors import UserError
from headcount.sources.verified import holds, place, sha256_of, store

pieces = st.lists(st.binary(max_size=50), max_size=6)


def sha256(chunks):
    return hashlib.sha256(b"".join(chunks)).hexdigest()


@settings(deadline=None)  # writes files
@given(pieces)
def test_what_is_stored_is_what_came(chunks):
    with TemporaryDirectory() as folder:
        target = store(Path(folder, "a", "file"), chunks, sha256(chunks), "here")
        assert target.read_bytes() == b"".join(chunks)
        assert sha256_of(target) == sha256(chunks)
        assert holds(target, sha256(chunks))
        assert [path.name for path in target.parent.iterdir()] == ["file"]


@settings(deadline=None)  # writes files
@given(pieces, st.integers(0, 6), st.booleans())
def test_a_failure_at_any_point_leaves_the_folder_as_it_was(chunks, after, had_one):
    def failing():
        yield from chunks[:after]
        raise ConnectionError

    with TemporaryDirectory() as folder:
        target = Path(folder, "file")
        if had_one:
            target.write_bytes(b"old")
        with pytest.raises(ConnectionError):
            store(target, failing(), sha256(chunks), "here")
        assert [path.read_bytes() for path in Path(folder).iterdir()] == [b"old"] * had_one


def test_another_file_is_refused_with_both_hashes_and_what_to_do(tmp_path):
    wanted, found = sha256([b"wanted"]), sha256([b"found"])
    with pytest.raises(UserError) as error:
        store(tmp_path / "file", [b"found"], wanted, "https://site/file")
    assert all(part in str(error.value) for part in (wanted, found, "https://site/file", "run again"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("remote", ["", "a/..", "/", ".", "../../..", "a/b.txt", "/etc/passwd"])
def test_no_name_leads_out_of_its_folder(tmp_path, remote):
    path = place(tmp_path, "0123456789abcdef" * 4, remote)
    assert path.resolve().parent == tmp_path / "sources" / "0123456789abcdef"


def test_what_killed_processes_left_is_swept_after_a_day(tmp_path):
    old, new = tmp_path / ".file.1-a.partial", tmp_path / ".file.2-b.partial"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, time.time() - 90_000))
    store(tmp_path / "file", [], sha256([]), "here")
    assert {path.name for path in tmp_path.iterdir()} == {"file", new.name}


def _store_big(target):
    chunks = [bytes([i]) * 10_000 for i in range(100)]
    store(target, chunks, sha256(chunks), "here")


def test_processes_may_store_the_same_file_at_once(tmp_path):
    target = tmp_path / "file"
    with get_context("spawn").Pool(2) as pool:
        pool.map(_store_big, [target] * 8)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(_store_big, [target] * 8))
    assert target.stat().st_size == 1_000_000
    assert list(tmp_path.iterdir()) == [target]
