"""Keeps a file only if it is the one that was asked for: whole, and of the right SHA-256."""

import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from headcount.errors import UserError

CHUNK = 1 << 20
_DAY = 86_400


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal, read piece by piece."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def place(cache: Path, sha256: str, remote: str) -> Path:
    """Where a file lies in the cache: `{cache}/sources/{sha256[:16]}/{basename}`.

    Args:
        remote: path of the file where it comes from, with `/` between its parts.
    """
    name = PurePosixPath(remote).name
    return cache / "sources" / sha256[:16] / ("file" if name in ("", "..") else name)


def holds(path: Path, sha256: str) -> bool:
    """Whether a file is there and undamaged."""
    return path.is_file() and sha256_of(path) == sha256


def store(target: Path, chunks: Iterable[bytes], sha256: str, where: str) -> Path:
    """Write a file whole or not at all, and only with the content that was asked for.

    Args:
        chunks: the content, piece by piece; may raise.
        where: the source, named in errors.

    Returns:
        `target`, replaced in one step; on any error it is as it was.
    """
    digest = hashlib.sha256()
    with _whole_or_nothing(target) as file:
        for chunk in chunks:
            digest.update(chunk)
            file.write(chunk)
        check(digest.hexdigest(), sha256, where)
    return target


def check(found: str, wanted: str, where: str) -> None:
    """Refuse a file of another SHA-256, printing both."""
    if found != wanted:
        raise UserError(
            f"{where}: not the file that was asked for, and not used.\n"
            f"  SHA-256 expected: {wanted}\n"
            f"  SHA-256 found:    {found}\n"
            "If the download was damaged, run again. If the file is a newer one that you trust, put the "
            "hash found into 'sha256' of its source."
        )


def sweep(folder: Path, pattern: str) -> None:
    """Remove what killed processes left: files and folders that nobody has touched for a day."""
    for path in folder.glob(pattern):
        with suppress(OSError):  # another process may sweep too
            if time.time() - path.stat().st_mtime > _DAY:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


@contextmanager
def _whole_or_nothing(target: Path) -> Iterator[BinaryIO]:
    """A file that takes its name when everything went well, and vanishes otherwise."""
    target.parent.mkdir(parents=True, exist_ok=True)
    sweep(target.parent, ".*.partial")
    partial = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.partial")
    try:
        with partial.open("xb") as file:
            yield file
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
