"""What a cell's page says of small teams and large ones: of numbers that have something to foretell."""

from itertools import product

import pandas as pd
import pytest

from headcount.publish.cell_pages_trust import Trust, foretelling, foretold

KEY = {"team": "t", "task": "q", "condition": "self_correction", "peers": "none", "round": 3}
ERRORS = ("error_largest_low", "error_largest_high", "other_half_error", "halves_error")


@pytest.fixture
def trust():
    """Agents who hear nobody, by teams that were run and by means over all teams, where nothing is left to foretell."""
    skills, rivals = [], []
    for subsets, law in product(("first", "all"), ("ringelmann_free", "kish")):
        error = {"first": 0.12, "all": 0.0}[subsets]
        key = KEY | {"subsets": subsets, "level": "pooled_agreement", "law": law}
        skill = {f"skill_{name}": error for name in ("null_a", "carried", "kish_two")}
        sizes = {"pilot": [3, 6, 9], "held_out": [15, 30]}
        skills.append(key | sizes | skill | dict.fromkeys(ERRORS, error) | {"error_largest": error})
        rivals.append(key | {"q": 1.0, "q_df": 3, "q_p": 0.5})
    return Trust(pd.DataFrame(), foretelling(pd.DataFrame(skills), pd.DataFrame(rivals)))


def test_agreement_over_all_teams_is_not_foretold_since_it_is_one_number(trust):
    told = foretold(trust)
    assert [row["error_largest"].split()[0] for row in told["rows"]] == ["12", "12"]


def test_references_have_the_sizes_of_the_pilot(trust):
    told = foretold(trust)
    assert (told["pilot"], told["smallest"], told["held_out"], told["largest"]) == ("3, 6, 9", 3, "15, 30", 30)
