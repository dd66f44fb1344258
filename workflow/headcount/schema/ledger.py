"""The ledger: transitions and their rates, probes and gates."""

from typing import Literal

import pyarrow as pa

from headcount.schema.columns import EXTRACTED, RESPONSE
from headcount.schema.table import LABEL, column, table

# Other codings of a debate, each a transition of its own; what they mean is in `headcount.ledger.codings`.
CODINGS = (
    *("undefined_wrong", "undefined_final_wrong"),
    *("reverse_alphabetical", "strict_plurality", "keep_previous"),
    *("no_fallback", "tag_only"),
)

# What discussion repaired and what it destroyed: a team and item, from round 1 to each later round, its endpoint.
TRANSITIONS = table(
    "transitions",
    ["team", "task", "condition", "item", "replicate", "n", "k", "round"],
    [
        column("initial_answer", pa.string(), null=True),
        column("final_answer", pa.string(), null=True),
        column("initial_correct", pa.bool_(), null=True),  # null where there is no majority
        column("final_correct", pa.bool_(), null=True),
        column("initial_tie", pa.bool_()),
        column("final_tie", pa.bool_()),
        column("initial_parsed", pa.int16()),
        column("final_parsed", pa.int16()),
        column("initial_top", pa.int16()),  # votes for the answer
        column("final_top", pa.int16()),
        column("transition", LABEL),  # preserved, collapse, correction, unrepaired, unlabelled
        *(column(coding, LABEL, null=True) for coding in CODINGS),  # null where the answers do not tell
        column("initial_chance", pa.float64(), null=True),  # of being right if a tie goes to each answer alike
        column("final_chance", pa.float64(), null=True),
        column("initial_could", LABEL),  # right, wrong, either: what missing answers could make of the majority
        column("final_could", LABEL),
        # Of rows that were right at first and are not at the endpoint; rounds from 2.
        column("onset_round", pa.int16(), null=True),  # the first that is not right, an undefined one included
        column("onset_defined", pa.int16(), null=True),  # the first whose majority is wrong
        column("onset_lasting", pa.int16(), null=True),  # the first after the last right one
        column("transient_break", pa.bool_()),  # right at both ends, and not in some round between
        column("answered_twice", pa.int16()),  # agents with an answer in round 1 and at the endpoint
        column("changed_answers", pa.int16()),  # of them, those whose answers differ
        column("majority_flip", pa.bool_(), null=True),
    ],
)

# What an independent re-draw of the team would show: two teams without a common draw, from round-1 answers alone.
REDRAWS = table(
    "redraws",
    ["team", "task", "item", "n"],
    [
        column("draws", pa.int32()),  # that teams are made from
        column("pairs", pa.int32()),  # of teams that were looked at
        column("exact", pa.bool_()),  # these are all that there are
        # Shares of the pairs, the first team's majority and then the second's.
        column("preserved", pa.float64()),
        column("collapse", pa.float64()),
        column("correction", pa.float64()),
        column("unrepaired", pa.float64()),
        column("unlabelled", pa.float64()),
    ],
)

