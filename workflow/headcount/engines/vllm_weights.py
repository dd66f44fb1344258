"""Weights as vLLM loads them: a Hugging Face folder. A GGUF file becomes one, once, in the cache."""

import os
import secrets
import shutil
from pathlib import Path

from headcount.config import Model
from headcount.engines.child import running
from headcount.engines.vllm_build import Build, clean
from headcount.errors import UserError
from headcount.sources import fetch_weights
from headcount.sources.verified import sha256_of, sweep

_CONVERTER = Path(__file__).with_name("gguf_to_hf.py")


async def as_folder(model: Model, build: Build, cache: Path) -> Path:
    """The folder of a model's weights. Jobs that convert the same file at once do it each, alike."""
    assert model.weights is not None, "a vllm model has weights"
    weights = fetch_weights(model.weights, cache)
    if weights.is_dir():
        return weights.absolute()
    with weights.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise UserError(f"{weights}: vLLM loads the folder of a Hugging Face snapshot, or a GGUF file.")
    parent = cache / "sources" / sha256_of(weights)[:16]
    folder = parent / "huggingface"
    if not folder.exists():
        sweep(parent, ".*.partial")
        await _convert(weights, parent / f".huggingface.{os.getpid()}-{secrets.token_hex(4)}.partial", build, folder)
    return folder.absolute()


async def _convert(gguf: Path, partial: Path, build: Build, folder: Path) -> None:
    """Write a folder that takes its name when it is whole."""
    command = [build.python, str(_CONVERTER), str(gguf.absolute()), str(partial.absolute())]
    environment = {**clean(), "CUDA_VISIBLE_DEVICES": "", "HF_HUB_OFFLINE": "1"}
    try:
        async with running(command, environment, partial.with_suffix(".log"), stopping=1) as converter:
            if await converter.end:
                raise UserError(f"{gguf}: could not be converted for vLLM. {converter.tail()}")
        try:
            partial.rename(folder)
        except OSError:  # another job was faster
            if not folder.exists():
                raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)
