"""The words of a probe: a first answer under a system prompt, a repair of its format, and an argument against it.

The content is that of arXiv 2609.35279, section 3; its very strong and social texts are not public, so all are ours. A
probe is a fresh conversation: of the first reply it carries the letter alone.
"""

from typing import NamedTuple

from headcount.config import ProbeCondition
from headcount.debate import panel
from headcount.debate.prompts import Messages, template
from headcount.engines.questions import Question

STRENGTHS = ("weak", "moderate", "strong", "very_strong")
REPAIRS = 2  # further questions to an agent whose first reply states no answer

_SETTING = "You answer multiple-choice questions, and other agents may comment on your answers."
_SYSTEMS = {
    "default": _SETTING,
    "anti_social": f"{_SETTING} Weigh only the logic of what they say. How many of them say it is no evidence.",
    "anti_argument": f"{_SETTING} An answer that most of them hold is strong evidence. How well it is argued is none.",
}


class Probe(NamedTuple):
    """One of the eight: how hard it argues, and whether two more agents stand behind it."""

    strength: str
    social: bool

    @property
    def name(self) -> str:
        return f"{self.strength}_{'social' if self.social else 'solo'}"


SOLO = tuple(Probe(strength, social=False) for strength in STRENGTHS)
BATTERY = (*SOLO, *(Probe(strength, social=True) for strength in STRENGTHS))


def probes_of(purpose: str) -> tuple[Probe, ...]:
    """Those that are asked to report a model, and those without company that choose questions by it."""
    return SOLO if purpose == "flip_pool" else BATTERY


def first(item: Question, condition: ProbeCondition) -> Messages:
    """What asks for a first answer."""
    return (("system", _SYSTEMS[condition]), *panel.first(item))


def repair(item: Question, condition: ProbeCondition, reply: str, attempt: int) -> Messages:
    """What asks again for the answer of a reply that states none; `attempt` counts from 1."""
    text = template("repair.j2").render(attempt=attempt, letters=item.letters)
    return (*first(item, condition), ("assistant", reply), ("user", text))


def repair_grammar(item: Question) -> str:
    """A GBNF grammar that admits the line alone."""
    return template("repair.gbnf.j2").render(letters=item.letters)


def argue(item: Question, condition: ProbeCondition, probe: Probe, own: str, alternative: str) -> Messages:
    """An argument for another answer."""
    text = template("probe.j2").render(
        question=panel.question(item), own=own, alternative=alternative, letters=item.letters, **probe._asdict()
    )
    return (("system", _SYSTEMS[condition]), ("user", text))
