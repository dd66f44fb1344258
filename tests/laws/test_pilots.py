"""Plans: exact where the law holds, with intervals that hold the items' error and the law's."""

import numpy as np
import pandas as pd
import pytest
from fitted import pick
from hypothesis import given, settings
from hypothesis import strategies as st
from lawful_teams import lawful
from made_up_teams import answers, measured
from planning import errors, plans
from scipy.stats import norm, t

from headcount.laws.estimate import fit_ringelmann
from headcount.laws.forms import ringelmann
from headcount.laws.pilot_fit import line, planning_sizes
from headcount.laws.pilot_plan import items_for_width, items_to_halve
from headcount.laws.projection import majority_accuracy
from headcount.laws.settings import FitSettings
from headcount.measures.subsets import subset_measures
from headcount.schema import ANSWERS
from headcount.store import conform, plain

SIZES = (1, 2, 3, 5, 10)
SHOWN = {"condition": "debate", "level": "answer", "subsets": "first"}


@pytest.fixture(scope="module")
def frame():
    return answers(sizes=SIZES, items=40, rounds=2)


@pytest.fixture(scope="module")
def measures(frame):
    return measured(frame)


@pytest.mark.parametrize(
    ("sizes", "pilot"),
    [
        ((2, 3, 5), (2, 3, 5)),
        ((2, 3, 5, 7, 30), (2, 3, 5)),
        ((2, 4, 30), (2, 4)),
        ((3, 6, 9, 15, 30), (3, 6, 9)),  # of mixed teams
        ((5, 10, 30), (5, 10, 30)),
        ((7, 10), (7, 10)),
        ((5,), ()),
        ((), ()),
    ],
)
def test_the_pilot(sizes, pilot):
    assert tuple(planning_sizes(np.array(sizes, dtype=int))) == pilot


@pytest.mark.parametrize(("c", "beta"), [(0.5, 0.2), (0.3, -0.1), (0.8, 0.0)])
def test_a_law_that_holds_is_predicted_exactly_at_every_size(c, beta):
    told, sizes = plans(lawful(lambda n: n * ringelmann(n, c, beta), (2, 3, 5, 10, 30), conditions=("debate",)))
    rows = pick(sizes, level="answer")
    n = rows["n"].to_numpy(float)
    assert n.tolist() == list(range(2, 101))
    assert rows["n_eff"].to_numpy() == pytest.approx(np.clip(n * ringelmann(n, c, beta), 1, n), rel=1e-4)
    assert rows.loc[rows["held_out"], "n"].tolist() == [10, 30]
    assert rows.loc[rows["in_pilot"], "n"].tolist() == [2, 3, 5]
    here = pick(told, level="answer").iloc[0]
    assert (here["c"], here["beta"]) == pytest.approx((c, beta), abs=1e-4)


def test_an_interval_holds_the_items_error_and_the_laws_in_quadrature(measures):
    """The jackknife redone by hand: leave out each item, fit, predict (40 items are 40 groups)."""
    _, sizes = plans(measures, known=errors(0.3))
    here = pick(sizes, **SHOWN).set_index("n")
    rows = plain(measures)
    rows = rows[(rows["condition"] == "debate") & (rows["round"] == 2)]
    values = rows.pivot(index="item", columns="n", values="n_eff_answer")[[2, 3, 5]]

    def predicted(items):
        means = values.loc[items].mean()
        params = fit_ringelmann(means.index, (means / means.index).to_numpy(), free=True).params
        return np.log(30 * ringelmann(30, params["c"], params["beta"]))

    left = np.array([predicted(values.index != item) for item in values.index])
    se = np.sqrt(39 / 40 * ((left - left.mean()) ** 2).sum())
    law = norm.ppf(0.975) * 0.3 * np.log(30 / 5) * np.sqrt(np.log(values.mean()[5]))
    margin = np.hypot(t.ppf(0.975, 39) * se, law)
    centre = np.exp(predicted(values.index))
    ends = np.clip([centre * np.exp(-margin), centre * np.exp(margin)], 1, 30)
    assert here.loc[30, "n_eff"] == pytest.approx(centre, rel=1e-6)
    assert here.loc[30, ["n_eff_low", "n_eff_high"]].to_numpy(float) == pytest.approx(ends, rel=1e-5)


def test_the_laws_error_widens_what_lies_beyond_the_pilot_and_nothing_else(measures):
    narrow, wide = (
        pick(plans(measures, known=errors(s, a))[1], **SHOWN).set_index("n") for s, a in ((0, 0), (0.5, 0.1))
    )
    for name in ("n_eff", "accuracy"):
        widths = [rows[f"{name}_high"] - rows[f"{name}_low"] for rows in (narrow, wide)]
        assert widths[0][[2, 3, 5]].to_numpy() == pytest.approx(widths[1][[2, 3, 5]].to_numpy())
        assert (widths[1][[10, 30, 100]] > widths[0][[10, 30, 100]]).all()
        assert (narrow[name] == wide[name]).all()


def test_accuracy_is_the_least_squares_line_in_one_over_n():
    right = np.array([[0.5, 0.58, 0.61], [0.2, 0.2, 0.1]])
    sizes, at = np.array([2, 3, 5]), np.array([2, 10, 100])
    for row, found in zip(right, line(sizes, right, at), strict=True):
        assert found == pytest.approx(np.polyval(np.polyfit(1 / sizes, row, 1), 1 / at))


