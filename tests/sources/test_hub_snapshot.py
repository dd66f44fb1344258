"""Whole snapshots, by the Hub's own client from a hub on this machine; it reads its environment when it is loaded."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

REVISION = "c0ffee" * 6 + "c0ff"
FILES = {"config.json": b'{"model_type": "tiny"}', "weights/model.safetensors": b"w" * 5000}
FETCH = """
import sys
from pathlib import Path
from headcount.config_sources import HubSource
from headcount.errors import UserError
from headcount.sources import fetch
try:
    print(fetch(HubSource(hub="someone/tiny", revision=sys.argv[1]), Path("cache")))
except UserError as mistake:
    sys.exit(str(mistake))
"""


class Hub(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        path, _, _ = self.path.partition("?")
        tree, files = f"/api/models/someone/tiny/tree/{REVISION}", f"/someone/tiny/resolve/{REVISION}/"
        if path == tree:
            self._send(200, json.dumps([_entry(name) for name in FILES]).encode(), body)
        elif path.startswith(files) and (content := FILES.get(path.removeprefix(files))) is not None:
            self._send(200, content, body)
        else:
            self._send(404, b"{}", body)

    def _send(self, status: int, content: bytes, body: bool) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Type", "application/json")
        self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", REVISION)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _entry(name: str) -> dict[str, object]:
    return {"type": "file", "path": name, "size": len(FILES[name]), "oid": hashlib.sha1(FILES[name]).hexdigest()}


@pytest.fixture
def hub() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield server
    server.server_close()


def fetched(server: ThreadingHTTPServer, home: Path, revision: str = REVISION) -> subprocess.CompletedProcess[str]:
    own = {"HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "HF_HOME": str(home)}
    environment = {name: value for name, value in os.environ.items() if name != "HF_TOKEN"} | own
    command = [sys.executable, "-c", FETCH, revision]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)


def test_a_snapshot_is_fetched_whole_and_found_again_without_a_network(hub, tmp_path):
    first = fetched(hub, tmp_path)
    assert first.returncode == 0, first.stderr
    folder = Path(first.stdout.strip())
    assert {name: (folder / name).read_bytes() for name in FILES} == FILES
    hub.shutdown()
    hub.server_close()
    again = fetched(hub, tmp_path)
    assert (again.returncode, again.stdout) == (0, first.stdout), again.stderr


def test_a_snapshot_that_does_not_exist_names_repository_and_revision(hub, tmp_path):
    other = "f" * 40
    done = fetched(hub, tmp_path, other)
    hub.shutdown()
    assert done.returncode == 1
    assert done.stderr.startswith(f"someone/tiny at {other}: huggingface_hub could not fetch it")
