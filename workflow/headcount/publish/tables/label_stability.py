"""Which labels hang on how debates are coded? What each other coding makes of the labels, label by label."""

from collections.abc import Iterator, Mapping

import pandas as pd

from headcount.ledger.codings import MEANINGS
from headcount.ledger.labels import LABELS
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import cells
from headcount.publish.parts import TEAM, count
from headcount.schema import LEDGER_STABILITY
from headcount.schema.ledger import ALL, CODINGS

PAPER = ""
QUESTION = "ledger"
NEEDS = ("debate",)
READS = ("ledger_stability",)
PUBLISHED = ()

CONDITION = "debate"
TOLD = {
    "undefined_wrong": "no majority is wrong",
    "undefined_final_wrong": "no last majority is wrong",
    "reverse_alphabetical": "ties to the last answer",
    "strict_plurality": "ties set apart",
    "keep_previous": "ties keep the answer",
    "no_fallback": "no last resort",
    "tag_only": "tags alone",
}

SPEC = TableSpec(
    name="label_stability",
    groups=("team", "coding"),
    caption=(
        "How many debates change their label when they are coded in another way, each way different from the ledger's "
        "own in one thing: rows are labels by the ledger, columns what becomes of them. Labels and codings by which no "
        "debate of a team changes have no row there. All tasks together, each at its largest team and its last round; "
        "(all): all teams, all labels. Other sizes, rounds and conditions are in ledger_stability.parquet."
    ),
    columns=(
        TEAM,
        Column("coding", "coded", "; ".join(f"{told}: {MEANINGS[name]}" for name, told in TOLD.items()), words=TOLD),
        Column("label", "label", "by the ledger"),
        Column("changed_share", "changed", "debates with another label", 4, 1, percent=True),
        count("changed", "debates changed", "how many"),
        *(count(f"to_{label}", f"→ {label}", "debates that have this label instead") for label in LABELS),
        Column("debates", "debates", "of the label that the other coding tells of, too", decimals=0),
        Column("n", "N", "agents of the largest team", decimals=0, show="varying"),
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return label_stability(inputs.read(LEDGER_STABILITY))


def label_stability(stability: pd.DataFrame) -> pd.DataFrame:
    """Rows of each coding: all labels, then each that a debate changes from; all teams first, where there are several.

    Args:
        stability: rows of LEDGER_STABILITY.
    """
    rows = cells(stability[stability["condition"] == CONDITION])
    rows = rows[rows["n"] == rows.groupby(["team", "task"])["n"].transform("max")]
    teams = [(str(team), own) for team, own in rows.groupby("team")]
    alike = rows[rows["simulated"] == rows["simulated"].min()]  # simulated agents are not added to language models
    together = [(ALL, alike)] if alike["team"].nunique() > 1 else []
    blocks = [*together, *teams]
    found = [row for place, (team, own) in enumerate(blocks) for row in _of_team(team, own, unchanged=place == 0)]
    return pd.DataFrame(found, columns=SPEC.fields)


def _of_team(team: str, rows: pd.DataFrame, *, unchanged: bool) -> Iterator[dict[str, object]]:
    """`unchanged`: with a row for a coding by which no debate changes."""
    about = {"team": team, "n": int(rows["n"].max()), "simulated": bool(rows["simulated"].any())}
    for coding in CODINGS:
        counts = _counts(rows[rows["coding"] == coding])
        whole, *parts = _row(ALL, counts), *(_row(label, {label: counts[label]}) for label in LABELS)
        if whole["changed"] or (unchanged and whole["debates"]):
            yield about | {"coding": coding} | whole
        yield from (about | {"coding": coding} | part for part in parts if part["changed"])


def _counts(rows: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Debates by their label and the one that they have instead."""
    counts = {label: dict.fromkeys(LABELS, 0) for label in LABELS}
    for label, other, debates in zip(rows["transition"], rows["recoded"], rows["debates"], strict=True):
        if label in counts and other in counts:
            counts[label][other] += int(debates)
    return counts


def _row(name: str, counts: Mapping[str, Mapping[str, int]]) -> dict[str, object]:
    """Debates of some labels that have another one instead, by that one."""
    moved = {to: sum(row[to] for label, row in counts.items() if label != to) for to in LABELS}
    debates, changed = sum(sum(row.values()) for row in counts.values()), sum(moved.values())
    share = changed / debates if debates else None
    told = {f"to_{label}": number or None for label, number in moved.items()}
    return told | {"label": name, "debates": debates, "changed": changed, "changed_share": share}
