"""From one row an agent to one row a team: what an item made of it."""

import pyarrow as pa

from headcount.schema.table import column, table

MEASURES = table(
    "measures",
    ["task", "condition", "item", "replicate", "n", "k", "round"],
    [
        column("n_valid", pa.int16()),
        column("n_distinct", pa.int16()),
        column("entropy", pa.float64(), null=True),  # bits
        column("n_eff_answer", pa.float64(), null=True),  # 2^entropy
        column("agreement", pa.float64(), null=True),  # share of equal pairs
        column("n_eff_agreement", pa.float64(), null=True),
        column("pairs", pa.int32()),  # of agents who both answered
        column("equal_pairs", pa.int32()),  # of them, those with one answer
        column("n_correct", pa.int16()),
        column("correct_pairs", pa.int32()),  # pairs of agents who are both right
        column("team_answer", pa.string(), null=True),
        column("team_correct", pa.bool_()),  # no answer at all is wrong, and counted
        column("expected_correct", pa.float64()),  # the same if ties were settled by chance, over all outcomes
        column("tie", pa.bool_()),
        column("unanimous", pa.bool_()),
        column("unanimous_wrong", pa.bool_()),
        column("prompt_tokens", pa.int64()),
        column("completion_tokens", pa.int64()),
    ],
)

# Where agents hear nobody, a team of n may be any n of them (of a mixed team, any with as many of each model as the
# first n have): the mean over all such teams, exactly. Round 1 of every task is here, under one condition.
SUBSETS = table(
    "subsets",
    ["task", "condition", "item", "replicate", "n", "k", "round"],
    [
        column("agents", pa.int16()),  # that teams are drawn from
        column("n_valid", pa.float64()),
        column("n_eff_answer", pa.float64(), null=True),
        column("agreement", pa.float64(), null=True),  # equal pairs / pairs
        column("n_eff_agreement", pa.float64(), null=True),
        column("pairs", pa.float64()),
        column("equal_pairs", pa.float64()),
        column("n_correct", pa.float64()),
        column("correct_pairs", pa.float64()),
        column("team_correct", pa.float64(), null=True),  # ties settled by chance, over all outcomes
        column("unanimous", pa.float64()),
        column("unanimous_wrong", pa.float64()),
    ],
)

# What a revision changed, in numbers of agents with an answer in both rounds.
MOVES = table(
    "moves",
    ["task", "condition", "item", "replicate", "n", "k", "round"],
    [
        # from the round before to this one
        column("correct_before", pa.int16()),
        column("wrong_before", pa.int16()),
        column("correct_to_wrong", pa.int16()),
        column("wrong_to_correct", pa.int16()),
        column("correct_facing_wrong", pa.int16()),  # correct agents whose other agents' plurality is wrong
        column("correct_yielded", pa.int16()),  # of them, those who now give that answer
        column("wrong_facing_correct", pa.int16()),  # wrong agents whose other agents' plurality is correct
        column("wrong_learned", pa.int16()),  # of them, those who now are correct
        # from round 1 to this one
        column("correct_first", pa.int16()),
        column("wrong_first", pa.int16()),
        column("correct_to_wrong_first", pa.int16()),
        column("wrong_to_correct_first", pa.int16()),
        column("modal", pa.int16()),  # agents who gave the team's round-1 plurality answer
        column("modal_stayed", pa.int16()),
        column("nonmodal", pa.int16()),
        column("nonmodal_to_modal", pa.int16()),
        column("mode_changed", pa.bool_()),  # the plurality answer is another than in round 1
    ],
)

# Pairs of agents of a mixed team by the families of their models; family <= family_other.
BLOCKS = table(
    "blocks",
    ["task", "condition", "item", "replicate", "n", "k", "round", "family", "family_other"],
    [column("pairs", pa.int32()), column("equal_pairs", pa.int32())],
)

# What a team would have said by other rules than plurality, in rounds that are the last of some (n, k).
VOTES = table(
    "votes",
    ["task", "condition", "item", "replicate", "n", "k", "round", "rule"],
    [
        column("answer", pa.string(), null=True),
        column("correct", pa.bool_()),  # no answer is wrong, and counted
        column("n_votes", pa.int16()),  # that the rule counts
        column("n_eff", pa.float64(), null=True),  # 2^H of the weighted shares of the votes that it counts
    ],
)

# Of teams that were run twice or more with other agents each time: pairs of one team, and of agents of two.
CROSS_PAIRS = table(
    "cross_pairs",
    ["task", "condition", "item", "n", "k", "round"],
    [
        column("replicates", pa.int16()),  # teams of n; all counts are sums over them
        column("n_valid", pa.int32()),
        column("n_correct", pa.int32()),
        column("pairs", pa.int32()),  # of agents of one team who both answered
        column("equal_pairs", pa.int32()),
        column("correct_pairs", pa.int32()),
        column("right_in_pairs", pa.float64()),  # pairs of one team whose first agent is right, over both orders
        column("cross_pairs", pa.int32()),  # of agents of two teams who both answered
        column("equal_cross_pairs", pa.int32()),
        column("correct_cross_pairs", pa.int32()),
    ],
)
