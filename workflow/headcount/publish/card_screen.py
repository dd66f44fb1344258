"""What the screen of a card says: how readily the model leaves its answer, and whether that comes back."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from headcount.config import Fitting
from headcount.ledger.screen_rates import screen_rates
from headcount.ledger.screen_reliability import screen_reliability
from headcount.publish.card_numbers import Numbers
from headcount.publish.card_subjects import Subject
from headcount.publish.card_words import ends, number, percent, whole
from headcount.publish.words import EMPTY
from headcount.schema.ledger import ALL

_RATES = {  # quantity: what readers see, and what it is
    "alpha_tot": ("α", "probes that moved it, a mean over agents and questions"),
    "alpha_adv": ("α adversarial", "left a right answer"),
    "alpha_cor": ("α corrective", "left a wrong answer for the right one"),
}
_RATIOS = {
    "sa_of_means": ("S/A", "company's part in what moves it, argument's the rest; ratio of means"),
    "sa_mean_of_items": ("S/A by question", "the same, a mean over questions"),
}
_AGAIN = {
    "inter_agent": "agents agree (ICC)",
    "test_retest": "passes agree (ICC)",
    "cronbach_alpha": "probes agree (Cronbach)",
}


def screened(about: Subject, numbers: Numbers, fitting: Fitting) -> dict[str, Any]:
    """Rates and reliabilities, in the default condition, unanswered probes dropped, all tasks together."""
    probes = numbers.probes
    rates = screen_rates(probes, fitting)
    rates = rates[(rates["task"] == ALL) & (rates["unanswered"] == "drop")]
    said = _by_quantity(rates)
    first = next(iter(said.values()), None)
    return {
        "rates": [_said(said, name, *words, scale=100) for name, words in _RATES.items()],
        "ratios": [_said(said, name, *words, scale=1) for name, words in _RATIOS.items()],
        "again": list(_again(probes, fitting)),
        "rows": EMPTY if first is None else whole(first["rows"]),
        "probes": EMPTY if first is None else whole(first["probes"]),
        "unparsed": EMPTY if first is None else percent(first["unparsed"]),
        "unread": EMPTY if first is None else percent(first["unread"]),
        "tasks": ", ".join(screen.task for screen in about.screens),
        **_shared(numbers),
    }


def _by_quantity(rows: pd.DataFrame) -> dict[str, dict[Any, Any]]:
    return {str(row["quantity"]): row for row in rows.to_dict("records")}


def _said(rates: dict[str, dict[Any, Any]], name: str, heading: str, meaning: str, scale: int) -> dict[str, str]:
    if name not in rates:
        return {"heading": heading, "value": EMPTY, "interval": "", "meaning": meaning}
    row = rates[name]
    value = percent(row["value"]) if scale == 100 else number(row["value"])
    interval = ends(row["low"], row["high"], 1 if scale == 100 else 2, scale)
    return {"heading": heading, "value": value, "interval": interval, "meaning": meaning}


def _again(probes: pd.DataFrame, fitting: Fitting) -> Iterator[tuple[str, str, str]]:
    rows = screen_reliability(probes, fitting)
    found = _by_quantity(rows[(rows["model"] != ALL) & rows["value"].notna()])
    for name, heading in _AGAIN.items():
        if name in found:
            row = found[name]
            yield heading, number(row["value"]), ends(row["low"], row["high"], 2, 1)


def _shared(numbers: Numbers) -> dict[str, str]:
    """How many probed questions are debated too: a rate of other questions says little about these."""
    pools = [set(rows["task"].astype(str) + "/" + rows["item"]) for rows in (numbers.probes, numbers.debates)]
    return {"questions": whole(len(pools[0])), "shared": whole(len(pools[0] & pools[1]))}
