"""The configuration, the work it plans, and the names that rules share."""

import os
import re
from pathlib import Path

from headcount.config import parse as parse_config
from headcount.config_sources import FileSource
from headcount.debate.planner import plan
from headcount.debate.release_metadata import check_replay
from headcount.digest import GENERATION, OF_ANSWERS, digest
from headcount.errors import UserError
from headcount.publish import figures, tables
from headcount.publish.card_subjects import subjects
from headcount.publish.needs import applying
from headcount.publish.words import PUBLISHED, QUESTIONS

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread a BLAS call: results repeat, jobs do not fight

try:
    settings = parse_config(config, ", ".join(map(str, workflow.configfiles)))
    planned = plan(settings)
    if settings.replay and not settings.replay.is_dir():
        raise UserError(
            f"replay: {settings.replay} is not here. `make release RUN=...` makes a release of a finished run."
        )
    check_replay(settings)
except UserError as mistake:
    raise SystemExit(str(mistake)) from None

TEAMS = sorted({cell.team for cell in planned.cells})
RUN = f"results/{settings.run}"
CACHE = "cache"
SCREENS = [
    f"{RUN}/probes/{screen.model}/{screen.task}.parquet" for screen in planned.screens if screen.purpose == "probe"
]
SHARDS = {  # how many shards the stages' files have that more than one job makes
    **{f"draws/{pool.model}/{pool.task}": pool.shards for pool in planned.pools if pool.shards > 1},
    **{f"turns/{cell.team}/{cell.task}/{cell.condition}": cell.shards for cell in planned.cells if cell.shards > 1},
}


wildcard_constraints:
    run=re.escape(settings.run),
    model="|".join(map(re.escape, settings.models)),
    team="|".join(map(re.escape, settings.teams)),
    task="|".join(re.escape(name) for name, task in settings.tasks.items() if task.format != "recorded") or "(?!)",
    screened="|".join(map(re.escape, settings.tasks)),
    chosen="|".join(re.escape(name) for name, task in settings.tasks.items() if task.format == "high_flip") or "(?!)",
    purpose="probe|flip_pool",
    condition="debate|self_correction|noise",
    shard=r"\d+",
    shards=r"\d+",
    sharded="|".join(map(re.escape, SHARDS)) or "(?!)",


def teams_of(wildcards):
    """The teams that a job is about: one, or all."""
    return [wildcards.team] if "team" in wildcards.keys() else TEAMS


def models_of(team):
    """The distinct models of a team."""
    return sorted(set(settings.teams[team].members))


def cells_of(team):
    """A team's cells."""
    return [cell for cell in planned.cells if cell.team == team]


def sizes_of(team):
    """The planned team sizes of each of a team's tasks and conditions."""
    answered = [cell for cell in planned.answered if cell.team == team]
    return [(cell.task, cell.condition, sorted({shape.n for shape in cell.shapes})) for cell in answered]


def families_of(team):
    """The family of each model of a team."""
    return [(model, settings.models[model].family) for model in models_of(team)]


def told_cells_of(team):
    """Those whose texts are at hand: private and recorded tasks are replayed from their released answers."""
    return [cell for cell in cells_of(team) if not settings.replays_answers(cell.task)]


def told_tasks_of(team):
    """The tasks of those cells."""
    return sorted({cell.task for cell in told_cells_of(team)})


def coded_tasks_of(team):
    """Those of them that ask for programs, which are run before they are answers."""
    return [task for task in told_tasks_of(team) if settings.tasks[task].format == "humaneval"]


def screen_of(wildcards):
    """The name of the screen that a job is about."""
    task = wildcards.task if "task" in wildcards.keys() else wildcards.screened
    return wildcards.purpose, wildcards.model, task


def told_of_screen(wildcards, path):
    """A file of a screen whose texts are at hand."""
    purpose, model, task = screen_of(wildcards)
    if settings.replays_answers(task):
        return []
    return [f"results/{wildcards.run}/{path.format(purpose=purpose, model=model, task=task)}"]


