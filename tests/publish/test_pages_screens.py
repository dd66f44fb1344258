"""Pages of screens: the cohorts and models that they say, each number in its place, the paper's rows below ours."""

import shutil

import numpy as np
import pandas as pd
import pytest
from drawings import check_redrawn, stamps, words
from made_run import FILES, PUBLISHED
from made_screens import PROBED, SIZES, of_model, rho
from made_series import NEWCOMER, number, row

from headcount.config import parse
from headcount.debate.planner import plan
from headcount.publish import figures, tables
from headcount.publish.figures import flip_rates, screen_and_collapse
from headcount.publish.graph import steps
from headcount.publish.inputs import Inputs
from headcount.publish.needs import applying
from headcount.publish.registry import load
from headcount.schema import MODEL_ROWS, SCREENS
from headcount.schema.ledger import ALL
from headcount.store import write

STAGES = ("screens", "reliability", "model_rows", "associations", "reorderings", "selection", "forecasts")
PAPERS = "paper"
COHORT = {"condition": "debate", "n": 3, "k": 2, "round": 3}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    for name in STAGES:
        table, rows = FILES[name]
        write(folder / f"{name}.parquet", pd.DataFrame(list(rows())), table)
    return Inputs(folder, PUBLISHED)


def table(inputs, name):
    return load("tables", name).make(inputs)


# --- tables ----------------------------------------------------------------------------------------------------------


def test_screens_of_all_tasks_first_with_every_definition_and_reading(inputs):
    rows = table(inputs, "model_screens")
    ours = rows[rows["source"] == "run"]
    assert ours["task"].tolist()[:3] == [ALL, "gpqa", "mmlu_hard"]
    here = row(ours, model="a-small", task=ALL)
    for name in ("alpha_tot", "alpha_cor", "alpha_tot_arms", "alpha_tot_conditions"):
        value = number("a-small", ALL, "drop", name)
        assert (here[name], here[f"{name}_high"]) == (value, pytest.approx(value + 0.01))
    assert here["alpha_tot_flip"] == number("a-small", ALL, "flip", "alpha_tot")
    assert set(ours[ours["simulated"]]["model"]) == {NEWCOMER}


def test_the_papers_models_stand_in_the_columns_of_the_definition_they_were_measured_by(inputs):
    rows = table(inputs, "model_screens").query("source == @PAPERS").set_index("model")
    assert len(rows) == 15  # nine sealed ones, of which one is not among the 14, and six later ones
    assert rows["alpha_tot"].isna().all()
    assert rows.loc["Sonnet 4.5", "alpha_tot_arms"] == pytest.approx(0.45040838801450006)
    assert rows.loc["qwen3.5-4b", "alpha_tot_conditions"] == 0.6897
    assert not (rows["alpha_tot_arms"].notna() & rows["alpha_tot_conditions"].notna()).any()


def test_channels_have_contrasts_and_eight_kinds_of_probes(inputs):
    rows = table(inputs, "screen_channels")
    here = row(rows, model="c-large", task="gpqa")
    assert here["alpha_very_strong_social"] == number("c-large", "gpqa", "drop", "alpha_very_strong_social")
    assert here["s_soc_low"] == pytest.approx(number("c-large", "gpqa", "drop", "s_soc") - 0.01)
    assert row(rows, model="Phi-4-mini")["sa_of_means"] == pytest.approx(0.18260451705910121)


def test_reliability_of_all_models_together_comes_first_and_says_what_could_not_be_measured(inputs):
    rows = table(inputs, "screen_reliability")
    assert rows["model"].tolist()[:2] == [ALL, ALL]
    assert rows.loc[rows["quantity"] == "test_retest", "value"].isna().all()
    assert row(rows, model="a-large", quantity="inter_agent")["value"] == number("a-large", "inter_agent")


def test_families_are_unweighted_means_and_medians_of_their_models(inputs):
    rows = table(inputs, "family_means")
    ours = rows[rows["source"] == "run"]
    assert ours["n"].unique().tolist() == list(SIZES)  # not the cohort in which few are heard
    here = row(ours, n=3, family="a")
    pair = [of_model(COHORT, model, "collapse") for model in ("a-large", "a-small")]
    assert (here["collapse"], here["models"]) == (pytest.approx(np.mean(pair)), 2)
    paper = rows[rows["source"] == PAPERS].set_index("family")
    assert paper.loc["Qwen", ["models", "alpha_tot", "alpha_tot_median"]].tolist() == pytest.approx(
        [6, 4.1924 / 6, 0.71]
    )
    assert paper.loc["Google", "collapse"] == pytest.approx(0.5 * 1 / 170)
    assert rows["family"].tolist()[-1] == "Qwen"


