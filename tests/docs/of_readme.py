"""What the README claims."""

import re

import pandas as pd
import yaml
from computed import (
    ROOT,
    Replay,
    command,
    coverage_counts,
    panel_config,
    paper_numbers,
    pyproject,
    release_rows,
    study,
)
from pages import Document

from headcount.config import load
from headcount.debate.costs import costs
from headcount.items import humaneval
from headcount.items.counts import known_counts
from headcount.laws.audit import PILOT
from headcount.laws.fit import REGIME_BORDER
from headcount.laws.pilot_plan import LARGEST
from headcount.laws.settings import FitSettings
from headcount.publish.calibration_tables import WANTED

README = Document("README.md")

README.says("the label up to β = {})", lambda: [REGIME_BORDER])
README.says("lies on one side of {}. **The paper's way**", lambda: [REGIME_BORDER])
README.says("Python {} or newer", lambda: [pyproject()["project"]["requires-python"].removeprefix(">=")])


# The panel


@README.says("{} real models of {} families answered the {} questions of MMLU-Pro")
def panel_counts():
    config = panel_config()
    families = {model.family for model in config.models.values()}
    return [len(config.models), len(families), config.tasks["mmlu_pro"].items]


README.says("those of the panel of {} models", lambda: [len(panel_config().models)])


@README.says("![{} language models are worth {} to {} independent voters]", run="panel")
def worth_of_all(panel: Replay):
    sizes = voters(panel)
    return [len(panel_config().models), min(sizes["pooled_agreement", 29], sizes["answer", 29]), sizes["answer", 29]]


@README.says("entropy {}, by pooled agreement {}, and {} of them are {} already", run="panel")
def worth_by_level(panel: Replay):
    sizes = voters(panel)
    return [sizes["answer", 29], sizes["pooled_agreement", 29], 10, sizes["pooled_agreement", 10]]


@README.says("is right on {} % of the questions; the best of them alone", run="panel")
def plurality(panel: Replay):
    rows = panel.table("crowd_rules")
    return [100 * rows[(rows["task"] == "mmlu_pro") & (rows["rule"] == "plurality")]["accuracy"].item()]


@README.says("chosen on other questions than it is scored on, on {} %", run="panel")
def best_of_the_panel(panel: Replay):
    rows = panel.table("best_member")
    return [100 * rows[(rows["task"] == "mmlu_pro") & (rows["rule"] == "best_member")]["accuracy"].item()]


def voters(panel: Replay) -> "pd.Series[float]":
    """Effective size by level and size, as measured."""
    rows = panel.figure("independent_voters")
    rows = rows[(rows["task"] == "mmlu_pro") & (rows["kind"] == "measured")]
    return rows.set_index(["level", "n"])["n_eff"]


# The showcase


@README.says("on {} real questions of each kind, in teams of up to {}, from the replies in")
def showcase_counts():
    config = load(ROOT / "config/showcase.yaml")
    (items,) = {task.items for task in config.tasks.values()}
    return [items, max(config.experiments["core"].sizes)]


@README.says("{} agents are worth {} independent voters before they talk and {} after one round", run="showcase")
def choices(showcase: Replay):
    return [10, *before_and_after(showcase, "mmlu_hard")]


@README.says("{} are worth {}, and {} after debate", run="showcase")
def arithmetic(showcase: Replay):
    return [10, *before_and_after(showcase, "arithmetic")]


@README.says("it solves {} of the arithmetic items", run="showcase")
def solved(showcase: Replay):
    rows = showcase.table("aggregators")
    return [float(rows[rows["task"] == "arithmetic"]["accuracy"].max())]


def before_and_after(showcase: Replay, task: str) -> list[float]:
    """Effective sizes of ten agents before and after debate."""
    drawn = showcase.figure("effective_team_size")
    ten = drawn[(drawn["kind"] == "measured") & (drawn["n"] == 10) & (drawn["task"] == task)].set_index("condition")
    return [ten.loc[condition, "n_eff"] for condition in ("self_consistency", "debate")]


README.says("larger run of the same kind, on {} questions of each", lambda: showcase_counts()[:1])
README.fenced("Regime of each cell", lambda showcase: shown(showcase), run="showcase")


def shown(showcase: Replay) -> str:
    said = showcase.checkout.headcount("show", "regimes", "--run", "showcase")
    assert said.returncode == 0, said.stderr
    return said.stdout.strip("\n")


@README.says("trace table01 task=mmlu_hard condition=debate c --run showcase --item college_mathematics-{}")
def traced_item():
    """The item is in the release: its number is that of one of its subject's."""
    known = pd.read_parquet(ROOT / "resources/showcase/items/mmlu_hard.parquet")["item"]
    return [lambda number: f"college_mathematics-{number:.0f}" in set(known)]


