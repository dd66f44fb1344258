"""The published model rows put through the stages of a run (T6 to T16), and the scripts from files to files."""

import importlib.util
from pathlib import Path

import pytest
from made_up_cohorts import FAMILIES, MODELS, asked, debates, one, probes, stored
from published_ledger import expected
from published_ledger import model_rows as published_rows

from headcount.config import Fitting
from headcount.ledger.measurement_noise import SEALED_PROBES
from headcount.ledger.screen_associations import screen_associations
from headcount.ledger.screen_audits import family_forecasts, reorderings, selection
from headcount.schema import (
    ASSOCIATIONS,
    FORECASTS,
    MODEL_ROWS,
    PROBES,
    RELIABILITY,
    REORDERINGS,
    SCREENS,
    SELECTION,
    TRANSITIONS,
)
from headcount.schema.screens import COHORT
from headcount.store import plain, read, write

FITTING = Fitting(bootstrap=40)
DRAWS = 2000  # random arrangements and forecasts, where digits are not compared


@pytest.fixture(scope="module")
def published():
    """The 14 model rows of the headline as rows of MODEL_ROWS; their share of changed answers is a proxy."""
    rows = published_rows().rename(columns={"alpha": "alpha_tot", "init_acc": "initial_accuracy"})
    rows = rows.rename(columns={"correction_rate": "correction", "final_acc": "final_accuracy"})
    rows = rows.assign(revision=rows["debate_revision_proxy"], collapse=rows["c_cond_pct"] / 100)
    whole = {"n": 3, "k": 2, "round": 4, "debates": rows["n_debates"], "probes": int(SEALED_PROBES), "unlabelled": 0}
    rows = rows.assign(condition="debate", simulated=False, items_probed=1, items_debated=1, items_both=1, **whole)
    return stored(rows.reindex(columns=MODEL_ROWS.schema.names), MODEL_ROWS)


@pytest.fixture(scope="module")
def statistics(published):
    return stored(screen_associations(published, FITTING, DRAWS), ASSOCIATIONS)


def test_t6_to_t9_at_the_level_of_families(statistics):
    for level in ("family_mean", "family_median"):
        here = one(statistics, **asked(level))
        assert here["rho"] == pytest.approx(0.892857142857, abs=1e-9)
        assert (here["as_extreme"], here["as_directed"], here["arrangements"], here["exact"]) == (62, 31, 5040, True)
    partial = one(statistics, **asked("family_mean", controls="initial_accuracy"))
    assert (partial["rho"], partial["p_t"]) == pytest.approx((0.76696498885, 0.0751304546), abs=1e-9)
    assert (partial["as_extreme"], partial["as_directed"], partial["df"]) == (442, 221, 4)
    rivals = {"initial_accuracy": 172, "correction": 1008, "revision": 444, "final_accuracy": 552, "raw_collapse": 2}
    assert {name: one(statistics, **asked("family_mean", name))["as_extreme"] for name in rivals} == rivals
    for family, (rho, p) in expected("lofo_family_mean").items():
        here = one(statistics, **asked("family_mean", leaving="family", left_out=family))
        assert (here["rho"], here["p_two_sided"]) == pytest.approx((rho, p), abs=1e-9)


def test_t10_to_t13_at_the_level_of_models(statistics):
    here = one(statistics, **asked("model"))
    assert (here["rho"], here["p_t"]) == pytest.approx((0.829483450233, 0.000243151157), abs=1e-9)
    assert (here["fisher_low"], here["fisher_high"]) == pytest.approx((0.53385, 0.94442), abs=2e-5)
    assert (here["exact"], here["arrangements"]) == (False, DRAWS + 1)
    assert {"sampled", "related_rows"} <= set(here["flags"])
    assert (here["noise_median"], here["noise_low"], here["noise_high"]) == pytest.approx(
        (0.8022, 0.7099, 0.8725), abs=0.01
    )  # another order of draws
    for family, rho in expected("model_row_lofo").items():
        assert one(statistics, **asked("model", leaving="family", left_out=family))["rho"] == pytest.approx(rho)
    names = {"init_acc": "initial_accuracy", "final_acc": "final_accuracy", "debate_revision_proxy": "revision"}
    for controls, (rho, p, df) in expected("model_row_partials").items():
        partial = one(statistics, **asked("model", controls=" + ".join(names[one_] for one_ in controls.split("+"))))
        assert [partial["rho"], partial["p_t"], partial["df"]] == pytest.approx([rho, p, df], abs=1e-9)
    for model, (rho, extreme) in expected("leave_one_qwen_row").items():
        assert one(statistics, **asked("model", leaving="model", left_out=model))["rho"] == pytest.approx(rho)
        here = one(statistics, **asked("family_mean", leaving="model", left_out=model))
        assert here["as_extreme"] == extreme


