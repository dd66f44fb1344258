"""Figures of human groups, of talk by initial agreement, of levels, and of what size and tokens buy."""

import numpy as np
import pandas as pd
import pytest
from made_run import PUBLISHED, write_nothing, write_run
from made_series import NEWCOMER, QWEN, one, row

from headcount.publish.figures import (
    human_groups_kish,
    human_groups_latane,
    k_tau_by_initial_agreement,
    levels,
    team_accuracy,
    tokens_and_accuracy,
)
from headcount.publish.figures.style import save
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.schema import CURVES, ESTIMATES, FITS

POINTS = {  # where a figure's marks and lines are, and the ends of its upright intervals; x, y, low, high
    "human_groups_latane": ("n", "r", "r_low", "r_high"),
    "human_groups_kish": ("n", "r", "r_low", "r_high"),
    "k_tau_by_initial_agreement": ("k_tau", "agreement", "low", "high"),
    "team_accuracy": ("n", "team_accuracy", "team_accuracy_low", "team_accuracy_high"),
    "tokens_and_accuracy": ("tokens", "team_accuracy", "team_accuracy_low", "team_accuracy_high"),
}
NAMES = [*POINTS, "levels"]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return Inputs(write_run(tmp_path_factory.mktemp("run")), PUBLISHED)


@pytest.fixture(scope="module")
def drawn(inputs):
    """Figure and numbers by name, each drawn once."""
    return {name: load("figures", name).make(inputs) for name in NAMES}


def points(figure):
    """Every (x, y) of every line in a figure."""
    lines = [line for axes in figure.axes for line in axes.lines]
    return {(float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True)}


def ends(figure):
    """Every end of every interval in a figure, as (x, y)."""
    lines = [lines for axes in figure.axes for lines in axes.collections if hasattr(lines, "get_segments")]
    return {tuple(map(float, point)) for line in lines for segment in line.get_segments() for point in segment}


def pairs(data, x, y):
    return {(float(a), float(b)) for a, b in zip(data[x], data[y], strict=True) if pd.notna(b)}


