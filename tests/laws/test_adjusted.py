"""Debates adjusted by round 1: least squares by another program, what changes nothing, and that variance falls."""

import numpy as np
import pandas as pd
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_teams import answers, measured
from scipy import stats

from headcount.laws.adjusted import FEW, adjust, slopes
from headcount.laws.cells import FitSettings, fit_run
from headcount.laws.series import TeamRows, item_means, split_series, split_tasks
from headcount.measures.subsets import subset_measures
from headcount.schema import ANSWERS
from headcount.store import conform, plain

SIZES = (1, 2, 3, 5)
ALL_SIZES = {("t", condition): SIZES for condition in ("self_consistency", "debate", "noise")}
ADJUSTED = (
    "n_eff_answer",
    "n_eff_agreement",
    "agreement",
    "equal_pairs",
    "n_correct",
    "correct_pairs",
    "expected_correct",
)


def team_of(frame: pd.DataFrame, sizes=ALL_SIZES) -> TeamRows:
    return TeamRows(measured(frame), subset_measures(conform(frame, ANSWERS, "test"), sizes))


def nested(frame: pd.DataFrame, largest: int = 5) -> pd.DataFrame:
    """The same with one first answer of every agent, whatever its team and condition."""
    agent = ["item", "replicate", "agent"]
    alone = frame[(frame["condition"] == frame["condition"].iloc[0]) & (frame["n"] == largest) & (frame["round"] == 1)]
    told = frame[[*agent]].merge(alone[[*agent, "answer", "correct"]], on=agent, how="left")
    first = frame["round"] == 1
    return frame.assign(
        answer=frame["answer"].where(~first, told["answer"].to_numpy()),
        correct=frame["correct"].where(~first, told["correct"].to_numpy()),
    )


def of_kind(team: TeamRows) -> dict:
    return {rows.subsets: rows for _, rows in split_tasks(team)}


def frame_of(rows) -> pd.DataFrame:
    keys = ["n", "k", "round", "replicate"]
    frame = pd.DataFrame(rows.columns).assign(condition=rows.condition, item=[rows.items[place] for place in rows.item])
    return frame.astype(dict.fromkeys(keys, int)).set_index(["condition", "item", *keys])


def by_scipy(f, d):
    """The slope of each item, of a regression without it."""
    others = [np.delete(np.arange(f.size), place) for place in range(f.size)]
    return np.array([stats.linregress(d[rest], f[rest]).slope if np.ptp(d[rest]) > 1e-9 else 0.0 for rest in others])


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("name", ADJUSTED)
def test_each_value_is_less_what_a_regression_by_scipy_says_carries_over(name, missing):
    kinds = of_kind(team_of(nested(answers(items=30, missing=missing, sizes=SIZES))))
    first, every, adjusted = (frame_of(kinds[kind]) for kind in ("first", "all", "adjusted"))
    whole = {"equal_pairs": "pairs", "correct_pairs": "pairs", "n_correct": "n_valid"}.get(name)
    every = every.rename(columns={"team_correct": "expected_correct"})
    first, u = (rows[name] / (rows[whole] if whole else 1) for rows in (first, every))
    u = u.loc["self_consistency"].droplevel(["k", "round"]).dropna()
    of_first = first.xs(1, level="round")
    for key, f in first.groupby(["condition", "n", "k", "round"]):
        if key[0] not in ("debate", "noise") or key[3] == 1:
            continue
        items = f.reset_index()
        before = of_first.reindex(
            pd.MultiIndex.from_frame(items[["condition", "item", "n", "k", "replicate"]])
        ).to_numpy()
        d = before - u.reindex(pd.MultiIndex.from_frame(items[["item", "n", "replicate"]])).to_numpy()
        known = np.isfinite(d) & items[items.columns[-1]].notna().to_numpy()
        here = f.to_numpy()
        varies = known.sum() >= FEW and np.ptp(d[known]) > 1e-9
        b = by_scipy(here[known], d[known]) if varies else 0.0
        expected = here.copy()
        expected[known] -= b * d[known]
        found = adjusted.loc[f.index, name] / (adjusted.loc[f.index, whole] if whole else 1)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_rows_are_the_revisions_of_talk_at_sizes_that_all_teams_are_known_of():
    sizes = {("t", "self_consistency"): (2, 5)}
    rows = of_kind(team_of(nested(answers(items=12)), sizes))["adjusted"]
    series = {(one.condition, one.peers, one.round): one.sizes.tolist() for one in split_series(rows)}
    assert series == {(condition, "full", turn): [2, 5] for condition in ("debate", "noise") for turn in (2, 3)}


