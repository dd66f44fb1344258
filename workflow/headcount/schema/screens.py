"""Models that were probed: their screens, and what the screens say about debates of the same models."""

import pyarrow as pa

from headcount.schema.table import LABEL, column, table

# A model's flip rates and what moves them, on a task or on all. `unanswered`: what a reply without an answer counts as.
SCREENS = table(
    "screens",
    ["model", "task", "unanswered", "quantity"],
    [
        column("value", pa.float64()),
        column("low", pa.float64(), null=True),  # questions resampled
        column("high", pa.float64(), null=True),
        column("rows", pa.int32()),  # agents and questions that were probed, in the default condition
        column("probes", pa.int32()),  # that count, there
        column("unparsed", pa.float64()),  # share of replies to probes without an answer, there
        column("unread", pa.float64()),  # share of agents never probed: no first answer, or nothing to argue for
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)

# Whether a screen comes back: with other probes, agents, passes; of all models together, with other questions.
RELIABILITY = table(
    "reliability",
    ["model", "quantity"],
    [
        column("value", pa.float64(), null=True),
        column("low", pa.float64(), null=True),  # questions resampled
        column("high", pa.float64(), null=True),
        column("units", pa.int32()),  # what is measured several times
        column("parts", pa.int32()),  # how many times
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)

# Debates of teams of one model, judged at one round that the most models reached.
COHORT = ("condition", "n", "k", "round")

# Screen measures that are set against debates: quantities of SCREENS, unanswered replies dropped, all tasks together.
SCREEN_MEASURES = (
    *("alpha_tot", "alpha_adv", "alpha_cor", "alpha_tot_arms", "alpha_tot_conditions"),
    *("s_soc", "s_arg", "sa_of_means", "sa_mean_of_items"),
)

# What a model's screen says beside what its debates did, all tasks together.
MODEL_ROWS = table(
    "model_rows",
    [*COHORT, "model"],
    [
        column("family", LABEL),
        *(column(name, pa.float64(), null=True) for name in SCREEN_MEASURES),
        column("alpha_tot_low", pa.float64(), null=True),
        column("alpha_tot_high", pa.float64(), null=True),
        column("probes", pa.int32()),
        column("debates", pa.int32()),  # with a majority at both ends
        column("initially_correct", pa.int32()),
        column("collapses", pa.int32()),
        column("corrections", pa.int32()),
        column("collapse", pa.float64(), null=True),  # of those right at first
        column("collapse_low", pa.float64(), null=True),  # Wilson
        column("collapse_high", pa.float64(), null=True),
        column("correction", pa.float64(), null=True),  # of those wrong at first
        column("initial_accuracy", pa.float64(), null=True),
        column("final_accuracy", pa.float64(), null=True),
        column("raw_collapse", pa.float64(), null=True),  # of all
        column("revision", pa.float64(), null=True),  # share of agents' answers that differ between the two ends
        column("unlabelled", pa.int32()),  # debates without a majority at one end
        column("items_probed", pa.int32()),
        column("items_debated", pa.int32()),
        column("items_both", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)

# How two columns of model rows go together: over models, or over means of families; with controls; with some left out.
ASSOCIATIONS = table(
    "associations",
    [*COHORT, "level", "predictor", "outcome", "controls", "leaving", "left_out"],
    [
        column("units", pa.int32()),  # models or families
        column("models", pa.int32()),
        column("rho", pa.float64(), null=True),  # Spearman's, or the rank partial
        column("df", pa.int32(), null=True),
        column("p_t", pa.float64(), null=True),
        column("as_extreme", pa.int64(), null=True),  # arrangements whose |rho| is as large
        column("as_directed", pa.int64(), null=True),  # that are as far in the observed direction
        column("arrangements", pa.int64(), null=True),
        column("exact", pa.bool_(), null=True),  # all of them; else random ones, and the observed one
        column("p_two_sided", pa.float64(), null=True),
        column("p_one_sided", pa.float64(), null=True),
        column("fisher_low", pa.float64(), null=True),
        column("fisher_high", pa.float64(), null=True),
        column("bonett_wright_low", pa.float64(), null=True),
        column("bonett_wright_high", pa.float64(), null=True),
        # Of models, alpha_tot against collapse: noise added to both, and families drawn anew.
        column("noise_median", pa.float64(), null=True),
        column("noise_low", pa.float64(), null=True),
        column("noise_high", pa.float64(), null=True),
        column("families_low", pa.float64(), null=True),
        column("families_high", pa.float64(), null=True),
        column("families_share", pa.float64(), null=True),  # of those draws, the share that has a correlation
        column("flags", pa.list_(pa.string())),
        column("simulated", pa.bool_()),
    ],
)

# Pairs of models that alpha_tot and initial accuracy put in opposite orders.
REORDERINGS = table(
    "reorderings",
    [*COHORT, "model", "model_other"],
    [
        column("follows", LABEL),  # which of the two the collapses follow: alpha, init_acc, tied
        column("fisher_p", pa.float64()),
        column("holm_p", pa.float64()),
        column("simulated", pa.bool_()),
    ],
)

# What choosing models by alpha_tot would have done; in sample.
SELECTION = table(
    "selection",
    [*COHORT],
    [
        column("models", pa.int32()),
        column("families", pa.int32()),
        column("effective_families", pa.float64(), null=True),  # inverse Simpson
        column("median_alpha", pa.float64(), null=True),
        column("low", pa.float64(), null=True),  # pooled collapse of models up to the median, and above
        column("high", pa.float64(), null=True),
        column("matched_pairs", pa.int32(), null=True),  # of about the same initial accuracy
        column("wins", pa.int32(), null=True),  # where the lower alpha collapses less
        column("mean_difference", pa.float64(), null=True),
        column("simulated", pa.bool_()),
    ],
)

# A family's collapse from its alpha_tot by a line through the other families; the percentiles are coverages.
BANDS = ("low_80", "high_80", "low_95", "high_95")
FORECASTS = table(
    "forecasts",
    [*COHORT, "family"],
    [
        column("models", pa.int32()),
        column("alpha_tot", pa.float64()),
        column("observed", pa.float64()),
        column("predicted", pa.float64(), null=True),
        *(column(name, pa.float64(), null=True) for name in BANDS),
        column("noisy_median", pa.float64(), null=True),  # rates drawn anew from what their counts allow
        *(column(f"noisy_{name}", pa.float64(), null=True) for name in BANDS),
        column("simulated", pa.bool_()),
    ],
)
