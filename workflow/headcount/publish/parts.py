"""Columns that many tables have: who, on what, how large; an estimate, a share, the paper's number beside it."""

from headcount.laws.flags import FLAGS
from headcount.publish.columns import OUTSIDE, SIMULATED_COLUMN, Column, Printed, Show, TableSpec
from headcount.publish.words import CONDITIONS, REGIMES

TEAM = Column("team", "team", "who answers", show="varying")
TASK = Column("task", "task", "which questions")
CONDITION = Column("condition", "condition", "what agents read between rounds", words=CONDITIONS)
SIZE = Column("n", "N", "agents in the team", decimals=0, show="varying")
ROUND = Column("round", "round", "after which it was measured", decimals=0, show="varying")
ITEMS = Column("n_items", "items", "questions behind the row", decimals=0, show="varying")
REGIME = Column("regime", "regime", "by β: ceiling up to 0.1, sublinear above", words=REGIMES)
FLAGGED = Column("flags", "flags", "what to mind when reading a row", notes=FLAGS, show="present")


def estimate(field: str, heading: str, meaning: str, decimals: int = 2, show: Show = "always") -> Column:
    """A number with its interval in the columns `{field}_low` and `{field}_high`."""
    ends = (f"{field}_low", f"{field}_high")
    return Column(field, heading, f"{meaning} [interval]", max(4, decimals), decimals, interval=ends, show=show)


def count(field: str, heading: str, meaning: str) -> Column:
    """How many; left out where no row has any."""
    return Column(field, heading, meaning, decimals=0, show="present")


def share(field: str, heading: str, meaning: str, decimals: int = 1, show: Show = "always") -> Column:
    """A share with its interval, which people read as per cent."""
    ends = (f"{field}_low", f"{field}_high")
    return Column(field, heading, f"{meaning} [interval]", 4, decimals, interval=ends, percent=True, show=show)


def printed(field: str, heading: str, of: str = "", interval: tuple[str, str] | None = None) -> Printed:
    """The paper's number, text as printed; where it stands beside a column of ours (`of`), compared with it."""
    meaning = f"as printed (ours minus it);{OUTSIDE} outside our interval" if of else "as printed"
    return Printed(field, heading, meaning, of=of, interval=interval)


def own_fields(spec: TableSpec) -> list[str]:
    """The fields of a table without intervals that are ours to fill, before the paper's stand beside them."""
    return [*(column.field for column in spec.columns if not isinstance(column, Printed)), SIMULATED_COLUMN.field]


EFFECTIVE_SIZE = estimate(
    "n_eff_answer", "effective size", "mean over items of 2 to the entropy of the answers, in agents"
)
C = estimate("c", "c", "scale of the correlation between agents")
BETA = estimate("beta", "β", "how fast the correlation falls as teams grow")
