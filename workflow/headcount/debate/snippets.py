"""A reply cut to a number of tokens, by the model's own tokenizer where the engine told where tokens end."""

from headcount.engines.request import Response

CHARACTERS_A_TOKEN = 4  # for servers that do not tell; English prose is near it


def length(response: Response) -> int:
    """Tokens of a reply."""
    if response.token_ends is not None:
        return len(response.token_ends)
    return -(-len(response.text) // CHARACTERS_A_TOKEN)


def cut(response: Response, tokens: int) -> str:
    """The first `tokens` tokens of a reply, without the white space around them."""
    ends = response.token_ends
    if ends is None:
        end = tokens * CHARACTERS_A_TOKEN
    elif len(ends) > tokens:
        end = ends[tokens - 1] if tokens else 0
    else:
        end = len(response.text)
    return response.text[:end].strip()
