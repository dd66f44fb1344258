"""A web server on this machine that behaves as badly as the real ones do, and wheels of our own for pip."""

import hashlib
import time
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

CONTENT = bytes(range(256)) * 40
TOKEN = "hf_secret"


class _Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[tuple[str, str | None]]]  # path and Authorization of each request
    elsewhere: ClassVar[str]  # address of another host

    def do_GET(self) -> None:
        self.close_connection = True
        self.seen.append((self.path, self.headers["Authorization"]))
        page = self.path.strip("/").split("/")[0].replace("-", "_")
        getattr(self, f"_{page}", self._file)()

    def _head(self, code: int, **headers: object) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def _file(self) -> None:
        self._head(200, Content_Length=len(CONTENT))
        self.wfile.write(CONTENT)

    def _moved(self) -> None:
        self._head(302, Location="/file", Content_Length=0)

    def _away(self) -> None:
        self._head(302, Location=f"{self.elsewhere}/file", Content_Length=0)

    def _absent(self) -> None:
        self._head(404, Content_Length=0)

    def _gated(self) -> None:
        if self.headers["Authorization"] == f"Bearer {TOKEN}":
            self._file()
        else:
            self._head(401, Content_Length=0)

    def _cut(self) -> None:
        self._head(200, Content_Length=len(CONTENT))
        self.wfile.write(CONTENT[:5000])

    def _cut_in_chunks(self) -> None:
        self._head(200, Transfer_Encoding="chunked")
        self.wfile.write(b"1388\r\n" + CONTENT[:5000] + b"\r\n")

    def _trickle(self) -> None:
        self._head(200, Content_Length=len(CONTENT))
        for i in range(100):
            self.wfile.write(CONTENT[i : i + 1])
            time.sleep(0.01)

    def _silent(self) -> None:
        time.sleep(1)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server:
    """A running site: its address, and the requests that it has seen."""

    def __init__(self, elsewhere: str = "") -> None:
        self.seen: list[tuple[str, str | None]] = []
        handler = type("Handler", (_Site,), {"seen": self.seen, "elsewhere": elsewhere})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def content() -> bytes:
    """What the sites serve."""
    return CONTENT


@pytest.fixture
def sha256() -> str:
    return hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def token() -> str:
    """What opens the gated pages."""
    return TOKEN


@pytest.fixture
def elsewhere() -> Iterator[Server]:
    """The host that `server` redirects to."""
    server = Server()
    yield server
    server.close()


@pytest.fixture
def server(elsewhere: Server) -> Iterator[Server]:
    server = Server(elsewhere.url)
    yield server
    server.close()


@pytest.fixture
def own_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, bytes]], Path]:
    """Builds the wheel `tiny-1.0` with some members in a folder that pip takes for its only index."""
    folder = tmp_path / "index"
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))

    def build(members: dict[str, bytes]) -> Path:
        folder.mkdir()
        info = {
            "tiny-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
            "tiny-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            "tiny-1.0.dist-info/RECORD": b"",
        }
        wheel = folder / "tiny-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, content in (members | info).items():
                archive.writestr(name, content)
        return wheel

    return build
