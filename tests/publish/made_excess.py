"""Excess over the nulls of the made-up run's cells: every quantity that the law gives, told apart by its key."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from made_series import QWEN, around, series

from headcount.laws.excess import BY_SIZE, OF_CURVE
from headcount.laws.social import QUANTITIES

TWICE = (5, 10)  # sizes of which one team debated twice


def excess() -> Iterator[dict[str, Any]]:
    for s in series():
        if s.subsets == "first" and s.turn > 1:
            key, alone = s.key | {"n_items": 724}, s.condition == "self_correction"
            sizes = [n for n in s.sizes if n > 1]
            numbers = [*product(sizes, BY_SIZE), *product([0], OF_CURVE)]
            for null, subsets in product(("A",) if alone else ("A", "B"), ("all",) if alone else ("first", "adjusted")):
                for n, quantity in numbers:
                    number = around(s.number(n, null, quantity, *([subsets] if subsets == "adjusted" else [])))
                    yield key | {"null": null, "n": n, "quantity": quantity, "subsets": subsets} | number
            if s.team == QWEN and s.condition == "debate":
                for n, quantity in product(set(sizes) & {*TWICE}, QUANTITIES):
                    yield key | {"null": "C", "n": n, "quantity": quantity} | around(s.number(n, "C", quantity))
