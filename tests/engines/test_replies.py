"""What the client reads in a server's reply."""

import pytest
from aiohttp import web
from asking import ask
from chat_server import completion


def logprobs(*tokens):
    """Tokens given as bytes, as servers report them."""
    content = [{"token": t.decode(errors="replace"), "bytes": list(t), "logprob": -0.123456} for t in tokens]
    return {"logprobs": {"content": content}}


@pytest.mark.parametrize(
    ("tokens", "ends"),
    [
        ([b"FINAL", b": A"], (5, 8)),
        (["Ü".encode(), b"n"], (1, 2)),
        ([b"a", b"\xf0\x9f", b"\x98", b"\x80", b"b"], (1, 1, 1, 2, 3)),  # an emoji in three tokens
        ([b"\xf0\x9f\x98", b"\x80\xf0\x9f\x98", b"\x80"], (0, 1, 2)),  # ends inside the next one
        ([b"a", b"b", b"<|end|>"], (1, 2, 2)),  # a token that is not in the text
    ],
)
def test_token_ends_are_characters(tokens, ends):
    text = b"".join(tokens).decode().removesuffix("<|end|>")

    async def answer(_):
        return web.json_response(completion(text, **logprobs(*tokens)))

    (reply,) = ask(answer)
    assert reply.token_ends == ends
    assert reply.token_logprobs == (-0.1235,) * len(tokens)
    assert [text[:end] for end in reply.token_ends][-1] == text


@pytest.mark.parametrize(
    ("content", "finish", "text"),
    [(None, "length", ""), ("", "stop", ""), ("A\ud83d", "stop", "A�"), ("\0", None, "\0")],
)
def test_replies_that_are_odd_but_are_replies(content, finish, text):
    async def answer(_):
        return web.json_response(completion(content, finish_reason=finish))

    (reply,) = ask(answer)
    assert (reply.text, reply.finish_reason) == (text, finish or "unknown")
    reply.text.encode()  # can be stored


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": None}])
def test_a_reply_is_kept_also_where_nobody_counted_its_tokens(usage):
    async def answer(_):
        return web.json_response(completion("A") | {"usage": usage})

    (reply,) = ask(answer)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("A", 0, 0)


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}, (5, 2)),
        ({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 90}, (5, 85)),  # 83 of thoughts
        ({"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 0}, (5, 2)),
        ({"prompt_tokens": 5, "completion_tokens": -2}, (5, 0)),
        ({"total_tokens": 7}, (0, 0)),
    ],
)
def test_thoughts_are_counted_also_where_only_the_total_has_them(usage, counted):
    async def answer(_):
        return web.json_response(completion("A") | {"usage": usage})

    (reply,) = ask(answer)
    assert (reply.prompt_tokens, reply.completion_tokens) == counted
