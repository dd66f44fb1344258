"""A workflow that asks a hosted model, of a server that misbehaves and quotes the key: the key is nowhere."""

import csv
import json
import random
from pathlib import Path

import pytest
from aiohttp import web
from chat_server import plain, serving

from headcount.schema import DRAWS
from headcount.store import read

pytestmark = pytest.mark.workflow

KEY = "sk-proj/Zq7+Qm4vT9xK2wLr8dNcXYZ"  # no run of digits: question texts and identifiers have those
PARTS = [KEY[at : at + 9].encode() for at in range(len(KEY) - 9)]
CONFIG = """\
run: hosted
spending_cap: 1
models:
  m:
    family: one
    engine: api
    url: {url}
    model: served
    key_env: SOME_API_KEY
    retries: {retries}
    timeout: 5
    prices: {{ prompt: 1, completion: 1 }}
    requests_per_minute: 6000
teams:
  alone: {{ members: [m] }}
tasks:
  letters: {{ format: file, source: {{ path: letters.csv }} }}
experiments:
  core: {{ teams: [alone], tasks: [letters], conditions: [debate], sizes: [1, 2], updates: 1 }}
"""


class Quoting:
    """Quotes the key in every error, in some replies, and in what it says of its model."""

    def __init__(self):
        self.chance, self.asked, self.well = random.Random(2606), 0, 0

    async def __call__(self, request):
        self.asked += 1
        said = request.headers["Authorization"]
        assert said == f"Bearer {KEY}"
        way = self.chance.randrange(6)
        reply = json.loads((await plain(request)).body) | {"model": f"served for {said}"}
        if way == 0:
            return web.Response(status=429, text=f"{said} asks too much", headers={"Retry-After": "0.01"})
        if way == 1:
            return web.json_response({"error": {"message": f"{said} broke it"}}, status=500)
        if way == 2:
            return web.Response(text=json.dumps(reply)[:-9])
        if way == 3:
            reply["choices"][0]["message"]["content"] += f" for {said}"
        self.well += 1
        return web.json_response(reply)


async def refuses(request):
    return web.json_response({"error": f"Incorrect key {request.headers['Authorization']}"}, status=401)


@pytest.fixture
def hosted(fresh, monkeypatch):
    """Runs a target in a checkout, with a hosted model and its key in the environment; gives all that was said."""
    monkeypatch.setenv("SOME_API_KEY", KEY)

    def call(answer, target, status=0, retries=20):
        with serving(answer) as url:
            (fresh.folder / "hosted.yaml").write_text(CONFIG.format(url=url, retries=retries), encoding="utf-8")
            done = fresh.snakemake(target, "--configfile", "hosted.yaml")
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    call.folder = fresh.folder
    return call


def leaks(folder: Path, *said: str):
    """Files and messages that hold the key, or a good part of it."""
    texts = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    texts |= {text: text.encode() for text in said}
    return [name for name, text in texts.items() if any(part in text for part in PARTS)]


def test_a_run_is_estimated_and_fails_and_ends_well_and_the_key_is_nowhere(hosted):
    """As far as the last rule that asks: what comes after it is made from these files."""
    server, results = Quoting(), hosted.folder / "results/hosted"
    estimate = hosted(server, "cost_estimate")
    assert "- Spending cap: 1.00 USD." in estimate
    assert server.asked == 0
    refused = hosted(refuses, "results/hosted/draws/m/letters.parquet", status=1, retries=0)
    assert "refused: 401 " in refused
    assert "(key)" in refused
    assert "refused: 401 " in (results / "logs/draws/m/letters.log").read_text(encoding="utf-8")
    done = hosted(server, "results/hosted/turns/alone/letters/debate.parquet")
    with (results / "cost_estimate.csv").open(encoding="utf-8") as file:
        assert server.well == sum(int(row["calls"]) for row in csv.DictReader(file))
    texts = read(results / "draws/m/letters.parquet", DRAWS)["text"].to_pylist()
    assert any("for Bearer (key)" in text for text in texts)
    assert list(hosted.folder.glob(".snakemake/log/*"))
    assert list(hosted.folder.glob("cache/m/letters/*.sqlite"))
    assert leaks(hosted.folder, estimate, refused, done) == []
