"""The GPUs that a job was given, and which of its servers has which."""

import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from headcount.errors import UserError

_NONE = {"", "-1", "nodevfiles"}  # how a list without GPUs is spelt, by people and by Slurm


class Gpus:
    """Hands out the GPUs of this job, each once."""

    def __init__(self) -> None:
        self._taken = 0

    @cached_property
    def _devices(self) -> list[str]:
        """Those that CUDA_VISIBLE_DEVICES names; where it is not set, all of the machine."""
        named = os.environ.get("CUDA_VISIBLE_DEVICES")
        if named is None:
            return [line.partition(",")[0] for line in _ask("index,name")]
        return [device for device in (part.strip() for part in named.split(",")) if device.lower() not in _NONE]

    def take(self, count: int, servers: int, whose: str) -> list[list[str]]:
        """`count` GPUs for each of some servers.

        Args:
            whose: the section of the configuration that wants them, for the error.
        """
        first, wanted = self._taken, count * servers
        self._taken += wanted
        if self._taken > len(self._devices):
            raise UserError(
                f"{whose}: needs {wanted} GPUs (tensor_parallel {count} x data_parallel {servers}), and of the job's "
                f"{len(self._devices)} are {max(0, len(self._devices) - first)} left. Give the job more "
                "(CUDA_VISIBLE_DEVICES says which it may use), or ask for fewer."
            )
        return [self._devices[first + place * count :][:count] for place in range(servers)]


def names(devices: Sequence[str]) -> str:
    """What some GPUs are called, as in `NVIDIA H100 80GB HBM3 x2`."""
    called = Counter(_ask("name", "-i", ",".join(devices)))
    if called.total() != len(devices):  # a part of a GPU (MIG) is not listed
        return "a GPU" if len(devices) == 1 else f"{len(devices)} GPUs"
    return ", ".join(name if count == 1 else f"{name} x{count}" for name, count in called.items())


def _ask(columns: str, *more: str) -> list[str]:
    """Lines of nvidia-smi; none where it is not there."""
    command = ["nvidia-smi", f"--query-gpu={columns}", "--format=csv,noheader", *more]
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return []
    return said.stdout.splitlines()
