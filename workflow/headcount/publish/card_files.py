"""The cards of a run as its manifest has them: what each is made from, and the code behind it."""

from collections.abc import Iterator

from headcount.config import Config
from headcount.debate.planner import Plan
from headcount.publish.card_subjects import subjects

CODE = ("headcount.publish.ledger_card", "publish/templates")
NUMBERS = ("ledger_rates", "gate_outcomes", "ledger_costs")


def card_files(config: Config, planned: Plan) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each card, and the files it is made from."""
    for subject in subjects(config, planned):
        made_from = (*(f"{name}.parquet" for name in NUMBERS), *subject.files(config))
        for kind in ("html", "json"):
            yield f"cards/{subject.model}.{kind}", made_from
