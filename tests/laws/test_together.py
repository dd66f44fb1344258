"""Curves that are fitted together have the predictions that each has alone."""

import numpy as np
import pytest

from headcount.laws.compared import COMPARED
from headcount.laws.forms import ringelmann
from headcount.laws.together import Together

AT = np.array([7, 30])
SMALL, LARGE = np.array([2, 3, 5]), np.array([2, 3, 5, 10])


def resamples(n, seed, count):
    rng = np.random.default_rng(seed)
    return ringelmann(n, rng.uniform(0.2, 0.9), rng.uniform(-0.1, 0.4)) * rng.lognormal(0, 0.02, (count, n.size))


@pytest.mark.parametrize("law", COMPARED)
def test_what_is_asked_for_together_is_what_each_asks_for_alone(law):
    """Other sizes, other numbers of resamples, another range of c, and asked for after others were answered."""
    asked = [(SMALL, 20), (LARGE, 20), (SMALL, 1), (SMALL, 20)]
    curves = [(n, resamples(n, seed, count)) for seed, (n, count) in enumerate(asked)]
    narrow = (0.0, 0.1)
    together = Together()
    later = [together.predict(law, n, r, AT) for n, r in curves]
    bounded = together.predict(law, *curves[0], AT, narrow)
    told = [each() for each in later]
    again = together.predict(law, *curves[2], AT)
    for (n, r), found in zip([*curves, curves[2]], [*told, again()], strict=True):
        assert found == pytest.approx(COMPARED[law].predict(n, r, AT), rel=1e-6)
    assert bounded() == pytest.approx(COMPARED[law].predict(*curves[0], AT, narrow), rel=1e-6)


def test_independent_agents_are_all_that_a_team_has():
    """At c = 0 any beta would do."""
    for law in ("ringelmann", "ringelmann_free", "kish"):
        for count in (1, 20):
            assert Together().predict(law, SMALL, np.ones((count, 3)), AT)() == pytest.approx(np.tile(AT, (count, 1)))


def test_resamples_without_a_value_predict_nothing_and_leave_others_alone():
    r = resamples(SMALL, 1, 20)
    r[3] = np.nan
    r[5, 2] = -1.0
    told = Together().predict("ringelmann_free", SMALL, r, AT)()
    assert np.isnan(told[3]).all()
    assert np.delete(told, 3, axis=0) == pytest.approx(
        COMPARED["ringelmann_free"].predict(SMALL, np.delete(r, 3, axis=0), AT), rel=1e-6
    )
