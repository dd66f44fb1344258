"""The released answers of a real model, replayed whole without a network."""

import pytest
from checkout import ROOT
from replays import Replay, replayed

CELLS = 2 * 4


@pytest.fixture(scope="module")
def showcase(tmp_path_factory) -> Replay:
    return replayed("showcase", tmp_path_factory)


def test_every_cell_of_the_showcase_is_in_the_table(showcase):
    regimes = showcase.table("regimes")
    assert len(regimes) == CELLS
    assert (regimes["share_missing"] == 0).all()
    assert regimes["c"].between(0, 1).all()


def test_nothing_was_asked_and_nothing_released_was_touched(showcase):
    assert not (showcase.checkout.folder / "cache").exists()
    assert showcase.checkout.call("diff", "-r", "resources", str(ROOT / "resources")).returncode == 0
