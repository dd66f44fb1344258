"""What the debates of a card did: repaired, destroyed, when, and how sure their reading is."""

from typing import Any

import pandas as pd

from headcount.ledger.codings import PRIMARY
from headcount.publish.card_numbers import Numbers
from headcount.publish.card_subjects import Panel
from headcount.publish.card_words import ends, percent, points, whole
from headcount.publish.words import EMPTY
from headcount.schema.ledger import CODINGS

SHOWN_TASKS = 8  # that a card has room for
BAR = ("preserved", "correction", "collapse", "unrepaired", "unlabelled")  # from the left: right at the end, then wrong
_STATUSES = ("fallback", "missing", "truncated", "ambiguous")


def lead(numbers: Numbers) -> dict[str, Any]:
    """All tasks in a sentence."""
    debates, repaired, destroyed = numbers.base("net"), numbers.events("correction"), numbers.events("collapse")
    net = numbers.rate("net")
    return {
        "debates": whole(debates),
        "repaired": whole(repaired),
        "destroyed": whole(destroyed),
        "net": points((repaired - destroyed) / debates) if debates else EMPTY,
        "interval": ends(net["low"].iloc[0], net["high"].iloc[0]) if len(net) == 1 else "",
        "first": percent(numbers.share("initial_accuracy")),
        "last": percent(numbers.share("final_accuracy")),
    }


def tasks(numbers: Numbers, panel: Panel) -> list[dict[str, Any]]:
    """A row a task: counts of transitions, and rates with what they are to be read against."""
    return [_task(numbers, task) for task in panel.tasks[:SHOWN_TASKS]]


def _task(numbers: Numbers, task: str) -> dict[str, Any]:
    labels = numbers.debates.loc[numbers.debates["task"] == task, "transition"].value_counts()
    counts = {label: int(labels.get(label, 0)) for label in BAR}
    whole_number = max(sum(counts.values()), 1)
    bar = [(label, count, f"{100 * count / whole_number:.3f}") for label, count in counts.items() if count]
    net = numbers.row("net", task)
    return {
        "task": task,
        "bar": bar,
        "counts": counts,
        "first": percent(numbers.row("initial_accuracy", task)["value"]),
        "last": percent(numbers.row("final_accuracy", task)["value"]),
        "collapse": _rate(numbers, "collapse", task),
        "correction": _rate(numbers, "correction", task),
        "net": points(net["value"]),
        "net_interval": ends(net["low"], net["high"]),
    }


def _rate(numbers: Numbers, name: str, task: str) -> dict[str, str]:
    row = numbers.row(name, task)
    return {
        "value": percent(row["value"]),
        "interval": ends(row["wilson_low"], row["wilson_high"]),
        "of": f"{whole(row['events'])} of {whole(row['base'])}" if pd.notna(row["base"]) else EMPTY,
        "redraw": percent(numbers.row(f"{name}_redraw", task)["value"]),
        "alone": percent(numbers.row(name, task, "self_correction")["value"]),
    }


def onset(numbers: Numbers, panel: Panel) -> dict[str, Any]:
    """How many collapses began in each revision, and how many breaks were mended."""
    collapses = numbers.events("collapse")
    counts = [(f"R{place}", numbers.events(f"onset_{place + 1}")) for place in range(1, panel.revisions + 1)]
    most = max([count for _, count in counts] + [1])
    return {
        "rounds": [
            (name, count, f"{100 * count / most:.2f}", percent(count / collapses, 0) if collapses else EMPTY)
            for name, count in counts
        ],
        "mended": numbers.events("transient_break"),
        "collapses": collapses,
    }


def parser(numbers: Numbers, panel: Panel) -> dict[str, Any]:
    """How replies were read, at first and at the end; and what other readings and tie rules make of the collapses."""
    rates = {coding: numbers.share("collapse", coding) for coding in (PRIMARY, *CODINGS)}
    told = [rate for rate in rates.values() if rate is not None]
    counts = numbers.debates["transition"].value_counts()
    return {
        "rounds": [
            _read(numbers.reading, round_, name) for round_, name in ((1, "R0"), (panel.round, f"R{panel.revisions}"))
        ],
        "unlabelled": whole(int(counts.get("unlabelled", 0))),
        "debates": whole(len(numbers.debates)),
        "tied": percent(numbers.share("any_tie")),
        "codings": len(told) - 1,
        "lowest": percent(min(told, default=None)),
        "highest": percent(max(told, default=None)),
    }


def _read(reading: pd.DataFrame, round_: int, name: str) -> dict[str, Any]:
    rows = reading[reading["round"] == round_]
    status = rows["status"].value_counts(normalize=True)
    shares = [(word, percent(float(status.get(word, 0.0)))) for word in _STATUSES if status.get(word, 0.0) > 0]
    return {
        "name": name,
        "replies": whole(len(rows)),
        "parsed": percent(float(status.get("parsed", 0.0))) if len(rows) else EMPTY,
        "shares": shares,
        "disagree": percent(float(rows["tags_disagree"].mean())) if rows["tags_disagree"].any() else "",
    }
