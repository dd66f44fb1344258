"""Drawings in pages: what stands on paper is the data, and axes are marked at round numbers."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.publish.drawing import Axis, Panel, round_ticks
from headcount.publish.html import template

X, Y = Axis(2, 32, [(2, "2"), (32, "32")], log=True), Axis(-1, 3, [(0, "0"), (2, "2")])


def panel():
    return Panel("size", X, Y, stamped=False)


def data_of(drawn, stroke):
    """The numbers behind a path's points, by the panel's edges alone."""
    places = [tuple(map(float, pair)) for pair in re.findall(r"[ML](-?[\d.]+),(-?[\d.]+)", stroke["d"])]
    return [(2 * 16 ** (x / drawn.width), 3 - 4 * y / drawn.height) for x, y in places]


def close(points):
    return [pytest.approx(point, rel=0.005, abs=0.005) for point in points]


@pytest.mark.parametrize("marker", ["o", "s", "^", "D"])
def test_marks_and_lines_stand_where_their_numbers_do(marker):
    drawn, n, y = panel(), [2, 4, 8, 32], [-1, 0.5, 3, 1]
    drawn.line(n, y)
    drawn.marks(marker, n, y)
    for stroke in drawn.paths:
        assert data_of(drawn, stroke) == close(zip(n, y, strict=True))


def test_marks_are_set_aside_on_paper_alone():
    drawn = panel()
    drawn.marks("o", [4], [1])
    drawn.marks("o", [4], [1], aside=8)
    (x, y), (moved, same) = ([*map(float, re.findall(r"[\d.]+", stroke["d"])[:2])] for stroke in drawn.paths)
    assert (moved, same) == (pytest.approx(x + 8, abs=0.11), y)


def test_intervals_and_bands_reach_from_end_to_end():
    drawn, n, low, high = panel(), [2, 8, 16], [0, 0.5, 1], [1, 2.5, 2]
    drawn.intervals(n, low, high, stroke_width=2)
    drawn.band(n, low, high)
    interval, band = drawn.paths
    assert data_of(drawn, interval) == close(zip(n, high, strict=True))
    ends = [3 - 4 * float(y) / drawn.height for y in re.findall(r"V([\d.]+)", interval["d"])]
    assert ends == close(low)
    assert data_of(drawn, band) == close([*zip(n, high, strict=True), *zip(n[::-1], low[::-1], strict=True)])
    assert interval["stroke-width"] == 2


def test_what_is_missing_is_not_drawn():
    drawn, nan = panel(), math.nan
    drawn.line([2, 4, 8, 16, 32], [1, nan, 2, 1, nan])
    (line,) = drawn.paths
    assert [re.findall("[ML]", line["d"]), len(data_of(drawn, line))] == [["M", "M", "L"], 3]
    drawn.marks("o", [2, 4], [nan, nan])
    drawn.intervals([2], [nan], [1])
    drawn.band([], [], [])
    assert drawn.paths == [line]


def test_numbers_beyond_an_axis_stay_finite_and_outside():
    drawn = Panel("tokens", X, Axis(1, 10, [], log=True), stamped=False)
    drawn.line([2, 4, 8], [0, -5, 1e300])
    heights = [float(y) for y in re.findall(r",(-?[\d.]+)", drawn.paths[0]["d"])]
    assert heights[0] == heights[1] > drawn.height
    assert heights[2] < 0


def test_a_panel_is_svg_that_says_what_it_shows():
    drawn = Panel("size & more", X, Y, stamped=True, note="not told")
    text = template("cell").environment.get_template("drawing.html.j2").module.panel(drawn)
    words = re.findall(r">([^<>]+)</text>", text)
    assert words == ["size &amp; more", "SIMULATED", "not told", "2", "32", "0", "2", "team size N"]
    assert 'aria-label="size &amp; more against team size"' in text


@given(
    low=st.floats(-1e6, 1e6),
    width=st.floats(1e-3, 1e6),
    most=st.integers(3, 9),
)
def test_ticks_are_the_finest_round_numbers_that_fit(low, width, most):
    high = low + width
    ticks = round_ticks(low, high, most)
    assert len(ticks) <= most
    values = np.array([value for value, _ in ticks])
    assert ((values >= low - 1e-6 * width) & (values <= high + 1e-6 * width)).all()
    if len(values) > 1:
        step = values[1] - values[0]
        assert f"{step:.3e}"[:5] in ("1.000", "2.000", "5.000")
        assert np.diff(values) == pytest.approx(step, rel=1e-6)
        assert width / (step / 2) > (most - 1) * 0.8  # a finer step would have too many
        written = [float(label.replace("−", "-")) for _, label in ticks]
        assert written == pytest.approx(values.tolist(), rel=1e-6, abs=1e-6 * step)


def test_ticks_have_a_unit_and_no_more_decimals_than_they_need():
    assert round_ticks(0, 71, 7, " %") == [(20 * i, f"{20 * i} %") for i in range(4)]
    assert [label for _, label in round_ticks(-0.4, 0.3, 7)] == ["−0.4", "−0.2", "0.0", "0.2"]
    assert [label for _, label in round_ticks(-0.004, 0.003, 9)] == [
        f"{n / 1000:.3f}".replace("-", "−") for n in range(-4, 4)
    ]