def test_a_team_that_only_debates_is_adjusted_by_its_own_first_round():
    kinds = of_kind(team_of(nested(answers(items=20, conditions=("debate",)))))
    assert set(kinds) == {"first", "all", "adjusted"}
    (alone,) = split_series(kinds["all"])
    assert (alone.condition, alone.peers, alone.round, alone.sizes.tolist()) == ("debate", "none", 1, list(SIZES))
    first, adjusted = (frame_of(kinds[kind]) for kind in ("first", "adjusted"))
    largest = adjusted.xs(5, level="n", drop_level=False)  # the whole team is the only one of five
    kept = [*ADJUSTED, "n_valid", "pairs"]
    pd.testing.assert_frame_equal(largest[kept], first.loc[largest.index, kept], rtol=1e-12)


def test_without_subsets_or_talk_nothing_is_adjusted():
    assert set(of_kind(TeamRows(measured(answers(items=12))))) == {"first"}
    alone = answers(items=12, conditions=("self_consistency", "self_correction"))
    assert set(of_kind(team_of(nested(alone)))) == {"first", "all"}
    team = team_of(nested(answers(items=12)), {("t", "self_correction"): SIZES})
    revised = team.subsets.filter(pc.greater(team.subsets["round"], 1))
    assert set(of_kind(TeamRows(team.measures, revised))) == {"first", "all"}


def test_few_items_are_left_as_they_are():
    kinds = of_kind(team_of(nested(answers(items=FEW - 1))))
    first, adjusted = (frame_of(kinds[kind]) for kind in ("first", "adjusted"))
    pd.testing.assert_frame_equal(adjusted[[*ADJUSTED]], first.loc[adjusted.index, [*ADJUSTED]], rtol=1e-12)


def test_replicates_of_an_item_count_as_one():
    rng = np.random.default_rng(0)
    f, d = rng.normal(size=(2, 40))
    item, cell = np.repeat(np.arange(20), 2), np.zeros(40, int)
    b = by_scipy(f.reshape(20, 2).mean(axis=1), d.reshape(20, 2).mean(axis=1))
    np.testing.assert_allclose(adjust(f, d, item, cell), f - np.repeat(b, 2) * d)


values = st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=FEW, max_size=30)


@given(values, st.floats(-9, 9), st.floats(-9, 9))
def test_constants_and_what_does_not_differ_change_nothing(pairs, one, other):
    """A constant added to a team's round 1 and to all teams' leaves d as it is; U = r1team leaves f."""
    f, d = np.array(pairs).T
    item, cell = np.arange(f.size), np.zeros(f.size, int)
    adjusted = adjust(f, d, item, cell)
    np.testing.assert_allclose(adjust(f, (d + one) - one, item, cell), adjusted, atol=1e-6)
    np.testing.assert_allclose(adjust(f + other, d, item, cell) - other, adjusted, atol=1e-6)
    np.testing.assert_array_equal(adjust(f, np.zeros_like(d), item, cell), f)


@given(values)
def test_slopes_are_those_of_a_regression_without_each_item(pairs):
    f, d = np.array(pairs).T
    if min(np.ptp(np.delete(d, place)) for place in range(d.size)) < 1e-2:
        return
    others = [np.delete(np.arange(f.size), place) for place in range(f.size)]
    expected = [np.linalg.lstsq(np.c_[np.ones(len(rest)), d[rest]], f[rest], rcond=None)[0][1] for rest in others]
    np.testing.assert_allclose(slopes(f, d), expected, rtol=1e-5, atol=1e-6)


def test_items_without_a_difference_keep_their_value_and_teach_nothing():
    f, d = np.random.default_rng(1).normal(size=(2, 20))
    d[3], f[4] = np.nan, np.nan
    adjusted = adjust(f, d, np.arange(20), np.zeros(20, int))
    assert adjusted[3] == f[3]
    assert np.isnan(adjusted[4])
    known = np.delete(np.arange(20), [3, 4])
    np.testing.assert_allclose(adjusted[known], (f[known] - by_scipy(f[known], d[known]) * d[known]))


def test_one_item_that_differs_alone_is_left_and_no_other_is_moved():
    """Without it nothing varies; with it, others have no difference to take away."""
    f, d = np.random.default_rng(2).normal(size=20), np.zeros(20)
    d[7] = 1.0
    np.testing.assert_array_equal(adjust(f, d, np.arange(20), np.zeros(20, int)), f)


