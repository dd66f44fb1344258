"""Labels beside what they name, on nothing else: each stands where it hides least.

Where ink is, is looked up on a raster of the panel. So a figure's layout must be final before labels are placed; labels
then change no layout, and the same numbers always give the same picture.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patheffects import withStroke

from headcount.measures.arrays import FloatArray, IntArray

SIDES = ((1, 0), (1, 1), (1, -1), (0, 1), (0, -1), (-1, 0), (-1, 1), (-1, -1))  # right first, as people read
FAR = 9.0  # points from its mark beyond which a label needs a line to it
ALIGNED = {-1: "right", 0: "center", 1: "left"}
STANDING = {-1: "top", 0: "center", 1: "bottom"}
LEADING = 1.05  # lines of type
FAR_COSTS, LATE_COSTS = 1 / 40, 1e-4  # a point away from the mark, and a place in the order, in pixels drawn on


Box = tuple[float, float, float, float]  # left, bottom, right, top, in pixels


@dataclass(frozen=True)
class Label:
    """A text at a point of an axes' data.

    Attributes:
        points: where it may stand, (x, y), the best first.
        needed: drawn wherever it hides least; else only where it hides nothing.
    """

    text: str
    points: Sequence[tuple[float, float]]
    colour: str
    needed: bool = True


def place(
    axes: Axes, labels: Iterable[Label], size: float = 6.0, reach: Iterable[float] = (3.5, 7, 12, 18, 26)
) -> None:
    """Draw labels near their points, away from lines, marks, texts and each other.

    Args:
        axes: of a figure whose layout is final (`grids.settle`).
        labels: the first are placed first.
        size: of the type.
        reach: distances to try, in points.
    """
    ink, reach = _Ink(axes), list(reach)
    extent = cache(lambda text: _extent(axes, text, size))
    for label in labels:
        cost, spot = _best(axes, label, extent(label.text), reach, ink)
        if spot and (label.needed or cost < 1.0):
            spot.draw(axes, label, size)
            ink.add_box(spot.box)
            ink.add_path(spot.leader)


def _best(
    axes: Axes, label: Label, extent: tuple[float, float], reach: Iterable[float], ink: "_Ink"
) -> tuple[float, "_Spot | None"]:
    """Where a label hides least, and what that costs; of equals the first. A spot that is too far is not looked up."""
    least, best = np.inf, None
    points = zip(label.points, axes.transData.transform(label.points).tolist(), strict=True)
    for order, ((point, mark), away, side) in enumerate(product(points, reach, SIDES)):
        if away * FAR_COSTS + order * LATE_COSTS >= least:
            continue
        spot = _Spot(axes, extent, point, mark, away, side)
        cost = spot.cost(ink) + order * LATE_COSTS
        if cost < least:
            least, best = cost, spot
    return least, best


class _Ink:
    """Which pixels of a panel are drawn on."""

    def __init__(self, axes: Axes):
        self.edge: Box = _padded(axes.bbox.extents, -1.0)
        left, bottom, right, top = self.edge
        self.pixels = np.zeros((int(top - bottom) + 1, int(right - left) + 1), dtype=bool)
        for path in _paths(axes):
            self.add_path(path)
        for text in axes.texts:
            if text.get_zorder() > 1:  # the mark of simulated data lies below everything
                self.add_box(text.get_window_extent().extents)

    def add_path(self, path: FloatArray) -> None:
        self.pixels[self._cells(path)] = True

    def add_box(self, box: Box) -> None:
        self.pixels[self._slices(box)] = True

    def under(self, box: Box) -> float:
        """Pixels drawn on in a box, and five for each that lies outside the panel."""
        left, bottom, right, top = box
        least_x, least_y, most_x, most_y = self.edge
        width, height = min(right, most_x) - max(left, least_x), min(top, most_y) - max(bottom, least_y)
        outside = (right - left) * (top - bottom) - max(width, 0.0) * max(height, 0.0)
        return float(np.count_nonzero(self.pixels[self._slices(box)]) + 5.0 * outside)

    def along(self, path: FloatArray) -> float:
        """Pixels drawn on along a path."""
        return float(self.pixels[self._cells(path)].sum()) if len(path) else 0.0

    def _cells(self, path: FloatArray) -> tuple[IntArray, IntArray]:
        """Rows and columns of a path's pixels, one pixel apart; a point alone is a small cross."""
        path = path.reshape(-1, 2)
        path = path[np.isfinite(path).all(axis=1)]
        if not len(path):
            return np.empty(0, dtype=int), np.empty(0, dtype=int)
        if len(path) == 1:
            path = path + np.array([(0, 0), (1, 0), (2, 0), (-1, 0), (-2, 0), (0, 1), (0, 2), (0, -1), (0, -2)])
        length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
        at = np.arange(0.0, length[-1] + 1.0)
        column, row = (np.interp(at, length, path[:, axis]) - self.edge[axis] for axis in (0, 1))
        inside = (row >= 0) & (row < self.pixels.shape[0]) & (column >= 0) & (column < self.pixels.shape[1])
        return row[inside].astype(int), column[inside].astype(int)

    def _slices(self, box: Box) -> tuple[slice, slice]:
        left, right = (int(max(x - self.edge[0], 0.0)) for x in box[::2])
        bottom, top = (int(max(y - self.edge[1], 0.0)) for y in box[1::2])
        return slice(bottom, top + 1), slice(left, right + 1)


