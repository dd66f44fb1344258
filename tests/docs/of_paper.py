"""What docs/paper.md claims: the paper's printed numbers (resources/published), and what follows from them."""

from itertools import product

import numpy as np
import pandas as pd
from computed import cells, column, ends, paper_table, printed
from of_paper_fits import continued, pass_vector_margin, projected
from pages import Document
from scipy.stats import binomtest, norm, spearmanr

from headcount.items import gpqa
from headcount.laws.estimate import fit_ringelmann
from headcount.laws.forms import ringelmann
from headcount.measures.diversity import correlation_from_n_eff

PAPER = Document("docs/paper.md")
QWEN, LLAMA = "qwen2.5-7b", "llama-3.1-8b"
PILOT = [2, 3, 5]


# Which estimator it is

CHECKS = paper_table("regression_tests")
PAPER.says("{} such steps hold within rounding", lambda: [len(CHECKS)])
PAPER.says("all {} printed values invert", lambda: [int(CHECKS["id"].str.startswith("kish_inverse").sum())])


@PAPER.says("could not print {} |")
def could_not_print():
    return [float(cells("table20_humaneval_fits", axis="pass_vector")["r2"].min())]


@PAPER.says("(debate, code: {} without, {} printed)")
def with_one():
    seen = cells("table20_humaneval_efficiency", condition="debate", axis="code")
    fit = fit_ringelmann(seen["n"].to_numpy(), seen["r_efficiency"].to_numpy())
    return [fit.r2, *column("table20_humaneval_fits", "r2", condition="debate", axis="code")]


@PAPER.says("| [{}, {}] for the point, [{}, {}] in the bootstrap; harmless, no printed c exceeds {} |")
def range_of_c():
    return [*printed("c_bounds_point"), *printed("c_bounds_bootstrap"), float(cells("table11_master_fits")["c"].max())]


@PAPER.says("the master table's labels need β ≤ {}; Proposition 1 says β = 0 | {} |")
def hard_ceiling():
    (border,) = printed("sublinear_label_threshold_beta")
    return [border, border]


PAPER.says("K.1 says {} for three rounds", lambda: printed("k1_example_tau"))

# Table by table


def largest() -> pd.DataFrame:
    """The master table with ρ at the largest N."""
    rows = cells("table11_master_fits")
    rho = correlation_from_n_eff(rows["n_largest"].to_numpy(), rows["n_eff_observed"].to_numpy())
    return rows.assign(rho=rho)


@PAPER.says("β = 0 in {} of {} fits | in {} of them ρ at the largest N is above c")
def rising():
    flat = largest()[lambda rows: rows["beta"] == 0]
    return [len(flat), len(largest()), int((flat["rho"] > flat["c"] + 0.005).sum())]  # c is rounded to two places


@PAPER.says("{} of {} are within rounding of their own fit; {} miss by over {} %, Llama on GPQA by {} % ({}, seen {})")
def own_fits():
    rows = paper_table("derived_neff_gap")
    gap = rows["gap_pct"].abs()
    worst = rows.loc[gap.idxmax()]
    assert (worst["model"], worst["task"]) == (LLAMA, "gpqa")
    inside = int((rows["observed_within_rounding_of_model"] == "yes").sum())
    fitted = worst["n"] * float(ringelmann(np.array([worst["n"]]), worst["c"], worst["beta_used"])[0])
    seen = float(worst["n_eff_observed"])
    return [inside, len(rows), int((gap > 10).sum()), 10, 100 * (fitted / seen - 1), fitted, seen]


@PAPER.says('{} fits, "self-consistency and sparse talk included" | none of the {} is either')
def all_fits():
    conditions = set(cells("table11_master_fits")["condition"])
    assert conditions == {"debate", "self_correction", "noise"}
    return [*printed("n_configurations"), len(cells("table11_master_fits"))]


@PAPER.says("R² = {} is the lowest | {} and {} stand in it; elsewhere floors of {} and {} are claimed")
def lowest_r2():
    rows = cells("table12_debate_fits_by_prediction")
    noted = rows[rows["note"].astype(str).str.contains("lowest R2")]["r2"].item()
    below = sorted(rows[rows["r2"] < noted]["r2"], reverse=True)
    return [float(noted), *map(float, below), *printed("r2_floor_sec5_3"), *printed("r2_floor_abstract")]


