"""Numbers of a card as its readers see them."""

from typing import TypeGuard

import pandas as pd

from headcount.publish.words import EMPTY

Value = float | int | None


def known(value: Value) -> TypeGuard[float]:
    return value is not None and not pd.isna(value)


def percent(value: Value, decimals: int = 1) -> str:
    return f"{_minus(100 * value, decimals)}\N{NO-BREAK SPACE}%" if known(value) else EMPTY


def number(value: Value, decimals: int = 2) -> str:
    return _minus(value, decimals) if known(value) else EMPTY


def whole(value: Value) -> str:
    return number(value, 0)


def ends(low: Value, high: Value, decimals: int = 1, scale: float = 100) -> str:
    """[low, high]; "" where there is no interval."""
    if known(low) and known(high):
        return f"[{_limit(scale * low, decimals)}, {_limit(scale * high, decimals)}]"
    return ""


def points(value: Value) -> str:
    """A difference of shares, in percentage points with its sign."""
    return f"{100 * value:+z.1f}".replace("-", "−") if known(value) else EMPTY


def _minus(value: float, decimals: int) -> str:
    return f"{value:z,.{decimals}f}".replace("-", "−")


def _limit(value: float, decimals: int) -> str:
    return "∞" if value == float("inf") else _minus(value, decimals)