# Tables and figures

for page, number in paper_numbers().items():
    README.says(f"`{page}` ({{}})", lambda number=number: [number])


# Trust


@README.says(
    "Intervals were tried on {} populations of simulated agents whose truth is known",
)
def populations():
    return [coverage_counts()[0]]


@README.says(
    "Of {} numbers the default, a delete-group jackknife on each number's own scale, falls short of its {} % in {} at "
    "{} items, in {} at {}, and in {} at {}; the paper's percentiles with β held at 0 and above in {}, {} and {}."
)
def short_intervals():
    _, of_all, ours, theirs = coverage_counts()
    at = [part for items in (1000, 200, 24) for part in (ours[items], items)]
    return [of_all, 100 * FitSettings().confidence, *at, *(theirs[items] for items in (1000, 200, 24))]


@README.says("At {} items nothing tried holds c where nearly all agents agree")
def nothing_holds_c():
    rows = (
        study("coverage").query("population == 'easy_c95_b0' and parameter == 'c'").groupby("items")["coverage"].max()
    )
    return [int(rows.index[rows < WANTED[24]].max())]


README.says("for any run with teams of {}, {} and {}:", lambda: PILOT)
README.says("accuracy to expect of teams up to {} with", lambda: [LARGEST])


# The ledger


@README.says("{} questions, too few and too small a model")
def ledger_questions():
    items = (pd.read_parquet(ROOT / f"resources/ledger/items/{task}.parquet") for task in LEDGER_TASKS)
    return [sum(map(len, items))]


LEDGER_TASKS = ("arc_high_flip", "mmlu_hard")


@README.says("repaired {} answers and destroyed {};", run="ledger")
def repaired_and_destroyed(ledger: Replay):
    rows = debates(ledger)
    return [int(rows["correction_events"].sum()), int(rows["collapse_events"].sum())]


@README.says("without a word ({} % and {} % on the {} tasks, against {} % and {} %)", run="ledger")
def lost(ledger: Replay):
    rows = 100 * debates(ledger).loc[list(LEDGER_TASKS), ["collapse", "collapse_minus_redraw"]]
    return [*(rows["collapse"] - rows["collapse_minus_redraw"]), len(LEDGER_TASKS), *rows["collapse"]]


def debates(ledger: Replay) -> pd.DataFrame:
    rows = ledger.table("transition_rates")
    return rows[rows["condition"] == "debate"].set_index("task")


README.says("panels of {} who debate for {} rounds", lambda: ledger_shape())


def ledger_shape() -> list[int]:
    panels = yaml.safe_load((ROOT / "config/ledger.yaml").read_text())["experiments"].values()
    ((n,), rounds) = next((block["sizes"], block["updates"]) for block in panels if 3 in block["sizes"])
    return [n, rounds]


# Plans

README.shows("                                              calls if", lambda: command("plan", "config/demo.yaml"))
README.shows(
    "in all                223", lambda: "\n".join(command("plan", "config/paper.yaml", "--jobs").splitlines()[-6:])
)


@README.says("in teams of up to {}, alone and in discussion")
def demo_sizes():
    return [max(load(ROOT / "config/demo.yaml").experiments["core"].sizes)]


@README.says("does not repeat itself and {} questions are few")
def demo_questions():
    return [*{task.items for task in load(ROOT / "config/demo.yaml").tasks.values()}]


@README.says("two cores, SmolLM2-135M, {} calls of the demo")
def calls_of_the_demo():
    config = load(ROOT / "config/demo.yaml")
    return [sum(line.calls for line in costs(config, known_counts(config)))]


# What was run

README.says("all {} published solutions of HumanEval", lambda: [humaneval.COUNT])
README.says("once on the embedded model: {} replies, which CI replays", lambda: [release_rows("ledger")])
README.says("{} of the tests read real outputs too large to ship", lambda: [tests_of_shared_files()])


def tests_of_shared_files() -> int:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return sum(len(re.findall(r"^@pytest\.mark\.shared$", source, re.MULTILINE)) for source in sources)


# No claims

README.leaves(r'"30 agents"', "a saying")
README.leaves(r"^\$\$.*\$\$$", "the law")
README.leaves(r"β (=|held at) 0\b|1/c", "words of the law")
README.leaves(r"table13", "a name")
README.leaves(r"^\.venv/bin/\S+ .*$|table01", "commands")
README.leaves(r"^    .*\(round 1\).*$", "a drawing")
README.leaves(r"SmolLM2-135M in float32", "a type of numbers")
README.leaves(r"batch invariance, models of 7 B", "what was not run")
README.leaves(r"Slurm 22\.05", "a version seen: Debian's")
README.leaves(r"; 1 and 3 shards", "what tests/real/test_slurm.py does")
README.leaves(r"at 30 agents", "what was not done")
