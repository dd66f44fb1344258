"""Tables and figures of the tracked studies, and scripts from file to file; tests/docs holds the page to them."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from headcount.calibration.parts import FIGURES, STUDIES
from headcount.calibration.theorem import theorem_rows
from headcount.publish.calibration import DRAWN, OFFERS, PARAMETERS, draw_coverage
from headcount.publish.calibration_tables import coverage_table, failures_of, failures_table, tables

ROOT = Path(__file__).parents[2]
TRACKED = ROOT / "resources" / "calibration"


@pytest.fixture(scope="module")
def studies():
    return {name: pd.read_csv(TRACKED / f"{name}.csv") for name in ("coverage", "excess", "theorem", "pilots")}


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "workflow" / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def made_up():
    """Coverage of two offers in two populations, one of which falls short at 24 items."""
    rows = [
        {"population": name, "items": items, "level": "pooled_agreement", "parameter": "c", "truth": 0.5, "bias": 0.0}
        | {"rmse": 0.1, "width": 0.4, "of_no_width": 0.0, "offer": offer, "coverage": held, "coverage_se": 0.01}
        for items in (24, 200, 1000)
        for offer in ("jackknife_t", "percentile_bounded")
        for name, held in (("a_b", 0.95), ("c_d", 0.85 if items == 24 and offer == "jackknife_t" else 0.94))
    ]
    return pd.DataFrame(rows)


def test_tracked_studies_are_whole(studies):
    for name in ("coverage", "excess"):
        found = {f"{row.population}-{row['items']}" for _, row in studies[name][["population", "items"]].iterrows()}
        assert found == set(STUDIES[name])
    default = studies["coverage"][studies["coverage"]["offer"] == "jackknife_t"]
    near = default[default["coverage"].between(0.93, 0.97)]
    assert (near["coverage_se"] < 0.0116).all()


def test_the_tracked_theorem_is_what_the_study_makes(studies):
    pd.testing.assert_frame_equal(studies["theorem"], theorem_rows(), rtol=1e-4, check_dtype=False)


def test_tables_show_means_worst_populations_and_failures():
    rows = made_up()
    assert "| c | .900 (.850) |" in coverage_table(rows, 24)
    assert "| c | .945 (.940) |" in coverage_table(rows, 200)
    failures = failures_table(rows).splitlines()[2:]
    assert failures == ["| 24 | c, d | c | 0.5 | .850 | .000 |"]
    assert "| jackknife t (default) | 1 of 2 | 0 of 2 | 0 of 2 |" in failures_of(rows)


def test_a_figure_marks_the_mean_of_its_populations():
    figure, data = draw_coverage(made_up())
    marks = [line for line in figure.axes[0].lines if line.get_label() == OFFERS["jackknife_t"][0]]
    assert [float(x) for line in marks for x in line.get_xdata()] == pytest.approx([0.9])
    assert list(PARAMETERS).index(("pooled_agreement", "c")) == pytest.approx(marks[0].get_ydata()[0], abs=0.4)
    assert len(data) == 12


def test_every_figure_is_drawn_from_its_studies(studies):
    for name in ("coverage", "excess", "theorem"):
        figure, data = DRAWN[name](*(studies[study] for study in FIGURES[name]))
        assert len(figure.axes) == 3
        assert len(data)
    assert set(DRAWN) == set(FIGURES)


def test_scripts_take_parts_to_tables_and_figures(tmp_path, studies):
    part, study = tmp_path / "part.csv", tmp_path / "theorem.csv"
    script("calibration_part").main("theorem", "k_tau_8", 4, part)
    script("calibration_study").main([part, part], study)
    both = pd.read_csv(study)
    assert len(both) == 2 * len(theorem_rows())
    np.testing.assert_allclose(both["error"], both["formula"] - both["exact"], atol=1e-4)
    files = [tmp_path / f"theorem{suffix}" for suffix in (".pdf", ".svg", ".png", ".out.csv")]
    script("calibration_figure").main("theorem", [part], *files)
    assert all(file.stat().st_size for file in files)
    for name in ("coverage", "excess", "pilots"):
        studies[name].to_csv(tmp_path / f"{name}.csv", index=False)
    script("calibration_tables").main([tmp_path / f"{name}.csv" for name in studies], tmp_path / "tables.md")
    assert (tmp_path / "tables.md").read_text() == "\n\n".join(tables(studies)) + "\n"
