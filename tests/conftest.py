"""What all tests share."""

from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine must not fail a test, and the whole suite has minutes.
settings.register_profile("steady", deadline=None, max_examples=40)
settings.load_profile("steady")

WORKFLOW = Path(__file__).parent / "workflow"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the workflow come first: they are long, and the others fill what they leave of the workers.

    Left to itself, xdist begins with the files that have most tests, and a long file of few comes last, alone.
    """
    items.sort(key=lambda item: WORKFLOW not in item.path.parents)
