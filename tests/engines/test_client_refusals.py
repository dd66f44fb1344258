"""A service that will not answer a question has answered it: with nothing. All else that is no answer is a failure."""

import pytest
from aiohttp import web
from asking import REQUEST, ask
from chat_server import completion

from headcount.errors import UserError
from headcount.extraction.extract import extract

FLAGGED = [
    (400, {"error": {"code": "content_filter", "message": "The response was filtered", "status": 400}}),
    (400, {"error": {"code": None, "innererror": {"code": "ResponsibleAIPolicyViolation"}}}),
    (400, {"error": {"type": "invalid_request_error", "code": "content_policy_violation"}}),
    (400, [{"error": {"code": 400, "status": "CONTENT-FILTER"}}]),
    (403, {"error": {"code": "moderation_blocked"}}),
]
NOT_FLAGGED = [
    (400, {"error": {"code": "invalid_value", "message": "content_filter is no parameter"}}),
    (400, {"error": {"code": "context_length_exceeded", "type": "invalid_request_error"}}),
    (401, {"error": {"code": "content_filter"}}),
    (400, "content_filter"),
    (400, 7),
    (422, None),
]


def saying(status, body):
    async def answer(_):
        return web.json_response(body, status=status)

    return answer


def is_missing(reply, n_options=4):
    found = extract(reply.text, "choice", n_options, finish_reason=reply.finish_reason)
    return (found.status, found.value) == ("missing", None)


@pytest.mark.parametrize(("status", "body"), FLAGGED)
def test_an_error_about_what_a_question_holds_is_an_answer_with_none_in_it(status, body):
    (reply,) = ask(saying(status, body), retries=0, server="api {model} at host")
    assert (reply.text, reply.finish_reason, reply.server) == ("", "content_filter", "api served at host")
    assert is_missing(reply)


def test_what_a_refusal_took_is_noted_where_it_is_said():
    usage = {"prompt_tokens": 9, "completion_tokens": 0, "total_tokens": 9}
    (reply,) = ask(saying(400, FLAGGED[0][1] | {"usage": usage}))
    assert (reply.prompt_tokens, reply.completion_tokens) == (9, 0)


@pytest.mark.parametrize(("status", "body"), NOT_FLAGGED)
def test_any_other_error_is_none(status, body):
    with pytest.raises(UserError, match=f"refused: {status} "):
        ask(saying(status, body))


@pytest.mark.parametrize(
    ("message", "finish", "noted"),
    [
        ({"content": None}, "content_filter", "content_filter"),
        ({}, "content_filter", "content_filter"),
        ({"content": None, "refusal": "I am sorry, but I cannot help with that."}, "stop", "content_filter"),
        ({"content": ""}, "stop", "stop"),
        ({}, "stop", "stop"),
    ],
)
def test_a_reply_without_words_is_an_answer_with_none_in_it(message, finish, noted):
    (reply,) = ask(saying(200, completion("", message=message, finish_reason=finish)), retries=0)
    assert (reply.text, reply.finish_reason) == ("", noted)
    assert is_missing(reply, n_options=10)  # "I" would be an option


def test_a_reply_that_was_all_thoughts_was_cut_off():
    (reply,) = ask(saying(200, completion("", message={"role": "assistant"}, finish_reason="length")), retries=0)
    assert extract(reply.text, "number", None, finish_reason=reply.finish_reason).status == "truncated"


def test_an_answer_beside_a_refusal_stays():
    message = {"content": "FINAL: B", "refusal": "I should not say so."}
    (reply,) = ask(saying(200, completion("", message=message)))
    assert (reply.text, reply.finish_reason) == ("FINAL: B", "stop")


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"choices": [{"message": {}}]}', b"\xff\xfe", b"1e999"])
def test_what_cannot_be_read_is_a_failure_whatever_it_is(body):
    async def answer(_):
        return web.Response(body=body)

    with pytest.raises(UserError, match=f"{REQUEST.place}.*failed 1 times: not a chat completion"):
        ask(answer, retries=0)
