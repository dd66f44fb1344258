"""What must not matter to a curve or a fit does not, whatever the answers; and what must, does."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_answers import TEAM, fitted, measured, random_teams, teams

from headcount.laws.settings import FitSettings
from headcount.measures.intervals import Percentile

FEW = FitSettings(n_boot=20)
NONE = FitSettings(n_boot=0)
LEVELS = ("answer", "agreement", "pooled_agreement", "correctness")
# Who wins a tie goes by the names of what is tied.
TIED = ["team_answer", "team_correct", "unanimous_wrong"]
seeds = st.integers(0, 2**32 - 1)


def assert_same(frame: pd.DataFrame, other: pd.DataFrame, rtol: float = 0.0) -> None:
    """Equal fits and curves, intervals and flags included."""
    for ours, theirs in zip(fitted(frame, FEW), fitted(other, FEW), strict=True):
        pd.testing.assert_frame_equal(ours, theirs, check_exact=rtol == 0, **({"rtol": rtol} if rtol else {}))


@given(seeds)
@settings(max_examples=6)
def test_names_of_answers_do_not_matter(seed):
    """Each item's answers renamed by a permutation of their own, the right one with them."""
    rng = np.random.default_rng(seed)
    frame = random_teams(seed)
    known = frame["answer"].notna()
    names = {
        item: dict(zip("ABCD", rng.permutation(["w", "x", "yy", "0"]), strict=True)) for item in set(frame["item"])
    }
    renamed = frame["answer"].astype(object)
    renamed[known] = [names[item][answer] for item, answer in frame.loc[known, ["item", "answer"]].to_numpy()]
    other = frame.assign(answer=renamed)
    assert_same(frame, other)
    ours, theirs = measured(frame).to_pandas(), measured(other).to_pandas()
    pd.testing.assert_frame_equal(ours.drop(columns=TIED), theirs.drop(columns=TIED))
    untied = ~ours["tie"]
    assert (ours["team_correct"] == theirs["team_correct"])[untied].all()
    assert (ours["unanimous_wrong"] == theirs["unanimous_wrong"]).all()


@given(seeds)
@settings(max_examples=10)
def test_who_gave_which_answer_does_not_matter(seed):
    """The agents of every team change seats."""
    rng = np.random.default_rng(seed)
    frame = random_teams(seed, sizes=(1, 2, 5, 12))  # enough terms for their order to move a last bit
    seats = frame.groupby(TEAM)["agent"].transform(lambda agents: rng.permutation(agents.to_numpy()))
    assert (seats != frame["agent"]).any()
    assert measured(frame.assign(agent=seats)).equals(measured(frame))


@given(seeds)
@settings(max_examples=6)
def test_order_and_names_of_items_do_not_matter(seed):
    """Rows in any order; names that sort as before, since item weights go by the order of names."""
    rng = np.random.default_rng(seed)
    frame = random_teams(seed)
    renamed = frame.assign(item="question-" + frame["item"].str[-3:]).sample(frac=1, random_state=rng)
    assert_same(frame, renamed)


@given(seeds)
@settings(max_examples=6)
def test_names_that_sort_otherwise_change_no_estimate(seed):
    """Only which draw weighs which item: estimates are sums in another order, intervals other draws of one kind."""
    rng = np.random.default_rng(seed)
    frame = random_teams(seed)
    names = dict(
        zip(sorted(set(frame["item"])), rng.permutation(100)[: frame["item"].nunique()].astype(str), strict=True)
    )
    for ours, theirs in zip(
        fitted(frame, NONE), fitted(frame.assign(item=frame["item"].map(names)), NONE), strict=True
    ):
        pd.testing.assert_frame_equal(ours, theirs, rtol=1e-7, atol=1e-9)


