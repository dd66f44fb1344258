"""Whose prompts a run uses: the Ringelmann paper's, or the ledger's."""

from collections.abc import Callable
from dataclasses import dataclass

from headcount.debate import panel, prompts
from headcount.debate.prompts import Messages, Peer
from headcount.engines.questions import Question
from headcount.extraction.reading import Dialect as Name


@dataclass(frozen=True)
class Dialect:
    """How agents are asked.

    Attributes:
        first: the prompt of round 1.
        revision: that of a later round, from the agent's own last reply and those that it hears.
        grammar: of a reply, where the engine can hold it to one; the number is that of its longest reasons.
        cuts: whether a reply is cut to the protocol's `snippet_tokens` before it is shown.
    """

    first: Callable[[Question], Messages]
    revision: Callable[[Question, Peer, tuple[Peer, ...]], Messages]
    grammar: Callable[[Question, int], str]
    cuts: bool


def _revision(item: Question, own: Peer, peers: tuple[Peer, ...]) -> Messages:
    return prompts.revision(item, own.text, peers)


DIALECTS: dict[Name, Dialect] = {
    "ringelmann": Dialect(prompts.first, _revision, prompts.grammar, cuts=True),
    "ledger": Dialect(panel.first, panel.revision, panel.grammar, cuts=False),
}
