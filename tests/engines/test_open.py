"""From a model's configuration to an engine."""

import asyncio

import pytest
from aiohttp import web
from asking import REQUEST
from chat_server import completion, plain, serving
from small_runs import small_config

from headcount.engines.open import open_engines
from headcount.engines.replay import Replay
from headcount.errors import UserError
from headcount.schema import RESPONSES
from headcount.store import write


def asked_of(tmp_path, **settings):
    """The headers and the question that a server of engine `api` gets."""
    got = []

    async def answer(request):
        got.append((dict(request.headers), await request.json()))
        return web.json_response(completion("FINAL: 1"))

    async def main(url):
        config = small_config(models={"m": {"engine": "api", "url": url, **settings}})
        async with open_engines(config, {"m"}, "a", {}, tmp_path) as engines:
            await engines["m"].complete(REQUEST)

    with serving(answer) as url:
        asyncio.run(main(url))
    return got[0]


def test_the_key_comes_from_the_environment_without_its_newline(tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_KEY", "sk-1\n")
    headers, _ = asked_of(tmp_path, key_env="SOME_KEY")
    assert headers["Authorization"] == "Bearer sk-1"


def test_without_a_key_none_is_sent(tmp_path):
    assert "Authorization" not in asked_of(tmp_path)[0]


def test_log_probabilities_are_asked_for_where_they_are_wanted(tmp_path):
    assert asked_of(tmp_path, logprobs=True)[1]["logprobs"] is True
    assert "logprobs" not in asked_of(tmp_path)[1]


def test_a_recorded_model_is_never_asked_with_or_without_a_release_of_replies(tmp_path):
    config = small_config(
        models={"m": {"engine": "recorded"}},
        tasks={"a": {"format": "recorded", "items": 1}},
        conditions=("self_consistency",),
        replay=str(tmp_path),
    )

    async def main(config):
        async with open_engines(config, {"m"}, "a", {}, tmp_path):
            pass

    for settings in (config, config.model_copy(update={"replay": None})):
        with pytest.raises(UserError, match=r"models\.m: is recorded and cannot be asked\. Give it the 'engine'"):
            asyncio.run(main(settings))


def test_an_empty_release_is_said_to_be_empty(tmp_path):
    write(tmp_path / "responses/m/a.parquet", RESPONSES.schema.empty_table(), RESPONSES)
    with pytest.raises(UserError, match="the released cache is empty"):
        asyncio.run(Replay(tmp_path, "m", "a").complete(REQUEST))


def test_a_hosted_model_is_asked_through_the_proxy_and_a_server_here_is_not(tmp_path, monkeypatch):
    hosts = []

    async def answer(request):
        hosts.append(request.host)
        return await plain(request)

    async def ask(url):
        model = {"engine": "api", "url": url}
        config = small_config(models={"m": model})
        async with open_engines(config, {"m"}, "a", {}, tmp_path) as engines:
            return await engines["m"].complete(REQUEST)

    with serving(answer) as url:
        monkeypatch.setenv("HTTP_PROXY", url.removesuffix("/v1"))
        assert asyncio.run(ask("http://models.example/v1")).server == "api served at models.example"
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        asyncio.run(ask(url))
    assert hosts == ["models.example", url.removeprefix("http://").removesuffix("/v1")]
