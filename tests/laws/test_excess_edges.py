"""The edges of what is called social: whose items are left out, the fewest items and sizes, teams that all agree."""

import numpy as np
import pandas as pd
from social_worlds import frame_of, team_of

from headcount.laws.excess import SocialRows, excess_run
from headcount.laws.settings import FitSettings
from headcount.measures.intervals import INTERVALS
from headcount.store import plain

SURE = FitSettings(n_boot=300)
DRAWN = FitSettings(n_boot=20, interval=INTERVALS["percentile"])
SMALL = {"items": 12, "sizes": (2, 3), "twice": (3,)}
SIZES = SMALL["sizes"]
KEYS = ["condition", "round", "null", "subsets", "quantity", "n"]


def by_key(table, **chosen) -> pd.DataFrame:
    frame = plain(table)
    for name, value in chosen.items():
        frame = frame[frame[name] == value]
    return frame.set_index(KEYS)


def test_each_team_and_each_task_has_items_drawn_of_its_own():
    frame = frame_of("conforming", 1, **SMALL)
    both = pd.concat([frame, frame.assign(task="other")])
    rows = excess_run({name: team_of(both, SIZES) for name in ("t", "u")}, DRAWN)
    debates = [by_key(rows, team=team, task=task, null="C") for team, task in (("t", "a"), ("u", "a"), ("t", "other"))]
    for other in debates[1:]:
        np.testing.assert_allclose(debates[0]["value"], other["value"], atol=1e-12)
        assert (debates[0]["low"] - other["low"]).abs().max() > 1e-3


def test_who_is_simulated_is_said_of_them_alone():
    team = team_of(frame_of("conforming", 1, **SMALL), SIZES)
    rows = plain(excess_run({"t": team, "u": team}, SURE, {"t"}))
    assert (rows["simulated"] == (rows["team"] == "t")).all()
    assert set(rows["team"]) == {"t", "u"}


def test_a_value_is_that_of_all_items_whatever_makes_the_interval():
    team = team_of(frame_of("conforming", 2, **SMALL), SIZES)
    drawn, left_out = (by_key(excess_run({"t": team}, how)) for how in (DRAWN, SURE))
    np.testing.assert_allclose(drawn["value"], left_out["value"], atol=1e-9)


def test_a_team_that_ran_no_size_twice_has_no_second_team_to_be_beside():
    team = team_of(frame_of("conforming", 1, **SMALL), SIZES)
    alone = SocialRows(**{**vars(team), "cross_pairs": None})
    assert set(plain(excess_run({"t": alone}, SURE))["null"]) == {"A", "B"}


def test_two_items_are_enough_for_an_interval():
    rows = plain(excess_run({"t": team_of(frame_of("conforming", 3, items=2), (2, 3, 5, 10))}, SURE))
    told = rows[(rows["n_items"] == 2) & (rows["null"] == "A") & (rows["quantity"] == "kappa")]
    assert told["low"].notna().any()


def test_teams_that_always_agree_have_the_error_of_a_proportion():
    frame = frame_of("conforming", 4, items=30, sizes=(3,), twice=(3,)).assign(answer="A", correct=True)
    rows = plain(excess_run({"t": team_of(frame, (3,))}, SURE))
    agreement = rows[rows["quantity"] == "agreement_across"]
    assert len(agreement)
    assert (agreement["value"] == 1).all()
    assert agreement["low"].between(0.85, 0.9).all()
    assert (agreement["high"] == 1).all()


def test_a_task_with_one_size_leaves_the_curves_of_others_as_they_are():
    frame = frame_of("conforming", 5, **SMALL)
    one_size = frame[(frame["condition"] == "debate") & (frame["n"] == 3)]
    both = pd.concat([one_size, frame.assign(task="other")])
    (alone, beside) = (
        by_key(excess_run({"t": team_of(rows, SIZES, subsets=False)}, SURE), task="other")
        for rows in (frame.assign(task="other"), both)
    )
    pd.testing.assert_frame_equal(alone, beside)


def test_items_count_where_a_team_has_a_pair_and_a_pair_with_its_second():
    frame = frame_of("conforming", 6, items=40, sizes=(3,), twice=(3,), missing=0.6)
    rows = by_key(excess_run({"t": team_of(frame, (3,))}, SURE), null="C", quantity="agreement_within")
    here = frame[(frame["condition"] == "debate") & (frame["round"] == 2)]
    said = here.groupby(["item", "replicate"])["answer"].count().unstack("replicate").to_numpy()
    paired = (said > 1).any(axis=1) & (said > 0).all(axis=1)
    assert 0 < paired.sum() < len(paired)
    assert rows.xs(("debate", 2), level=("condition", "round"))["n_items"].tolist() == [paired.sum()]
