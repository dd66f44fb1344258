"""Two items are the fewest that have an interval: one tells nothing of how much items differ."""

import numpy as np
import pytest
from fitted import pick
from made_up_teams import answers, measured

from headcount.laws.audit import OURS, PAPER, audit_run
from headcount.laws.cells import fit_run
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings
from headcount.laws.skills import skills_of_run
from headcount.store import plain

SETTINGS = FitSettings(n_boot=20)
T_OF_ONE = 12.7062047  # Student's t at 97.5 % with one degree of freedom


@pytest.fixture(scope="module")
def team():
    sizes = (1, 2, 3, 5, 7, 10)
    measures = measured(answers(items=2, sizes=sizes, conditions=("debate",), rounds=1, missing=0, seed=3))
    return {"team": TeamRows(measures)}


def test_fits_leave_each_out_in_turn(team):
    fits, curves = map(plain, fit_run(team, SETTINGS))
    answer = pick(fits, level="answer").set_index("law")
    assert answer["refits"].to_dict() == {law: 2 if law in OURS else 20 for law in (*OURS, *PAPER)}
    assert answer[["c_low", "c_high"]].notna().all(axis=None)
    assert all("few_items" in flags and "one_item" not in flags for flags in answer["flags"])
    assert pick(curves, level="answer")[["n_eff_low", "n_eff_high"]].notna().all(axis=None)


def test_audits_have_envelopes(team):
    frame = plain(audit_run(team, SETTINGS, draws=20))
    assert frame[frame["held_out"]]["observed_low"].notna().all()
    known = frame.groupby("law")["predicted_low"].apply(lambda low: low.notna().all())
    assert set(known[known].index) == {*OURS, *PAPER}


def test_the_error_at_the_largest_size_is_that_of_either_item(team):
    """Each item without the other: an interval by hand."""
    frame = pick(plain(skills_of_run(team, SETTINGS)), level="answer", law="kish")
    row, errors = frame.iloc[0], []
    for _, item in plain(team["team"].measures).groupby("item"):
        n_eff = item.set_index("n")["n_eff_answer"]
        small = np.array([2, 3, 5])
        rho = np.linspace(0, 1, 100_001)
        sse = ((1 / (1 + (small - 1) * rho[:, None]) - (n_eff[small] / small).to_numpy()) ** 2).sum(axis=1)
        errors.append(10 / (1 + 9 * rho[sse.argmin()]) / n_eff[10] - 1)
    margin = T_OF_ONE * abs(errors[0] - errors[1]) / 2
    ends = row[["error_largest_low", "error_largest_high"]].to_numpy(dtype=float)
    assert ends == pytest.approx([row["error_largest"] - margin, row["error_largest"] + margin], abs=2e-3)
