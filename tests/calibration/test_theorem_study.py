"""The k tau theorem against exact agreement, and the latter against enumeration and simulation."""

from itertools import combinations

import numpy as np
import pytest

from headcount.calibration.theorem import Talk, exact, formula, theorem_rows


@pytest.mark.parametrize(
    ("off", "lowest", "highest", "said"), [(0.3, 0.721, 0.733, 0.819), (0.05, 0.956, 0.9565, 0.959)]
)
def test_the_formula_is_of_first_order_only(off, lowest, highest, said):
    talks = [Talk(off, 1.0, 0.1, k, 8 // k) for k in (1, 2, 4, 8)]
    found = [exact(talk) for talk in talks]
    assert (min(found), max(found)) == pytest.approx((lowest, highest), abs=6e-4)
    assert [formula(talk) for talk in talks] == pytest.approx([said] * 4, abs=5e-4)


@pytest.mark.parametrize("apart", [1.0, 1 / 3, 0.0])
def test_the_error_of_the_formula_falls_faster_than_the_disagreement(apart):
    errors, apart_by = [], []
    for off in (0.02, 0.01):
        talk = Talk(off, apart, 0.2, 3, 2)
        errors.append(formula(talk) - exact(talk))
        apart_by.append(1 - exact(talk))
    assert 0 < errors[1] < errors[0] < 0.05 * apart_by[0]
    assert errors[1] / errors[0] == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize(("replacement", "leak", "apart"), [(True, 0.0, 1.0), (False, 0.0, 1 / 3), (False, 0.1, 1.0)])
def test_a_team_s_chain_is_what_its_agents_do(replacement, leak, apart):
    talk = Talk(0.3, apart, 0.25, 2, 3, n=5, replacement=replacement, leak=leak)
    rng = np.random.default_rng(8)
    kinds = 1 if apart == 1.0 else 3
    teams = 100_000
    answers = np.where(rng.random((teams, talk.n)) < talk.off_mode, rng.integers(1, kinds + 1, (teams, talk.n)), 0)
    for _ in range(talk.tau):
        new = answers.copy()
        for agent in range(talk.n):
            own, others = answers[:, agent], np.delete(answers, agent, axis=1)
            asked = rng.integers(0, talk.n - 1, (teams, talk.k))
            if not replacement:
                asked = rng.permuted(np.tile(np.arange(talk.n - 1), (teams, 1)), axis=1)[:, : talk.k]
            right = np.take_along_axis(others, asked, axis=1) == 0
            persuaded = (right & (rng.random((teams, talk.k)) < talk.alpha_1)).any(axis=1)
            lost = np.where(rng.random(teams) < leak, rng.integers(1, kinds + 1, teams), 0)
            new[:, agent] = np.where(own, np.where(persuaded, 0, own), lost)
        answers = new
    agree = np.mean([answers[:, a] == answers[:, b] for a, b in combinations(range(talk.n), 2)])
    assert exact(talk) == pytest.approx(agree, abs=0.005)


def test_large_teams_are_the_limit_of_teams():
    large = Talk(0.2, 1.0, 0.1, 2, 2)
    gaps = [abs(exact(Talk(0.2, 1.0, 0.1, 2, 2, n=n)) - exact(large)) for n in (10, 40, 160)]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 5e-4


def test_every_process_of_the_study_has_a_value():
    rows = theorem_rows()
    assert np.isfinite(rows[["exact", "formula", "error"]]).all().all()
    assert ((rows["exact"] > 0) & (rows["exact"] < 1)).all()
    assert set(rows["breaks"]) == {"nothing", "small team", "no replacement", "leak"}
