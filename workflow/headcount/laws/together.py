"""What laws make of many curves, asked for curve by curve and fitted together.

A fit takes nearly as long for one curve as for some dozens over the same sizes. So what is asked for waits until the
first of it is needed, and then all of it is fitted at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from headcount.laws.compared import COMPARED
from headcount.laws.estimate import C_BOUNDS
from headcount.laws.forms import Sizes
from headcount.measures.arrays import FloatArray

Later = Callable[[], FloatArray]
"""What was asked for. The first that is called has all that waits fitted, so ask for everything before."""


@dataclass
class _Batch:
    """Curves of equal sizes that one law is fitted to.

    Attributes:
        r: efficiencies, (curves, sizes) of each that asked; none once fitted.
        params: (curves, parameters) of all, once fitted.
    """

    law: str
    n: FloatArray
    c_bounds: tuple[float, float]
    r: list[FloatArray] = field(default_factory=list)
    curves: int = 0
    params: FloatArray | None = None

    def add(self, r: FloatArray) -> slice:
        """More curves, (curves, sizes); their place among all."""
        self.r.append(r)
        self.curves += len(r)
        return slice(self.curves - len(r), self.curves)

    def fitted(self) -> FloatArray:
        """(curves, parameters)."""
        if self.params is None:
            self.params = COMPARED[self.law].of_resamples(self.n, self.r, self.c_bounds)
            self.r.clear()
        return self.params


class Together:
    """Fits of laws, those of one law, of equal sizes and of one range of c together."""

    def __init__(self) -> None:
        self._batches: dict[tuple[object, ...], _Batch] = {}

    def parameters(self, law: str, n: Sizes, r: FloatArray, c_bounds: tuple[float, float] = C_BOUNDS) -> Later:
        """As `compared.Law.parameters`, later."""
        n = np.asarray(n, dtype=np.float64)
        key = (law, *n.tolist(), c_bounds)
        batch = self._batches.get(key)
        if batch is None or batch.params is not None:
            batch = self._batches[key] = _Batch(law, n, c_bounds)
        place = batch.add(r)
        return lambda: batch.fitted()[place]

    def predict(self, law: str, n: Sizes, r: FloatArray, at: Sizes, c_bounds: tuple[float, float] = C_BOUNDS) -> Later:
        """As `compared.Law.predict`, later."""
        params = self.parameters(law, n, r, c_bounds)
        return lambda: COMPARED[law].at(at, params())