def test_associations_stand_beside_the_papers_and_say_who_carries_them(inputs):
    rows = table(inputs, "screen_associations")
    assert rows["n"].unique().tolist() == [3, 30]
    asked = {"level": "family_mean", "predictor": "alpha_tot", "outcome": "collapse", "controls": ""}
    here = row(rows, n=3, **asked)
    assert here["rho"] == rho(COHORT, asked, "")
    assert (here["published_rho"], here["published_p"]) == ("0.8929", "0.0123")
    without = {family: rho(COHORT, asked, family) for family in "abcd"}
    assert (here["which_family"], here["without_family"]) == min(without.items(), key=lambda pair: pair[1])
    given = row(rows, n=3, **(asked | {"controls": "initial accuracy"}))
    assert (given["published_rho"], given["which_family"]) == ("0.7670", given["which_family"])
    assert pd.isna(given["without_family"])
    few = row(rows, n=3, **(asked | {"controls": "initial accuracy + answers changed"}))
    assert pd.isna(few["rho"])
    assert list(few["flags"]) == ["too_few"]
    assert few["published_rho"] == ""


def test_least_is_toward_zero_and_beyond_whatever_the_sign():
    module = load("tables", "screen_associations")
    key = COHORT | {"level": "model", "predictor": "alpha_tot", "outcome": "collapse", "controls": ""}
    told = {"": -0.5, "a": -0.7, "b": 0.1, "c": -0.2}
    frame = pd.DataFrame(
        [key | {"left_out": name, "leaving": "family" if name else "", "rho": value} for name, value in told.items()]
    )
    rest = dict.fromkeys(["p_two_sided", "p_one_sided", "p_t", "bonett_wright_low", "bonett_wright_high"], 0.1)
    rest |= dict.fromkeys(["noise_median", "noise_low", "noise_high", "families_low", "families_high"], None)
    paper = pd.DataFrame(columns=["level", "predictor", "outcome", "controls", "units", "rho", "p"])
    made = module.screen_associations(frame.assign(units=3, flags=[[]] * 4, simulated=False, **rest), paper)
    assert made[["which_family", "without_family"]].to_numpy().tolist() == [["b", 0.1]]


def test_every_name_that_is_left_out_has_a_row_below_that_of_all(inputs):
    rows = table(inputs, "screen_leave_outs").query("n == 3 and level == 'model'")
    assert rows["left_out"].tolist() == ["", *"abcd", *sorted(PROBED)]
    assert set(table(inputs, "screen_leave_outs")["controls"]) == {""}  # with others held fixed nobody was left out


def test_pairs_have_both_models_rates_and_the_selection_counts_them(inputs):
    pairs = table(inputs, "reorder_audit")
    here = row(pairs, n=3, model="a-large", model_other="c-large")
    assert here["collapse_other"] == of_model(COHORT, "c-large", "collapse")
    assert pairs[pairs["n"] == 3]["fisher_p"].is_monotonic_increasing
    chosen = table(inputs, "screen_selection").set_index("n")
    assert chosen.index.tolist() == list(SIZES)
    assert chosen.loc[3, ["pairs", "reordered", "by_screen", "by_accuracy", "wins"]].tolist() == [10, 10, 9, 1, 2]
    assert table(inputs, "family_forecasts")["n"].unique().tolist() == list(SIZES)


# --- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["screen_and_collapse", "flip_rates"])
def test_figures_are_drawn_alike_twice_from_what_they_say(name, inputs, tmp_path):
    page = figures.PAGES[name]
    for kind, folder, wanted in (("parquet", inputs.results, page.reads), ("csv", PUBLISHED, page.published)):
        for file in wanted:
            (tmp_path / file).parent.mkdir(exist_ok=True)
            shutil.copy(folder / f"{file}.{kind}", (tmp_path / file).parent)
    check_redrawn(lambda: load("figures", name).make(Inputs(tmp_path, tmp_path)), tmp_path)


