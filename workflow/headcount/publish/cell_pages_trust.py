"""What a cell's page says of trust: what agents share without any talk, and whether small teams foretell large ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from headcount.publish.cell_pages_numbers import interval, number, ranged
from headcount.publish.cells import FORETOLD, SERIES, headline
from headcount.publish.excess_cells import largest
from headcount.publish.words import EMPTY, LAWS, NULLS


@dataclass(frozen=True)
class Trust:
    """A cell's rows of `excess_cells.of_cells` and of `foretelling`."""

    excess: pd.DataFrame
    laws: pd.DataFrame


FORETOLD_BY = ("ringelmann_free", "kish", "ringelmann")
_LEVEL = "pooled_agreement"
_AT_SIZE = ("kappa", "log_n_eff_ratio_agreement")
_OF_CURVE = ("c_null_agreement", "beta_null_agreement", "dbeta_agreement")


def beside_nulls(trust: Trust) -> list[dict[str, str]]:
    """The cell against each null that the run has, as text."""
    rows = trust.excess
    return [
        _beside(rows[rows["null"] == null], meaning) for null, meaning in NULLS.items() if (rows["null"] == null).any()
    ]


def _beside(rows: pd.DataFrame, meaning: str) -> dict[str, str]:
    at_size, curve = largest(rows[rows["n"] > 0]), rows[rows["n"] == 0]
    ends = {"value": "q", "low": "q_low", "high": "q_high"}
    numbers = pd.concat([at_size, curve])[["quantity", *ends]].rename(columns=ends)
    known = {row["quantity"]: row for row in numbers.to_dict("records")}
    told = {name: ranged(known[name], "q", 2) if name in known else EMPTY for name in (*_AT_SIZE, *_OF_CURVE)}
    return told | {"null": meaning, "n": str(at_size["n"].iloc[0]), "lost": _lost(known)}


def _lost(known: Mapping[Any, Mapping[Any, Any]]) -> str:
    """Share of effective agents lost, 1 - exp(L), whose ends change places."""
    if _AT_SIZE[1] not in known:
        return EMPTY
    value, low, high = (100 * (1 - np.exp(known[_AT_SIZE[1]][name])) for name in ("q", "q_low", "q_high"))
    return f"{number(value, 0)} % {interval({'q_low': high, 'q_high': low}, 'q', 0)}".strip()


def foretold(trust: Trust) -> dict[str, Any] | None:
    """How well laws that saw the small teams alone say what large ones are worth; none where nothing was held out."""
    rows = trust.laws.to_dict("records")
    if not rows:
        return None
    one = rows[0]
    pilot, held_out = (", ".join(map(str, one[name])) for name in ("pilot", "held_out"))
    return {
        "pilot": pilot,
        "held_out": held_out,
        "smallest": min(one["pilot"]),
        "largest": max(one["held_out"]),
        "rows": [_foretold(row) for row in rows],
    }


def foretelling(skills: pd.DataFrame, rivals: pd.DataFrame) -> pd.DataFrame:
    """The chosen rows of SKILLS of each cell, law by law, each with the misfit of its law over all sizes.

    Args:
        skills, rivals: rows of SKILLS and RIVALS, of any number of cells.
    """
    keys = [*SERIES, "level", "law"]
    sized = skills.assign(sizes=skills["held_out"])
    chosen = pd.concat([headline(sized, law, _LEVEL, FORETOLD) for law in FORETOLD_BY])
    return chosen.merge(rivals[[*keys, "q", "q_df", "q_p"]], on=keys, how="left")


def _foretold(row: Mapping[Any, Any]) -> dict[str, str]:
    shares = {name: f"{number(100 * row[name], 0)} %" for name in ("error_largest", "other_half_error", "halves_error")}
    shares = {name: EMPTY if EMPTY in text else text for name, text in shares.items()}
    skill = {name: number(row[f"skill_{name}"], 2) for name in ("null_a", "carried", "kish_two")}
    misfit = (
        EMPTY if pd.isna(row["q_p"]) else f"{number(row['q'], 1)} on {row['q_df']:.0f}, p = {number(row['q_p'], 3)}"
    )
    ends = interval(row, "error_largest", 0, 100)
    shares["error_largest"] = f"{shares['error_largest']} {ends}".strip()
    return {"law": LAWS[row["law"]]} | shares | skill | {"misfit": misfit}
