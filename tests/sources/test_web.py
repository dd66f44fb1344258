"""Downloads from a server on this machine: what comes is verified, what fails says why and leaves nothing."""

import pytest

from headcount.errors import UserError
from headcount.sources.web import Patience, download, shown

WRONG = "0" * 64


def nothing_stays(cache):
    return [path for path in cache.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("page", ["file", "moved", "away", "sub/a%20b.txt?download=true"])
def test_a_file_comes_also_by_way_of_redirects(server, tmp_path, content, sha256, page):
    path = download(f"{server.url}/{page}", sha256, tmp_path)
    assert path.read_bytes() == content
    assert path.parent == tmp_path / "sources" / sha256[:16]
    assert path.name in ("file", "moved", "away", "a b.txt")


def test_the_second_fetch_asks_nobody(server, tmp_path, sha256):
    paths = {download(f"{server.url}/file", sha256, tmp_path) for _ in range(3)}
    assert len(paths) == len(server.seen) == 1


def test_a_damaged_cached_file_is_fetched_anew(server, tmp_path, content, sha256):
    path = download(f"{server.url}/file", sha256, tmp_path)
    path.write_bytes(content[:-1] + b"?")
    assert download(f"{server.url}/file", sha256, tmp_path).read_bytes() == content
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("absent", "HTTP 404: there is no such file"),
        ("gated", "HTTP 401: access needs a token"),
        ("cut", "cut before the end"),
        ("cut-in-chunks", "cut before the end"),
        ("trickle", "too slow"),
        ("silent", "too slow"),
    ],
)
def test_a_failure_is_named_and_leaves_nothing(server, tmp_path, sha256, page, says):
    patience = Patience(silence=0.5, window=0.3, speed=1000)
    with pytest.raises(UserError, match=says) as error:
        download(f"{server.url}/{page}", sha256, tmp_path, patience=patience)
    assert f"{server.url}/{page}: " in str(error.value)
    assert nothing_stays(tmp_path)


def test_a_slow_file_is_waited_for_if_it_is_fast_enough(server, tmp_path):
    patience = Patience(silence=0.5, window=0.1, speed=5)
    with pytest.raises(UserError, match="cut before the end"):  # the server stops after 100 bytes in a second
        download(f"{server.url}/trickle", WRONG, tmp_path, patience=patience)


def test_a_wrong_hash_is_refused_and_the_good_cached_file_survives(server, tmp_path, content, sha256):
    good = download(f"{server.url}/file", sha256, tmp_path)
    with pytest.raises(UserError, match=f"(?s){WRONG}.*{sha256}"):
        download(f"{server.url}/file", WRONG, tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [good]
    assert good.read_bytes() == content


def test_a_server_that_is_not_there(server, tmp_path, sha256):
    server.close()
    with pytest.raises(UserError, match=r"not reached .*Check the network and the proxy"):
        download(f"{server.url}/file", sha256, tmp_path)
    assert nothing_stays(tmp_path)


def test_errors_show_no_secret_of_an_address(tmp_path, sha256):
    assert shown("https://me:pass@site.org/a/b?key=pass#pass") == "https://site.org/a/b"
    with pytest.raises(UserError) as error:
        download("https://me:pass@site.invalid/a?key=pass", sha256, tmp_path)
    assert "pass" not in str(error.value)


def test_a_token_goes_to_its_own_host_only(server, elsewhere, tmp_path, sha256, token):
    for page in ("gated", "moved", "away"):
        download(f"{server.url}/{page}", sha256, tmp_path / page, token=token)
    bearer = f"Bearer {token}"
    assert server.seen == [("/gated", bearer), ("/moved", bearer), ("/file", bearer), ("/away", bearer)]
    assert elsewhere.seen == [("/file", None)]
