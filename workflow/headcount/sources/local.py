"""A file that is already on this machine."""

from pathlib import Path

from headcount.config_sources import FileSource
from headcount.errors import UserError
from headcount.sources.verified import check, sha256_of


def fetch(source: FileSource) -> Path:
    """The path as the configuration has it, once it is known to be the file that was meant."""
    if not source.path.is_file():
        raise UserError(f"{source.path}: no such file, seen from {Path.cwd()}. Correct 'path' in the configuration.")
    if source.sha256 is not None:
        check(sha256_of(source.path), source.sha256, str(source.path))
    return source.path
