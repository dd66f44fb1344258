"""The words put to an expert on a panel: the ledger's dialect (arXiv 2609.35279, section 3), in words of our own.

An expert thinks first and states a letter in the last line. In a debate all see all: each one's answer, as we read it,
and whole reply of the round before, the reader's own among them. So the experts of a panel read the same text but for
who they are, and engines can reuse it.
"""

from collections.abc import Iterable

from headcount.debate.prompts import Messages, Peer, template
from headcount.engines.questions import Question
from headcount.errors import UserError
from headcount.extraction.extract import extract

UNCLEAR = "unclear"  # what others are told of a reply without an answer that can be read
_SYSTEM = "You are an expert in a structured debate."


def first(item: Question) -> Messages:
    """The prompt of round 1."""
    text = template("panel_first.j2").render(question=question(item), letters=item.letters)
    return (("user", text),)


def revision(item: Question, own: Peer, peers: Iterable[Peer]) -> Messages:
    """The prompt of a later round: all replies of the one before, the reader's own once, and the question again."""
    voices = {peer.agent: peer for peer in (*peers, own)}
    experts = [
        {"agent": agent, "answer": stated(item, voices[agent].text) or UNCLEAR, "text": voices[agent].text}
        for agent in sorted(voices)
    ]
    text = template("panel_revision.j2").render(
        experts=experts, own=own.agent, question=question(item), letters=item.letters
    )
    return (("system", _SYSTEM), ("user", text))


def grammar(item: Question, characters: int) -> str:
    """A GBNF grammar that admits a line of thought and the line that states the answer."""
    return template("panel.gbnf.j2").render(letters=item.letters, characters=characters)


def question(item: Question) -> str:
    """A question and its options."""
    if not item.choices:
        raise UserError(f"item {item.id}: asks for no option, and the ledger's prompts ask for a letter.")
    choices = list(zip(item.letters, item.choices, strict=True))
    return template("panel_question.j2").render(question=item.question, choices=choices)


def stated(item: Question, text: str) -> str | None:
    """The option that a reply states, as the ledger reads it."""
    return extract(text, "choice", len(item.letters), "ledger").value
