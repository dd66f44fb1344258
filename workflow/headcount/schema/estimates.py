"""From items to a cell: laws, quantities and predictions, one row an estimate."""

import pyarrow as pa

from headcount.schema.columns import INTERVAL
from headcount.schema.table import LABEL, column, table

FITS = table(
    "fits",
    ["team", "task", "condition", "level", "law", "subsets", "peers", "round"],
    [
        column("sizes", pa.list_(pa.int16())),
        column("n_items", pa.int32()),
        column("share_missing", pa.float64()),
        column("c", pa.float64(), null=True),
        column("c_low", pa.float64(), null=True),
        column("c_high", pa.float64(), null=True),
        column("beta", pa.float64(), null=True),
        column("beta_low", pa.float64(), null=True),
        column("beta_high", pa.float64(), null=True),
        column("interval", LABEL),  # how the interval was made, and at what level
        column("n_boot", pa.int32()),
        column("regime", LABEL, null=True),
        column("r2", pa.float64(), null=True),  # over R, sizes of two and more
        column("r2_with_one", pa.float64(), null=True),  # N = 1 included, as the paper's HumanEval fits
        column("flags", pa.list_(pa.string())),  # why a number is missing or to be read with care
        column("simulated", pa.bool_()),
    ],
)

# R(N) of each cell beside its fits: what the figures draw and the fits were made from.
CURVES = table(
    "curves",
    ["team", "task", "condition", "level", "subsets", "peers", "round", "n"],
    [
        column("n_items", pa.int32()),
        column("n_valid", pa.float64()),  # mean number of valid answers of a team
        column("n_eff", pa.float64(), null=True),
        column("n_eff_low", pa.float64(), null=True),
        column("n_eff_high", pa.float64(), null=True),
        column("r", pa.float64(), null=True),
        column("simulated", pa.bool_()),
    ],
)

# Every quantity of a cell at each size and round, with the interval from the run's item weights.
ESTIMATES = table(
    "estimates",
    ["team", "task", "condition", "subsets", "peers", "round", "n", "quantity"],
    INTERVAL,
)

# The other forms beside Ringelmann's, point by point: quality, and the error at each size when it is left out.
RIVALS = table(
    "rivals",
    ["team", "task", "condition", "level", "law", "subsets", "peers", "round"],
    [
        column("sizes", pa.list_(pa.int16())),
        column("parameters", pa.list_(pa.string())),
        column("values", pa.list_(pa.float64())),
        column("r2", pa.float64(), null=True),
        column("r2_with_one", pa.float64(), null=True),
        column("rmse_n_eff", pa.float64(), null=True),
        column("aicc", pa.float64(), null=True),
        column("bic", pa.float64(), null=True),
        column("left_out_error", pa.float64(), null=True),  # mean |relative error| of N_eff at a size left out
        column("flags", pa.list_(pa.string())),
        column("simulated", pa.bool_()),
    ],
)

# Two accuracies on the same items: what one has that the other lacks.
CONTRASTS = table(
    "contrasts",
    ["team", "task", "contrast", "peers", "n"],
    [
        column("first", pa.float64()),
        column("first_low", pa.float64(), null=True),
        column("first_high", pa.float64(), null=True),
        column("second", pa.float64()),
        column("second_low", pa.float64(), null=True),
        column("second_high", pa.float64(), null=True),
        column("difference", pa.float64()),  # first - second
        column("low", pa.float64(), null=True),
        column("high", pa.float64(), null=True),
        column("p_bootstrap", pa.float64(), null=True),
        column("only_first", pa.int32()),  # items that only the first gets right
        column("only_second", pa.int32()),
        column("p_mcnemar", pa.float64(), null=True),  # exact
        column("p_tost", pa.float64(), null=True),  # that the difference lies outside the margin
        column("margin", pa.float64()),
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)

# What a pilot of small teams says about every size, and what was seen.
AUDITS = table(
    "audits",
    ["team", "task", "condition", "level", "law", "subsets", "peers", "round", "n"],
    [
        column("pilot", pa.list_(pa.int16())),
        column("held_out", pa.bool_()),  # run, and not in the pilot
        column("observed", pa.float64(), null=True),  # N_eff; null at sizes not run
        column("observed_low", pa.float64(), null=True),
        column("observed_high", pa.float64(), null=True),
        column("predicted", pa.float64(), null=True),
        column("predicted_low", pa.float64(), null=True),  # null for laws that are fitted once
        column("predicted_high", pa.float64(), null=True),
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)

# Team accuracy from a pilot's correlation and accuracy by a normal approximation to the vote.
PROJECTIONS = table(
    "projections",
    ["team", "task", "condition", "peers", "round", "n"],
    [
        column("pilot", pa.list_(pa.int16())),
        column("held_out", pa.bool_()),
        column("rho", pa.float64(), null=True),
        column("agent_accuracy", pa.float64(), null=True),  # of the pilot's agents after their last revision
        column("solo_accuracy", pa.float64(), null=True),  # of the pilot's agents in round 1
        column("predicted", pa.float64(), null=True),
        column("predicted_low", pa.float64(), null=True),
        column("predicted_high", pa.float64(), null=True),
        column("predicted_from_solo", pa.float64(), null=True),
        column("observed", pa.float64(), null=True),
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)

# Agreement within and between families of a mixed team; n is 0 where all sizes with a pair of either kind are pooled.
MIXING = table(
    "mixing",
    ["team", "task", "condition", "peers", "round", "n", "family", "family_other"],
    [column("pairs", pa.int64()), column("equal_pairs", pa.int64()), *INTERVAL],
)

# Two models on the same questions, one agent of each.
PAIRS = table(
    "pairs",
    ["team", "task", "condition", "round", "model", "model_other", "quantity"],
    [
        column("family", LABEL),
        column("family_other", LABEL),
        column("events", pa.int64()),  # items in the quantity's base
        *INTERVAL,
    ],
)

# The same over pairs within a family, across families, and all.
PAIR_MEANS = table(
    "pair_means",
    ["team", "task", "condition", "round", "relation", "averaging", "quantity"],
    [column("pairs", pa.int32()), column("events", pa.int64()), *INTERVAL],
)
