"""Excess over each null, in worlds whose answer is known."""

import numpy as np
import pytest

from headcount.calibration.datasets import counts, n_eff_answer
from headcount.calibration.excess import PARAMETERS, SIZES, _all_teams, draw, estimate, means_of
from headcount.calibration.parts import make
from headcount.calibration.truths import FREE, POPULATIONS


def quiet(_line):
    pass


def quantities(kind, items=20_000, seed=1):
    data = draw(POPULATIONS[kind], 1, items, np.random.default_rng(seed))
    return {
        (parameter.level, parameter.name): value
        for parameter, value in zip(PARAMETERS, estimate(means_of(data))[0], strict=True)
    }


def test_agents_who_never_talk_have_no_excess_over_any_null():
    found = quantities("free_independent")
    assert list(found.values()) == pytest.approx([0.0] * len(found), abs=0.03)


def test_silent_sharpening_is_excess_over_round_one_and_over_nothing_else():
    found = quantities("choices_sharpening")
    assert found["A", "kappa_10"] > 0.2
    assert [value for (null, _), value in found.items() if null != "A"] == pytest.approx([0.0] * 11, abs=0.03)


def test_conformers_have_excess_over_every_null():
    found = quantities("free_conforming")
    for null in "ABC":
        assert found[null, "kappa_10"] > 0.2
    assert found["B", "log_n_eff_ratio_10"] < -0.3


def test_means_over_all_teams_are_means_over_all_teams():
    rng = np.random.default_rng(2)
    answers = np.where(rng.random((30, 6)) < 0.3, 255, rng.integers(0, 4, (30, 6))).astype(np.uint8)
    exact = _all_teams(answers, FREE)
    for place, n in enumerate(SIZES):
        drawn = np.zeros(6)
        for _ in range(3000):
            team = answers[rng.permutation(30)[:n]]
            drawn += n_eff_answer(*counts(team, FREE), n) / 3000
        np.testing.assert_allclose(exact[place], drawn, rtol=0.02)


def test_the_study_counts_intervals_that_hold_zero():
    rows = make("excess", "choices_conforming-200", 60, quiet).set_index(["null", "parameter"])
    assert (rows.loc[[("B", "kappa_10"), ("C", "kappa_10"), ("B", "log_n_eff_ratio_10")], "holds_zero"] == 0).all()
    silent = make("excess", "choices_sharpening-200", 60, quiet).set_index(["null", "parameter"])
    assert silent.loc[("A", "kappa_10"), "holds_zero"] == 0
    assert silent.loc[("B", "kappa_10"), "holds_zero"] > 0.8
