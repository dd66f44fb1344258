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
        column("refits", pa.int32()),  # behind the interval
        column("regime", LABEL, null=True),  # by the interval of beta; of the bounded law by the point
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

# What a cell shares beyond what agents who hear nobody share: against a null, at a size or (n = 0) of the whole curve.
EXCESS = table(
    "excess",
    ["team", "task", "condition", "subsets", "peers", "round", "null", "n", "quantity"],
    INTERVAL,
)

# Each form on all sizes of a cell: how near it comes, whether it is wrong, and what it says.
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
        column("q", pa.float64(), null=True),  # misfit in the metric of the items' covariance
        column("q_df", pa.int16(), null=True),
        column("q_p", pa.float64(), null=True),
        column("best_by_q", LABEL, null=True),  # of all laws on this curve: that with the lowest q + 2 parameters
        column("best_by_left_out", LABEL, null=True),
        *(column(f"rho_10{end}", pa.float64(), null=True) for end in ("", "_low", "_high")),
        *(column(f"n_eff_30{end}", pa.float64(), null=True) for end in ("", "_low", "_high")),
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

# What a law fitted to a pilot is worth at the sizes that it has not seen, and on items that it has not seen.
SKILLS = table(
    "skills",
    ["team", "task", "condition", "level", "law", "subsets", "peers", "round"],
    [
        column("pilot", pa.list_(pa.int16())),
        column("held_out", pa.list_(pa.int16())),
        column("skill_kish_two", pa.float64(), null=True),  # 1 - SSE / SSE of a reference, on ln N_eff
        column("skill_null_a", pa.float64(), null=True),
        column("skill_carried", pa.float64(), null=True),
        column("rmse", pa.float64(), null=True),  # of N_eff over held-out sizes, in agents
        column("error", pa.float64(), null=True),  # mean |relative error| over held-out sizes
        column("error_largest", pa.float64(), null=True),  # signed, relative, at the largest size
        column("error_largest_low", pa.float64(), null=True),  # null for laws that are fitted once
        column("error_largest_high", pa.float64(), null=True),
        column("same_half_rmse", pa.float64(), null=True),  # fitted to half of the items, and asked about that half
        column("same_half_error", pa.float64(), null=True),
        column("same_half_error_largest", pa.float64(), null=True),  # mean of absolute errors
        column("other_half_rmse", pa.float64(), null=True),  # fitted to half of the items, and asked about the other
        column("other_half_error", pa.float64(), null=True),
        column("other_half_error_largest", pa.float64(), null=True),
        column("halves_rmse", pa.float64(), null=True),  # the two halves themselves at held-out sizes
        column("halves_error", pa.float64(), null=True),
        column("halves_error_largest", pa.float64(), null=True),
        column("n_items", pa.int32()),
        column("flags", pa.list_(pa.string())),
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
        column("predicted_beta_binomial", pa.float64(), null=True),  # from p after revision too
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