@PAPER.says("| τ up to {} | also {}–{}, and {} on GSM; on MMLU ρ falls from {} to {}–{},")
def talk_in_rounds():
    rows = cells("table02_k_tau_collapse", task="mmlu_hard").set_index("k_tau")
    at_end = rows.loc[12, ["rho_n10_low", "rho_n10_high", "rho_n30_low", "rho_n30_high"]].astype(float)
    taus = [*printed("tau_grid_main_text")[-1:], *printed("tau_grid_appendix")]
    (last,) = set(column("table14_beta_by_density", "final_tau", task="gsm_hard"))
    return [*taus, last, float(rows.loc[4, "rho_n10_high"]), *ends(at_end)]


@PAPER.says("| {} GPQA items for mixed teams | Diamond has {}; Table 10's pair counts fit {} | {} |")
def gpqa_items():
    mixed = cells("table03_experiment_scope", model="hetero")["items_gpqa"].item()
    pairs = cells("table10_within_between_agreement")
    per_item = pairs[pairs["task"] == "mmlu_hard"]["pairs_within"].item() / 200
    fitting = round(pairs[pairs["task"] == "gpqa"]["pairs_within"].item() / per_item)
    return [float(mixed), gpqa.COUNT, fitting, gpqa.COUNT]


@PAPER.says("{} fits of the one; controls of the other stop at N = {}")
def missing_grids():
    last = cells("table11_master_fits", model="ministral-8b")["n_largest"].min()
    return [len(cells("table11_master_fits", model="gemini-flash-lite")), int(last)]


@PAPER.says("Spearman's ρ is {}: debate on GSM has the largest ICC but one, and c = {}")
def order_of_c():
    rows = cells("table04_rho_measures")
    gsm = rows[(rows["task"] == "gsm_hard") & (rows["condition"] == "debate")]
    assert (rows["rho_icc_corr"] > gsm["rho_icc_corr"].item()).sum() == 1
    return [float(spearmanr(rows["c"], rows["rho_icc_corr"]).statistic), float(gsm["c"].item())]


ITEMS = {"mmlu_hard": 724, "gsm_hard": 1017, "gpqa": 198}
DISCORDANT = {"gsm_hard": (66, 47), "gpqa": (8, 9)}  # reconstructed: the counts that give difference and interval


@PAPER.says('p = {}, {}, {}, "bootstrap" | intervals imply {}, {}, {}; exact McNemar gives {} and {}')
def p_values():
    rows = cells("table07_steiner").set_index("task")
    error = (rows["pl_social_ci_high"] - rows["pl_social_ci_low"]) / (2 * 1.96)
    implied = 2 * norm.sf((rows["pl_social_pp"] / error).abs())
    for task, (first, second) in DISCORDANT.items():
        n = ITEMS[task]
        assert abs(100 * (first - second) / n - rows.loc[task, "pl_social_pp"]) < 0.06
        width = 100 * np.sqrt(first + second - (first - second) ** 2 / n) / n
        assert abs(width - error[task]) < 0.06
    exact = [binomtest(first, first + second).pvalue for first, second in DISCORDANT.values()]
    return [*map(float, rows["p_value"]), *implied, *exact]


@PAPER.says("gain on GPQA +{} | that is debate's; self-correction's is +{}")
def gains():
    gpqa_rows = cells("table17_summary_n30", task="gpqa").set_index("condition")["delta_accuracy"]
    (said,) = column("table07_steiner", "re_eval_gain_pp", task="gpqa")
    assert abs(said - 100 * gpqa_rows["debate"]) < 1e-9
    return [said, 100 * gpqa_rows["self_correction"]]


@PAPER.says('ceilings of mixed teams {}, {}, {} on a "matched" subset | seen at N = {}: {}, {}, {};')
def ceilings():
    rows = cells("table09_heterogeneity_ceiling", model="hetero")
    (n,) = set(rows["n"])
    return [*rows["ceiling_1_over_c"], int(n), *rows["n_eff_ans"]]


@PAPER.says("pooled {} within, {} between | single family pairs average {} and {};")
def family_pairs():
    pooled = cells("table10_within_between_agreement", task="overall")
    pairs = paper_table("prose_scalars").set_index("name")["value"]
    pairs = pairs[pairs.index.str.startswith("pair_agreement_")].astype(float)
    same = pairs.index.str.removeprefix("pair_agreement_").map(lambda name: len(set(name.split("_"))) == 1)
    return [pooled["rho_within"].item(), pooled["rho_between"].item(), pairs[same].mean(), pairs[~same].mean()]


