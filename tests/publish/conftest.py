"""Fits and curves made by hand: numbers that are known, and awkward in the ways that real ones are."""

import numpy as np
import pandas as pd
import pytest

SIZES = [1, 2, 3, 5]
CELLS = {  # (task, condition): peers, last round, c, beta
    ("mmlu_hard", "noise"): ("full", 3, 0.65, 0.0),
    ("mmlu_hard", "debate"): ("full", 3, 0.85, 0.0),
    ("gsm_hard", "self_consistency"): ("none", 1, 0.43, 0.25),
    ("gsm_hard", "debate"): ("full", 3, 0.57, 0.014),
}


def fit(team, task, condition, peers, round_, c, beta, **more):
    row = {
        "team": team,
        "task": task,
        "condition": condition,
        "level": "answer",
        "law": "ringelmann",
        "subsets": "first",
        "peers": peers,
        "round": round_,
        "sizes": np.array(SIZES[1:], dtype=np.int16),
        "n_items": 100,
        "share_missing": 0.0123,
        "c": c,
        "c_low": c - 0.05,
        "c_high": c + 0.05,
        "beta": beta,
        "beta_low": 0.0,
        "beta_high": beta + 0.04,
        "interval": "jackknife_t_95",
        "refits": 100,
        "regime": "hard_ceiling" if beta <= 0.1 else "sublinear",
        "r2": 0.9987,
        "r2_with_one": 0.9991,
        "flags": np.array(["beta_at_lower_bound"] if beta == 0 else [], dtype=object),
        "simulated": False,
    }
    return row | more


def fits_of(team, simulated=False):
    rows = []
    for (task, condition), (peers, last, c, beta) in CELLS.items():
        for round_ in range(1, last + 1):  # earlier rounds must not reach a table: their c is off by 1
            here = c if round_ == last else c + 1
            bounded = fit(team, task, condition, peers, round_, here, beta, simulated=simulated)
            free = bounded | {"law": "ringelmann_free", "beta": beta or -0.07, "beta_low": -0.2}
            correct = bounded | {"level": "correctness", "c": 9.0}
            pooled = free | {"level": "pooled_agreement", "c": here + 0.05, "regime": "undetermined"}
            rows += [bounded, free, correct, pooled]
            if peers == "none":
                rows.append(pooled | {"subsets": "all", "c": here + 0.06})
            elif round_ > 1:
                rows.append(pooled | {"subsets": "adjusted", "c": here + 0.07})
    sweep = {"sizes": np.array([5], dtype=np.int16)}  # later rounds at a few sizes, fewer peers
    rows.append(fit(team, "gsm_hard", "debate", "full", 7, 7.0, 0.5, simulated=simulated, **sweep))
    rows.append(fit(team, "gsm_hard", "debate", "2", 3, 8.0, 0.5, simulated=simulated))
    return rows


def curves_of(team, simulated=False):
    rows = []
    for (task, condition), (peers, last, c, beta) in CELLS.items():
        for round_ in range(1, last + 1):
            for n in SIZES:
                n_eff = n / (1 + c * (n - 1) * n**-beta) + 0.01 * round_ * (n > 1)
                same = {
                    "team": team,
                    "task": task,
                    "condition": condition,
                    "level": "answer",
                    "subsets": "first",
                    "peers": peers,
                }
                size = {
                    "round": round_,
                    "n": n,
                    "n_eff": n_eff,
                    "n_eff_low": n_eff - 0.1,
                    "n_eff_high": n_eff + 0.1,
                }
                rows.append(same | size | {"simulated": simulated})
    return rows


@pytest.fixture
def fits():
    return pd.DataFrame(fits_of("qwen2.5-7b"))


@pytest.fixture
def curves():
    return pd.DataFrame(curves_of("qwen2.5-7b"))


@pytest.fixture
def simulated_fits():
    return pd.DataFrame(fits_of("made-up", simulated=True))


@pytest.fixture
def simulated_curves():
    return pd.DataFrame(curves_of("made-up", simulated=True))


@pytest.fixture
def published_folder(tmp_path):
    """The published tables that the modules read, with a few of their rows, as printed (arXiv 2606.02646)."""
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "table01_regimes.csv").write_text(
        "model,task,condition,c,c_ci_low,c_ci_high,beta,beta_ci_low,beta_ci_high,regime,r2,note\n"
        'qwen2.5-7b,gsm_hard,self_consistency,0.43,,,0.249,,,sublinear,0.9997,"point estimate, no CI"\n'
        "qwen2.5-7b,mmlu_hard,debate,0.85,0.83,0.86,0.000,0.00,0.00,hard_ceiling,0.9995,\n"
    )
    (folder / "table11_master_fits.csv").write_text(
        "model,task,condition,c,beta,regime,n_eff_observed,n_largest,note\n"
        "qwen2.5-7b,mmlu_hard,debate,0.85,0.00,hard_ceiling,1.12,30,\n"
        "qwen2.5-7b,gsm_hard,debate,0.57,0.01,hard_ceiling,1.79,30,\n"
        "hetero,gsm_hard,debate,0.35,0.00,hard_ceiling,2.25,30,\n"
    )
    return folder
