"""Uniform numbers by name: a pure function of where they are used, whatever else is drawn, and in what order.

So an agent's answer is the same on every team and in every chunk of items, and a round is a prefix of a longer run, as
on the path that asks request by request. Names are 64-bit words. They are joined by SplitMix64's finaliser (Steele,
Lea and Flood 2014), and the numbers of a place are SplitMix64's sequence from there.
"""

import numpy as np
from numpy.typing import NDArray

from headcount.populations.answers import FloatArray
from headcount.seeds import mix, seed64

Words = NDArray[np.uint64]
_GAMMA = 0x9E3779B97F4A7C15
_HALF = float(np.float64(2.0) ** -53)


def named(*words: object) -> Words:
    """The word of a sequence of words."""
    return np.array(seed64(*words), dtype=np.uint64)


def joined(first: Words, second: Words | NDArray[np.integer]) -> Words:
    """The words of pairs, which broadcast."""
    return mix(first ^ mix(np.asarray(second).astype(np.uint64) ^ np.uint64(_GAMMA)))


def uniform(places: Words, number: int) -> FloatArray:
    """Uniform numbers in [0, 1): the one of a number, counted from 0, of each place."""
    step = np.uint64((_GAMMA * (number + 1)) % 2**64)
    return np.asarray((mix(places + step) >> np.uint64(11)) * _HALF)
