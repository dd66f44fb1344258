"""How fast engines are taken to be, where nothing was measured: plans and cost cards say by what they estimate."""

from headcount.config import Config, Model

READING = 10  # prompts are read so many times faster than replies are written

_STREAM = 50  # tokens a second of one reply of a hosted model
_PROCESSORS = 100  # of a small model on processors
_SIMULATED = 1_000_000


def tokens_per_second(config: Config, model: Model) -> float:
    """Tokens of replies that a model's engine is taken to write a second."""
    match model.engine:
        case "vllm":
            return config.estimates.tokens_per_second * model.gpus
        case "api":
            return _STREAM * model.concurrency
        case "llamacpp":
            return _PROCESSORS
        case _:
            return _SIMULATED
