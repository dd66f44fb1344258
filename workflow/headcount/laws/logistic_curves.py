"""Least squares for logistic curves, many at once.

A logistic curve is top x sigmoid(z), z = rate (N - middle). Its top is linear and has its best value
in closed form, so the sum of squares is a surface over (rate, middle) (variable projection, Golub
and Pereyra 1973). The search is that of `least_squares`:

1. *Cover the surface.* Rates of either sign from nearly flat to a step between two neighbours, and
   for each the middles that bring any of the sizes to z = -8, -7, ..., 8; beyond, nothing bends.
   The best middle of each rate makes a profile, and each dip of the profile a start.
2. *Polish.* Damped Newton steps on the surface's exact Hessian, Gauss-Newton's where that is not
   positive definite. `shift` = rate x middle is moved instead of the middle.
3. *Keep the best.*

A curve without an inflection in its data is best fitted by a limit: an exponential (middle and top
run off together), a step (the rate does), a constant. The search goes to where the limit is reached
within rounding, and stops there.
"""

import numpy as np

from headcount.laws.exponents import enough_sizes
from headcount.laws.forms import Sizes
from headcount.laws.logistic_surface import Surface, Theta, sigmoids
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

STARTS = 4
STEPS = 200
TOLERANCE = 1e-11
NEAR = 12.0  # |z| beyond which a curve is its limit to exp(-12), and called that if it is so everywhere
AT_ONCE = 64  # curves that share a grid; few, so that its values stay in the processor's cache
TOGETHER = 4096  # starts that are polished together: the last of them to settle keep few others waiting


def fit_logistic_curves(n: Sizes, y: FloatArray) -> tuple[FloatArray, BoolArray]:
    """The top, rate and middle that are nearest to each curve in least squares.

    Args:
        n: (sizes,), of two and more.
        y: (curves, sizes), N_eff or R; NaN where not known.

    Returns:
        (curves, 3), NaN for a curve with fewer than three sizes; and (curves,), whether the best
        parameters are finite ones. Where they are not, they describe the limit within rounding.
    """
    n, known = np.asarray(n, dtype=np.float64), np.isfinite(y)
    params, inside = np.full((y.shape[0], 3), np.nan), np.zeros(y.shape[0], np.bool_)
    fitted = np.flatnonzero(enough_sizes(n, known))
    if fitted.size:
        surface = Surface(n - n.min(), np.where(known, y, 0.0)[fitted].T, known[fitted].T)
        (rate, shift), inside[fitted] = _best(surface)
        top = surface.at((rate, shift)).top
        params[fitted] = np.stack([top, rate, n.min() + shift / rate], axis=1)
    return params, inside


def _best(surface: Surface) -> tuple[Theta, BoolArray]:
    """The lowest (rate, shift) of each curve, and whether it is a minimum and no limit."""
    owner, start = _all_starts(surface)
    theta, settled, sse = _all_polished(surface, owner, start)
    order = np.lexsort((sse, owner))
    best = order[np.unique(owner[order], return_index=True)[1]]
    rate, shift = theta[0][best], theta[1][best]
    z = rate * surface.x[:, None] - shift
    limit = (z.max(axis=0) < -NEAR) | (z.min(axis=0) > NEAR) | (np.abs(rate) >= surface.fastest)
    return (rate, shift), settled[best] & ~limit


def _all_starts(surface: Surface) -> tuple[IntArray, Theta]:
    """`_starts` of a few curves at a time."""
    owners, rates, shifts = [], [], []
    for first in range(0, surface.y.shape[1], AT_ONCE):
        owner, (rate, shift) = _starts(surface.take(slice(first, first + AT_ONCE)))
        owners.append(owner + first)
        rates.append(rate)
        shifts.append(shift)
    return np.concatenate(owners), (np.concatenate(rates), np.concatenate(shifts))


def _starts(surface: Surface) -> tuple[IntArray, Theta]:
    """Dips of each curve's profile over the rate: the curve's number, and (rate, shift)."""
    x = np.unique(surface.x)
    rates = np.geomspace(0.3 / x.max(), surface.fastest, 30)
    rates = np.r_[-rates[::-1], rates]
    shifts = (rates[:, None, None] * x[:, None] + np.linspace(-8.0, 8.0, 17)).reshape(rates.size, -1)
    g = sigmoids(rates[:, None, None] * surface.x - shifts[:, :, None])[0].reshape(-1, surface.x.size)
    gain = _gain(surface, g).reshape(-1, *shifts.shape)
    place = gain.argmax(axis=2)
    profile = np.take_along_axis(gain, place[:, :, None], axis=2)[:, :, 0]
    padded = np.pad(profile, ((0, 0), (1, 1)), constant_values=-np.inf)
    peaks = np.where((profile >= padded[:, :-2]) & (profile >= padded[:, 2:]), profile, -np.inf)
    chosen = np.argsort(-peaks, axis=1, kind="stable")[:, :STARTS]
    owner, slot = np.nonzero(np.isfinite(np.take_along_axis(peaks, chosen, axis=1)))
    rate = chosen[owner, slot]
    return owner, (rates[rate], shifts[rate, place[owner, rate]])