def twice(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([frame, frame.assign(item="copy of " + frame["item"])])


@given(seeds)
@settings(max_examples=6)
def test_every_item_twice_changes_no_estimate(seed):
    frame = random_teams(seed)
    for ours, theirs in zip(fitted(frame, NONE), fitted(twice(frame), NONE), strict=True):
        columns = [name for name in ours if name not in ("n_items", "flags")]
        pd.testing.assert_frame_equal(ours[columns], theirs[columns], rtol=1e-7, atol=1e-9)
        assert (theirs["n_items"] == 2 * ours["n_items"]).all()


def test_every_item_twice_makes_intervals_narrower_by_the_root_of_two():
    """Over 2,000 draws a width is known to 2 %; items that were counted once would leave it as it is."""
    many = FitSettings(n_boot=2000, interval=Percentile)
    frame = random_teams(5, items=80, sizes=(2, 5), missing=0.05)
    (fits, curves), (fits_twice, curves_twice) = fitted(frame, many), fitted(twice(frame), many)
    ratios = (curves_twice["n_eff_high"] - curves_twice["n_eff_low"]) / (curves["n_eff_high"] - curves["n_eff_low"])
    assert len(ratios) == 2 * len(LEVELS)
    assert ratios.to_numpy() == pytest.approx(0.5**0.5, rel=0.1)
    kish = fits["law"] == "kish"
    width, width_twice = ((table["c_high"] - table["c_low"])[kish] for table in (fits, fits_twice))
    assert (width_twice / width).to_numpy() == pytest.approx(0.5**0.5, rel=0.1)


speakers = st.lists(st.booleans(), min_size=3, max_size=3)


@given(st.lists(st.tuples(st.sampled_from("ABC"), speakers), min_size=2, max_size=6))
@settings(max_examples=10)
def test_teams_of_one_mind_count_as_one(items):
    """Whoever else is silent: all who speak on an item say the same, on some items rightly."""
    items = [*items, ("A", [True] * 3), ("B", [True] * 3)]
    answers, right = {}, {}
    for number, (answer, others) in enumerate(items):
        right[f"item{number}"] = "A"
        for n in (2, 3, 5):
            speak = [True, True, *others][:n]
            answers[f"item{number}", n] = [answer if here else None for here in speak]
    fits, curves = fitted(teams(answers, right), FEW.paper)
    assert set(curves["level"]) == set(LEVELS)
    complete = all(all(others) for _, others in items)
    for level in LEVELS if complete else LEVELS[:3]:
        assert_ones(curves[curves["level"] == level], exact=level != "correctness")
        kish = fits[(fits["law"] == "kish") & (fits["level"] == level)]
        assert kish["c"].to_numpy() == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("wrong", [1, 3, 9])
def test_teams_of_one_mind_are_right_and_wrong_as_one(wrong):
    answers = {(f"item{i}", n): ["B" if i < wrong else "A"] * n for i in range(10) for n in (2, 3, 5)}
    _, curves = fitted(teams(answers, {item: "A" for item, _ in answers}), FEW.paper)
    assert_ones(curves, exact=False)


def assert_ones(curves: pd.DataFrame, exact: bool) -> None:
    """N_eff is 1, also at both ends of its percentile interval; (p - p^2) / (p (1 - p)) is so but for the last bits."""
    known = curves[["n_eff", "n_eff_low", "n_eff_high"]].to_numpy()
    assert known.size
    assert (known == 1.0).all() if exact else np.abs(known - 1.0).max() < 1e-12


def test_agents_who_all_differ_count_in_full():
    """At answer level 2^(log2 n), and by agreement n, since no pair is equal."""
    sizes = range(1, 31)
    answers = {(f"item{item}", n): [f"{item}/{agent}" for agent in range(n)] for item in range(3) for n in sizes}
    _, curves = fitted(teams(answers, {item: f"{item[4:]}/0" for item, _ in answers}), NONE)
    rows = curves.set_index(["level", "n"])["n_eff"]
    assert rows["answer"].to_numpy() == pytest.approx(np.array(sizes), rel=1e-13)
    for level in ("agreement", "pooled_agreement"):
        assert rows[level].tolist() == list(sizes)