def audit(form: str) -> "pd.Series[float]":
    return cells("table13_held_out_audit", form=form).set_index("model")["mean_rel_err_pct"]


@PAPER.says('by {} % at most; logistic "never beats {} %" | mixed teams {} %; logistic {}, {} and {} %')
def held_out():
    bounds = [*printed("mean_rel_err_ringelmann_max_pct"), *printed("mean_rel_err_logistic_not_below_pct")]
    return [*bounds, audit("ringelmann")["hetero"], *audit("logistic")[[QWEN, LLAMA, "ministral-8b"]]]


@PAPER.says("trained on {{}, {}, {}} | their sizes are {}, {}, {}, {}, {}")
def pilots():
    return [*printed("pilot_grid"), *printed("team_size_grid_hetero")]


@PAPER.says(
    "power law {} %, logistic {} % | the nine printed Qwen curves, continued from {{}, {}, {}}: {} and {} % if these "
    "are fitted to R, {} and {} % if to N_eff;"
)
def rivals():
    errors = {key: 100 * continued(*key) for key in product(("power", "logistic"), (True, False))}
    told = [errors[form, on_r] for on_r in (True, False) for form in ("power", "logistic")]
    return [audit("power_law")[QWEN], audit("logistic")[QWEN], *PILOT, *told]


@PAPER.says(
    "modal switching ≤ {} a round | that is Table 15's right-to-wrong rate; in Table 16 {}–{} of the modal agents"
)
def switching():
    (most,) = printed("modal_switch_rate_uncond_max")
    assert most == cells("table15_asymmetric_rates")["uncond_correct_to_wrong"].max()
    return [most, *ends(1 - cells("table16_modal_transitions", condition="debate")["modal_stay"])]


@PAPER.says("{}–{} times self-correction's | fig. 9 says it of totals: {}–{} times")
def tokens():
    rows = cells("table17_summary_n30")
    per_agent = rows["prompt_tokens_per_n_eff"].str.rstrip("K").astype(float)
    keyed = rows.assign(per_agent=per_agent, total=per_agent * rows["n_eff_ans"]).set_index(["condition", "task"])
    ratio = keyed.loc["debate", ["per_agent", "total"]] / keyed.loc["self_correction", ["per_agent", "total"]]
    return [*ends(ratio["per_agent"]), *ends(ratio["total"])]


@PAPER.says("solo accuracy {} and {} | {} in Table 19, {} in H.3")
def solo():
    names = ("solo_mmlu_table17", "solo_gsm_table17", "solo_mmlu_app_l", "solo_gsm_app_h3")
    return [value for name in names for value in printed(f"qwen2.5_7b_{name}")]


@PAPER.says("the accuracy after revision (GSM: {}, not {})")
def after_revision():
    row = cells("table18_accuracy_projection", model=QWEN, task="gsm_hard").iloc[0]

    def gives(p: float) -> bool:
        return abs(projected(p, row["rho_calibrated"]) - row["predicted_accuracy"]) < 1e-3

    (alone,) = printed("qwen2.5_7b_solo_gsm_table17")
    assert not gives(alone)
    return [gives, alone]


PAPER.says("β of the pass vectors is known to ± {}", lambda: [pass_vector_margin()])


# No claims

PAPER.leaves(r"^\| [A\d][\d., ]*(fig\. \d|G|\.7)? \|", "tables of the paper, by number")
PAPER.leaves(
    r"\b[Tt]ables? \d+( and \d+)?|Tables \d+ and \d+|[Ss]ection \d(\.\d)?|[Ff]ig(ure|\.) \d|Proposition \d",
    "places in the paper",
)
PAPER.leaves(r"\b[A-Z]\.\d", "places in the paper")
PAPER.leaves(
    r"N = 1\b|1/c|τ \+ 1|−1/\(N − 1\)|\(N A − 1\)/\(N − 1\)|nm/\(N − 1\)|near 1 for|N_eff\(30\)|R²|ρ\(0\)|β = 0\b",
    "formulae and names",
)
PAPER.leaves(r"seen at N = 30|N = 4 to 7|32B|\(Mao et al\. 2016\)", "sizes and years that are named")