def _gain(surface: Surface, g: FloatArray) -> FloatArray:
    """By how much each shape lowers each curve's sum of squares: g (shapes, sizes) -> (curves, shapes)."""
    known = surface.known[:, :1] if (surface.known == surface.known[:, :1]).all() else surface.known
    square = known.T.astype(np.float64) @ (g**2).T
    gain = surface.y.T @ g.T
    gain *= gain
    gain /= np.where(square > 0, square, np.inf)
    return np.asarray(gain)


def _all_polished(surface: Surface, owner: IntArray, start: Theta) -> tuple[Theta, BoolArray, FloatArray]:
    """`_polish` of many starts at a time: where they end, whether they settled, and their sums of squares."""
    rate, shift, settled, sse = start[0].copy(), start[1].copy(), np.ones(owner.size, np.bool_), np.empty(owner.size)
    for first in range(0, owner.size, TOGETHER):
        some = slice(first, first + TOGETHER)
        part = surface.take(owner[some])
        (rate[some], shift[some]), settled[some] = _polish(part, (rate[some], shift[some]))
        sse[some] = part.at((rate[some], shift[some])).sse
    return (rate, shift), settled, sse


def _polish(surface: Surface, start: Theta) -> tuple[Theta, BoolArray]:
    """Damped Newton steps for all curves together until each has settled."""
    ends = start[0].copy(), start[1].copy()
    moving, settled = np.arange(start[0].size), np.ones(start[0].size, np.bool_)
    part, here, damping = surface, start, np.full(start[0].size, 1e-3)
    sse, total = part.at(here).sse, (part.y**2).sum(axis=0)
    for _ in range(STEPS):
        if not moving.size:
            break
        step = _step(part, here, damping)
        there = part.clip((here[0] - step[0], here[1] - step[1]))
        sse_there = part.at(there).sse
        gain = sse - sse_there
        better = gain >= 0
        still = _near(there[0], here[0]) & _near(there[1], here[1])
        here = np.where(better, there[0], here[0]), np.where(better, there[1], here[1])
        sse = np.where(better, sse_there, sse)
        damping = np.maximum(np.where(better, damping * 0.1, damping * 10.0), 1e-10)
        level = better & (gain <= 1e-15 * sse + 1e-20 * total)  # downhill no more than rounding
        on = ~(still | level)
        if not on.all():
            ends[0][moving], ends[1][moving] = here
            here, part = (here[0][on], here[1][on]), part.take(on)
            moving, damping, sse, total = moving[on], damping[on], sse[on], total[on]
    ends[0][moving], ends[1][moving] = here
    settled[moving] = False
    return ends, settled


def _near(there: FloatArray, here: FloatArray) -> BoolArray:
    return np.asarray(np.abs(there - here) <= TOLERANCE * (1.0 + np.abs(here)))


def _step(surface: Surface, theta: Theta, damping: FloatArray) -> Theta:
    """The damped Newton step of each curve, zero where a limit holds a parameter."""
    low, high = surface.corners(theta[0])
    (by_rate, by_shift), exact, gauss = surface.derivatives(theta)
    fastest = surface.fastest
    rate_held = ((theta[0] <= -fastest) & (by_rate >= 0)) | ((theta[0] >= fastest) & (by_rate <= 0))
    shift_held = ((theta[1] <= low) & (by_shift >= 0)) | ((theta[1] >= high) & (by_shift <= 0))
    by_rate, by_shift = np.where(rate_held, 0.0, by_rate), np.where(shift_held, 0.0, by_shift)
    exact, gauss = exact.tied(rate_held, shift_held), gauss.tied(rate_held, shift_held)
    convex = (exact.rr > 0) & (exact.ss > 0) & (exact.rr * exact.ss - exact.rs**2 > 0)
    floor = 1e-8 * (surface.y**2).sum(axis=0)  # where the curve is flat, steps would be wild
    a = np.where(convex, exact.rr, gauss.rr) + damping * (gauss.rr + floor)
    b = np.where(convex, exact.rs, gauss.rs)
    d = np.where(convex, exact.ss, gauss.ss) + damping * (gauss.ss + floor)
    det = np.maximum(a * d - b * b, 1e-12 * a * d + 1e-300)
    return (d * by_rate - b * by_shift) / det, (a * by_shift - b * by_rate) / det
