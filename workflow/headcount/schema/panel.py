"""What a panel of different models says, by other rules than plurality, and how far its agreement can be trusted."""

import pyarrow as pa

from headcount.schema.columns import INTERVAL
from headcount.schema.table import LABEL, column, table

# A panel is one agent of each model; a rule makes one answer of theirs without knowing the right one.
CROWD = table(
    "crowd",
    ["team", "task", "condition", "round", "rule"],
    [
        column("models", pa.int16()),
        column("unanswered", pa.int32()),  # items that no model answered: wrong, and counted
        *INTERVAL,  # of the accuracy
        column("difference", pa.float64(), null=True),  # from plurality, on the same items
        column("difference_low", pa.float64(), null=True),
        column("difference_high", pa.float64(), null=True),
    ],
)

# The model that is best on one half of the items, on the other half. Split 0 (half 0): the mean over all splits.
BEST_MEMBER = table(
    "best_member",
    ["team", "task", "condition", "round", "split", "half", "rule"],
    [
        column("member", LABEL, null=True),  # the model chosen on the other half; null where many are chosen
        *INTERVAL,  # of the accuracy of the rule, or of the member, on this half
        column("difference", pa.float64(), null=True),  # the member's accuracy minus the rule's, on the same items
        column("difference_low", pa.float64(), null=True),
        column("difference_high", pa.float64(), null=True),
    ],
)

# Teams by the share of their valid votes that the leading answer has. Bin 0: all of them.
CALIBRATION = table(
    "calibration",
    ["team", "task", "condition", "peers", "round", "n", "bin"],
    [
        column("share_low", pa.float64()),  # a bin holds shares above this
        column("share_high", pa.float64()),  # and up to this
        column("items", pa.int32()),  # a repetition of an item counts by itself
        column("share", pa.float64(), null=True),  # mean over the bin: the confidence
        column("accuracy", pa.float64(), null=True),  # ties settled by chance, over all outcomes
        column("accuracy_low", pa.float64(), null=True),
        column("accuracy_high", pa.float64(), null=True),
        column("error", pa.float64(), null=True),  # |share - accuracy|; bin 0: its mean over bins, weighted by items
        column("unanimous_wrong", pa.float64(), null=True),  # share of teams that agree and are wrong
        column("simulated", pa.bool_()),
    ],
)
