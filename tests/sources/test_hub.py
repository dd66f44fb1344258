"""Files of Hugging Face repositories, from a hub on this machine."""

import pytest

from headcount.config_sources import HubSource
from headcount.errors import UserError
from headcount.sources import fetch

REVISION = "c0ffee" * 6 + "c0ff"


@pytest.fixture(autouse=True)
def hub(server, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", f"{server.url}/")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    return server


def source_of(sha256, file="data/a b.csv", **more):
    return HubSource(hub="someone/thing", revision=REVISION, file=file, sha256=sha256, **more)


@pytest.mark.parametrize(("repo_type", "prefix"), [("model", ""), ("dataset", "/datasets")])
def test_a_file_is_asked_for_where_the_hub_serves_it(hub, tmp_path, content, sha256, repo_type, prefix):
    path = fetch(source_of(sha256, repo_type=repo_type), tmp_path)
    assert path.read_bytes() == content
    assert path.name == "a b.csv"
    assert hub.seen == [(f"{prefix}/someone/thing/resolve/{REVISION}/data/a%20b.csv", None)]


def test_the_token_opens_what_is_gated(hub, tmp_path, monkeypatch, content, sha256, token):
    monkeypatch.setenv("HF_ENDPOINT", f"{hub.url}/gated")
    with pytest.raises(UserError, match="HF_TOKEN"):
        fetch(source_of(sha256), tmp_path)
    monkeypatch.setenv("HF_TOKEN", f"{token}\n")
    assert fetch(source_of(sha256), tmp_path).read_bytes() == content


@pytest.mark.parametrize("page", ["absent", "cut", "file"])
def test_no_error_shows_the_token(hub, tmp_path, monkeypatch, token, page):
    monkeypatch.setenv("HF_ENDPOINT", f"{hub.url}/{page}")
    monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(UserError) as error:
        fetch(source_of("0" * 64), tmp_path)
    assert token not in str(error.value)


def test_a_token_that_cannot_be_one_is_refused_unseen(hub, tmp_path, monkeypatch, sha256):
    monkeypatch.setenv("HF_TOKEN", "hf_sec\nret")
    with pytest.raises(UserError, match="HF_TOKEN") as error:
        fetch(source_of(sha256), tmp_path)
    assert "ret." not in str(error.value)
    assert hub.seen == []
