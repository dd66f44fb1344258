"""What all tests share."""

from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine must not fail a test, and the whole suite has minutes.
settings.register_profile("steady", deadline=None, max_examples=40)
settings.load_profile("steady")

WORKFLOW = Path(__file__).parent / "workflow"


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the workflow stay on one worker, which makes their finished run once, and start first: they are long.

    All others stay with their file.
    """
    for item in items:
        group = "workflow" if WORKFLOW in item.path.parents else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: WORKFLOW not in item.path.parents)
