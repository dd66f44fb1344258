"""Populations obey the laws that they are said to obey, and data sets are what the workflow's measures would be."""

from itertools import pairwise

import numpy as np
import pytest

from headcount.calibration import datasets
from headcount.calibration.datasets import COLUMNS, SIZES, counts, draw, teams
from headcount.calibration.parameters import PARAMETERS, truth
from headcount.calibration.truths import POPULATIONS, TALKING
from headcount.measures import diversity

LAWFUL = [name for name in POPULATIONS if name not in TALKING]
AGREEMENT = slice(SIZES.size, 2 * SIZES.size)


@pytest.mark.parametrize("name", LAWFUL)
def test_pooled_agreement_is_the_law_s_own(name):
    population = POPULATIONS[name]
    data = draw(population, 1, 40_000, np.random.default_rng(1))[0, :, AGREEMENT]
    error = data.std(axis=0) / np.sqrt(len(data))
    assert (np.abs(data.mean(axis=0) - population.c * SIZES**-population.beta) < 4.5 * error).all()


@pytest.mark.parametrize("name", ["choices_independent", "free_independent", "free_sharpening"])
def test_agents_who_hear_nobody_agree_as_often_at_every_size(name):
    data = draw(POPULATIONS[name], 1, 40_000, np.random.default_rng(2))[0, :, AGREEMENT]
    error = np.sqrt(2) * data.std(axis=0).max() / np.sqrt(len(data))
    assert np.ptp(data.mean(axis=0)) < 4.5 * error
    if name.endswith("independent"):
        assert data.mean() == pytest.approx(POPULATIONS[name].items.chance, abs=4.5 * error)


def test_conforming_agents_agree_more_than_they_would_alone():
    means = [
        draw(POPULATIONS[f"choices_{kind}"], 1, 5000, np.random.default_rng(3))[0, :, AGREEMENT].mean(axis=0)
        for kind in ("independent", "conforming")
    ]
    assert (means[1][1:] > means[0][1:] + 0.2).all()


@pytest.mark.parametrize("name", ["choices_c60_b0", "free_c25_b-10", "free_conforming"])
def test_measures_of_a_data_set_are_the_workflow_s(name):
    population = POPULATIONS[name]
    answers = teams(population, 300, np.random.default_rng(4))
    for place, n in enumerate(SIZES):
        count, lone = counts(answers[place], population.items)
        every = np.concatenate([count, *[(lone > k)[None].astype(int) for k in range(int(n))]]).T
        assert (every.sum(axis=1) == n).all()
        np.testing.assert_allclose(datasets.n_eff_answer(count, lone, n), diversity.n_eff_answer(every))
        np.testing.assert_allclose(datasets.pair_agreement(count, n), diversity.pair_agreement(every), atol=1e-12)


def test_larger_teams_hold_the_smaller_ones_where_nobody_talks():
    answers = teams(POPULATIONS["free_independent"], 50, np.random.default_rng(5))
    for smaller, larger in pairwise(answers):
        assert (larger[: len(smaller)] == smaller).all()


def test_a_tied_team_is_right_by_chance():
    data = draw(POPULATIONS["choices_independent"], 1, 40_000, np.random.default_rng(6))[0]
    again = draw(POPULATIONS["choices_independent"], 1, 40_000, np.random.default_rng(7))[0]
    right = COLUMNS.index("team_correct")
    assert set(np.unique(data[:, right])) == {0.0, 1.0}
    assert data[:, right].mean() == pytest.approx(again[:, right].mean(), abs=0.015)


@pytest.mark.parametrize("name", ["choices_c50_b-09", "open_c90_b100"])
def test_the_truth_of_a_law_is_its_own_parameters(name):
    population = POPULATIONS[name]
    known = dict(
        zip([(p.level, p.name) for p in PARAMETERS], truth(population, np.random.default_rng(8), 2000), strict=True)
    )
    assert known["pooled_agreement", "c"] == pytest.approx(population.c, abs=1e-6)
    assert known["pooled_agreement", "beta"] == pytest.approx(population.beta, abs=1e-6)
    n_eff = 30 / (1 + 29 * population.c * 30**-population.beta)
    assert known["pooled_agreement", "n_eff_30"] == pytest.approx(n_eff)
    assert known["pooled_agreement", "n_eff_30_from_pilot"] == pytest.approx(n_eff, rel=1e-5)
