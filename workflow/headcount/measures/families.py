"""Which family of models each answer comes from: models of one family count as one."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from headcount.errors import UserError
from headcount.measures.arrays import IntArray
from headcount.measures.groups import factorise


def family_of(answers: pa.Table, families: Mapping[str, str]) -> tuple[IntArray, list[str]]:
    """The family of each row, (rows,), as a place among the sorted names of families; and these names.

    Args:
        answers: rows of `schema.ANSWERS`.
        families: family by model.

    Raises:
        UserError: where a model has no family.
    """
    model = factorise(answers["model"])
    models = model.values.to_pylist()
    stranger = next((name for name in models if name not in families), None)
    if stranger is not None:
        known = ", ".join(sorted(families))
        raise UserError(f"answers: model {stranger!r} is not on the team, so its family is not known ({known}).")
    names = sorted({families[name] for name in models})
    place = np.array([names.index(families[name]) for name in models], dtype=np.int64)
    return place[model.codes], names