def talking(sets: int, items: int, rng, largest=20, n=5, options=4) -> pd.DataFrame:
    """Data sets, one a task: agents' first answers, and a debate of n in which 40 % take the most frequent answer."""
    q = rng.dirichlet(np.full(options, 0.8), size=(sets, items))
    first = (q.cumsum(axis=2)[:, :, None] < rng.random((sets, items, largest, 1))).sum(axis=3)
    team = first[:, :, :n]
    counts = (team[..., None] == np.arange(options)).sum(axis=2)
    leader = (counts + rng.random(counts.shape) * 0.5).argmax(axis=2)[:, :, None]
    second = np.where(rng.random(team.shape) < 0.4, leader, team)
    frames = [
        _long(first, "self_consistency", 1),
        _long(team, "debate", 1),
        _long(second, "debate", 2),
    ]
    return pd.concat(frames)


def _long(said: np.ndarray, condition: str, turn: int) -> pd.DataFrame:
    n = said.shape[2]
    task, item, agent = (axis.ravel() for axis in np.indices(said.shape))
    base = answers(items=1, sizes=(1,), conditions=("debate",), rounds=1).iloc[0].to_dict()
    letters = np.array(list("ABCDEFGH"), dtype=object)[said.ravel()]
    about = {"condition": condition, "n": n, "k": 0 if condition == "self_consistency" else n - 1, "round": turn}
    own = {"task": np.char.add("t", np.char.zfill(task.astype(str), 3)), "agent": agent + 1}
    own |= {"item": np.char.add("i", np.char.zfill(item.astype(str), 3)), "answer": letters, "correct": letters == "A"}
    return pd.DataFrame(base | about, index=range(said.size)).assign(**own)


def means_of(frame: pd.DataFrame, names) -> dict[str, pd.DataFrame]:
    """Mean over items after the debate of each data set, by kind of rows."""
    sizes = {(task, "self_consistency"): (5,) for task in frame["task"].unique()}
    found = {"first": [], "adjusted": []}
    for _, rows in split_tasks(team_of(frame, sizes)):
        for series in split_series(rows):
            if rows.subsets in found and (series.condition, series.round) == ("debate", 2):
                columns = np.stack([rows.columns[name][series.rows] for name in names], axis=1)
                found[rows.subsets].append(item_means(rows, series, columns)[:, 0].mean(axis=0))
    return {kind: pd.DataFrame(means, columns=list(names)) for kind, means in found.items()}


def test_means_stay_and_vary_less_over_data_sets():
    """Of 150 data sets of 40 items. The ratio of variances is 1.1 to 1.8 by the derivation (four options, N = 5)."""
    means = means_of(talking(150, 40, np.random.default_rng(3)), ADJUSTED)
    for name in ADJUSTED:
        moved = means["adjusted"][name] - means["first"][name]
        assert abs(moved.mean()) < 4 * moved.std() / np.sqrt(len(moved)), name
        ratio = means["first"][name].var() / means["adjusted"][name].var()
        assert 1.05 < ratio < 3, name


def test_fits_of_adjusted_rows_are_of_their_means():
    """All four levels have what they need; one size that has all teams of it is no curve, but a point."""
    team = team_of(nested(answers(items=40, missing=0.05)))
    fits, curves = (plain(table) for table in fit_run({"team": team}, FitSettings(n_boot=20)))
    adjusted = fits[fits["subsets"] == "adjusted"]
    assert set(adjusted["level"]) == {"answer", "agreement", "pooled_agreement", "correctness"}
    assert set(adjusted["condition"]) == {"debate", "noise"}
    assert set(adjusted["round"]) == {2, 3}
    rows = of_kind(team)["adjusted"]
    series = next(one for one in split_series(rows) if (one.condition, one.round) == ("debate", 3))
    parts = np.stack([rows.columns[name][series.rows] for name in ("equal_pairs", "pairs")], axis=1)
    equal, pairs = np.nanmean(item_means(rows, series, parts), axis=0).T
    here = curves[(curves["subsets"] == "adjusted") & (curves["condition"] == "debate") & (curves["round"] == 3)]
    here = here[here["level"] == "pooled_agreement"].set_index("n")["n_eff"]
    n = series.sizes[1:]
    np.testing.assert_allclose(here[n], n / (1 + (n - 1) * equal[1:] / pairs[1:]))


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 99))
def test_order_of_rows_changes_nothing(seed):
    frame = nested(answers(items=12, seed=seed))
    team = team_of(frame)
    order = np.random.default_rng(seed).permutation(team.measures.num_rows)
    other = TeamRows(team.measures.take(order), team.subsets.slice(3).combine_chunks())
    whole = frame_of(of_kind(TeamRows(team.measures, team.subsets.slice(3)))["adjusted"]).sort_index()
    pd.testing.assert_frame_equal(frame_of(of_kind(other)["adjusted"]).sort_index(), whole, rtol=1e-9)
