"""Replies cut to a number of tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.debate.snippets import CHARACTERS_A_TOKEN, cut, length
from headcount.engines.request import Response


def reply(*tokens):
    ends = tuple(len("".join(tokens[: i + 1])) for i in range(len(tokens)))
    return Response("".join(tokens), "stop", 1, len(tokens), ends)


@given(st.lists(st.text(min_size=1, max_size=4), max_size=12), st.integers(0, 15))
def test_a_cut_is_the_first_tokens_whole(tokens, limit):
    assert cut(reply(*tokens), limit) == "".join(tokens[:limit]).strip()
    assert length(reply(*tokens)) == len(tokens)


@pytest.mark.parametrize(("limit", "text"), [(0, ""), (1, "Ünï"), (2, "Ünï"), (3, "Ünï 😀"), (9, "Ünï 😀 ok")])
def test_offsets_are_characters_also_where_a_token_ends_inside_one(limit, text):
    """The second and third token are halves of an emoji: the first half ends before it."""
    assert cut(Response("Ünï 😀 ok", "stop", 1, 4, (3, 4, 5, 8)), limit) == text


@given(st.text(max_size=50), st.integers(0, 20))
def test_without_token_ends_a_token_is_four_characters(text, limit):
    response = Response(text, "stop", 1, 1)
    assert cut(response, limit) == text[: limit * CHARACTERS_A_TOKEN].strip()
    assert cut(response, length(response)) == text.strip()
