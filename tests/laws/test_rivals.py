"""Every law on every curve of a run."""

import math

import numpy as np
import pandas as pd
import pytest
from fitted import pick
from lawful_teams import lawful
from made_up_teams import CONDITIONS, answers, measured
from scipy.optimize import curve_fit

from headcount.laws.audit import OURS
from headcount.laws.cells import fit_run
from headcount.laws.compared import COMPARED
from headcount.laws.estimate import fit_all
from headcount.laws.forms import ringelmann
from headcount.laws.misfit import misfit, noise_of
from headcount.laws.profiles import LEVELS, last_series, profile
from headcount.laws.rivals import best_law, rivals_of_run
from headcount.laws.series import TeamRows, split_tasks
from headcount.laws.settings import FitSettings
from headcount.measures.subsets import subset_measures
from headcount.schema import ANSWERS, RIVALS
from headcount.store import conform, plain

SIZES = (1, 2, 3, 5, 7, 10)
POINTS = FitSettings(n_boot=0)


def rivals(**teams):
    table = rivals_of_run({name: TeamRows(measures) for name, measures in teams.items()}, POINTS)
    assert table.schema.equals(RIVALS.schema)
    return plain(table)


@pytest.fixture(scope="module")
def measures():
    return measured(answers(sizes=SIZES, items=20, rounds=2))


def test_each_condition_has_each_law_after_its_last_round(measures):
    frame = rivals(team=measures)
    assert len(frame) == len(CONDITIONS) * 2 * len(COMPARED)
    rounds = {str(name): set(rows["round"]) for name, rows in frame.groupby("condition")}
    assert rounds == {"debate": {2}, "noise": {2}, "self_correction": {2}, "self_consistency": {1}}
    assert all(sizes.tolist() == [2, 3, 5, 7, 10] for sizes in frame["sizes"])


def test_estimates_are_those_of_the_runs_curves(measures):
    frame = rivals(team=measures)
    _, curves = fit_run({"team": TeamRows(measures)}, FitSettings(n_boot=0))
    for level in ("answer", "pooled_agreement"):
        curve = pick(plain(curves), condition="debate", round=2, level=level)
        expected = fit_all(curve["n"].to_numpy(), curve["n_eff"].to_numpy())["laws"]
        for _, row in pick(frame, condition="debate", level=level).iterrows():
            law = expected[row["law"]]
            assert dict(zip(row["parameters"], row["values"], strict=True)) == pytest.approx(law["params"])
            for name in ("r2", "r2_with_one", "rmse_n_eff"):
                assert row[name] == pytest.approx(law[name])
            assert list(row["flags"]) == law["flags"]  # and none of a covariance: 20 items are enough for five sizes


def test_a_lawful_curve_is_explained_at_both_levels():
    frame = rivals(team=lawful(lambda n: n * ringelmann(n, 0.4, 0.3), SIZES))
    for _, row in pick(frame, law="ringelmann").iterrows():
        assert row["values"] == pytest.approx([0.4, 0.3], abs=1e-6)
        assert row["r2"] == pytest.approx(1)
        assert row["left_out_error"] == pytest.approx(0, abs=1e-6)
    others = pick(frame, law="logistic")
    assert (others["left_out_error"] > 0.01).all()


def test_criteria_and_errors_by_hand(measures):
    """Ringelmann's law by SciPy: SSE of R for the criteria, and six refits for the error at a size left out."""
    row = pick(rivals(team=measures), condition="noise", level="answer", law="ringelmann_free").iloc[0]
    frame = pick(plain(measures), condition="noise", round=2)
    n_eff = frame.groupby("n")["n_eff_answer"].mean().drop(1)
    n, r = n_eff.index.to_numpy(float), (n_eff / n_eff.index).to_numpy()
    how = {"p0": (0.4, 0.1), "bounds": ((0, -1), (20, 1)), "ftol": 1e-14, "xtol": 1e-14}
    theta, _ = curve_fit(ringelmann, n, r, **how)
    sse, m = ((ringelmann(n, *theta) - r) ** 2).sum(), n.size
    assert row["aicc"] == pytest.approx(m * np.log(sse / m) + 6 + 24 / (m - 4))
    assert row["bic"] == pytest.approx(m * np.log(sse / m) + 3 * np.log(m))
    errors = []
    for out in range(m):
        theta, _ = curve_fit(ringelmann, np.delete(n, out), np.delete(r, out), **how)
        errors.append(abs(ringelmann(n[out], *theta) / r[out] - 1))
    assert row["left_out_error"] == pytest.approx(np.mean(errors), rel=1e-5)


def test_means_over_all_subsets_are_curves_of_their_own():
    frame = conform(answers(sizes=SIZES, conditions=("self_consistency",), rounds=1), ANSWERS, "test")
    subsets = subset_measures(frame, {("t", "self_consistency"): SIZES})
    table = plain(rivals_of_run({"team": TeamRows(measured(frame.to_pandas()), subsets)}, POINTS))
    assert set(table["subsets"]) == {"first", "all"}
    assert len(table) == 2 * 2 * len(COMPARED)


def test_a_sweep_over_peers_for_more_rounds_at_few_sizes_is_not_the_last_word():
    frame = answers(sizes=SIZES, conditions=("debate",), rounds=4)
    swept = frame["n"].isin((5, 10))
    sparse = frame[swept & (frame["n"] == 10)].assign(k=4)
    table = measured(pd.concat([frame[swept | (frame["round"] <= 2)], sparse]))
    found = rivals(team=table)
    assert set(found["round"]) == {2}
    assert set(found["peers"]) == {"full"}