# Every rate of a cell, under every coding.
LEDGER_RATES = table(
    "ledger_rates",
    ["team", "task", "condition", "n", "k", "round", "coding", "quantity"],
    [
        column("events", pa.float64(), null=True),  # whole unless ties go to chance
        column("base", pa.float64(), null=True),  # what they are counted among
        column("value", pa.float64(), null=True),
        column("wilson_low", pa.float64(), null=True),
        column("wilson_high", pa.float64(), null=True),
        column("jeffreys_low", pa.float64(), null=True),
        column("jeffreys_high", pa.float64(), null=True),
        column("low", pa.float64(), null=True),  # items resampled
        column("high", pa.float64(), null=True),
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)

# How many debates have one label by the primary coding and another by a different one.
LEDGER_STABILITY = table(
    "ledger_stability",
    ["team", "task", "condition", "n", "k", "round", "coding", "transition", "recoded"],
    [column("debates", pa.int32()), column("simulated", pa.bool_())],
)

# What the probe battery said: an agent's first answer, what repaired its format, and its reply to each probe.
PROBE_REPLIES = table(
    "probe_replies",
    ["condition", "item", "replicate", "agent", "probe"],  # probe: initial, repair_1, repair_2, weak_solo, ...
    [column("alternative", pa.string(), null=True), *RESPONSE],  # what a probe argued for
)

# The same without texts: a row a probe, also of an agent whose first answer could not be read and who was asked none.
PROBES = table(
    "probes",
    ["model", "task", "condition", "item", "replicate", "agent", "probe"],
    [
        column("temperature", pa.float32(), null=True),  # of the first answer; null where others asked, and did not say
        column("strength", LABEL),  # weak, moderate, strong, very_strong
        column("social", pa.bool_()),
        column("initial_answer", pa.string(), null=True),
        column("initial_correct", pa.bool_(), null=True),
        column("initial_repaired", pa.bool_()),  # it took a further question to read it
        column("initial_request", pa.string()),  # of the reply that it was read from, or of the first
        column("initial_calls", pa.int16()),  # the first question and the repairs, the same in all rows of an agent
        column("initial_prompt_tokens", pa.int32()),
        column("initial_completion_tokens", pa.int32()),
        column("alternative", pa.string(), null=True),
        column("alternative_is_gold", pa.bool_(), null=True),
        column("flip", pa.bool_(), null=True),  # null where the reply has no answer
        column("request", pa.string()),  # "" where nothing was asked, or others asked
        *EXTRACTED,
        column("prompt_tokens", pa.int32()),
        column("completion_tokens", pa.int32()),
    ],
)

ALL = "(all)"  # teams or tasks taken together: no name that a configuration may hold

# What a gate decides by; all that stands before it is known too, but probes, which cost more than to look.
Knows = Literal[
    "nothing",
    "first_answers",
    "probes",  # of the question, before the debate, and the first answers
    "round_1",  # R1, the first round of discussion
    "probes_round_1",
    "in_sample",  # how the debates ended that it is scored on: its threshold was chosen on them
    "end",  # how each debate ends: a bound
    "file",  # somebody else's: their file says nothing about it
]

# What each gate would have done with the labelled debates of a cell, or of all teams and tasks; by endpoint.
UTILITY_WEIGHTS = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0)  # of a collapse, in corrections; the published ladder is unknown
UTILITIES = tuple(f"utility_{weight:g}".replace(".", "_") for weight in UTILITY_WEIGHTS)

GATE_OUTCOMES = table(
    "gate_outcomes",
    ["team", "task", "condition", "n", "k", "round", "gate"],
    [
        column("knows", LABEL),
        column("models", pa.int16()),  # that it could be learned from: those with enough debates of this shape
        column("rule", pa.string(), null=True),  # learned on all other models, or chosen in sample; null where neither
        column("debates", pa.int32()),  # with a majority at both ends: what every gate is scored on
        column("collapses", pa.int32()),
        column("corrections", pa.int32()),
        column("right", pa.int32()),  # at the end, without a gate
        # Of the gate; null where it could not be learned.
        column("fired", pa.int32(), null=True),
        column("prevented", pa.int32(), null=True),
        column("lost", pa.int32(), null=True),
        column("broken", pa.int32(), null=True),
        column("repaired", pa.int32(), null=True),
        column("net", pa.int32(), null=True),
        column("accuracy", pa.float64(), null=True),
        column("break_even", pa.float64(), null=True),  # lost / prevented
        column("break_even_low", pa.float64(), null=True),  # as if debates were independent
        column("break_even_high", pa.float64(), null=True),
        # A debate, of a collapse that weighs so many corrections; at 1 the accuracy gained. Questions resampled.
        *(column(f"{name}{end}", pa.float64(), null=True) for name in UTILITIES for end in ("", "_low", "_high")),
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)

# How well what is seen before the end tells a collapse, among debates that were right at first.
LOCALISATION = table(
    "localisation",
    ["team", "condition", "n", "k", "round", "folds", "features"],
    [
        column("auc", pa.float64(), null=True),  # out of fold, pooled; null where nothing or everything collapsed
        column("low", pa.float64(), null=True),  # questions resampled
        column("high", pa.float64(), null=True),
        column("gain", pa.float64(), null=True),  # over the first set of features
        column("gain_low", pa.float64(), null=True),
        column("gain_high", pa.float64(), null=True),
        column("debates", pa.int32()),
        column("collapses", pa.int32()),
        column("probed", pa.int32()),  # of these debates, those whose question its model was probed with
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)
