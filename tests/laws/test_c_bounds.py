"""The run's bounds of c hold in fits and predictions: agents who are one, where c may be a half at most."""

import numpy as np
import pytest
from fitted import pick
from lawful_teams import lawful

from headcount.laws.audit import audit_run
from headcount.laws.cells import fit_run
from headcount.laws.forms import kish
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings
from headcount.laws.skills import skills_of_run
from headcount.store import plain

HALF = FitSettings(n_boot=0, c_bounds=(0.0, 0.5))
AT_TEN = 10 * kish(10, 0.5)


@pytest.fixture(scope="module")
def team():
    return {"team": TeamRows(lawful(np.ones_like, (2, 3, 5, 10), conditions=("debate",)))}


def test_fits_stop_at_it(team):
    fits = pick(plain(fit_run(team, HALF)[0]), law="kish", level="answer").iloc[0]
    assert fits["c"] == 0.5
    assert "c_at_upper_bound" in fits["flags"]


def test_predictions_stop_at_it(team):
    audit = pick(plain(audit_run(team, HALF)), law="kish", level="answer", n=10).iloc[0]
    assert audit["predicted"] == pytest.approx(AT_TEN)
    skills = pick(plain(skills_of_run(team, HALF)), law="kish", level="answer").iloc[0]
    for name in ("error_largest", "same_half_error_largest", "other_half_error_largest"):
        assert skills[name] == pytest.approx(AT_TEN - 1)
