"""An import on disk: a release of answers alone and the configuration that replays it, both or neither."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from headcount.errors import UserError
from headcount.imports.configuration import MADE_BY
from headcount.imports.tables import Pair
from headcount.schema import ANSWERS, PROBES, Table
from headcount.store import write

SOURCES = "SOURCES.json"


def places(run: str, root: Path) -> tuple[Path, Path]:
    """Where a run's release and its configuration are."""
    return root / "resources" / run, root / "config" / f"{run}.yaml"


def check_free(run: str, root: Path, *, overwrite: bool) -> None:
    """Refuse to write over anything but a former import that may be replaced."""
    release, config = places(run, root)
    ours = {release: (release / SOURCES).is_file(), config: config.is_file() and _made_here(config)}
    for path, made in ours.items():
        if path.exists() and not (overwrite and made):
            how = "--overwrite replaces it" if made else "it is no import's, and is never replaced"
            raise UserError(f"{path} is there already: {how}. Another --run has a place of its own.")
    if config.is_file() and _edited(release, config):
        raise UserError(
            f"{config}: was edited since it was imported, and is never replaced. Move it elsewhere, import again, and "
            "edit the new one likewise."
        )


def _made_here(config: Path) -> bool:
    with config.open(encoding="utf-8", errors="replace") as lines:
        return lines.readline().startswith(MADE_BY)


def _edited(release: Path, config: Path) -> bool:
    """Whether a user has changed the configuration of a former import, to say which models are of one family, say."""
    sources = release / SOURCES
    made = json.loads(sources.read_text(encoding="utf-8")) if sources.is_file() else {}
    return made.get("configuration") not in (None, hashlib.sha256(config.read_bytes()).hexdigest())


def write_import(
    run: str,
    root: Path,
    answers: Mapping[Pair, pd.DataFrame],
    probes: Mapping[Pair, pd.DataFrame],
    sources: Mapping[str, Any],
    config: str,
) -> list[Path]:
    """Write everything beside its place first, and move it there at once; a former import goes when this is whole."""
    release, settings = places(run, root)
    partial = settings.with_name(f".{settings.name}.partial")
    try:
        release.parent.mkdir(parents=True, exist_ok=True)
        settings.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=release.parent, prefix=".import-") as folder:
            partial.write_text(config, encoding="utf-8")
            hashed = {"configuration": hashlib.sha256(partial.read_bytes()).hexdigest()}
            files = _fill(Path(folder) / "made", answers, probes, {**sources, **hashed})
            with _in_place(Path(folder) / "made", release, Path(folder) / "former"):
                partial.replace(settings)
    except OSError as problem:
        if partial.is_file():
            partial.unlink()
        raise UserError(f"{problem.filename}: cannot be written: {problem.strerror}. Nothing was imported.") from None
    return [*(release / name for name in files), settings]


def _fill(
    folder: Path, answers: Mapping[Pair, pd.DataFrame], probes: Mapping[Pair, pd.DataFrame], sources: Mapping[str, Any]
) -> list[str]:
    """Write a release, and return the names of its files."""
    parts: list[tuple[str, Mapping[Pair, pd.DataFrame], Table]] = [
        ("answers", answers, ANSWERS),
        ("probes", probes, PROBES),
    ]
    folder.mkdir()
    files = []
    for part, frames, table in parts:
        for (owner, task), rows in frames.items():
            files.append(f"{part}/{owner}/{task}.parquet")
            write(folder / files[-1], rows, table)
    (folder / SOURCES).write_text(json.dumps(sources, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return [*files, SOURCES]


@contextmanager
def _in_place(new: Path, place: Path, aside: Path) -> Iterator[None]:
    """A folder in its place; where what follows fails, all is as it was."""
    had = place.exists()
    if had:
        place.rename(aside)
    try:
        new.rename(place)
        yield
    except OSError:
        if place.exists():
            place.rename(new)
        if had:
            aside.rename(place)
        raise