def test_the_normal_approximation_stands_beside_it(measures):
    told, sizes = plans(measures)
    here, rows = pick(told, **SHOWN).iloc[0], pick(sizes, **SHOWN)
    expected = majority_accuracy(np.array(here["agent_accuracy"]), rows["n_eff"].to_numpy())
    assert rows["projection"].to_numpy() == pytest.approx(expected)
    seen = plain(measures)
    seen = seen[(seen["condition"] == "debate") & (seen["round"] == 2) & seen["n"].isin([2, 3, 5])]
    by_size = seen.groupby("n")[["n_correct", "n_valid"]].mean().sum()
    assert here["agent_accuracy"] == pytest.approx(by_size["n_correct"] / by_size["n_valid"])


def test_wrong_answers_that_agree_are_counted_pair_by_pair(frame, measures):
    """Brute force over all pairs of agents who are both wrong; each size counts as much as its mean."""
    told, _ = plans(measures)
    here = frame[(frame["condition"] == "debate") & (frame["round"] == 2) & frame["n"].isin([2, 3, 5])]
    equal = both = 0.0
    for _, team in here.groupby(["n", "item"]):
        wrong = team.loc[team["correct"].notna() & ~team["correct"].fillna(True).astype(bool), "answer"].tolist()
        pairs = [(a, b) for i, a in enumerate(wrong) for b in wrong[i + 1 :]]
        equal, both = equal + sum(a == b for a, b in pairs), both + len(pairs)
    assert pick(told, **SHOWN).iloc[0]["wrong_agreement"] == pytest.approx(equal / both)


def test_what_agents_say_alone_is_planned_from_all_their_teams(frame, measures):
    rows = conform(frame, ANSWERS, "test")
    subsets = subset_measures(rows, {("t", name): SIZES for name in ("self_consistency", "self_correction", "debate")})
    told, _ = plans(measures, subsets)
    kinds = set(zip(told["condition"], told["subsets"], told["round"], strict=True))
    assert ("self_consistency", "all", 1) in kinds
    assert ("self_correction", "all", 2) in kinds
    assert {turn for condition, _, turn in kinds if condition == "debate"} == {2}
    alone = pick(told, condition="self_consistency", subsets="all", level="pooled_agreement").iloc[0]
    assert alone["beta"] == pytest.approx(0.0, abs=1e-6)  # agreement of all pairs is the same at every size
    assert told.loc[told["condition"] == "debate", "stop"].notna().all()


@pytest.mark.parametrize(("items", "flag"), [(1, "one_item"), (20, "few_items")])
def test_few_items_are_flagged_and_one_has_no_interval(items, flag):
    told, sizes = plans(measured(answers(sizes=(2, 3, 5), items=items, missing=0, rounds=2)))
    assert all(flag in flags for flags in told["flags"])
    assert sizes[["n_eff_low", "accuracy_high"]].isna().all(axis=None) == (items == 1)
    assert told["stop_low"].isna().all() == (items == 1)
    assert told["stop"].notna().all()


def test_no_interval_is_made_where_none_is_asked_for(measures):
    told, sizes = plans(measures, fitting=FitSettings(n_boot=0))
    assert told[["c_low", "n_eff_high", "items_to_halve", "items_for_c"]].isna().all(axis=None)
    assert sizes["n_eff"].notna().all()


def test_mixed_teams_and_untried_pilots_are_told_apart(measures):
    known = errors(0.1)
    known.scales["n_eff", "answer", "mixed"][2, 3, 5] = 0.9
    alone, mixed = (pick(plans(measures, known=known, mixed=mixed)[0], **SHOWN).iloc[0] for mixed in ((), ("team",)))
    assert mixed["law_margin"] == pytest.approx(9 * alone["law_margin"])
    told, _ = plans(measured(answers(sizes=(2, 4, 5), items=40, missing=0, rounds=2)), known=known)
    assert all("untried_pilot" in flags for flags in told["flags"])


def test_a_run_with_one_size_has_no_plan():
    told, sizes = plans(measured(answers(sizes=(1, 5))))
    assert told.empty
    assert sizes.empty


@given(st.integers(2, 5000), st.floats(0.001, 3), st.floats(0, 3))
def test_items_to_halve_would_halve_the_margin(items, own, law):
    wanted = items_to_halve(items, own, law)
    half = np.hypot(own, law) / 2
    if np.isnan(wanted):
        assert law >= half * (1 - 1e-9)
    else:
        assert np.hypot(own * np.sqrt(items / wanted), law) <= half * (1 + 1e-9)
        assert law == 0 or np.hypot(own * np.sqrt(items / max(wanted - 1, 1)), law) >= half * (1 - 1e-3)
    assert items_to_halve(items, own, 0.0) == 4 * items


def test_items_for_a_width_of_c():
    """M = (1.96 sqrt(M0) SE / .02)^2, as the spec has it."""
    assert items_for_width(200, 1.96 * 0.05, 0.02) == pytest.approx((1.96 * np.sqrt(200) * 0.05 / 0.02) ** 2)
    assert np.isnan(items_for_width(200, np.nan, 0.02))


@settings(max_examples=5)
@given(st.permutations("ABCD"), st.integers(0, 99))
def test_names_of_answers_order_of_agents_and_of_rows_change_nothing(names, seed):
    frame = answers(sizes=(1, 2, 3, 5), items=8, conditions=("debate",), rounds=2)
    renamed = frame.assign(answer=frame["answer"].map(dict(zip("ABCD", names, strict=True))))
    shuffled = renamed.sample(frac=1, random_state=seed)
    one, other = (plans(measured(rows))[1] for rows in (frame, shuffled))
    pd.testing.assert_frame_equal(one, other, rtol=1e-5)
