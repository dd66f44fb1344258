"""How the work is done: which cells at which sizes, which probes, how agents are asked, how laws are fitted."""

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from headcount.config_models import Name
from headcount.config_sources import Closed

Condition = Literal["self_consistency", "debate", "self_correction", "noise"]
ProbeCondition = Literal["default", "anti_social", "anti_argument"]
PROBE_CONDITIONS: tuple[ProbeCondition, ...] = ("default", "anti_social", "anti_argument")
CONDITIONS: tuple[Condition, ...] = ("self_consistency", "debate", "self_correction", "noise")


class Experiment(Closed):
    """A block of cells: every team on every task under every condition, at every size and peer count."""

    teams: tuple[Name, ...] = Field(min_length=1, description="names of teams")
    tasks: tuple[Name, ...] = Field(min_length=1, description="names of tasks")
    conditions: tuple[Condition, ...] = Field(CONDITIONS, min_length=1, description="what an agent hears in a revision")
    sizes: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = Field(min_length=1, description="team sizes N")
    updates: int = Field(2, ge=0, description="revision rounds after the first; the paper's tau")
    peers: tuple[Literal["full"] | Annotated[int, Field(ge=1)], ...] = Field(
        ("full",),
        min_length=1,
        description="how many others an agent hears: `full` is all, a number is k of them",
    )
    replicates: int = Field(1, ge=1, description="independent repetitions of everything")
    null_teams: tuple[int, ...] = Field(
        (),
        description="sizes at which a second team of other agents debates too: what agreement across the two leaves "
        "over is owed to talk",
    )
    shards: int = Field(
        1,
        ge=1,
        le=999,
        description="jobs that share a cell's items; where blocks overlap, the largest number counts",
    )

    @field_validator("null_teams")
    @classmethod
    def _null_teams_debate(cls, sizes: tuple[int, ...], rest: ValidationInfo) -> tuple[int, ...]:
        """A second team stands beside one that debates, at the same size."""
        allowed = sorted({n for n in rest.data.get("sizes", sizes) if n > 1})
        strangers = [n for n in sizes if n not in allowed]
        if strangers:
            raise ValueError(
                f"{strangers[0]} is not one of the block's 'sizes' of two and more ({', '.join(map(str, allowed))})"
            )
        if sizes and "debate" not in rest.data.get("conditions", ("debate",)):
            raise ValueError("a second team is for debate, and 'conditions' do not name it. Add 'debate' to them")
        return sizes

    @model_validator(mode="after")
    def _peers_exist(self) -> "Experiment":
        for peers in self.peers:
            if peers != "full" and peers >= max(self.sizes):
                raise ValueError(f"nobody can hear {peers} others: no team in 'sizes' is larger than {max(self.sizes)}")
        return self


class Protocol(Closed):
    """How agents are asked and what they see of each other."""

    dialect: Literal["ringelmann", "ledger"] = Field(
        "ringelmann",
        description="whose prompts and reading. ringelmann: answer first, peers cut short; ledger: a panel of experts "
        "who think first, see each other's answers and whole replies, and defend what they hold (choices only)",
    )
    snippet_tokens: int = Field(
        120, ge=8, description="a peer's answer is cut to this many tokens; in the ledger's dialect none is cut"
    )
    nesting: Literal["nested", "independent"] = Field(
        "nested", description="nested: a team of n is the first n agents; independent: new agents for every n"
    )
    items_in_flight: int = Field(64, ge=1, description="items worked on at once")


class Probing(Closed):
    """A screen of models: how readily each leaves its answer when somebody argues against it."""

    models: tuple[Name, ...] = Field(min_length=1, description="names of models")
    tasks: tuple[Name, ...] = Field(min_length=1, description="names of tasks; their questions must be choices")
    items: int | None = Field(None, ge=1, description="of each task, the first by hash; all by default")
    agents: int = Field(3, ge=1, description="agents a question; each answers first, and then meets eight probes")
    conditions: tuple[ProbeCondition, ...] = Field(
        PROBE_CONDITIONS, min_length=1, description="system prompts: neutral; weigh logic alone; trust a consensus"
    )
    replicates: int = Field(1, ge=1, description="independent repetitions of everything")


class Fitting(Closed):
    """How laws are fitted and how sure we are."""

    interval: Literal["jackknife_t", "percentile"] = Field(
        "jackknife_t",
        description="of every estimate. jackknife_t: items left out in groups, with Student's t; percentile: of the "
        "item bootstrap, which the paper's own readings have in any case",
    )
    bootstrap: int = Field(300, ge=0, description="item resamples behind a percentile interval; 0: no intervals at all")
    confidence: float = Field(0.95, gt=0, lt=1, description="level of every interval")
    missing_limit: float = Field(0.05, ge=0, le=1, description="cells with a larger share missing are flagged")
    seed: int = Field(0, description="of the resamples")


class Estimates(Closed):
    """What `headcount plan` assumes where nothing has been measured. Estimates only: no result depends on them."""

    question_tokens: int = Field(150, ge=1, description="question, choices and instructions")
    reply_tokens: int = Field(120, ge=1, description="a typical reply")
    thinking_tokens: int = Field(2000, ge=1, description="the same of a model that thinks first, thoughts included")
    tokens_per_second: int = Field(2000, ge=1, description="tokens of replies that one GPU writes a second")


class Calibration(Closed):
    """How long `snakemake calibration` tries intervals on simulated data whose truth is known. No run depends on it."""

    data_sets: int = Field(
        2000, ge=8, description="simulated data sets a population and number of items; 50 are a quick look"
    )


class Planning(Closed):
    """What the plan is made for that the smallest teams of a run give: `snakemake pilot`."""

    target: int = Field(30, ge=6, le=100, description="team size that the plan speaks of first")
    budget_tokens: float | None = Field(
        None, gt=0, description="tokens an item that one more effective agent may cost, prompts and replies"
    )
    budget_usd: float | None = Field(
        None, gt=0, description="the same in US dollars, of teams whose models all have `prices`"
    )
    budget_answers: float = Field(
        10, gt=0, description="where no budget is stated: so many times what one agent's first answer costs"
    )
