"""What was paid for is kept, found again, and never mistaken for something else."""

import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.debate.journal import Journal, stored
from headcount.engines.request import Identity, Place, Request, Response
from headcount.errors import UserError

PLACE = Place("t", "a", "debate", "q0", 1, 3, 2, 1, 1)
REQUEST = Request(Identity("m", "w", "api", "auto", 0.95, 9, False, None), (("user", "?"),), 0.4, 7, PLACE)
RESPONSE = Response("FINAL: A\0 ü😀", "stop", 5, 3, (6, 7, 9), (-0.5, 0.0, -1.25))


def request(number):
    return replace(REQUEST, seed=number)


def filled(folder, count=1, part="p", **who):
    """A journal of `count` replies, and its path."""
    journal = Journal(folder, who.get("model", "m"), who.get("task", "a"), part)
    for number in range(count):
        journal.put(request(number), replace(RESPONSE, text=f"reply {number} " + "x" * 300))
    journal.close()
    return folder / f"{part}.sqlite"


@given(text=st.text(), ends=st.none() | st.lists(st.integers(0, 99)).map(tuple))
def test_a_reply_comes_back_as_it_was(tmp_path_factory, text, ends):
    folder = tmp_path_factory.mktemp("journal")
    response = replace(RESPONSE, text=text, token_ends=ends, token_logprobs=None)
    first = Journal(folder, "m", "a", "p")
    first.put(REQUEST, response)
    first.close()
    again = Journal(folder, "m", "a", "other part")
    assert again.get(REQUEST.key) == response
    assert again.get(request(8).key) is None
    again.close()


def test_a_stored_reply_says_where_and_how_it_was_asked(tmp_path):
    journal = Journal(tmp_path, "m", "a", "p")
    journal.put(REQUEST, RESPONSE)
    journal.close()
    (row,) = stored(tmp_path, "m", "a")
    assert (row["key"], row["place"], row["text"]) == (REQUEST.key, PLACE, RESPONSE.text)
    assert (row["temperature"], row["seed"], row["messages"]) == (0.4, 7, REQUEST.messages_hash)
    assert row["token_ends"] == list(RESPONSE.token_ends)


def test_who_answered_comes_back_too(tmp_path):
    journal = Journal(tmp_path, "m", "a", "p")
    for number, server in enumerate(("vllm 1", "vllm 2", "vllm 1", None)):
        journal.put(request(number), replace(RESPONSE, server=server))
    assert [journal.get(request(number).key).server for number in range(4)] == ["vllm 1", "vllm 2", "vllm 1", None]
    journal.close()
    assert sorted(str(row["server"]) for row in stored(tmp_path, "m", "a")) == ["None", "vllm 1", "vllm 1", "vllm 2"]


def test_replies_of_a_journal_of_version_1_are_kept(tmp_path):
    path = filled(tmp_path, count=2)
    with sqlite3.connect(path) as old:  # as it was before servers were noted
        old.executescript("ALTER TABLE responses DROP COLUMN server; DROP TABLE servers; PRAGMA user_version = 1")
    journal = Journal(tmp_path, "m", "a", "p")
    assert journal.get(request(1).key).text.startswith("reply 1")
    journal.put(request(5), replace(RESPONSE, server="vllm"))
    journal.close()
    assert [row["server"] for row in stored(tmp_path, "m", "a")].count(None) == 2


def test_the_first_reply_to_a_request_stays(tmp_path):
    journal = Journal(tmp_path, "m", "a", "p")
    journal.put(REQUEST, RESPONSE)
    journal.put(REQUEST, replace(RESPONSE, text="second"))
    assert journal.get(REQUEST.key) == RESPONSE
    journal.close()


def test_two_runs_may_write_to_one_part_in_turn(tmp_path):
    """Two runs of one model at once: neither has seen the other's settings."""
    one, other = Journal(tmp_path, "m", "a", "p"), Journal(tmp_path, "m", "a", "p")
    one.put(request(1), RESPONSE)
    one.commit()
    other.put(request(2), RESPONSE)
    other.commit()
    assert one.get(request(2).key) == other.get(request(1).key) == RESPONSE
    one.close()
    other.close()
    assert {row["settings"] for row in stored(tmp_path, "m", "a")} == {next(stored(tmp_path, "m", "a"))["settings"]}


