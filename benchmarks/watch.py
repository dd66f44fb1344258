"""A command watched from outside: how long it took, what its tree of processes held, and what each process used."""

import os
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil  # type: ignore[import-untyped]

PERIOD = 0.1  # seconds between looks; a process that lives shorter may be missed
SNAKEMAKE = "snakemake"


@dataclass
class Seen:
    """A process as last seen.

    Attributes:
        kind: the script of a job, such as `table`; `snakemake` for all else.
        wall, processor: seconds, up to one period short.
        peak: bytes of resident memory.
    """

    kind: str
    wall: float = 0.0
    processor: float = 0.0
    peak: int = 0


@dataclass
class Watched:
    """What a command took.

    Attributes:
        peak: most bytes of resident memory that the tree held at once. What processes share, such as the code of
            libraries, counts once for each, so this is too much rather than too little.
        processes: every process of the tree that was seen.
    """

    seconds: float = 0.0
    peak: int = 0
    processes: list[Seen] = field(default_factory=list)

    def by_kind(self) -> dict[str, dict[str, float]]:
        """Processes, seconds, processor seconds and the largest memory of each kind; the costliest first."""
        kinds: dict[str, list[Seen]] = defaultdict(list)
        for seen in self.processes:
            kinds[seen.kind].append(seen)
        rows = {kind: _summed(own) for kind, own in kinds.items()}
        return dict(sorted(rows.items(), key=lambda row: -row[1]["wall"]))


def watch(command: list[str], folder: Path, log: Path, environment: Mapping[str, str]) -> Watched:
    """Run a command in a folder to its end.

    Raises:
        SystemExit: where it fails, with the end of its log.
    """
    started, watched, seen = time.perf_counter(), Watched(), dict[int, Seen]()
    with log.open("w") as out:
        running = subprocess.Popen(command, cwd=folder, stdout=out, stderr=out, env=os.environ | environment)
        while running.poll() is None:
            watched.peak = max(watched.peak, _look(running.pid, seen))
            time.sleep(PERIOD)
    if running.returncode:
        raise SystemExit(f"{' '.join(command)}\nfailed. The end of {log}:\n{log.read_text()[-3000:]}")
    watched.seconds, watched.processes = time.perf_counter() - started, list(seen.values())
    return watched


def _look(root: int, seen: dict[int, Seen]) -> int:
    """Bytes that the tree holds now; what is seen of each process is brought up to date."""
    total = 0
    for process in _tree(root):
        try:
            with process.oneshot():
                times, memory = process.cpu_times(), process.memory_info().rss
                kind = _kind(process.cmdline())  # anew: for a moment a new process has its parent's
                age = time.time() - process.create_time()
        except (psutil.NoSuchProcess, psutil.ZombieProcess):
            continue
        one = seen.setdefault(process.pid, Seen(kind))
        one.kind = kind if kind != SNAKEMAKE else one.kind
        one.wall, one.processor, one.peak = age, times.user + times.system, max(one.peak, memory)
        total += memory
    return total


def _tree(root: int) -> Iterator[psutil.Process]:
    try:
        top = psutil.Process(root)
        yield top
        yield from top.children(recursive=True)
    except psutil.NoSuchProcess:
        return


def _kind(command: list[str]) -> str:
    """The script's name from `.snakemake/scripts/tmp1234.tables.py`."""
    scripts = [part for part in command if "/scripts/tmp" in part and part.endswith(".py")]
    return scripts[0].split(".")[-2] if scripts else SNAKEMAKE


def _summed(own: list[Seen]) -> dict[str, float]:
    return {
        "jobs": len(own),
        "wall": sum(seen.wall for seen in own),
        "processor": sum(seen.processor for seen in own),
        "peak": max(seen.peak for seen in own),
    }
