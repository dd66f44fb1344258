"""Files of Hugging Face repositories: single ones over plain HTTPS, whole snapshots by its own client.

HF_ENDPOINT names another hub (a mirror), HF_TOKEN opens gated repositories. A snapshot goes to the hub's
own cache (HF_HOME), where weights that another program has downloaded are found and shared.
"""

import os
import re
from pathlib import Path
from urllib.parse import quote

from headcount.config_sources import HubSource
from headcount.errors import UserError
from headcount.sources.web import download


def fetch(source: HubSource, cache: Path) -> Path:
    """The verified file of a repository at a revision, or the folder of its whole snapshot."""
    if source.file is None or source.sha256 is None:
        return _snapshot(source)
    return download(address(source, source.file), source.sha256, cache, token=_token())


def address(source: HubSource, file: str) -> str:
    """Where a repository's file is served, at the revision of the source."""
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    kind = "datasets/" if source.repo_type == "dataset" else ""
    return f"{endpoint.rstrip('/')}/{kind}{source.hub}/resolve/{source.revision}/{quote(file)}"


def _token() -> str | None:
    """HF_TOKEN, if set; checked here because http.client quotes a header that it refuses."""
    token = os.environ.get("HF_TOKEN", "").strip()
    if token and not re.fullmatch(r"[\x21-\x7e]+", token):
        raise UserError("HF_TOKEN holds characters that no token has (it is not shown). Set it again.")
    return token or None


def _snapshot(source: HubSource) -> Path:
    import huggingface_hub  # heavy, and only weights from the Hub need it
    from huggingface_hub.errors import HfHubHTTPError

    try:
        folder = huggingface_hub.snapshot_download(source.hub, repo_type=source.repo_type, revision=source.revision)
    except (OSError, ValueError, HfHubHTTPError) as problem:
        raise UserError(
            f"{source.hub} at {source.revision}: huggingface_hub could not fetch it "
            f"({_first_line(problem)}). Check its name and revision, the network, and HF_TOKEN if gated."
        ) from None
    return Path(folder)


def _first_line(problem: Exception) -> str:
    lines = str(problem).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(problem).__name__
