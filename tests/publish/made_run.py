"""A run made of such numbers: every file that tables are made from."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
from made_costs import ledger_costs
from made_excess import excess
from made_gates import gate_outcomes, localisation
from made_ledger import ledger_rates, ledger_stability
from made_panels import best_member, calibration, crowd, mixing, pair_means, pairs
from made_pilots import budgets, pilot_sizes, pilots
from made_screens import (
    associations,
    forecasts,
    model_rows,
    reliability,
    reorderings,
    screens,
    selection,
)
from made_series import ENDS, HETERO, QWEN, SIZES, around, number, series

from headcount import schema
from headcount.publish.words import LAWS, LEVELS
from headcount.store import write

PUBLISHED = Path(__file__).parents[2] / "resources" / "published"
VOTING = ("plurality", "confidence_weighted", "top_probability")

_OF_TEAMS = (
    *("n_eff_answer", "n_eff_missing_own", "n_eff_missing_one", "r_over_valid", "missing", "rho_answer"),
    *("agreement", "agreement_item_mean", "agreement_low", "agreement_middle", "agreement_high"),
    *("icc", "icc_first", "icc_conditioned", "icc_change", "unanimous", "unanimous_wrong"),
    *("team_accuracy", "agent_accuracy_missing_wrong"),
    *(f"{name}_tokens{span}" for name in ("prompt", "completion") for span in ("", "_to_here")),
    *("prompt_tokens_per_n_eff", "prompt_tokens_to_here_per_n_eff"),
)
_OF_MOVES = (
    *("alpha_s", "alpha_l", "alpha_s_count", "alpha_l_count", "correct_to_wrong", "wrong_to_correct"),
    *("modal_stay", "nonmodal_to_modal", "nonmodal_to_modal_per_peer", "mode_changed"),
)
_COUNTS = ("alpha_s_count", "alpha_l_count")


def estimates() -> Iterator[dict[str, Any]]:
    for s in series():
        voted = [f"{name}_{rule}" for rule in VOTING for name in ("accuracy", "accuracy_shift", "n_eff")]
        voted.remove("accuracy_shift_plurality")
        quantities = [*_OF_TEAMS, *(_OF_MOVES if s.turn > 1 else ()), *(voted if s.subsets == "first" else ())]
        for n, quantity in product(s.sizes, quantities):
            if n > 1 or quantity not in _OF_MOVES:
                ends = {} if quantity in _COUNTS else around(s.number(n, quantity))
                nothing = {"value": s.number(n, quantity), "low": None, "high": None}
                yield s.key | {"n": n, "quantity": quantity, "n_items": 724} | (ends or nothing)
        for rule in VOTING if s.subsets == "first" else ():
            yield s.key | {"n": 0, "quantity": f"beta_{rule}", "n_items": 724} | around(s.number(0, f"beta_{rule}"))


def fits() -> Iterator[dict[str, Any]]:
    for s, level, law in product(series(), LEVELS, ("ringelmann", "ringelmann_free", "kish")):
        c, beta = s.number(level, law, "c"), s.number(level, law, "beta")
        yield s.key | {
            **{"level": level, "law": law, "sizes": [n for n in s.sizes if n > 1], "n_items": 724},
            **{"share_missing": 0.01, "c": c, "c_low": c - 0.01, "c_high": c + 0.01},
            **{"beta": beta, "beta_low": beta - 0.01, "beta_high": beta + 0.01},
            **{"interval": "percentile_95", "refits": 300, "regime": "sublinear" if beta > 0.1 else "hard_ceiling"},
            **{"r2": s.number(level, law, "r2"), "r2_with_one": s.number(level, law, "r2_with_one")},
            "flags": ["regime_undetermined"] if s.team == HETERO else [],
        }


def curves() -> Iterator[dict[str, Any]]:
    for s, level in product(series(), LEVELS):
        for n in s.sizes:
            r = s.number(n, level, "r")
            sizes = {"n_eff": r * n, "n_eff_low": r * n - 0.01, "n_eff_high": r * n + 0.01}
            valid = n - 0.1 * n if s.condition == "noise" else float(n)
            yield s.key | {"level": level, "n": n, "n_items": 724, "n_valid": valid, "r": r} | sizes


def rivals() -> Iterator[dict[str, Any]]:
    parameters = {"kish": ["rho"], "latane": ["t"], "latane_slope": ["t", "amplitude"]}
    for s, law in product(series(), LAWS):
        names = parameters.get(law, ["c", "beta"])
        quality = ("r2", "r2_with_one", "rmse_n_eff", "aicc", "bic", "left_out_error")
        yield s.key | {
            **{"level": "answer", "law": law, "sizes": [n for n in s.sizes if n > 1], "parameters": names},
            **{"values": [s.number(law, name) for name in names], "flags": []},
            **{name: s.number(law, name) for name in (*quality, "q", "q_p")},
            **{"q_df": 4, "best_by_q": "kish", "best_by_left_out": "power_on_r"},
            **{
                f"{name}{end}": s.number(law, name) + off
                for name in ("rho_10", "n_eff_30")
                for end, off in ENDS.items()
            },
        }


def skills() -> Iterator[dict[str, Any]]:
    for s, law in product(series(), LAWS):
        sizes = [n for n in s.sizes if n > 1]
        if len(sizes) > 2:
            errors = [f"{of}_{what}" for of in ("same_half", "other_half", "halves") for what in ("rmse", "error")]
            errors += [f"{of}_error_largest" for of in ("same_half", "other_half", "halves")]
            told = ("skill_kish_two", "skill_null_a", "skill_carried", "rmse", "error", *errors)
            yield s.key | {
                **{"level": "answer", "law": law, "pilot": sizes[:2], "held_out": sizes[2:], "n_items": 724},
                **{name: s.number(law, name) for name in told},
                **{f"error_largest{end}": s.number(law, "error_largest") + off for end, off in ENDS.items()},
                "flags": ["predicts_nothing"] if s.team == HETERO else [],
            }


def contrasts() -> Iterator[dict[str, Any]]:
    for name, n in product(("process_loss", "gain_self_correction", "gain_debate", "gain_noise"), (3, 30)):
        key = (QWEN, "mmlu_hard", name, n)
        ends = {f"{side}{end}": number(*key, side) + off for side in ("first", "second") for end, off in ENDS.items()}
        yield {
            **{"team": QWEN, "task": "mmlu_hard", "contrast": name, "peers": "full", "n": n, **ends},
            **{"difference": number(*key, "difference"), "low": -0.02, "high": 0.02, "p_bootstrap": 0.4},
            **{"only_first": n, "only_second": n + 1, "p_mcnemar": 0.5, "p_tost": 0.01, "margin": 0.05},
            **{"n_items": 724, "simulated": False},
        }


def audits() -> Iterator[dict[str, Any]]:
    for s, law, n in product(series(), LAWS, (*SIZES[1:], 6, 40)):
        if len(s.sizes) > 2:
            run, pilot = n in s.sizes, [m for m in s.sizes if m > 1][:2]
            seen, told = s.number(n, "observed"), s.number(n, law, "predicted")
            yield s.key | {
                **{"level": "answer", "law": law, "n": n, "pilot": pilot, "held_out": run and n not in pilot},
                **{"observed": seen if run else None, "observed_low": None, "observed_high": None},
                **{"predicted": told, "predicted_low": None, "predicted_high": None, "n_items": 724},
            }


def projections() -> Iterator[dict[str, Any]]:
    for s, n in product(series(), (*SIZES[1:], 6, 40)):
        if s.subsets == "first" and len(s.sizes) > 2 and s.turn > 1:
            run, pilot = n in s.sizes, [m for m in s.sizes if m > 1][:2]
            told = s.number(n, "predicted")
            yield {name: value for name, value in s.key.items() if name != "subsets"} | {
                **{"n": n, "pilot": pilot, "held_out": run and n not in pilot, "n_items": 724},
                **{"rho": s.number("rho"), "agent_accuracy": 0.5, "solo_accuracy": 0.4},
                **{"predicted": told, "predicted_low": told - 0.01, "predicted_high": told + 0.01},
                **{"predicted_beta_binomial": s.number(n, "scattered")},
                **{"predicted_from_solo": s.number(n, "solo"), "observed": s.number(n, "accuracy") if run else None},
            }


FILES = {
    table.name: (table, rows)
    for table, rows in (
        *((schema.ESTIMATES, estimates), (schema.FITS, fits), (schema.CURVES, curves), (schema.RIVALS, rivals)),
        *((schema.PILOTS, pilots), (schema.PILOT_SIZES, pilot_sizes), (schema.BUDGETS, budgets)),
        (schema.EXCESS, excess),
        (schema.SKILLS, skills),
        *((schema.CONTRASTS, contrasts), (schema.AUDITS, audits), (schema.PROJECTIONS, projections)),
        *((schema.MIXING, mixing), (schema.PAIRS, pairs), (schema.PAIR_MEANS, pair_means)),
        *((schema.CROWD, crowd), (schema.BEST_MEMBER, best_member), (schema.CALIBRATION, calibration)),
        *((schema.LEDGER_RATES, ledger_rates), (schema.GATE_OUTCOMES, gate_outcomes)),
        (schema.LEDGER_STABILITY, ledger_stability),
        (schema.LOCALISATION, localisation),
        (schema.LEDGER_COSTS, ledger_costs),
        *((schema.SCREENS, screens), (schema.RELIABILITY, reliability), (schema.MODEL_ROWS, model_rows)),
        *((schema.ASSOCIATIONS, associations), (schema.REORDERINGS, reorderings), (schema.SELECTION, selection)),
        (schema.FORECASTS, forecasts),
    )
}


def write_run(folder: Path) -> Path:
    """The run's files."""
    for name, (table, rows) in FILES.items():
        write(folder / f"{name}.parquet", pd.DataFrame(list(rows())), table)
    return folder


def write_nothing(folder: Path) -> Path:
    """The files of a run in which nothing could be measured: without a row."""
    for name, (table, _) in FILES.items():
        write(folder / f"{name}.parquet", pd.DataFrame(columns=table.schema.names), table)
    return folder
