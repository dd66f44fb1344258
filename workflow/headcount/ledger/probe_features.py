"""What probes said of a question before its debate, as features that a gate may read.

A question's own features know no right answer. A question's own adversarial and corrective rates would: one is defined
where the model was right, the other where it was wrong. They are therefore the model's, over all questions that it was
probed with, and need right answers to those.
"""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from headcount.ledger.flips import channels, flip_rates
from headcount.ledger.screens import DEFAULT
from headcount.schema import PROBES
from headcount.store import plain, read

KEYS = ["model", "task", "item"]
OF_QUESTION = ["probe_mean_fr", "s_soc", "s_arg"]
OF_MODEL = ["alpha_adv", "alpha_cor"]
PRE_DEBATE_PROBED = [*OF_QUESTION, "probe_x_init_split"]  # with the first answers, nothing later, and no right answer
PROBED = ["probe_mean_fr", "probe_x_changed", "probe_x_flip_frac", "probe_x_init_split"]  # what replay adds, R1 over


def read_probe_features(files: Iterable[Path]) -> pd.DataFrame:
    """`probe_features` of the probes in some files, each of a model and task; without a row where there is none."""
    frames = [plain(read(path, PROBES)) for path in files]
    return probe_features(pd.concat([pd.DataFrame(columns=PROBES.schema.names).astype(object), *frames]))


def probe_features(probes: pd.DataFrame) -> pd.DataFrame:
    """Features of every question that a model was probed with, in the default condition.

    Args:
        probes: see `flips`; of any models and tasks, or none.

    Returns:
        one row for each of `KEYS`: `probe_mean_fr`, `s_soc`, `s_arg`, means over the question's agents and replicates
        of `flips.flip_rates`; `alpha_adv`, `alpha_cor` of `flips.channels`, pooled over the model's probes. Replies
        without an answer are dropped; NaN where none is left.
    """
    default = probes[probes["condition"] == DEFAULT]
    rates = flip_rates(default).rename(columns={"flip_rate": "probe_mean_fr"})
    questions = rates.groupby(KEYS, sort=True, observed=True)[OF_QUESTION].mean().reset_index()
    pooled = channels(default)[["model", *OF_MODEL]]
    return questions.merge(pooled, on="model", how="left", validate="many_to_one")


def with_probes(debates: pd.DataFrame, probed: pd.DataFrame) -> pd.DataFrame:
    """Debates with what probes said before them.

    Args:
        debates: rows with `KEYS` and columns of `trajectories`.
        probed: rows of `probe_features`.

    Returns:
        the same rows in their order with `OF_QUESTION`, `OF_MODEL` and `PROBED`; NaN where the model was not probed
        with the question.
    """
    rows = debates.merge(probed[[*KEYS, *OF_QUESTION, *OF_MODEL]], on=KEYS, how="left", validate="many_to_one")
    rate = rows["probe_mean_fr"]
    return rows.assign(
        probe_x_changed=rate * rows["r1_majority_changed"],
        probe_x_flip_frac=rate * rows["r1_flip_frac"],
        probe_x_init_split=rate * (1 - rows["init_agree_frac"]),
    )
