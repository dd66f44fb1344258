"""Screens and what they say about debates on the made-up run: numbers that say where they come from."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from made_series import NEWCOMER, number

from headcount.ledger.flips import UNANSWERED
from headcount.schema.ledger import ALL
from headcount.schema.screens import BANDS, SCREEN_MEASURES

PROBED = {"a-large": "a", "a-small": "a", "b-large": "b", "c-large": "c", NEWCOMER: "d"}
SIZES, LAST = (2, 3, 30), 3
SWEPT = {"condition": "debate", "n": 30, "k": 2, "round": 7}  # a cohort in which not everybody is heard
_KINDS = [f"alpha_{s}_{arm}" for s in ("weak", "moderate", "strong", "very_strong") for arm in ("solo", "social")]
_QUANTITIES = (
    *(*SCREEN_MEASURES, "sa_log", "alpha_neutral", "alpha_adv_arms", "alpha_cor_arms"),
    *("alpha_tot_anti_social", "alpha_tot_anti_argument", *_KINDS),
)
_ENDS = {"": 0.0, "_low": -0.01, "_high": 0.01}


def cohorts() -> Iterator[dict[str, Any]]:
    for n in SIZES:
        yield {"condition": "debate", "n": n, "k": n - 1, "round": LAST}
    yield SWEPT


def of_model(cohort: dict[str, Any], model: str, name: str) -> float:
    return number(cohort["n"], cohort["k"], model, name)


def screens() -> Iterator[dict[str, Any]]:
    for model, task, reading, quantity in product(PROBED, ("mmlu_hard", "gpqa", ALL), UNANSWERED, _QUANTITIES):
        value = number(model, task, reading, quantity)
        about = {
            "rows": 30,
            "probes": 230,
            "unparsed": 0.04,
            "unread": 0.02,
            "n_items": 10,
            "simulated": model == NEWCOMER,
        }
        key = {"model": model, "task": task, "unanswered": reading, "quantity": quantity}
        yield key | {"value": value, "low": value - 0.01, "high": value + 0.01} | about


def reliability() -> Iterator[dict[str, Any]]:
    kinds = {"cronbach_alpha": 8, "split_half_probes": 8, "inter_agent": 3, "test_retest": 1}
    for model, (quantity, parts) in product(PROBED, kinds.items()):
        value = None if parts == 1 else number(model, quantity)
        ends = {} if quantity != "inter_agent" else {"low": value - 0.01, "high": value + 0.01}
        about = {"units": 30, "parts": parts, "n_items": 10, "simulated": model == NEWCOMER}
        yield {"model": model, "quantity": quantity, "value": value, "low": None, "high": None} | ends | about
    for quantity in ("split_half_questions", "split_half_questions_ranks"):
        found = {"value": number(ALL, quantity), "low": None, "high": None, "units": 5, "parts": 10, "n_items": 10}
        yield {"model": ALL, "quantity": quantity, "simulated": True} | found


_RATES = ("correction", "initial_accuracy", "final_accuracy", "raw_collapse", "revision")


def model_rows() -> Iterator[dict[str, Any]]:
    for cohort, (model, family) in product(cohorts(), PROBED.items()):
        counts = {
            "probes": 230,
            "debates": 100,
            "initially_correct": 60,
            "collapses": 6,
            "corrections": 5,
            "unlabelled": 1,
        }
        items = {"items_probed": 10, "items_debated": 20, "items_both": 8}
        measured = {name: number(model, ALL, "drop", name) for name in SCREEN_MEASURES}
        measured |= {name: of_model(cohort, model, name) for name in _RATES}
        measured |= {f"alpha_tot{end}": number(model, ALL, "drop", "alpha_tot") + off for end, off in _ENDS.items()}
        measured |= {f"collapse{end}": of_model(cohort, model, "collapse") + off for end, off in _ENDS.items()}
        yield cohort | {"model": model, "family": family, "simulated": model == NEWCOMER} | counts | items | measured


def associations() -> Iterator[dict[str, Any]]:
    for cohort, level in product(cohorts(), ("family_mean", "family_median", "model")):
        asked = [("alpha_tot", "collapse", ""), ("initial_accuracy", "collapse", ""), ("alpha_tot", "correction", "")]
        asked += [
            ("alpha_tot", "collapse", "initial_accuracy"),
            ("alpha_tot", "collapse", "initial_accuracy + revision"),
        ]
        for predictor, outcome, controls in asked:
            key = {"level": level, "predictor": predictor, "outcome": outcome, "controls": controls}
            yield _association(cohort, key, "", "")
        left = [("family", family) for family in "abcd"] + [("model", model) for model in PROBED]
        main = {"level": level, "predictor": "alpha_tot", "outcome": "collapse", "controls": ""}
        for leaving, name in left if level != "family_median" else ():
            yield _association(cohort, main, leaving, name)


def rho(cohort: dict[str, Any], key: dict[str, Any], left_out: str) -> float:
    return number(cohort["n"], cohort["k"], *key.values(), left_out)


def _association(cohort: dict[str, Any], key: dict[str, Any], leaving: str, left_out: str) -> dict[str, Any]:
    named = cohort | key | {"leaving": leaving, "left_out": left_out, "models": 5, "simulated": True}
    blank = ("fisher_low", "fisher_high", "families_low", "families_high", "families_share")
    named |= {"noise_median": None, "noise_low": None, "noise_high": None} | dict.fromkeys(blank)
    if key["controls"].endswith("revision"):
        nothing = ("rho", "df", "p_t", "as_extreme", "as_directed", "arrangements", "exact")
        nothing += ("p_two_sided", "p_one_sided", "bonett_wright_low", "bonett_wright_high")
        return named | {"units": 4, "flags": ["too_few"]} | dict.fromkeys(nothing)
    value = rho(cohort, key, left_out)
    test = {"as_extreme": 4, "as_directed": 2, "arrangements": 24, "exact": True}
    p = {"p_t": 0.3, "p_two_sided": 4 / 24, "p_one_sided": 2 / 24, "df": 2, "units": 4}
    ends = {"bonett_wright_low": value - 0.1, "bonett_wright_high": value + 0.1}
    return named | {"rho": value, "flags": ["out_of_reach"]} | test | p | ends


def reorderings() -> Iterator[dict[str, Any]]:
    for cohort, (one, other) in product(cohorts(), combinations(sorted(PROBED), 2)):
        follows = "init_acc" if {one, other} == {"a-large", "a-small"} else "alpha"
        p = {"fisher_p": number(cohort["n"], one, other), "holm_p": 1.0}
        yield (
            cohort | {"model": one, "model_other": other, "follows": follows, "simulated": NEWCOMER in (one, other)} | p
        )


def selection() -> Iterator[dict[str, Any]]:
    for cohort in cohorts():
        halves = {"median_alpha": 0.5, "low": number(cohort["n"], cohort["k"], "low"), "high": 0.2}
        pairs = {"matched_pairs": 3, "wins": 2, "mean_difference": -0.04}
        yield cohort | {"models": 5, "families": 4, "effective_families": 3.6, "simulated": True} | halves | pairs


def forecasts() -> Iterator[dict[str, Any]]:
    for cohort, (place, family) in product(cohorts(), enumerate("abcd")):
        predicted = number(cohort["n"], cohort["k"], family, "predicted")
        known = {"models": 2 if family == "a" else 1, "alpha_tot": 0.1 + 0.2 * place, "observed": 0.05 * place}
        bands = {
            f"{noisy}{name}": predicted + (0.1 if "high" in name else -0.1)
            for name in BANDS
            for noisy in ("", "noisy_")
        }
        yield (
            cohort
            | {"family": family, "simulated": True}
            | known
            | bands
            | {"predicted": predicted, "noisy_median": 0.1}
        )
