"""The Arrow schema of every file that passes between stages.

Keys are the same everywhere and in this order: item, replicate, n, k, round, agent. `round` counts from 1 (the
independent answers); `agent` counts from 1; `k` is the actual number of peers that an agent reads (0 where nobody
is heard, n - 1 when everybody is). Rows are sorted by a table's keys, and the keys are unique.
"""

from headcount.schema.costs import LEDGER_COSTS
from headcount.schema.estimates import (
    AUDITS,
    CONTRASTS,
    CURVES,
    ESTIMATES,
    EXCESS,
    FITS,
    MIXING,
    PAIR_MEANS,
    PAIRS,
    PROJECTIONS,
    RIVALS,
    SKILLS,
)
from headcount.schema.ledger import (
    GATE_OUTCOMES,
    LEDGER_RATES,
    LEDGER_STABILITY,
    LOCALISATION,
    PROBE_REPLIES,
    PROBES,
    REDRAWS,
    TRANSITIONS,
)
from headcount.schema.panel import BEST_MEMBER, CALIBRATION, CROWD
from headcount.schema.pilots import BUDGETS, PILOT_SIZES, PILOTS
from headcount.schema.replies import ANSWERS, DRAWS, ITEMS, RESPONSES, TURNS, VERDICTS
from headcount.schema.screens import (
    ASSOCIATIONS,
    FORECASTS,
    MODEL_ROWS,
    RELIABILITY,
    REORDERINGS,
    SCREENS,
    SELECTION,
)
from headcount.schema.table import Table, numbered
from headcount.schema.teams import BLOCKS, CROSS_PAIRS, MEASURES, MOVES, SUBSETS, VOTES

TABLES = {
    table.name: table
    for table in (
        *(ITEMS, DRAWS, TURNS, RESPONSES, VERDICTS, ANSWERS, MEASURES, SUBSETS, MOVES, BLOCKS, VOTES),
        CROSS_PAIRS,
        *(FITS, CURVES, ESTIMATES, RIVALS, CONTRASTS, AUDITS, PROJECTIONS, MIXING, PAIRS, PAIR_MEANS),
        EXCESS,
        SKILLS,
        *(CROWD, BEST_MEMBER, CALIBRATION),
        *(TRANSITIONS, REDRAWS, LEDGER_RATES, LEDGER_STABILITY, PROBE_REPLIES, PROBES, GATE_OUTCOMES, LOCALISATION),
        LEDGER_COSTS,
        *(PILOTS, PILOT_SIZES, BUDGETS),
        *(SCREENS, RELIABILITY, MODEL_ROWS, ASSOCIATIONS, REORDERINGS, SELECTION, FORECASTS),
    )
}

__all__ = [
    "ANSWERS",
    "ASSOCIATIONS",
    "AUDITS",
    "BEST_MEMBER",
    "BLOCKS",
    "BUDGETS",
    "CALIBRATION",
    "CONTRASTS",
    "CROSS_PAIRS",
    "CROWD",
    "CURVES",
    "DRAWS",
    "ESTIMATES",
    "EXCESS",
    "FITS",
    "FORECASTS",
    "GATE_OUTCOMES",
    "ITEMS",
    "LEDGER_COSTS",
    "LEDGER_RATES",
    "LEDGER_STABILITY",
    "LOCALISATION",
    "MEASURES",
    "MIXING",
    "MODEL_ROWS",
    "MOVES",
    "PAIRS",
    "PAIR_MEANS",
    "PILOTS",
    "PILOT_SIZES",
    "PROBES",
    "PROBE_REPLIES",
    "PROJECTIONS",
    "REDRAWS",
    "RELIABILITY",
    "REORDERINGS",
    "RESPONSES",
    "RIVALS",
    "SCREENS",
    "SELECTION",
    "SKILLS",
    "SUBSETS",
    "TABLES",
    "TRANSITIONS",
    "TURNS",
    "VERDICTS",
    "VOTES",
    "Table",
    "numbered",
]
