"""A program that answers in place of a Python that has vLLM, and behaves as the environment variable ACTING says.

It notes what it was started with in the folder TOLD, one file a process.
"""

import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ACTING, TOLD = os.environ.get("ACTING", ""), Path(os.environ["TOLD"])
FOREVER = ["sh", "-c", "trap '' TERM; while true; do sleep 1; done"]


def note(**what) -> None:
    TOLD.mkdir(exist_ok=True)
    partial = TOLD / f".{os.getpid()}"
    partial.write_text(
        json.dumps({"pid": os.getpid(), "arguments": sys.argv[1:], "environment": {**os.environ}} | what)
    )
    partial.rename(TOLD / f"{os.getpid()}.json")


class Handler(BaseHTTPRequestHandler):
    """Health, version, and replies that say who gave them and what was asked."""

    def do_GET(self) -> None:
        self.answer(200, {"version": "9.9"})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != f"Bearer {os.environ['VLLM_API_KEY']}":
            return self.answer(401, {})
        if ACTING == "dies when asked":
            print("it was asked", asked["messages"][-1]["content"], flush=True)
            os._exit(5)
        if ACTING == "hangs when asked":
            (TOLD / "asked").touch()
            time.sleep(600)
        text = json.dumps({"port": PORT, "asked": asked})
        message = {"message": {"content": f"FINAL: 1\n{text}"}, "finish_reason": "stop"}
        return self.answer(200, {"choices": [message], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})

    def answer(self, status: int, body: dict[str, object]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_) -> None:
        pass


class Server(ThreadingHTTPServer):
    allow_reuse_port = True  # as vLLM's


match sys.argv[1:]:
    case ["-c", _]:
        print(os.environ.get("BUILD", "vllm 9.9"))
    case [script, gguf, folder] if script.endswith("gguf_to_hf.py"):
        note()
        if ACTING == "cannot convert":
            sys.exit("ValueError: an architecture of tomorrow")
        Path(folder).mkdir()
        (Path(folder) / "config.json").write_bytes(Path(gguf).read_bytes())
    case _:
        others = []
        if ACTING == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            others = [subprocess.Popen(FOREVER, start_new_session=away).pid for away in (False, True)]
        note(others=others)
        print("(Engine pid=7) ERROR 11-30 [core.py:1] ValueError: the cause of it\n" * 2 + "  a line of a trace\n" * 20)
        print("RuntimeError: no memory for so much", flush=True)
        if ACTING == "dies at once":
            sys.exit(3)
        while ACTING == "is never ready":
            time.sleep(1)
        PORT = int(sys.argv[-sys.argv[::-1].index("--port")])  # of two the later counts
        Server(("127.0.0.1", PORT), Handler).serve_forever()
