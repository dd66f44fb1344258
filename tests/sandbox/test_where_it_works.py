"""Who can have a sandbox: anybody, where user namespaces are allowed. Elsewhere nothing is run."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import headcount

SYSTEM = Path("/usr/bin/python3")  # an interpreter that every user may start

TRY = """
import sys
from headcount.errors import UserError
from headcount.sandbox.open import open_sandbox
from headcount.sandbox.run import Trial
program = "import os\\ndef f():\\n    try: os.fork()\\n    except OSError: return 1"
try:
    with open_sandbox() as sandbox:
        checks = "def check(f): assert f() == 1", "def check(f): assert f() == 2"
        print(sandbox.outcomes(Trial("", program, checks, "f")))
except UserError as refusal:
    print(refusal)
"""


@pytest.fixture
def library() -> Iterator[Path]:
    """A copy of the part of the library that a sandbox is made of, which anybody may read."""
    ours = Path(headcount.__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(
            ours / "sandbox", Path(folder, "headcount/sandbox"), ignore=shutil.ignore_patterns("__pycache__")
        )
        for name in ("__init__.py", "errors.py"):
            shutil.copy(ours / name, Path(folder, "headcount", name))
        for path in (Path(folder), *Path(folder).rglob("*")):
            path.chmod(0o755)
        yield Path(folder)


def tried(library: Path, *before: str, python: str = sys.executable) -> str:
    done = subprocess.run(
        [*before, python, "-c", TRY],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(library), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    return done.stdout.strip()


@pytest.mark.skipif(os.geteuid() != 0, reason="all other tests run as a user without rights")
@pytest.mark.skipif(not SYSTEM.exists(), reason=f"there is no {SYSTEM}, and a user may not start root's interpreter")
def test_a_user_without_any_rights_has_one(library):
    user = ("setpriv", "--reuid=12345", "--regid=12345", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all")
    assert tried(library, *user, python=str(SYSTEM)) == "['passed', 'failed']"


def test_who_is_root_in_a_namespace_of_a_user_has_one_or_is_refused(library):
    """The machine's root stays root to the kernel there, without a limit on processes: that is seen, and refused."""
    said = tried(library, "unshare", "--user", "--map-root-user")
    if os.geteuid() == 0:
        assert "there is none here: it lets programs start others" in said
    else:
        assert said == "['passed', 'failed']"


def test_without_user_namespaces_nothing_is_run_and_the_reason_is_said(library):
    forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    said = tried(library, "unshare", "--user", "--map-root-user", "sh", "-c", forbid, "sh")
    assert said.startswith("Programs that models wrote run in a sandbox only, and there is none here: ")
    assert "unshare failed" in said
    assert "user.max_user_namespaces" in said
    assert "replay a release" in said


def test_without_its_tools_nothing_is_run_and_the_reason_is_said(library, tmp_path):
    hide = f'mount --bind {tmp_path} /usr/sbin && exec "$@"'  # where pivot_root is
    said = tried(library, "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", hide, "sh")
    assert "there is none here" in said
    assert "util-linux" in said
