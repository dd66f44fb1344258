"""The CSV beside a figure holds exactly what is drawn, and equal figures are equal files."""

import re
import struct
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.lines import Line2D

from headcount.publish.figures import effective_team_size, regime_plane
from headcount.publish.figures.grids import settle
from headcount.publish.figures.style import house_style, panels, save
from headcount.publish.inputs import Inputs
from headcount.publish.published import published_fits


@pytest.fixture(params=["effective_team_size", "regime_plane"])
def draw(request, published_folder):
    """Either figure, as a function of fits and curves."""
    if request.param == "effective_team_size":
        return effective_team_size.draw
    return lambda fits, _: regime_plane.draw(fits, published_fits(Inputs(Path(), published_folder)))


def points(figure):
    """Every (x, y) of every line in a figure."""
    lines = [line for axes in figure.axes for line in axes.lines]
    return sorted((float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True))


def ends(figure):
    """Both ends of every interval in a figure."""
    segments = [s for axes in figure.axes for lines in axes.collections for s in lines.get_segments()]
    return sorted(tuple(map(float, point)) for segment in segments for point in segment)


def test_curves_and_points_are_those_of_the_csv(fits, curves):
    figure, data = effective_team_size.draw(fits, curves)
    assert points(figure) == sorted(zip(data["n"].astype(float), data["n_eff"], strict=True))
    measured = data[data["kind"] == "measured"]
    drawn = [*zip(measured["n"], measured["n_eff_low"]), *zip(measured["n"], measured["n_eff_high"])]  # noqa: B905
    assert ends(figure) == sorted((float(n), end) for n, end in drawn)


def test_what_is_measured_is_the_last_round(fits, curves):
    _, data = effective_team_size.draw(fits, curves)
    one = data[(data["task"] == "mmlu_hard") & (data["condition"] == "debate") & (data["kind"] == "measured")]
    assert one["round"].unique().tolist() == [3]
    assert one["n_eff"].tolist() == pytest.approx([n / (1 + 0.85 * (n - 1)) + 0.03 for n in (2, 3, 5)], abs=1e-6)


def test_fitted_curves_are_the_law(fits, curves):
    _, data = effective_team_size.draw(fits, curves)
    fitted = data[(data["kind"] == "fitted") & (data["condition"] == "self_consistency")]
    n = fitted["n"].to_numpy()
    np.testing.assert_allclose(fitted["n_eff"], n / (1 + 0.43 * (n - 1) / n**0.25), atol=1e-6)


def test_the_plane_holds_the_estimates_of_the_csv(fits, published_folder):
    figure, data = regime_plane.draw(fits, published_fits(Inputs(Path(), published_folder)))
    border = {(x, y) for x, y in points(figure)}
    assert border == set(zip(data["c"], data["beta"], strict=True))
    ours = data[data["source"] == "ours"]
    assert len(ends(figure)) == 4 * len(ours)
    assert set(ours["c_low"]) <= {x for x, _ in ends(figure)}


def test_two_drawings_are_equal_bytes_and_their_csv_is_what_was_drawn(draw, fits, curves, tmp_path):
    for name in ("one", "two"):
        figure, data = draw(fits, curves)
        save(figure, data, *(tmp_path / f"{name}.{kind}" for kind in ("pdf", "svg", "png", "csv")))
    for kind in ("pdf", "svg", "png", "csv"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()
    assert b"CreationDate" not in (tmp_path / "one.pdf").read_bytes()
    assert b"matplotlib" not in (tmp_path / "one.png").read_bytes().lower()
    again = pd.read_csv(tmp_path / "one.csv", keep_default_na=False)
    for name in data.select_dtypes("number"):
        numbers = pd.to_numeric(again[name].replace("", np.nan))
        np.testing.assert_array_equal(numbers, data[name].astype(float))


def test_text_in_a_pdf_is_text_in_the_letters_that_were_measured(tmp_path):
    with house_style():
        figure, grid = panels(1, 1, 3.0, 1.0)
        grid[0, 0].set_title("τ = 0.5, β − 1")
    save(figure, pd.DataFrame({"x": [1.0]}), *(tmp_path / f"x.{kind}" for kind in ("pdf", "svg", "png", "csv")))
    pdf = (tmp_path / "x.pdf").read_bytes()
    assert set(re.findall(rb"/FontName ?/\w+\+([\w-]+)", pdf)) == {b"DejaVuSans"}
    assert {b"/FontFile2", b"/ToUnicode"} <= set(re.findall(rb"/FontFile\d?|/ToUnicode", pdf))  # TrueType, to be copied
    size = (tmp_path / "x.png").read_bytes()[16:24]
    assert struct.unpack(">II", size) == (900, 435)  # 300 dots an inch


def test_cells_without_a_fit_are_drawn_as_far_as_they_go(draw, fits, curves):
    """One size beyond N = 1 has a measured point and no law."""
    nothing = fits.assign(**dict.fromkeys(("c", "c_low", "c_high", "beta", "beta_low", "beta_high"), np.nan))
    _, data = draw(nothing, curves[curves["n"].isin([1, 5])])
    assert "fitted" not in set(data.get("kind", []))
    assert len(data) > 4


def test_a_run_of_single_agents_says_that_there_is_nothing_to_draw(fits, curves):
    figure, data = effective_team_size.draw(fits, curves[curves["n"] == 1])
    assert "No team of two or more" in figure.texts[0].get_text()
    assert not (data["kind"] == "measured").any()


def stamps(figure):
    return [any(text.get_text() == "SIMULATED" for text in axes.texts) for axes in figure.axes]


def test_simulated_panels_say_so_and_others_do_not(draw, fits, curves, simulated_fits, simulated_curves):
    assert not any(stamps(draw(fits, curves)[0]))
    assert all(stamps(draw(simulated_fits, simulated_curves)[0]))
    both, data = draw(pd.concat([fits, simulated_fits]), pd.concat([curves, simulated_curves]))
    assert sum(stamps(both)) == len(both.axes) / 2
    assert set(data.loc[data["simulated"], "team"]) == {"made-up"}


class Counted(Line2D):
    """A line that knows how often it was drawn."""

    drawn = 0

    def draw(self, renderer):
        self.drawn += 1
        super().draw(renderer)


def test_a_settled_figure_is_drawn_once_and_laid_out_no_more(tmp_path):
    line = Counted([0, 1], [0, 1])
    with house_style():
        figure, grid = panels(1, 2, 4.0, 2.0, share=False)
        grid[0, 0].add_line(line)
        grid[0, 1].set_ylabel("a label that takes room")
        settle(figure)
    left, right = (axes.get_position().bounds for axes in grid[0])
    assert left[0] + left[2] < right[0]
    save(figure, pd.DataFrame({"x": [1.0]}), *(tmp_path / f"x.{kind}" for kind in ("pdf", "svg", "png", "csv")))
    assert line.drawn == 1
    assert [axes.get_position().bounds for axes in grid[0]] == [left, right]
