"""Small drawings inside an HTML page, as SVG: where numbers stand on paper, and the paths that are drawn there.

The template `drawing.html.j2` makes SVG of them, and the browser sets their words: Matplotlib measured each letter,
which took half of the time of all pages.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

Places = NDArray[np.float64]
Stroke = dict[str, str | float]  # attributes of an SVG path
Tick = tuple[float, str]  # a number, and how it is written

_ROOM = 8  # right of the axes
_LETTER = 6.6  # a digit's width
_FAR = 9.0  # heights of the panel: what lies beyond is out of sight anyway


@dataclass(frozen=True)
class Axis:
    """Numbers from low to high along an edge of a panel, by themselves or by their logarithms."""

    low: float
    high: float
    ticks: Sequence[Tick]
    log: bool = False

    def shares(self, values: ArrayLike) -> Places:
        """How far along the axis values stand: 0 at its low end, 1 at its high end, NaN where there is no value."""
        low, high, at = (self._scaled(numbers) for numbers in (self.low, self.high, values))
        return np.clip((at - low) / (high - low), -_FAR, 1 + _FAR)

    def _scaled(self, values: ArrayLike) -> Places:
        numbers = np.asarray(values, dtype=float)
        return np.log(np.maximum(numbers, 1e-300)) if self.log else numbers


@dataclass
class Panel:
    """Axes and what is drawn between them, later paths above earlier ones.

    Attributes:
        title: what `y` is; it stands above the axes, so that no word has to be turned or to make room.
        stamped: whether it is marked as simulated.
        whole: width with all around the axes, in the units of the drawing.
        height: of the axes.
        note: a word in the middle, where there is nothing to draw.
    """

    title: str
    x: Axis
    y: Axis
    stamped: bool
    whole: int = 440
    height: int = 230
    note: str = ""
    paths: list[Stroke] = field(default_factory=list)

    @property
    def left(self) -> float:
        """Room left of the axes, for the widest number there."""
        return 12 + _LETTER * max((len(label) for _, label in self.y.ticks), default=0)

    @property
    def width(self) -> float:
        """Of the axes."""
        return self.whole - self.left - _ROOM

    @property
    def x_ticks(self) -> list[Tick]:
        """Where numbers stand along the lower edge, from its left."""
        return [(float(self._across([n])[0]), label) for n, label in self.x.ticks]

    @property
    def y_ticks(self) -> list[Tick]:
        """Where numbers stand along the left edge, from its top."""
        return [(float(self._down([n])[0]), label) for n, label in self.y.ticks]

    def line(self, x: ArrayLike, y: ArrayLike, aside: float = 0, **look: str | float) -> None:
        """A line through points, set aside on paper; it is broken where one is missing."""
        across, down = self._across(x) + aside, self._down(y)
        known = np.isfinite(across + down)
        pen = ["L" if before else "M" for before in (False, *known[:-1])]
        self._add(" ".join(f"{p}{a:.1f},{d:.1f}" for p, a, d in _where(known, pen, across, down)), fill="none", **look)

    def band(self, x: ArrayLike, low: ArrayLike, high: ArrayLike, **look: str | float) -> None:
        """The area between two lines."""
        across, above, below = self._across(x), self._down(high), self._down(low)
        known = np.isfinite(above + below)
        up, back = (list(_where(known, across, ends)) for ends in (above, below))
        self._add("M" + "L".join(f"{a:.1f},{d:.1f}" for a, d in up + back[::-1]) + "Z" if up else "", **look)

    def intervals(self, x: ArrayLike, low: ArrayLike, high: ArrayLike, aside: float = 0, **look: str | float) -> None:
        """An upright line from low to high at each x, set aside on paper."""
        across, above, below = self._across(x) + aside, self._down(high), self._down(low)
        known = np.isfinite(above + below)
        self._add("".join(f"M{a:.1f},{u:.1f}V{d:.1f}" for a, u, d in _where(known, across, above, below)), **look)

    def marks(
        self, marker: str, x: ArrayLike, y: ArrayLike, aside: float = 0, size: float = 3.5, **look: str | float
    ) -> None:
        """A marker at each point, set aside on paper."""
        across, down = self._across(x) + aside, self._down(y)
        self._add(marked(marker, _where(np.isfinite(down), across, down), size), **look)

    def _across(self, values: ArrayLike) -> Places:
        return self.width * self.x.shares(values)

    def _down(self, values: ArrayLike) -> Places:
        return self.height * (1 - self.y.shares(values))

    def _add(self, way: str, **look: str | float) -> None:
        if way:
            self.paths.append(stroke(way, **look))


@dataclass(frozen=True)
class Figure:
    """Panels side by side, and the legend above them: what each mark is called, and how it looks."""

    keys: Sequence[tuple[str, list[Stroke]]]
    panels: Sequence[Panel]


def key_line(**look: str | float) -> Stroke:
    """A line in the legend."""
    return stroke("M3,7H31", **look)


def key_mark(marker: str, size: float = 3.5, **look: str | float) -> Stroke:
    """A marker in the legend."""
    return stroke(marked(marker, [(17, 7)], size), **look)


def stroke(way: str, **look: str | float) -> Stroke:
    """A path: its way in SVG's letters, and how it looks (`stroke_width` is SVG's `stroke-width`)."""
    return {"d": way, **{name.replace("_", "-"): value for name, value in look.items()}}


def marked(marker: str, points: Iterable[Sequence[float]], size: float = 3.5) -> str:
    """The way of a path that draws a marker, by Matplotlib's letter, around each point; size is half its width."""
    shape = {
        "o": f"m-{size},0a{size},{size} 0 1 0 {2 * size},0a{size},{size} 0 1 0 -{2 * size},0z",
        "s": f"m-{size},-{size}h{2 * size}v{2 * size}h-{2 * size}z",
        "^": f"m0,-{size}l{size},{2 * size}h-{2 * size}z",
        "D": f"m0,-{size}l{size},{size}l-{size},{size}l-{size},-{size}z",
    }[marker]
    return "".join(f"M{x:.1f},{y:.1f}{shape}" for x, y in points)


def round_ticks(low: float, high: float, most: int, unit: str = "") -> list[Tick]:
    """At most so many multiples of 1, 2 or 5 times a power of ten, from low to high, as text with its unit."""
    coarse = (high - low) / (most - 1)
    power = math.floor(math.log10(coarse))
    step = next(round_ * 10.0**power for round_ in (1, 2, 5, 10) if round_ * 10.0**power >= coarse * (1 - 1e-9))
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    numbers = step * np.arange(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [(float(n), f"{n:z.{decimals}f}{unit}".replace("-", "−")) for n in numbers]


def _where(known: NDArray[np.bool_], *columns: ArrayLike) -> Iterable[Sequence[float]]:
    """The known rows of columns."""
    return zip(*(np.asarray(column)[known].tolist() for column in columns), strict=True)