def texts(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


@pytest.mark.parametrize("name", NAMES)
def test_two_drawings_are_equal_bytes_and_their_csv_is_the_frame(name, inputs, drawn, tmp_path):
    for copy, (figure, data) in {"one": drawn[name], "two": load("figures", name).make(inputs)}.items():
        save(figure, data, *(tmp_path / f"{copy}.{kind}" for kind in ("pdf", "svg", "png", "csv")))
    for kind in ("pdf", "svg", "png", "csv"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()
    again = pd.read_csv(tmp_path / "one.csv", keep_default_na=False)
    assert again["simulated"].astype(str).tolist() == data["simulated"].astype(str).tolist()
    for column in data.select_dtypes("number"):
        numbers = pd.to_numeric(again[column].replace("", np.nan))
        np.testing.assert_array_equal(numbers, data[column].astype(float))


@pytest.mark.parametrize("name", POINTS)
def test_what_is_drawn_is_what_the_frame_holds(name, drawn):
    figure, data = drawn[name]
    x, y, low, high = POINTS[name]
    assert points(figure) == pairs(data, x, y)
    measured = data[data["kind"] == "measured"] if "kind" in data else data
    assert pairs(measured, x, low) | pairs(measured, x, high) <= ends(figure)
    if name != "tokens_and_accuracy":
        assert pairs(measured, x, low) | pairs(measured, x, high) == ends(figure)


def test_tokens_have_intervals_to_both_sides(drawn):
    figure, data = drawn["tokens_and_accuracy"]
    _, y, low, high = POINTS["tokens_and_accuracy"]
    upright = pairs(data, "tokens", low) | pairs(data, "tokens", high)
    assert ends(figure) == upright | pairs(data, "tokens_low", y) | pairs(data, "tokens_high", y)


def test_every_exponent_of_every_level_is_drawn_with_its_interval(drawn):
    figure, data = drawn["levels"]
    border = 0.1
    assert {x for x, _ in points(figure)} - {border} == set(data["beta"].dropna()) - {border}
    assert {x for x, _ in ends(figure)} == set(data["beta_low"]) | set(data["beta_high"])
    assert data.groupby(["task", "team", "condition"]).size().eq(8).all()  # four levels, two laws
    assert data["task"].is_monotonic_increasing


@pytest.mark.parametrize("name", NAMES)
def test_a_run_without_numbers_gets_a_figure_that_says_so(name, tmp_path):
    figure, data = load("figures", name).make(Inputs(write_nothing(tmp_path), PUBLISHED))
    assert len(figure.texts[0].get_text()) > 10
    assert data.empty
    assert "simulated" in data
    save(figure, data, *(tmp_path / f"it.{kind}" for kind in ("pdf", "svg", "png", "csv")))


@pytest.mark.parametrize("name", [*POINTS, "levels"])
def test_panels_of_simulated_teams_say_so_and_no_others(name, drawn):
    """Only `newcomer` on `mmlu_hard_200` is simulated: a panel each, and in `levels` one for each level."""
    figure, data = drawn[name]
    stamps = [axes for axes in figure.axes if "SIMULATED" in {text.get_text() for text in axes.texts}]
    assert len(stamps) == {"levels": 4, "k_tau_by_initial_agreement": 0}.get(name, 1)
    assert set(data.loc[data["simulated"].astype(bool), "group" if "group" in data else "team"]) <= {NEWCOMER}


def test_human_groups_have_the_papers_exponents(drawn):
    """Printed: t = .55 and rho = .12 for rope pulling (arXiv 2606.02646, app. B), t as the slope alone."""
    figure, latane = drawn["human_groups_latane"]
    rope = latane[latane["group"] == "rope_1913"]
    assert rope["t_slope"].unique().round(2).tolist() == [0.55]
    assert "rope pulling, 1913\nt = 0.75, slope 0.55" in texts(figure)
    figure, kish = drawn["human_groups_kish"]
    assert kish.loc[kish["group"] == "rope_1913", "rho"].unique().round(2).tolist() == [0.12]
    assert "rope pulling, 1913\nρ = 0.12" in texts(figure)
    assert rope.loc[rope["kind"] == "measured", ["r_low", "r_high"]].isna().all(axis=None)


def test_curves_of_human_groups_are_the_laws(drawn):
    _, latane = drawn["human_groups_latane"]
    law, slope = (latane[latane["kind"] == kind] for kind in ("law", "slope"))
    np.testing.assert_allclose(law["r"], law["n"] ** (law["t"] - 1), atol=1e-5)
    np.testing.assert_allclose(slope["r"], slope["amplitude"] * slope["n"] ** (slope["t_slope"] - 1), atol=1e-5)
    _, kish = drawn["human_groups_kish"]
    curve = kish[kish["kind"] == "fitted"]
    np.testing.assert_allclose(curve["r"], 1 / (1 + (curve["n"] - 1) * curve["rho"]), atol=1e-5)
    team = curve[curve["source"] == "run"]
    np.testing.assert_allclose(team["r_high"], 1 / (1 + (team["n"] - 1) * team["rho_low"]), atol=1e-5)


def test_debates_stand_beside_people_at_the_last_round_with_the_runs_correlation(drawn):
    _, data = drawn["human_groups_kish"]
    debate = one(QWEN, "mmlu_hard", "debate")
    here = row(data, group=QWEN, task="mmlu_hard", kind="measured", n=30)
    assert here["round"] == 3
    assert here["r"] == pytest.approx(debate.number(30, "answer", "r"), abs=1e-6)
    assert here["rho"] == pytest.approx(debate.number("answer", "kish", "c"), abs=1e-6)
    assert (here["rho_high"] - here["rho_low"]) == pytest.approx(0.02)


@pytest.mark.parametrize("draw", [human_groups_latane.draw_latane, human_groups_kish.draw_kish])
def test_of_many_debates_the_outermost_have_a_curve_and_a_label(draw, inputs):
    groups, fits, curves = inputs.printed("human_groups"), inputs.read(FITS), inputs.read(CURVES)
    fits, curves = (pd.concat([_scaled(rows, place, "abcde"[place]) for place in range(5)]) for rows in (fits, curves))
    figure, data = draw(groups, fits, curves)
    fitted = data[(data["source"] == "run") & data["kind"].isin(["law", "fitted"])]
    assert set(fitted["group"]) == {"a", "e"}
    assert {text.split("\n")[0] for text in texts(figure)} & set("abcde") == {"a", "e"}
    assert set(data.loc[data["kind"] == "measured", "group"]) >= set("abcde")


def _scaled(table, place, name):
    """A debating team whose curve lies above the one before, and whose correlation is larger."""
    here = table[(table["team"] == QWEN) & (table["task"] == "mmlu_hard") & (table["condition"] == "debate")]
    here = here.assign(team=name)
    for column in ("c", "c_low", "c_high", "n_eff", "n_eff_low", "n_eff_high"):
        if column in here:
            here[column] = here[column] * (1 + place / 10)
    return here


def k_tau(inputs, keep=lambda rows: rows["n"] > 0):
    estimates = inputs.read(ESTIMATES)
    return k_tau_by_initial_agreement.draw(estimates[keep(estimates)])


def test_agreement_is_of_teams_of_ten_or_else_of_the_largest(inputs):
    assert set(k_tau(inputs)[1]["n"]) == {10}
    assert set(k_tau(inputs, lambda rows: rows["n"] != 10)[1]["n"]) == {30}
    figure, data = k_tau(inputs, lambda rows: rows["peers"] == "full")
    assert data.empty
    assert "several numbers of peers" in figure.texts[0].get_text()


def test_agreement_by_peers_and_updates_starts_at_round_one(drawn):
    _, data = drawn["k_tau_by_initial_agreement"]
    assert set(data["k"]) == {1, 2, 4, 9}  # hearing all others is 9
    assert (data["k_tau"] == data["k"] * data["tau"]).all()
    assert all(tau.tolist() == list(range(7)) for _, tau in data.groupby(["initial", "k"])["tau"])
    here = row(data, initial="agreement_low", k=2, tau=3)
    assert here["agreement"] == one(QWEN, "gsm_hard", "debate", 4, "2").number(10, "agreement_low")
    assert data[data["tau"] == 0].groupby("initial")["agreement"].nunique().eq(1).all()


def test_a_simulated_debate_says_so_wherever_it_has_items(inputs):
    estimates = inputs.read(ESTIMATES)
    figure, _ = k_tau_by_initial_agreement.draw(estimates.assign(simulated=True))
    assert texts(figure).count("SIMULATED") == 3


def test_a_group_without_items_leaves_a_panel_that_says_so(inputs):
    figure, data = k_tau(inputs, lambda rows: rows["quantity"] != "agreement_middle")
    assert set(data["initial"]) == {"agreement_low", "agreement_high"}
    assert texts(figure).count("no such items") == 1
    assert texts(figure).count("724 items") == 2


def test_levels_keep_a_cell_that_could_not_be_fitted(inputs):
    fits = inputs.read(FITS)
    lost = (fits["level"] == "correctness") & (fits["task"] == "gsm_hard")
    figure, data = levels.draw(
        fits.assign(**{name: fits[name].mask(lost) for name in ("beta", "beta_low", "beta_high")})
    )
    cells = data[data["task"] == "gsm_hard"].drop_duplicates(["team", "condition"])
    assert texts(figure).count("no fit") == len(cells) > 0


def test_tokens_are_those_of_prompts_and_replies_of_all_rounds(drawn):
    _, data = drawn["tokens_and_accuracy"]
    here, debate = row(data, team=QWEN, task="mmlu_hard", condition="debate", n=30), one(QWEN, "mmlu_hard", "debate")
    spent = [debate.number(30, f"{kind}_tokens_to_here") for kind in ("prompt", "completion")]
    assert here["tokens"] == pytest.approx(sum(spent), abs=1e-6)
    assert here["tokens_low"] == pytest.approx(sum(spent) - 0.02, abs=1e-6)
    assert (here["round"], here["team_accuracy"]) == (3, debate.number(30, "team_accuracy"))


def test_a_run_that_counts_no_tokens_says_so(inputs):
    estimates = inputs.read(ESTIMATES)
    free = estimates["quantity"].str.endswith("_to_here")
    values = {name: estimates[name].mask(free, 0.0) for name in ("value", "low", "high")}
    figure, data = tokens_and_accuracy.draw(estimates.assign(**values))
    assert data.empty
    assert "no tokens" in figure.texts[0].get_text()


@pytest.mark.parametrize("module", [team_accuracy, tokens_and_accuracy])
def test_a_task_that_a_team_was_not_asked_takes_no_panel(module, inputs):
    figure, data = module.draw(inputs.read(ESTIMATES))
    shown = [axes.get_title() for axes in figure.axes if axes.axison]
    assert shown == list(data.groupby("team", sort=False)["task"].unique().map(sorted).explode())
    assert len(shown) < data["team"].nunique() * data["task"].nunique()


def test_a_run_of_one_small_cell_is_drawn(inputs):
    fits, curves, estimates = (inputs.read(table) for table in (FITS, CURVES, ESTIMATES))
    fits, curves, estimates = (
        table[(table["team"] == QWEN) & (table["task"] == "gsm_hard") & (table["peers"] == "full")]
        for table in (fits, curves, estimates)
    )
    few = [2, 3]
    curves, estimates = curves[curves["n"].isin(few)], estimates[estimates["n"].isin(few)]
    for figure, data in (
        human_groups_latane.draw_latane(inputs.printed("human_groups"), fits, curves),
        human_groups_kish.draw_kish(inputs.printed("human_groups"), fits, curves),
        levels.draw(fits),
        team_accuracy.draw(estimates),
        tokens_and_accuracy.draw(estimates),
    ):
        assert len(data) >= 2
        figure.draw_without_rendering()
