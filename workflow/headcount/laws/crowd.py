"""A panel's accuracy by every rule, and against its best member, chosen on other items than it is scored on.

Rules see all items and no right answer; the best member is chosen by right answers, so on one half of the items it is
chosen and on the other scored. Intervals resample items. What a rule has learnt stays as it is; who is best is chosen
anew in every resample.
"""

from collections.abc import Collection, Iterator, Mapping

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.panels import Weighed, as_table, weighed_panels
from headcount.laws.settings import FitSettings
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.crowd import CROWD_RULES, best_of, crowd_answers, halves, scored
from headcount.measures.intervals import Estimator, bootstrap_means
from headcount.measures.panel import Panel
from headcount.schema import BEST_MEMBER, CROWD

SPLITS = 10
ALL_SPLITS = 0
MEMBER = "best_member"


def crowd_run(
    answers: Mapping[str, pa.Table],
    settings: FitSettings,
    simulated: Collection[str] = (),
    rules: Collection[str] = tuple(CROWD_RULES),
) -> tuple[pa.Table, pa.Table]:
    """Rules and best members of every panel of a run.

    Args:
        answers: rows of `schema.ANSWERS` by team; teams of one model have no panel, and no rows.
        settings: how sure we are, as in `fit_run`.
        simulated: teams whose answers no model gave.
        rules: names in CROWD_RULES, to stand beside plurality.

    Returns:
        rows of `schema.CROWD` and of `schema.BEST_MEMBER`. Items that nobody answered are wrong, and so are those that
        a member did not answer.
    """
    crowd, members = [], []
    # Who is best changes by leaps with the items, so that leaving out groups of them would not show how unsure it is.
    for weighed in weighed_panels(answers, settings.paper):
        key = weighed.key | {"simulated": weighed.team in simulated}
        said = rule_answers(weighed.panel, rules)
        right = np.stack([weighed.panel.right(code) for code in said.values()], axis=1)
        unanswered = int((weighed.panel.answer < 0).all(axis=1).sum())
        about = {"models": len(weighed.panel.models), "unanswered": unanswered, "n_items": weighed.n_items}
        crowd.append(_rules(weighed, list(said), right).assign(**about, **key))
        members += [frame.assign(**key) for frame in _members(weighed, list(said), right)]
    return as_table(crowd, CROWD), as_table(members, BEST_MEMBER)


def rule_answers(panel: Panel, rules: Collection[str]) -> dict[str, IntArray]:
    """What each rule that applies makes of a panel: codes, (rows,); plurality first."""
    learnt = {rule: crowd_answers(panel.answer, rule) for rule in rules}
    return {"plurality": panel.plurality()} | {rule: code for rule, code in learnt.items() if code is not None}


def _rules(weighed: Weighed, rules: list[str], right: BoolArray) -> pd.DataFrame:
    """Accuracy of each rule, and its difference from plurality, the first."""
    numbers = weighed.estimate(
        weighed.panel.item_means(right), lambda means: np.concatenate([means, means - means[:, :1]], axis=1)
    )
    (value, difference), (low, low_of), (high, high_of) = (np.split(part, 2) for part in numbers)
    frame = pd.DataFrame({"rule": rules, "value": value, "low": low, "high": high})
    return frame.assign(difference=difference, difference_low=low_of, difference_high=high_of)


def _members(weighed: Weighed, rules: list[str], right: BoolArray) -> Iterator[pd.DataFrame]:
    """The best member against the rules: all splits together first, then each half of each split."""
    panel = weighed.panel
    second = halves(panel.items, SPLITS)
    here = np.stack([~second, second], axis=1)  # (splits, halves, items): the items that a half is scored on
    values = panel.item_means(np.concatenate([panel.correct, right], axis=1))
    in_half = np.where(here[..., None], values, np.nan)  # (splits, halves, items, members and rules)
    columns = np.moveaxis(in_half, 2, 0).reshape(len(panel.items), -1)
    estimator = _best(len(panel.models), len(rules))
    numbers = [part.reshape(-1, 2, len(rules) + 1) for part in weighed.estimate(columns, estimator)]
    means = bootstrap_means(columns, np.ones((1, len(columns))))
    chosen = _chosen(means.reshape(SPLITS, 2, -1)[..., : len(panel.models)])
    n_items = (here & np.isfinite(values[:, 0])).sum(axis=2)
    label = {"rule": [MEMBER, *rules]}
    yield _frame(label, [part[0] for part in numbers]).assign(
        split=ALL_SPLITS, half=0, member=None, n_items=weighed.n_items
    )
    for split, half in np.ndindex(SPLITS, 2):
        place = int(chosen[split, half])
        yield _frame(label, [part[1 + 2 * split + half] for part in numbers]).assign(
            split=split + 1,
            half=half + 1,
            member=panel.models[place] if place >= 0 else None,
            n_items=int(n_items[split, half]),
        )


def _frame(label: dict[str, list[str]], numbers: list[FloatArray]) -> pd.DataFrame:
    """Accuracies and differences, each (2, rules), with both ends."""
    frame = pd.DataFrame(label)
    for name, (accuracy, difference) in zip(("", "_low", "_high"), numbers, strict=True):
        frame[name.removeprefix("_") or "value"] = accuracy
        frame[f"difference{name}"] = difference
    return frame


def _best(members: int, rules: int) -> Estimator:
    """Means (draws, splits x halves x (members and rules)) -> accuracies and the member's lead over each.

    Parameters are (places, 2, 1 + rules): over all splits, then each half of each; accuracy and difference; the member
    and the rules.
    """

    def estimate(means: FloatArray) -> FloatArray:
        by_half = means.reshape(len(means), SPLITS, 2, members + rules)
        of_members, of_rules = by_half[..., :members], by_half[..., members:]
        member = scored(of_members, _chosen(of_members))[..., None]
        accuracy = np.concatenate([member, np.where(np.isnan(member), np.nan, of_rules)], axis=-1)
        numbers = np.stack([accuracy, member - accuracy], axis=-2)  # (draws, splits, halves, 2, 1 + rules)
        whole = numbers.mean(axis=(1, 2))[:, None]
        every = np.concatenate([whole, numbers.reshape(len(means), 2 * SPLITS, 2, 1 + rules)], axis=1)
        return every.reshape(len(means), (1 + 2 * SPLITS) * 2 * (1 + rules))

    return estimate


def _chosen(accuracy: FloatArray) -> IntArray:
    """The member that is best on the other half: from (..., halves, members) to (..., halves)."""
    return best_of(accuracy[..., ::-1, :])
