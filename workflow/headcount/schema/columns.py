"""Columns that several tables hold."""

import pyarrow as pa

from headcount.schema.table import LABEL, column, keys_of

# What an engine returned for one request. The text itself, never a summary of it.
RESPONSE = [
    *keys_of("request"),
    column("text", pa.string()),
    column("finish_reason", LABEL),  # stop, length, ...; as the server said
    column("token_ends", pa.list_(pa.int32()), null=True),  # character offset where each token ends
    column("token_logprobs", pa.list_(pa.float32()), null=True),
    column("prompt_tokens", pa.int32()),
    column("completion_tokens", pa.int32()),
    column("server", LABEL, null=True),  # what answered: engine, version, weights, device; null where nobody noted it
]

# What extraction made of one reply. The ledger's recodings need no text: rule, tags and truncation are kept.
EXTRACTED = [
    column("answer", pa.string(), null=True),
    column("status", LABEL),  # parsed, fallback, missing, truncated, ambiguous
    column("rule", LABEL),  # which rule of the chain found the answer; "" if none
    column("confidence", pa.float32(), null=True),  # 0-100, as the agent stated it
    column("n_tags", pa.int16()),
    column("tags_disagree", pa.bool_()),
    column("truncated", pa.bool_()),
    column("logprob", pa.float32(), null=True),  # sum over the tokens that spell the answer
    column("correct", pa.bool_(), null=True),  # null where there is no answer: missing is not wrong
]

INTERVAL = [
    column("value", pa.float64(), null=True),
    column("low", pa.float64(), null=True),
    column("high", pa.float64(), null=True),
    column("n_items", pa.int32()),
    column("simulated", pa.bool_()),
]
