"""Seeds and ranks from names: the same for the same words, on every machine, in every order."""

import hashlib
import struct


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
