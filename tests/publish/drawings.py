"""What is in a figure: its points, interval ends, bands and words; and whether two drawings are one."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from headcount.publish.figures.style import save

Point = tuple[float, float]


def points(figure: Figure) -> set[Point]:
    """Every (x, y) of every line whose both coordinates are data."""
    lines = [line for axes in figure.axes for line in axes.lines if line.get_transform() != axes.get_yaxis_transform()]
    return {(float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True)}


def ends(figure: Figure) -> set[Point]:
    """Both ends of every upright interval."""
    drawn = [lines for axes in figure.axes for lines in axes.collections if isinstance(lines, LineCollection)]
    return {(float(x), float(y)) for lines in drawn for segment in lines.get_segments() for x, y in segment}


def bands(axes: Axes) -> set[Point]:
    """Every corner of every band."""
    drawn = [band for band in axes.collections if isinstance(band, PolyCollection)]
    return {(float(x), float(y)) for band in drawn for path in band.get_paths() for x, y in path.vertices}


def told(data: pd.DataFrame, *columns: str) -> set[Point]:
    """(n, value) of a frame's rows, for values in some columns."""
    return {(float(n), float(y)) for name in columns for n, y in zip(data["n"], data[name], strict=True) if pd.notna(y)}


def words(figure: Figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def stamps(figure: Figure) -> list[bool]:
    """Of each panel that shows something, whether it says SIMULATED."""
    shown = [axes for axes in figure.axes if axes.axison]
    return [any(text.get_text() == "SIMULATED" for text in axes.texts) for axes in shown]


def check_redrawn(draw: Callable[[], tuple[Figure, pd.DataFrame]], folder: Path) -> None:
    """Two drawings are equal files, and the CSV beside them holds the frame that was drawn."""
    for name in ("one", "two"):
        figure, data = draw()
        save(figure, data, *(folder / f"{name}.{kind}" for kind in ("pdf", "svg", "png", "csv")))
    for kind in ("pdf", "svg", "png", "csv"):
        assert (folder / f"one.{kind}").read_bytes() == (folder / f"two.{kind}").read_bytes()
    again = pd.read_csv(folder / "one.csv", keep_default_na=False)
    assert list(again) == list(data)
    for column in data.select_dtypes("number"):
        numbers = pd.to_numeric(again[column].replace("", np.nan))
        np.testing.assert_array_equal(numbers, data[column].astype(float))
    assert again["simulated"].astype(str).tolist() == data["simulated"].astype(str).tolist()
