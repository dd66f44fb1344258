"""The page of a run's pilot: how big a team is worth its cost, for somebody who has to decide.

One HTML file that needs nothing outside it and no script, since it also opens from inside the report.
"""

from pathlib import Path
from typing import Any

import pandas as pd

from headcount.config import Config
from headcount.laws.pilot_flags import PILOT_FLAGS
from headcount.publish.html import template
from headcount.publish.pilot_cells import (
    LEVEL,
    Row,
    amount,
    chosen_plans,
    drawn,
    in_short,
    more_items,
    recommendation,
    sizes_of,
)
from headcount.publish.pilot_page_figures import prediction_figure
from headcount.publish.words import CONDITIONS, EMPTY, LEVELS, REGIMES
from headcount.schema import BUDGETS, PILOT_SIZES, PILOTS
from headcount.store import plain, read

SHOWN = (2, 3, 5, 7, 10, 15, 20, 30, 50, 100)  # sizes that the page has room for


def write_page(config: Config, results: Path, path: Path) -> None:
    """Write the page.

    Args:
        results: the run's folder: pilots, their sizes, budgets.
    """
    files = [plain(read(results / f"{table.name}.parquet", table)) for table in (PILOTS, PILOT_SIZES, BUDGETS)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(pilot_page(config, *files), encoding="utf-8", newline="\n")


def pilot_page(config: Config, pilots: pd.DataFrame, sizes: pd.DataFrame, budgets: pd.DataFrame) -> str:
    """The page as HTML.

    Args:
        pilots, sizes, budgets: rows of PILOTS, PILOT_SIZES and BUDGETS.
    """
    every = chosen_plans(pilots)
    plans = every[every["level"] == LEVEL]
    planned, shown = sizes_of(plans, sizes), drawn(pilots, sizes)
    cells = []
    for (team, task), own in plans.groupby(["team", "task"], sort=False):
        here = (shown["team"] == team) & (shown["task"] == task)
        answer = every[(every["team"] == team) & (every["task"] == task) & (every["level"] == "answer")]
        of_sizes = planned[(planned["team"] == team) & (planned["task"] == task)]
        talk = budgets[(budgets["team"] == team) & (budgets["task"] == task)]
        cells.append(
            {
                "team": team,
                "task": task,
                "simulated": bool(own["simulated"].any()),
                "plans": [plan_row(plan, answer, of_sizes) for plan in own.to_dict("records")],
                "short": in_short(own, of_sizes),
                "figure": prediction_figure(shown[here]),
                "talk": talk_rows(talk),
                "target": int(own["target"].iloc[0]),
                "pilot": ", ".join(map(str, own["pilot"].iloc[0])),
                "n_items": int(own["n_items"].max()),
            }
        )
    flags = sorted({flag for plan in plans["flags"] for flag in plan})
    return template("pilot").render(
        run=config.run,
        cells=cells,
        several=plans["team"].nunique() > 1,
        confidence=f"{100 * config.fitting.confidence:g}",
        level=LEVELS[LEVEL],
        notes=[(flag.replace("_", " "), PILOT_FLAGS[flag]) for flag in flags],
        usd=bool(sizes["usd"].notna().any()),
    )


def plan_row(plan: Row, answer: pd.DataFrame, sizes: pd.DataFrame) -> dict[str, Any]:
    """What the page says of a condition.

    Args:
        plan: a row of PILOTS.
        answer: the plans of the same team and task by answers.
        sizes: rows of PILOT_SIZES of the team and task.
    """
    here = sizes[sizes["condition"] == plan["condition"]].set_index("n")
    by_answers = answer[answer["condition"] == plan["condition"]]
    stop: int | None = None if pd.isna(plan["stop"]) else int(plan["stop"])
    return {
        "condition": plan["condition"],
        "name": CONDITIONS[str(plan["condition"])],
        "unit": EMPTY if stop is None else str(plan["budget_unit"]).upper().replace("TOKENS", "tokens"),
        "sentence": recommendation(plan),
        "more": more_items(plan),
        "n_eff": _ends(plan, "n_eff", 2),
        "by_answers": _ends(by_answers.iloc[0], "n_eff", 2) if len(by_answers) else EMPTY,
        "accuracy": _ends(plan, "accuracy", 1, percent=True),
        "c": _ends(plan, "c", 2),
        "beta": _ends(plan, "beta", 2),
        "regime": REGIMES.get(str(plan["regime"]), EMPTY),
        "stop": EMPTY if stop is None else stop,
        "stop_range": "" if stop is None or pd.isna(plan["stop_low"]) else _range(plan),
        "budget": EMPTY if stop is None else amount(plan["budget"], str(plan["budget_unit"])),
        "at_stop": _at_stop(here, stop),
        "items_for_c": EMPTY if pd.isna(plan["items_for_c"]) else f"{int(plan['items_for_c']):,}",
        "flags": [str(flag).replace("_", " ") for flag in plan["flags"]],
        "sizes": _sizes(here, plan["budget_unit"] == "usd"),
    }


def _sizes(rows: pd.DataFrame, in_usd: bool) -> list[dict[str, Any]]:
    last, rows = rows.index.max(), rows[rows.index.isin(SHOWN)]
    known = {n: row for n, (_, row) in zip(rows.index.tolist(), rows.iterrows(), strict=True)}
    return [size_row(n, known[n], n == last, in_usd) for n in SHOWN if n in known]


def size_row(n: int, row: "pd.Series[Any]", last: bool, in_usd: bool) -> dict[str, Any]:
    """A line of the table of sizes; of the last of all sizes it is not known what the next agent costs."""
    tokens = row["prompt_tokens"] + row["completion_tokens"]
    dear = pd.isna(row["next_agent"]) and pd.notna(tokens) and not last
    return {
        "n": n,
        "n_eff": _ends(row, "n_eff", 2),
        "seen": _known(row["seen_n_eff"], 2),
        "held_out": bool(row["held_out"]),
        "accuracy": _ends(row, "accuracy", 1, percent=True),
        "seen_accuracy": _known(row["seen_accuracy"], 1, percent=True),
        "projection": _known(row["projection"], 1, percent=True),
        "prompt": _known(row["prompt_tokens"], 0),
        "completion": _known(row["completion_tokens"], 0),
        "tokens": _known(tokens, 0),
        "usd": _money(row["usd"]),
        "next": "none to be had" if dear else _money(row["next_agent"]) if in_usd else _known(row["next_agent"], 0),
    }


def talk_rows(budgets: pd.DataFrame) -> list[dict[str, Any]]:
    """Each condition with a revision, at its largest size for whose budget enough samples were drawn."""
    rows = []
    for condition in CONDITIONS:
        own = budgets[(budgets["condition"] == condition) & (budgets["budget"].isin(["calls", "tokens"]))]
        fair = own[~own["capped"]]
        chosen = fair if len(fair) else own
        for budget in ("calls", "tokens"):
            here = chosen[chosen["budget"] == budget].sort_values("n")
            if len(here):
                rows.append(_talk_row(here.iloc[-1], budgets))
    return rows


def _talk_row(row: "pd.Series[Any]", budgets: pd.DataFrame) -> dict[str, Any]:
    same = (budgets["condition"] == row["condition"]) & (budgets["n"] == row["n"]) & (budgets["budget"] == "own")
    team = budgets[same].iloc[0]
    low, high = row["accuracy_difference_low"], row["accuracy_difference_high"]
    return {
        "name": CONDITIONS[str(row["condition"])],
        "condition": row["condition"],
        "n": int(row["n"]),
        "budget": row["budget"],
        "spent": _known(row[str(row["budget"])], 0),
        "samples": f"{row['samples']:.1f}".removesuffix(".0"),
        "capped": bool(row["capped"]),
        "team": _known(team["accuracy"], 1, percent=True),
        "sampled": _known(row["accuracy"], 1, percent=True),
        "difference": _ends(row, "accuracy_difference", 1, percent=True),
        "n_eff": _ends(row, "n_eff_difference", 2),
        "verdict": "talk" if low > 0 else "sampling" if high < 0 else "not told apart",
    }


def _at_stop(sizes: pd.DataFrame, stop: int | None) -> str:
    """What a team of the size to stop at gets right and takes."""
    if stop is None or stop not in sizes.index:
        return EMPTY
    row = sizes.loc[stop]
    usd: str = "" if pd.isna(row["usd"]) else f", {_money(row['usd'])} USD"
    tokens = row["prompt_tokens"] + row["completion_tokens"]
    return f"{_known(row['accuracy'], 1, percent=True)} right, {_known(tokens, 0)} tokens{usd}"


def _range(plan: Row) -> str:
    return f"{int(plan['stop_low'])} to {int(plan['stop_high'])}"


def _ends(row: Any, name: str, decimals: int, percent: bool = False) -> str:
    """An estimate and its interval."""
    value, low, high = (_known(row[f"{name}{end}"], decimals, percent) for end in ("", "_low", "_high"))
    if EMPTY in (low, high):
        return value
    unit = " %" if percent else ""
    return f"{value.removesuffix(unit)} [{low.removesuffix(unit)}, {high.removesuffix(unit)}]{unit}"


def _known(value: Any, decimals: int, percent: bool = False) -> str:
    if pd.isna(value):
        return EMPTY
    text = f"{100 * value if percent else value:z,.{decimals}f}".replace("-", "−")
    return f"{text} %" if percent else text


def _money(value: Any) -> str:
    return EMPTY if pd.isna(value) else f"{value:.3g}"
