"""A sandbox that holds, or a refusal: before anything else runs in it, it is tried with what must not work there."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from headcount.errors import UserError
from headcount.sandbox.run import Limits, Sandbox, Trial

# What each function does works where there is no sandbox: there is such a server, such a file, such a folder.
_PROGRAM = """
import os, socket

def works(act, *of):
    try:
        act(*of)
    except OSError:
        return False
    return True

def reach(port):
    socket.create_connection(("127.0.0.1", port), timeout=5).close()

def read(path):
    open(path).close()

def write(folder):
    open(folder + "/x", "w").close()
"""
_FLAWS = {
    "works(reach, {port})": "it has a network",
    "works(read, {file!r})": "it shows files of the machine",
    "any(works(write, folder) for folder in ('', '/dev', '/usr', '/tmp', {folder!r}))": "it lets programs write",
    "works(os.fork)": "it lets programs start others",
    "'HOME' in os.environ": "it shows the environment",
}


@contextmanager
def open_sandbox(limits: Limits | None = None) -> Iterator[Sandbox]:
    """A sandbox, for as long as it is needed.

    Raises:
        UserError: this machine cannot make one, or it does not hold; says why, and what to do.
    """
    with TemporaryDirectory(prefix="headcount-sandbox-") as folder:
        sandbox = Sandbox(Path(folder), limits or Limits())
        if problem := _problem(sandbox):
            raise UserError(
                f"Programs that models wrote run in a sandbox only, and there is none here: {problem}. It takes "
                f"unshare, setpriv, mount, findmnt and pivot_root (packages util-linux and mount, 2.34 or later) and "
                f"leave to make user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
                f"kernel.apparmor_restrict_unprivileged_userns). Install or allow them, run this step on a machine "
                f"that has them, or replay a release, which brings what it found."
            )
        yield sandbox


def _problem(sandbox: Sandbox) -> str | None:
    """Why a sandbox cannot be trusted; none if it can."""
    with socket.create_server(("127.0.0.1", 0)) as server, TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        file = Path(folder) / "file"
        file.write_text("", encoding="utf-8")
        file.chmod(0o644)
        names = {"port": server.getsockname()[1], "file": str(file), "folder": folder}
        claims = [*(f"not {flaw}" for flaw in _FLAWS), "False"]
        checks = tuple(f"def check(works):\n    assert {claim.format_map(names)}" for claim in claims)
        try:
            *held, wrong = sandbox.outcomes(Trial("", _PROGRAM, checks, "works"))
        except (UserError, OSError) as problem:
            return str(problem).removesuffix(" Run again.").removesuffix(".")
    flaws = [flaw for flaw, outcome in zip(_FLAWS.values(), held, strict=True) if outcome != "passed"]
    return " and ".join(flaws) or (None if wrong == "failed" else "it takes wrong programs for right ones")