def released_probes_of(wildcards):
    """The released probes of a screen whose texts are not."""
    _, model, task = screen_of(wildcards)
    return released("probes", [model], task) if settings.replays_answers(task) else []


def at_hand(*paths):
    """Files outside results/ that a job reads, and runs again for; what one's absence means, the job explains."""
    return [str(path) for path in paths if path.exists()]


def source_of(task):
    """The user's file of a task's items, if it is one."""
    source = settings.tasks[task].source
    return at_hand(source.path) if isinstance(source, FileSource) else []


def weights_of(models):
    """Where the weights lie of those models that this run serves itself."""
    served = [] if settings.replay else [m for m in models if settings.models[m].engine in ("llamacpp", "vllm")]
    return [f"{RUN}/weights/{model}.txt" for model in served]


def released(part, folders, task):
    """The files of a task in the released cache, if one is replayed."""
    if not settings.replay:
        return []
    return at_hand(*(settings.replay / part / folder / f"{task}.parquet" for folder in folders))


def shard_of(wildcards):
    """Which shard a job makes, and of how many; the first of one where there are none."""
    return int(wildcards.get("shard", 1)), int(wildcards.get("shards", 1))


def shards_of(wildcards):
    """The files that a sharded one is gathered from."""
    count = SHARDS[wildcards.sharded]
    return [f"results/{wildcards.run}/{wildcards.sharded}/{shard}-of-{count}.parquet" for shard in range(1, count + 1)]


def released_answers_of(team):
    """The released answers to a team's private and recorded tasks."""
    untold = {cell.task for cell in cells_of(team) if settings.replays_answers(cell.task)}
    return [file for task in sorted(untold) for file in released("answers", [team], task)]


def numbers_of(*pages):
    """The files that tables or figures are made from."""
    return {
        **{name: f"{RUN}/{name}.parquet" for page in pages for name in page.reads},
        **{name: f"{PUBLISHED}/{name}.csv" for page in pages for name in page.published},
    }


def batches(pages):
    """The pages that one job makes, by its name: those that answer one question; each alone that cannot be filled."""
    filled = applying(pages, settings, planned)
    questions = {question: [name for name in filled if pages[name].question == question] for question in QUESTIONS}
    alone = {name: [name] for name in pages if name not in filled}
    return {f"of_{question}": names for question, names in questions.items() if names} | alone


def shown(kind, name, page, form):
    """The file of a table or figure that the report shows."""
    return report(
        f"{RUN}/{kind}s/{name}.{form}",
        caption=f"../report/{name}.rst",
        category=QUESTIONS[page.question],
        labels={kind: name.replace("_", " "), "paper": page.alias},
    )


def ledger_of(kind, pages, suffix):
    """The files of the ledger's pages that the run can fill."""
    own = {name: page for name, page in pages.items() if page.question == "ledger"}
    return [f"{RUN}/{kind}/{name}.{suffix}" for name in applying(own, settings, planned)]


def texts():
    """The files of what was asked and said, as far as it is at hand."""
    told = [cell for team in TEAMS for cell in told_cells_of(team)]
    talking = [cell for cell in told if cell.condition != "self_consistency"]
    return [
        *sorted({f"{RUN}/items/{cell.task}.parquet" for cell in told}),
        *sorted({f"{RUN}/draws/{model}/{cell.task}.parquet" for cell in told for model in models_of(cell.team)}),
        *(f"{RUN}/turns/{cell.team}/{cell.task}/{cell.condition}.parquet" for cell in talking),
    ]


def asked(unit, models, *more):
    """All of the configuration that a change of makes other requests of a cell or pool."""
    described = [settings.models[model].asked() for model in models]
    return f"{settings.seed} {settings.replay} {settings.protocol.nesting} {unit} {described} {more}"
