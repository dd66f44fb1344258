"""What docs/paper.md claims of mixed teams, the worked example, human groups, and claims that no table carries."""

import numpy as np
from computed import cells, column, ends, held, printed
from of_paper import PAPER, PILOT, QWEN
from of_paper_fits import human, shouting_at_most, worked

from headcount.laws.forms import ringelmann
from headcount.laws.mixing import mixed_agreement, mixed_agreement_limit, rescaled_agreement
from headcount.measures.diversity import n_eff_from_correlation

# Mixed teams


@PAPER.says("mixed teams: {} predicted, {} seen | the exact weights give {}, and {} rescaled once more *is* {}:")
def mixed_weights():
    within, between = (printed(f"rho_{kind}_mmlu_hetero_n30")[0] for kind in "wb")
    assert mixed_agreement_limit(3, within, between) == np.float64(printed("rho_eff_pred_mmlu_hetero_n30")[0])
    exact = float(mixed_agreement(np.array([10, 10, 10]), within, between))
    told = [*printed("rho_eff_pred_mmlu_hetero_n30"), *printed("rho_eff_obs_mmlu_hetero_n30")]
    return [*told, exact, exact, float(rescaled_agreement(30, exact))]


# The worked example


@PAPER.says(
    "R({}), R({}), R({}) = {}, {}, {} do not follow from the printed c = {}, β = {}, which give {}, {}, {}; {} and {} "
    "are those of rope"
)
def example():
    said = [printed(f"k1_example_r{n}")[0] for n in PILOT]
    rope = cells("human_groups", group="rope_1913").set_index("n")["per_person"].astype(float)
    return [*PILOT, *said, *printed("k1_example_c"), *printed("k1_example_beta"), *worked(PILOT), rope[2], rope[3]]


@PAPER.says("The predicted {} is that of a constant ρ = {} from a pilot, not of the printed fit ({}); R² = {} is that")
def example_predicts():
    rho = column("table18_accuracy_projection", "rho_calibrated", model=QWEN, task="gsm_hard")
    size = float(n_eff_from_correlation(30, np.array(rho))[0])
    assert abs(size - printed("k1_example_n_eff_30_pred")[0]) < 0.005
    return [size, *rho, 30 * worked([30])[0], *printed("k1_example_fit_r2")]


# Human groups


def quoted(group: str) -> list[float]:
    rows = cells("human_groups", group=group)
    return [*rows[rows["n"] > 1]["per_person"].astype(float)]


@PAPER.says("| rope, {}, N = {}–{} | t = {}, c = {} | t = {} as the slope of ln R on ln N with a free amplitude; {} by")
def rope():
    sizes = cells("human_groups", group="rope_1913")["n"]
    slope, law, _ = human("rope_1913")
    year = [1913, int(sizes[sizes > 1].min()), int(sizes.max())]
    return [*year, *printed("human_ringelmann1913_t"), *printed("human_ringelmann1913_c"), slope, law]


PAPER.says("Latané's law itself. c = {} by least squares", lambda: [human("rope_1913")[2]])


@PAPER.says(
    "| shouting, {}: {}, {}, {} | t = {}, c = {} | t = {} (slope) or {} (law). c = {}, within rounding at most {}:"
)
def shouting():
    slope, law, c = human("shouting_1979")
    return [1979, *quoted("shouting_1979"), *printed_latane(), slope, law, c, shouting_at_most()]


@PAPER.says("| the same in dyn/cm²: {}, {}, {}, {} | t = {}, c = {} | t = {} (slope) or {} (law), c = {}.")
def pressure():
    alone = cells("human_groups", group="shouting_1979_pressure", n=1)["per_person"].astype(float).item()
    return [alone, *quoted("shouting_1979_pressure"), *printed_latane(), *human("shouting_1979_pressure")]


def printed_latane() -> list[float]:
    return [*printed("human_latane1979_t"), *printed("human_latane1979_c")]


@PAPER.says("ranges of all three alone: t {}–{}, c {}–{} |")
def mao():
    return [*printed("human_t_range"), *printed("human_rho_range")]


PAPER.says("The t of debates ({} and {})", lambda: [*printed("llm_debate_t_mmlu"), *printed("llm_debate_t_gsm")])

# Claims that the tables do not carry


@PAPER.says("have R = {}* (section 2): Table 1's self-consistency has c = {}, {}, {}.")
def independent_samples():
    return [1, *column("table01_regimes", "c", condition="self_consistency")]


@PAPER.says("on GSM ρ(0) = {} gives N_eff(30) = {}, the fit {}.")
def from_the_start():
    rho = printed("rho0_gsm_hard")
    fit = cells("table01_regimes", condition="self_consistency", task="gsm_hard").iloc[0]
    fitted = 30 * float(ringelmann(np.array([30]), fit["c"], fit["beta"])[0])
    return [*rho, float(n_eff_from_correlation(30, np.array(rho))[0]), fitted]


@PAPER.says("*Mixing models escapes the hard ceiling*: β = {} in every mixed cell")
def mixed_cells():
    return [*set(column("table11_master_fits", "beta", model="hetero"))]


@PAPER.says("under noise they differ by {} and {} %")
def entropy_and_agreement():
    rows = cells("table08_diversity_n30", condition="noise").set_index("task").loc[["mmlu_hard", "gpqa"]]
    by_agreement = n_eff_from_correlation(30, rows["rho_pairwise"].to_numpy())
    return [*(100 * (rows["n_eff_ans"] / by_agreement - 1))]


@PAPER.says("*Self-correction does as noise does* (H.2): c is {} and {} on MMLU, {} and {} on GPQA")
def as_noise_does():
    rows = cells("table11_master_fits", model=QWEN).set_index(["task", "condition"])["c"]
    return [float(rows[task, what]) for task in ("mmlu_hard", "gpqa") for what in ("self_correction", "noise")]


@PAPER.says("*Unanimous and wrong {}–{} % under noise* ({} % on GSM)")
def unanimous():
    rows = cells("table08_diversity_n30", condition="noise").set_index("task")["pct_unanimous_wrong"]
    said = printed("unanimous_wrong_noise_range_pct")
    assert said == ends(rows[["mmlu_hard", "gpqa"]])
    return [*said, float(rows["gsm_hard"])]


@PAPER.says("*modal agents stay in {}–{} % on multiple choice* ({}–{} % under noise)")
def modal_agents():
    said = [100 * value for value in printed("modal_stay_range_mcqa")]
    rows = cells("table16_modal_transitions", condition="noise")
    stay = 100 * rows[rows["task"] != "gsm_hard"]["modal_stay"]
    return [*said, *ends(stay[stay < said[0]])]


@PAPER.says("*others come to the mode in {}–{} % in debate* ({}–{} % on GSM)")
def others_come():
    said = [100 * value for value in printed("nm_to_modal_range_debate")]
    return [
        *said,
        *ends(100 * cells("table16_modal_transitions", condition="debate", task="gsm_hard")["nonmodal_to_modal"]),
    ]


# Agents who never talk


@PAPER.says('With four options and {} on one, c = {} and β = {}, a "hard ceiling"; with half on one answer and')
def four_options():
    return held("tests/properties/test_by_enumeration.py", r"\[\((0\.7), 1\), \(0\.1, 3\)\], ([\d.]+), ([\d.]+)\)")


@PAPER.says('half on {} others, c = {} and β = {}, "sublinear"')
def many_answers():
    return held("tests/properties/test_by_enumeration.py", r"\(0\.001, (500)\)\], ([\d.]+), ([\d.]+)\)")