def test_t14_to_t16_audits(published):
    pairs = reorderings(published)
    assert pairs["follows"].value_counts().to_dict() == {"alpha": 13, "init_acc": 12, "tied": 1}
    here = one(pairs, model="llama-3.1-8b", model_other="qwen3-4b")
    assert (here["fisher_p"], here["holm_p"]) == pytest.approx((0.00326991, 0.0588584), rel=1e-5)
    assert (pairs["holm_p"] < 0.05).sum() == 8
    chosen = selection(published).iloc[0]
    assert chosen["median_alpha"] == pytest.approx(0.5377, abs=1e-4)
    assert (100 * chosen["low"], 100 * chosen["high"]) == pytest.approx((5.77, 9.51), abs=0.005)
    assert (chosen["matched_pairs"], chosen["wins"], chosen["families"]) == (11, 7, 7)
    assert chosen["effective_families"] == pytest.approx(4.08, abs=0.005)
    forecast = stored(family_forecasts(published, FITTING, DRAWS), FORECASTS).set_index("family")
    for family, values in (
        (name, told) for name, told in expected("lofo_linear_pred").items() if name in forecast.index
    ):
        bands = forecast.loc[family, ["predicted", "low_80", "high_80", "low_95", "high_95"]].astype(float)
        assert (100 * bands).tolist() == pytest.approx(values, abs=0.0061)
    assert 100 * forecast.loc["Meta", "noisy_high_80"] == pytest.approx(28.39, abs=1.5)  # of 2,000 draws


# --- the scripts -----------------------------------------------------------------------------------------------------

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"
CONFIG = {
    "run": "r",
    "models": {name: {"family": family, "engine": "simulated"} for name, family in FAMILIES.items()},
    "teams": {name: {"members": [name]} for name in MODELS},
    "tasks": {"t": {"format": "made_up", "options": 4, "items": 5}},
    "experiments": {"core": {"teams": list(MODELS), "tasks": ["t"], "sizes": [3]}},
    "fitting": {"bootstrap": 10},
}


def script(name):
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def made(folder, models):
    """What the scripts make of files of some models."""
    held, asked_of = (debates(models, items=20), probes(models, items=4)) if models else (None, None)
    for name in models:
        own = held[held["model"] == name].drop(columns="model")
        write(folder / f"transitions/{name}.parquet", own, TRANSITIONS)
        write(folder / f"probes/{name}/t.parquet", asked_of[asked_of["model"] == name], PROBES)
    files = [folder / f"probes/{name}/t.parquet" for name in models]
    script("screens").main(CONFIG, files, folder / "screens.parquet", folder / "reliability.parquet")
    ends = [folder / f"transitions/{name}.parquet" for name in models]
    script("associations").main(CONFIG, folder / "screens.parquet", files, ends, folder)
    tables = (SCREENS, RELIABILITY, MODEL_ROWS, ASSOCIATIONS, REORDERINGS, SELECTION, FORECASTS)
    return {table.name: plain(read(folder / f"{table.name}.parquet", table)) for table in tables}


def test_the_scripts_make_every_table_from_files(tmp_path):
    rows = made(tmp_path, {name: MODELS[name] for name in ("a-large", "b-small", "c-small", "d-small")})
    assert rows["model_rows"]["model"].tolist() == ["a-large", "b-small", "c-small", "d-small"]
    assert rows["associations"]["simulated"].all()
    assert rows["forecasts"]["predicted"].notna().all()
    assert not rows["associations"][[*COHORT]].isna().any(axis=None)


def test_without_probes_every_table_is_empty(tmp_path):
    assert {name: len(rows) for name, rows in made(tmp_path, {}).items()} == dict.fromkeys(
        (table.name for table in (SCREENS, RELIABILITY, MODEL_ROWS, ASSOCIATIONS, REORDERINGS, SELECTION, FORECASTS)), 0
    )