def test_marks_are_models_with_intervals_and_the_papers_are_in_the_panel_of_their_size(inputs):
    figure, data = load("figures", "screen_and_collapse").make(inputs)
    assert sorted(data["n"].unique()) == [3, 30]
    assert data.groupby(["n", "source"]).size().to_dict() == {(3, "run"): 5, (3, "paper"): 14, (30, "run"): 5}
    drawn = {(float(x), float(y)) for line in figure.axes[0].lines for x, y in zip(*line.get_data(), strict=True)}
    assert drawn == set(data[data["n"] == 3][["alpha_tot", "collapse"]].itertuples(index=False, name=None))
    assert [axes.get_title().split(":")[0] for axes in figure.axes] == ["teams of 3", "teams of 30"]
    asked = {"level": "model", "predictor": "alpha_tot", "outcome": "collapse", "controls": ""}
    assert f"ρ = {rho(COHORT, asked, ''):.2f}" in figure.axes[0].get_title()
    assert stamps(figure) == [True, True]  # one of the models is simulated
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert named == [*"abcd", "paper's 14 models"]


def test_flip_rates_have_a_panel_a_model_and_only_the_simulated_one_says_so(inputs):
    figure, data = flip_rates.draw(inputs.read(SCREENS))
    assert [axes.get_title() for axes in figure.axes if axes.axison] == sorted(PROBED)
    assert dict(zip(sorted(PROBED), stamps(figure), strict=True)) == {name: name == NEWCOMER for name in PROBED}
    here = row(data, model="b-large", arm="social", strength="strong")
    assert here["value"] == pytest.approx(number("b-large", ALL, "drop", "alpha_strong_social"), abs=1e-6)


def test_a_run_without_probes_has_figures_that_say_so():
    empty = {table: pd.DataFrame(columns=table.schema.names) for table in (SCREENS, MODEL_ROWS)}
    associations = pd.DataFrame(columns=FILES["associations"][0].schema.names)
    n14 = pd.read_csv(PUBLISHED / "ledger/n14_rows.csv", dtype=str, keep_default_na=False)
    figure, data = screen_and_collapse.draw(empty[MODEL_ROWS], associations, n14)
    assert "both probed and" in figure.texts[0].get_text()
    assert data.empty
    figure, data = flip_rates.draw(empty[SCREENS])
    assert "probed" in figure.texts[0].get_text()
    assert not words(figure)


# --- what a run can fill ---------------------------------------------------------------------------------------------


def run(models=3, probed=3, condition="debate"):
    names = [f"m{place}" for place in range(models)]
    return parse(
        {
            "run": "r",
            "models": {name: {"family": name, "engine": "simulated"} for name in names},
            "teams": {f"of_{name}": {"members": [name]} for name in names},
            "tasks": {"a": {"format": "made_up", "options": 4, "items": 5}},
            "experiments": {
                "core": {
                    "teams": [f"of_{name}" for name in names],
                    "tasks": ["a"],
                    "conditions": [condition],
                    "sizes": [3],
                }
            },
            **({"probing": {"models": names[:probed], "tasks": ["a"]}} if probed else {}),
        },
        "test",
    )


@pytest.mark.parametrize(
    ("config", "screened", "set_against"),
    [
        (run(), True, True),
        (run(probed=2), True, False),
        (run(probed=0), False, False),
        (run(condition="noise"), True, False),
    ],
)
def test_pages_need_probes_and_three_screened_models_that_debate(config, screened, set_against):
    known = {*applying(tables.PAGES, config, plan(config)), *applying(figures.PAGES, config, plan(config))}
    assert ({"model_screens", "screen_channels", "screen_reliability", "flip_rates"} <= known) == screened
    assert ({"screen_associations", "family_means", "screen_and_collapse", "reorder_audit"} <= known) == set_against
    paths = [step.path for step in steps(config, plan(config))]
    assert ({f"{stage}.parquet" for stage in STAGES} <= set(paths)) == screened
    if screened:
        own = next(step for step in steps(config, plan(config)) if step.path == "associations.parquet")
        assert {"screens.parquet", "probes/m0/a.parquet", "transitions/of_m0.parquet"} <= set(own.made_from)
        assert paths.index("probes/m0/a.parquet") < paths.index("screens.parquet")
