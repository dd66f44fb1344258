"""How far a law that fits a pilot is from larger teams: what is left over when items are no longer the problem.

A prediction from small teams errs in two ways. Its items are few, which a jackknife over items tells. And the law is
not quite the truth, which no pilot can tell: it is learned from cases where the truth is known. Both stand on one
scale, ln N_eff for sizes and shares for accuracies. On it the standard deviation of the second grows with the distance
from the pilot's largest team m:

    sd(N) = s ln(N / m) sqrt(ln N_eff(m))   of ln N_eff(N) ,      sd(N) = s ln(N / m)   of the accuracy (ours).

The root keeps s alike among teams that are nearly one voter and teams that are many (in thirds of the populations
behind `resources/calibration/pilot_error.csv` it is the same within a fifth; without it, within a factor of two).
s is such that 95 % of those cases err by less than 1.96 sd: their errors have longer tails than a normal distribution.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import ndtri

from headcount.errors import UserError
from headcount.laws.forms import Sizes
from headcount.measures.arrays import FloatArray

FIELDS = ("quantity", "level", "group", "pilot", "cases", "s", "source")
ACCURACY = "accuracy"  # the level of what has none
_COVERED = 0.95
_LEAST = 1e-3  # of ln N_eff at the largest pilot size: teams that are one voter as far as can be seen


@dataclass(frozen=True)
class PilotErrors:
    """What past predictions were off by.

    Attributes:
        scales: s by quantity (n_eff, accuracy), level (answer, pooled_agreement; accuracy) and group (alone: nobody is
            heard; talk; mixed: a team of several models), then by the sizes of the pilot.
    """

    scales: Mapping[tuple[str, str, str], Mapping[tuple[int, ...], float]]

    @classmethod
    def read(cls, path: Path) -> "PilotErrors":
        """From a CSV with columns FIELDS; of equal rows from several sources the largest s counts."""
        scales: dict[tuple[str, str, str], dict[tuple[int, ...], float]] = {}
        try:
            rows = list(csv.DictReader(path.open(encoding="utf-8", newline="")))
        except FileNotFoundError:
            raise UserError(f"{path}: no such file. It holds what predictions from pilots were off by.") from None
        for number, row in enumerate(rows, start=2):
            try:
                sizes, s = tuple(int(n) for n in row["pilot"].split(";")), float(row["s"])
                known = scales.setdefault((row["quantity"], row["level"], row["group"]), {})
            except (KeyError, TypeError, ValueError, AttributeError):
                raise UserError(
                    f"{path}: row {number}: needs {', '.join(FIELDS)}, with numbers in pilot and s."
                ) from None
            known[sizes] = max(s, known.get(sizes, 0.0))
        return cls(scales)

    def scale(self, quantity: str, level: str, group: str, pilot: Sequence[int]) -> float:
        """s of a pilot; of one that nobody tried, the largest of its group."""
        try:
            known = self.scales[quantity, level, group]
        except KeyError:
            raise UserError(f"No past prediction of {quantity}, {level}, {group} is known.") from None
        return known.get(tuple(pilot), max(known.values()))

    def tried(self, quantity: str, level: str, group: str, pilot: Sequence[int]) -> bool:
        """Whether predictions from these very sizes are known."""
        return tuple(pilot) in self.scales.get((quantity, level, group), {})


def distance(n: Sizes, largest: float) -> FloatArray:
    """How far sizes are from a pilot, ln(N / m); 0 within it. (sizes,)."""
    return np.maximum(np.log(np.asarray(n, dtype=np.float64) / largest), 0.0)


def size_deviation(s: float, n: Sizes, largest: float, n_eff: float) -> FloatArray:
    """Standard deviation of ln N_eff(N) that is owed to the law.

    Args:
        s: from `PilotErrors.scale`.
        n: (sizes,).
        largest: m, the pilot's largest size.
        n_eff: of that size, as seen.

    Returns:
        (sizes,); 0 within the pilot.
    """
    return s * distance(n, largest) * _room(np.asarray(n_eff))


def scaled_size_error(
    predicted: FloatArray, true: FloatArray, n: Sizes, largest: float, n_eff: FloatArray
) -> FloatArray:
    """Errors of known cases in units of sd / s: |ln(predicted / true)| / (ln(N / m) sqrt(ln N_eff(m))).

    Args:
        predicted, true: (cases, sizes), effective team sizes.
        n: (sizes,), beyond the pilot.
        n_eff: (cases,), at the pilot's largest size.

    Returns:
        (cases, sizes).
    """
    error = np.abs(np.log(np.asarray(predicted) / true))
    return np.asarray(error / (distance(n, largest) * _room(np.asarray(n_eff))[:, None]))


def learned(errors: FloatArray) -> float:
    """s from scaled errors of any shape: their 95 % quantile over that of |z|, 1.96. NaN is left out."""
    known = errors[np.isfinite(errors)]
    if not known.size:
        return float("nan")
    return float(np.quantile(known, _COVERED) / ndtri(0.5 + _COVERED / 2))


def implied(mean_error: float, n: Sizes, largest: float, n_eff: float) -> float:
    """s from a published mean of |predicted - true| / true over held-out sizes, if errors are normal.

    mean |e| = sqrt(2 / pi) mean_N sd(N), so s = mean |e| / (sqrt(2 / pi) mean_N ln(N / m) sqrt(ln N_eff(m))).
    It counts the noise of items as error of the law, so it is rather too large.
    """
    return float(mean_error / (np.sqrt(2.0 / np.pi) * distance(n, largest).mean() * _room(np.asarray(n_eff))))


def _room(n_eff: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.maximum(np.log(n_eff), _LEAST)))
