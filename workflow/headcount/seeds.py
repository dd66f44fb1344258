"""Seeds and ranks from names: the same for the same words, on every machine, in every order."""

import hashlib
import struct

import numpy as np
from numpy.typing import NDArray


def digest(*words: object) -> bytes:
    """32 bytes that stand for a sequence of words; ("ab", "c") and ("a", "bc") differ."""
    hashed = hashlib.sha256()
    for word in words:
        text = str(word).encode()
        hashed.update(struct.pack("<I", len(text)) + text)
    return hashed.digest()


def seed31(*words: object) -> int:
    """A seed of 31 bits, which every engine takes."""
    return int.from_bytes(digest(*words)[:4], "little") >> 1


def seed64(*words: object) -> int:
    """A seed of 64 bits, for a NumPy generator."""
    return int.from_bytes(digest(*words)[:8], "little")


@np.errstate(over="ignore")  # wrapping is meant
def mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finaliser: a bijection of 64-bit words whose output order looks random."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
