"""What a release says about itself in its `release.json`: what is open, what is missing, and the hash of every file.

Snakemake asks at every start whether a replay suits its release, so this imports no more than a configuration does.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator

from headcount.config import Config
from headcount.config_errors import explain
from headcount.config_models import Name
from headcount.config_sources import Closed, Sha256
from headcount.errors import UserError

METADATA = "release.json"
Tier = Literal["full", "open"]
Openness = Literal["open", "gated", "omitted"]
RowTier = Literal["open_derived", "gated_trace_derived"]
TEXTS = ("items", "responses")  # folders that quote questions and replies


class File(Closed):
    """A file of a release.

    A row is `open_derived` if the texts it comes from are in the release, else `gated_trace_derived`.
    """

    table: str = Field(description="the schema of its rows")
    rows: int = Field(ge=0)
    content: Sha256 = Field(description="of what its rows say, however Parquet holds them")
    row_tier: RowTier


class Server(Closed):
    """What answered, and how often."""

    model: Name
    task: Name
    server: str | None = Field(description="engine, version, weights, device; null where nobody noted it")
    replies: int = Field(ge=1, description="distinct ones")


class Code(Closed):
    """Which code asked."""

    version: str
    generation: Sha256 = Field(description="of the protocol's modules and templates")


class Metadata(Closed):
    """All that `release.json` says."""

    schema_version: Literal["1"] = "1"
    run: str
    tier: Tier
    aggregate_fields_open: bool
    probe_templates: Openness
    full_transcripts: Openness
    r1_feature_matrix: Openness
    known_missing_artifacts: tuple[str, ...]
    metadata_file: Literal["release.json"] = "release.json"
    code: Code
    servers: tuple[Server, ...]
    files: dict[str, File] = Field(min_length=1)

    @model_validator(mode="after")
    def _tiers_agree(self) -> "Metadata":
        texts = [path for path in self.files if path.partition("/")[0] in TEXTS]
        if self.tier == "open" and (texts or self.full_transcripts != "omitted"):
            raise ValueError(f"an open release omits transcripts, and has none of {', '.join(TEXTS)} ({texts})")
        if any(Path(path).is_absolute() or ".." in Path(path).parts for path in self.files):
            raise ValueError("'files' are paths below the release")
        return self


def read_metadata(path: Path) -> Metadata:
    """What a release says; an error names the field, its value and what is allowed."""
    try:
        return Metadata.model_validate_json(path.read_bytes(), strict=True)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file. `headcount release` writes one with every release.") from None
    except ValidationError as problems:
        raise UserError(explain(problems, Metadata, str(path))) from None


def write_metadata(folder: Path, metadata: Metadata) -> Path:
    """For people and for `diff`."""
    path = folder / METADATA
    path.write_text(metadata.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return path


def check_replay(config: Config) -> None:
    """A run and the release that it replays are of one tier; releases from before there were tiers say none.

    Raises:
        UserError: where they are not.
    """
    path = config.replay / METADATA if config.replay else None
    if path is None or not path.exists():
        return
    released = read_metadata(path).tier
    if released != config.tier:
        raise UserError(
            f"{path}: tier: {released!r}, and the configuration has tier: {config.tier!r}. Set `tier: {released}` to "
            f"replay {config.replay}, or name another release in `replay`."
        )
