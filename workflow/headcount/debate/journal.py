"""What was paid for: every reply, under its request's key, in SQLite files with one writer each.

`cache/{model}/{task}/{part}.sqlite` outlives every rule's output. A job writes to the part that is its own and reads
all parts of its model and task. Rollback journals, not WAL, so that network file systems are safe.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from headcount.engines.request import Place, Request, Response
from headcount.errors import UserError

APPLICATION_ID = 0x48434E54  # "HCNT"
VERSION = 2  # 1 did not note which server answered
COMMIT_SECONDS = 0.2  # between commits, while a job asks

_TABLES = """
CREATE TABLE IF NOT EXISTS about (model TEXT NOT NULL, task TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS settings (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS responses (
    key TEXT PRIMARY KEY,
    settings INTEGER NOT NULL REFERENCES settings (id),
    temperature REAL NOT NULL,
    seed INTEGER NOT NULL,
    messages TEXT NOT NULL,
    place TEXT NOT NULL,
    text TEXT NOT NULL,
    finish_reason TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    token_ends TEXT,
    token_logprobs TEXT,
    server INTEGER REFERENCES servers (id)
) WITHOUT ROWID;
"""
_SERVERS = "CREATE TABLE IF NOT EXISTS servers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
_RESPONSE = "text, finish_reason, prompt_tokens, completion_tokens, token_ends, token_logprobs, s.name"
_FIND = f"SELECT {_RESPONSE} FROM responses r LEFT JOIN servers s ON s.id = r.server WHERE key = ?"


class Journal:
    """The stored replies of one model to one task: reads every part, writes one."""

    def __init__(self, folder: Path, model: str, task: str, part: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        own = folder / f"{part}.sqlite"
        others = [path for path in sorted(folder.glob("*.sqlite")) if path != own]
        self._parts = {path: _open(path, model, task) for path in (own, *others)}
        self._path, self._own = own, self._parts[own]
        self._where = self._index(others)
        self._ids: dict[str, int] = {}

    def _index(self, others: Iterable[Path]) -> dict[str, Path]:
        """Which other part holds which reply, read once: asked at every request, many jobs would wait for locks."""
        where: dict[str, Path] = {}
        for path in others:
            with _named(path):
                where |= ((key, path) for (key,) in self._parts[path].execute("SELECT key FROM responses"))
        return where

    def get(self, key: str) -> Response | None:
        """The reply to a request that was asked before: by this job, or by any other before this one began."""
        path = self._where.get(key, self._path)
        with _named(path):
            row = self._parts[path].execute(_FIND, (key,)).fetchone()
            if row is None:
                return None
            text, finish, prompt, completion, ends, logprobs, server = row
            return Response(text, finish, prompt, completion, _tuple(ends), _tuple(logprobs), server)

    def put(self, request: Request, response: Response) -> None:
        """Keep a reply; it is on disk after the next commit."""
        tokens = (response.token_ends, response.token_logprobs)
        with _named(self._path):
            self._own.execute(
                f"INSERT OR IGNORE INTO responses VALUES ({', '.join('?' * 13)})",
                (
                    request.key,
                    self._id("settings", "fields", _canonical(request)),
                    request.temperature,
                    request.seed,
                    request.messages_hash,
                    json.dumps(request.place),
                    response.text,
                    response.finish_reason,
                    response.prompt_tokens,
                    response.completion_tokens,
                    *(json.dumps(values, separators=(",", ":")) if values is not None else None for values in tokens),
                    self._id("servers", "name", response.server) if response.server else None,
                ),
            )

    def commit(self) -> None:
        """Put on disk what was kept since the last commit."""
        with _named(self._path):
            self._own.commit()

    def close(self) -> None:
        """Commit, and let go of the files."""
        try:
            self.commit()
        finally:
            for part in self._parts.values():
                part.close()

    def _id(self, table: str, column: str, value: str) -> int:
        """The number under which a text that many replies share is kept once."""
        if value not in self._ids:
            self._own.execute(f"INSERT OR IGNORE INTO {table} ({column}) VALUES (?)", (value,))
            found = self._own.execute(f"SELECT id FROM {table} WHERE {column} = ?", (value,)).fetchone()
            self._ids[value] = int(found[0])
        return self._ids[value]


def _tuple(column: str | None) -> tuple[Any, ...] | None:
    return tuple(json.loads(column)) if column else None


def _canonical(request: Request) -> str:
    return json.dumps(request.identity.settings(), sort_keys=True, ensure_ascii=False)


def stored(folder: Path, model: str, task: str) -> Iterator[dict[str, object]]:
    """Every reply in a folder of journals, all columns: `settings` as text, `place` as a Place, tokens as lists."""
    for path in sorted(folder.glob("*.sqlite")):
        with closing(_open(path, model, task)) as part, _named(path):
            part.row_factory = sqlite3.Row
            joined = (
                "SELECT r.*, s.fields, v.name FROM responses r JOIN settings s ON s.id = r.settings "
                "LEFT JOIN servers v ON v.id = r.server ORDER BY key"
            )
            for row in part.execute(joined):
                tokens = {name: json.loads(row[name] or "null") for name in ("token_ends", "token_logprobs")}
                place = Place(*json.loads(row["place"]))
                yield dict(row) | tokens | {"settings": row["fields"], "server": row["name"], "place": place}


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """What SQLite cannot do, or what it read and nobody wrote, as an error that names the file and the remedy."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        if "UTF-8" in str(problem) or "malformed" in str(problem):
            raise _damaged(path, problem) from None
        raise UserError(
            f"{path}: {problem}. Let no other run write to it, and see that the disk has room; then run again."
        ) from None
    except (sqlite3.DatabaseError, ValueError) as problem:
        raise _damaged(path, problem) from None


def _damaged(path: Path, problem: Exception) -> UserError:
    return UserError(f"{path}: a damaged journal ({problem}). Move it away; its replies will be asked again.")


def _open(path: Path, model: str, task: str) -> sqlite3.Connection:
    """A journal that is whole and is this model's and task's, or an error that says what to do."""
    with _named(path):
        part = sqlite3.connect(path, timeout=60)
        try:
            if not part.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                _create(part, model, task)
            elif part.execute("PRAGMA user_version").fetchone()[0] == 1:
                _upgrade(part)
            _check(part, path, model, task)
        except BaseException:
            part.close()
            raise
    return part


def _create(part: sqlite3.Connection, model: str, task: str) -> None:
    """All at once, so that a job killed here leaves no half of a journal; twice does no harm."""
    part.executescript(
        f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
        f"{_TABLES} {_SERVERS}"
    )
    part.execute("INSERT INTO about SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM about)", (model, task))
    part.commit()


def _upgrade(part: sqlite3.Connection) -> None:
    """A journal of version 1, from before servers were noted, keeps its replies; of two jobs at once, one does it."""
    part.execute("BEGIN IMMEDIATE")
    if part.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID and (
        part.execute("PRAGMA user_version").fetchone()[0] == 1
    ):
        part.execute(_SERVERS)
        part.execute("ALTER TABLE responses ADD COLUMN server INTEGER REFERENCES servers (id)")
        part.execute(f"PRAGMA user_version = {VERSION}")
    part.commit()


def _check(part: sqlite3.Connection, path: Path, model: str, task: str) -> None:
    identity = [part.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    if identity != [APPLICATION_ID, VERSION]:
        raise UserError(
            f"{path}: not a journal of this version of Headcount. Move it away, or use the version that wrote it."
        )
    verdict = part.execute("PRAGMA quick_check").fetchone()[0]
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)
    owner = part.execute("SELECT model, task FROM about").fetchone()
    if owner != (model, task):
        raise UserError(
            f"{path}: a journal of {owner[0]} / {owner[1]}, found where {model} / {task} belongs. Move it back."
        )
