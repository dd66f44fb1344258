"""Published numbers, for the tests of single laws; all the checks at once are in tests/test_published_checks.py."""

from collections.abc import Callable
from pathlib import Path

import pytest
from published_checks import PUBLISHED, Check, read_checks


@pytest.fixture(scope="session")
def published() -> Path:
    return PUBLISHED


@pytest.fixture(scope="session")
def published_checks() -> Callable[[str], list[Check]]:
    checks = read_checks()
    return lambda function: [check for check in checks if check.function == function]
