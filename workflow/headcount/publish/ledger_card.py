"""A model's ledger card: one page on what discussion repaired and destroyed, and what that is to be read against.

One HTML file that needs nothing outside it and no script, since it also opens from inside the report.
"""

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from headcount.config import Config
from headcount.debate.planner import plan
from headcount.digest import GENERATION, digest
from headcount.engines.request import identify
from headcount.publish.card_costs import costs
from headcount.publish.card_gates import gates
from headcount.publish.card_numbers import Numbers, card_numbers, run_numbers
from headcount.publish.card_outcomes import lead, onset, parser, tasks
from headcount.publish.card_subjects import Subject, subjects
from headcount.publish.html import template
from headcount.publish.reuse_card import as_json
from headcount.publish.reuse_card_made import reuse_card

_FILES = 6  # hashes that a card has room for


def write_cards(config: Config, results: Path, folder: Path) -> None:
    """Write the ledger card and the reuse card of each model, `{model}.html` and `{model}.json`.

    Args:
        results: the run's folder.
        folder: where the cards go; made if need be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    planned, of_run = plan(config), run_numbers(results)
    for about in subjects(config, planned):
        numbers = card_numbers(config, about, of_run)
        texts = {
            "html": ledger_card(config, about, numbers),
            "json": as_json(reuse_card(config, about, numbers, planned)),
        }
        for kind, text in texts.items():
            (folder / f"{about.model}.{kind}").write_text(text, encoding="utf-8", newline="\n")


def ledger_card(config: Config, about: Subject, numbers: Numbers) -> str:
    """The card as HTML."""
    model, panel = config.models[about.model], about.panel
    return template("card").render(
        run=config.run,
        name=about.model,
        model=model,
        panel=panel,
        simulated=model.engine == "simulated",
        lead=lead(numbers) if panel else None,
        tasks=tasks(numbers, panel) if panel else [],
        onset=onset(numbers, panel) if panel else None,
        gates=gates(numbers, config.fitting.confidence) if panel else None,
        parser=parser(numbers, panel) if panel and model.engine != "recorded" else None,  # others read those replies
        screen=_screen(config, about, numbers),
        costs=costs(numbers),
        provenance=_provenance(config, about, numbers),
    )


def _screen(config: Config, about: Subject, numbers: Numbers) -> dict[str, Any] | None:
    if not about.screens:
        return None
    from headcount.publish.card_screen import screened  # loads SciPy's statistics, which most cards do without

    return screened(about, numbers, config.fitting)


def _provenance(config: Config, about: Subject, numbers: Numbers) -> dict[str, Any]:
    return {
        "asked": _asked(config, about.model),
        "servers": [(server or "who answered was not noted", count) for server, count in numbers.servers.items()],
        "config": hashlib.sha256(about.described(config).encode()).hexdigest()[:12],
        "code": f"headcount {version('headcount')}, protocol {digest(*GENERATION)[:12]}",
        "files": [(name, content[:12]) for name, content in list(numbers.made_from.items())[:_FILES]],
        "more": max(0, len(numbers.made_from) - _FILES),
    }


def _asked(config: Config, name: str) -> str:
    """With which weights and how a model was asked."""
    model = config.models[name]
    if model.engine == "recorded":
        return f"Others asked this model, and published its answers · seed of resampling {config.fitting.seed}"
    sampling = model.sampling
    temperatures = ", ".join(f"{value:g}" for value in sampling.slot_temperatures or (sampling.temperature,))
    limits = f"top-p {sampling.top_p:g} · at most {sampling.max_tokens} tokens"
    how = f"{config.protocol.dialect} dialect · seeds {config.seed} and {config.fitting.seed}"
    return f"Weights {identify(name, model, None).weights} · temperatures by agent {temperatures} · {limits} · {how}"