@pytest.mark.parametrize("sizes", [(1,), (1, 5), (2, 5)])
def test_few_sizes_have_rows_with_what_can_be_said(sizes):
    frame = rivals(team=measured(answers(sizes=sizes, conditions=("debate",), rounds=1)))
    assert len(frame) == (0 if sizes == (1,) else 2 * len(COMPARED))
    if len(frame):
        assert frame["aicc"].isna().all()
        assert all(list(flags) == ["few_sizes"] for flags in pick(frame, law="power")["flags"])
        assert pick(frame, law="kish")["rmse_n_eff"].notna().all()


def test_made_of_simulated_answers_is_said():
    measures = measured(answers(sizes=(2, 5), items=4, conditions=("debate",), rounds=1))
    table = rivals_of_run({"a": TeamRows(measures), "b": TeamRows(measures)}, POINTS, simulated=["b"])
    assert plain(table).groupby("team")["simulated"].unique().map(list).to_dict() == {"a": [False], "b": [True]}


def test_no_teams_have_no_rivals():
    assert rivals_of_run({}, POINTS).num_rows == 0


def test_misfit_is_that_of_the_curve_and_picks_the_law_with_the_fewest_parameters_for_it(measures):
    frame = rivals(team=measures)
    _, rows = next(iter(split_tasks(TeamRows(measures))))
    for (condition, level), cell in frame.groupby(["condition", "level"]):
        series = next(series for series in last_series(rows) if series.condition == condition)
        curve = profile(rows, series, {each.name: each for each in LEVELS}[str(level)])
        noise, r = noise_of(curve, 0, "team", "t"), curve.observed() / curve.sizes
        parameters = cell["parameters"].map(len)
        for _, row in cell.iterrows():
            told = misfit(row["law"], curve.sizes.astype(float), r, noise)
            assert (row["q"], row["q_df"], row["q_p"]) == pytest.approx((told.q, told.df, told.p))
        for best, values in (("q", cell["q"] + 2 * parameters), ("left_out", cell["left_out_error"])):
            chosen = cell["law"] == cell[f"best_by_{best}"]
            assert values[chosen].tolist() == pytest.approx([values.min()])


def test_of_laws_that_are_equally_near_the_plainest_wins():
    """Where correlation rises with N, Ringelmann's bounded law is Kish's, by every measure."""
    assert best_law({"ringelmann": 3.0, "kish": 3.0, "power": 4.0}) == "kish"
    assert best_law({"ringelmann": 2.0, "kish": 3.0, "power": math.nan}) == "ringelmann"
    assert best_law({"kish": math.nan}) is None


def test_items_that_are_all_alike_have_no_misfit_and_say_so():
    frame = rivals(team=lawful(lambda n: n * ringelmann(n, 0.4, 0.3), SIZES))
    assert frame[["q", "q_p", "best_by_q"]].isna().all(axis=None)
    assert all("covariance_singular" in flags for flags in frame["flags"])
    assert (frame["best_by_left_out"].isin(["ringelmann", "ringelmann_free"])).all()


def test_headline_numbers_have_intervals_where_the_run_has():
    frame = plain(rivals_of_run({"team": TeamRows(measured(answers(sizes=SIZES, items=20, rounds=1)))}, FitSettings()))
    known = frame.groupby("law")["n_eff_30_low"].apply(lambda column: column.notna().all()).to_dict()
    assert known == {law: law in OURS for law in COMPARED}
    free = pick(frame, law="ringelmann_free")
    assert (free["rho_10_low"] < free["rho_10"]).all()
    assert (free["rho_10"] < free["rho_10_high"]).all()


def speechless(frame: pd.DataFrame, sizes: tuple[int, ...]) -> pd.DataFrame:
    """The same where teams of some sizes have one answer each, so that no pair agrees or disagrees."""
    silent = frame["n"].isin(sizes) & (frame["agent"] > 1)
    return frame.assign(answer=frame["answer"].mask(silent, None), correct=frame["correct"].mask(silent))


def test_a_curve_is_compared_at_the_sizes_where_it_has_a_value():
    teams = answers(sizes=(2, 3, 5, 7), items=6, conditions=("debate",), rounds=1, missing=0)
    frame = rivals(some=measured(speechless(teams, (7,))), none=measured(speechless(teams, (2, 3, 5, 7))))
    kish = pick(frame, law="kish").set_index(["team", "level"])
    sizes = {key: row["sizes"].tolist() for key, row in kish.iterrows()}
    assert sizes[("some", "answer")] == sizes[("none", "answer")] == [2, 3, 5, 7]
    assert sizes[("some", "pooled_agreement")] == [2, 3, 5]
    assert sizes[("none", "pooled_agreement")] == []
    assert kish["left_out_error"].isna().to_dict() == {key: not known for key, known in sizes.items()}
    nothing = pick(frame, team="none", level="pooled_agreement")
    assert nothing[["best_by_q", "best_by_left_out", "q", "aicc"]].isna().all(axis=None)
    assert not any("covariance_singular" in flags for flags in nothing["flags"])


@pytest.mark.parametrize(("sizes", "said"), [((2,), False), ((2, 5), True)])
def test_one_size_has_no_covariance_to_speak_of(sizes, said):
    frame = rivals(team=lawful(lambda n: n * ringelmann(n, 0.4, 0.3), sizes))
    assert all(("covariance_singular" in flags) == said for flags in frame["flags"])
