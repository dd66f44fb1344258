"""What tests of engines share."""

import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("vllm_program.py")


@pytest.fixture
def acting(tmp_path, monkeypatch):
    """Has servers behave in some way, in this environment."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {PROGRAM} "$@"\n')
    python.chmod(0o755)
    (tmp_path / "weights").mkdir()
    monkeypatch.setenv("HEADCOUNT_VLLM_PYTHON", str(python))
    monkeypatch.setenv("TOLD", str(tmp_path / "told"))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5,6,7")

    def act(how="", build="vllm 9.9"):
        monkeypatch.setenv("ACTING", how)
        monkeypatch.setenv("BUILD", build)

    act()
    return act