class _Spot:
    """A place that a label could have: a point, a distance and a side of it."""

    def __init__(
        self,
        axes: Axes,
        size: tuple[float, float],
        point: tuple[float, float],
        mark: Sequence[float],
        reach: float,
        side: tuple[int, int],
    ):
        """Args: size: of the label, pixels; point: in data; mark: the same in pixels."""
        self.point, self.reach, self.side = point, reach, side
        shrink = 1.0 if 0 in side else 0.75
        self.offset = (side[0] * reach * shrink, side[1] * reach * shrink)
        near = [start + points * _pixels_a_point(axes) for start, points in zip(mark, self.offset, strict=True)]
        left, bottom = near[0] - size[0] * (1 - side[0]) / 2, near[1] - size[1] * (1 - side[1]) / 2
        self.box: Box = (left, bottom, left + size[0], bottom + size[1])
        self.leader = (
            np.array([[a + 0.3 * (b - a) for a, b in zip(mark, near, strict=True)], near])
            if reach > FAR
            else np.empty((0, 2))
        )

    def cost(self, ink: _Ink) -> float:
        """What the label hides, what its line crosses, and how far it is."""
        return ink.under(_padded(self.box, 1.0)) + ink.along(self.leader) + self.reach * FAR_COSTS

    def draw(self, axes: Axes, label: Label, size: float) -> None:
        line = {"arrowstyle": "-", "color": label.colour, "linewidth": 0.4, "shrinkA": 0.5, "shrinkB": 2.0}
        axes.annotate(
            label.text,
            self.point,
            self.offset,
            textcoords="offset points",
            ha=ALIGNED[self.side[0]],
            va=STANDING[self.side[1]],
            color=label.colour,
            fontsize=size,
            arrowprops=line if self.reach > FAR else None,
            path_effects=[withStroke(linewidth=1.2, foreground="white")],
            linespacing=LEADING,
            zorder=5,
        ).set_in_layout(False)


def _padded(box: Box, by: float) -> Box:
    left, bottom, right, top = map(float, box)
    return left - by, bottom - by, right + by, top + by


def _pixels_a_point(axes: Axes) -> float:
    figure = axes.get_figure(root=True)
    return figure.dpi / 72 if figure else 1.0


def _extent(axes: Axes, text: str, size: float) -> tuple[float, float]:
    """Width and height of a text, in pixels."""
    probe = axes.text(0, 0, text, fontsize=size, linespacing=LEADING)
    box = probe.get_window_extent()
    probe.remove()
    return box.width, box.height


def _paths(axes: Axes) -> Iterator[FloatArray]:
    """Everything that is drawn as a line or mark, in pixels: (points, 2) each."""
    for line in axes.lines:
        path = line.get_transform().transform(np.asarray(line.get_xydata(), dtype=np.float64))
        yield from path[:, None]  # marks
        if line.get_linestyle() not in ("None", "") and len(path):
            yield path
    for lines in axes.collections:
        if isinstance(lines, LineCollection):
            yield from (lines.get_transform().transform(np.asarray(segment)) for segment in lines.get_segments())