def _not_a_database(path):
    path.write_bytes(b"id,answer\n1,A\n" * 100)


def _foreign_database(path):
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE users (name TEXT)")
    other.close()


def _newer_version(path):
    with sqlite3.connect(path) as journal:
        journal.execute("PRAGMA user_version = 99")
    journal.close()


def _cut_short(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _zeroed_page(path):
    data = bytearray(path.read_bytes())
    data[3 * 4096 : 4 * 4096] = bytes(4096)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (_not_a_database, "not a database"),
        (_foreign_database, "not a journal of this version"),
        (_newer_version, "not a journal of this version"),
        (_cut_short, "damaged journal"),
        (_zeroed_page, "damaged journal"),
    ],
)
@pytest.mark.parametrize("part", ["p", "another"])
def test_a_file_that_is_no_whole_journal_is_named_with_the_remedy(tmp_path, damage, says, part):
    """Whether the job would write to it, or only read it."""
    path = filled(tmp_path, 100)
    damage(path)
    before = path.read_bytes()
    with pytest.raises(UserError, match="Move it away") as refused:
        Journal(tmp_path, "m", "a", part)
    assert str(path) in str(refused.value)
    assert says in str(refused.value)
    assert path.read_bytes() == before, "a file that is not ours is left as it is"


@pytest.mark.parametrize("who", [{"model": "o"}, {"task": "b"}])
def test_a_journal_of_another_model_or_task_is_refused(tmp_path, who):
    path = filled(tmp_path, **who)
    with pytest.raises(UserError, match=r"Move it back") as refused:
        Journal(tmp_path, "m", "a", "p")
    assert str(path) in str(refused.value)


@given(st.integers(0, 10**9), st.integers(1, 255))
def test_a_flipped_byte_is_refused_or_harmless_but_never_a_traceback(tmp_path_factory, where, flip):
    folder = tmp_path_factory.mktemp("journal")
    path = filled(folder, 30)
    data = bytearray(path.read_bytes())
    data[where % len(data)] ^= flip
    path.write_bytes(data)
    problem, found = "", []
    try:
        journal = Journal(folder, "m", "a", "p")
        found = [journal.get(request(number).key) for number in range(30)]
        journal.close()
        assert len(list(stored(folder, "m", "a"))) <= 30
    except UserError as refused:
        problem = str(refused)
    assert str(path) in problem or sum(reply is not None for reply in found) >= 29


def test_a_journal_whose_making_was_interrupted_is_made_anew(tmp_path):
    (tmp_path / "p.sqlite").touch()
    filled(tmp_path)
    assert len(list(stored(tmp_path, "m", "a"))) == 1


def test_a_reader_works_beside_a_writer_that_commits(tmp_path):
    reader_done, begun, written = threading.Event(), threading.Event(), []

    def write():
        writer = Journal(tmp_path, "m", "a", "writer")
        while not reader_done.is_set():
            writer.put(request(len(written)), RESPONSE)
            writer.commit()
            written.append(request(len(written)).key)
            begun.set()
        writer.close()

    thread = threading.Thread(target=write)
    thread.start()
    assert begun.wait(30)
    before = len(written)
    reader = Journal(tmp_path, "m", "a", "reader")
    found = [reader.get(written[before * share // 100]) for share in range(100)]
    reader_done.set()
    thread.join()
    assert found == [RESPONSE] * 100
    reader.close()


def test_many_jobs_may_open_a_folder_at_once(tmp_path):
    code = "import sys; from pathlib import Path; from headcount.debate.journal import Journal; "
    code += "[Journal(Path(sys.argv[1]) / str(i), 'm', 'a', 'p').close() for i in range(20)]"
    jobs = [subprocess.Popen([sys.executable, "-c", code, tmp_path]) for _ in range(3)]
    assert [job.wait() for job in jobs] == [0, 0, 0]
