"""A reply cut to a number of tokens, by the model's own tokenizer where the engine told where tokens end."""

from headcount.engines.request import Response

THOUGHT_END = "</think>"  # as reasoning models mark it
CHARACTERS_A_TOKEN = 4  # for servers that do not tell; English prose is near it


def length(response: Response) -> int:
    """Tokens of a reply, thoughts left out."""
    start, ends = _spoken(response)
    return -(-(len(response.text) - start) // CHARACTERS_A_TOKEN) if ends is None else len(ends)


def cut(response: Response, tokens: int) -> str:
    """The first `tokens` tokens of a reply, without thoughts, and without the white space around them."""
    start, ends = _spoken(response)
    if ends is None:
        end = start + tokens * CHARACTERS_A_TOKEN
    elif len(ends) > tokens:
        end = ends[tokens - 1] if tokens else start
    else:
        end = len(response.text)
    return response.text[start:end].strip()


def _spoken(response: Response) -> tuple[int, tuple[int, ...] | None]:
    """Where a reply's thoughts end and it speaks, and the ends of the tokens from there on, if they are told."""
    thought = response.text.rfind(THOUGHT_END)
    if thought < 0:
        return 0, response.token_ends
    start = thought + len(THOUGHT_END)
    ends = response.token_ends
    return start, None if ends is None else tuple(end for end in ends if end > start)
