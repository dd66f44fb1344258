"""What the crowdsourcing literature makes of a panel's answers: rules that learn from the answers alone who is good.

The rules are crowd-kit's (`crowdkit.aggregation`), with its defaults. None sees a right answer: workers are weighed by
how they agree with each other. `crowdkit` is imported inside functions, as that takes seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.seeds import digest

if TYPE_CHECKING:
    import pandas as pd

MOST_CLASSES = 26  # letters; free-form answers are no classes that a worker could confuse


@dataclass(frozen=True)
class Rule:
    """A way to make one answer of a panel's.

    Attributes:
        labels: votes, with columns task, worker and label and one row an answer -> the label of each task; None
            where the rule finds none.
        classes: whether it models the answers as classes that all tasks share.
    """

    labels: "Callable[[pd.DataFrame], pd.Series[int] | None]"
    classes: bool = False


def crowd_answers(answer: IntArray, rule: str) -> IntArray | None:
    """What a rule makes of the answers of a panel.

    An answer's code is its place in sorted order (`Panel.answers`), so ties, which crowd-kit gives to the first label,
    go to the first letter. Neither the order of items nor, but for `mmsr`, that of models makes a difference.

    Args:
        answer: (rows, models), codes; -1 where a model has no answer.
        rule: a name in CROWD_RULES.

    Returns:
        (rows,), codes; -1 where nobody answered. None where the rule fails on so small or uniform a panel, or needs
        classes and the answers are none, being of more than MOST_CLASSES kinds.
    """
    import pandas as pd

    model, row = np.nonzero(answer.T >= 0)  # model after model: MMSR starts from random numbers in this order
    votes = pd.DataFrame({"task": row, "worker": model, "label": answer[row, model]})
    kinds = votes["label"].nunique()
    needs = CROWD_RULES[rule]
    if needs.classes and kinds > MOST_CLASSES:
        return None
    chosen = np.full(answer.shape[0], -1)
    if kinds > 1:
        labels = needs.labels(votes)
        if labels is None:
            return None
        chosen[labels.index.to_numpy()] = labels.to_numpy()
    else:  # everybody always says the same, from which nothing can be learnt
        chosen[row] = answer[row, model]
    return chosen


def _majority_vote(votes: "pd.DataFrame") -> "pd.Series[int]":
    """Most votes, ties to the first label. Without weights crowd-kit's ties would go by the order of rows."""
    return _weighted(votes, _equal(votes))


def _equal(votes: "pd.DataFrame") -> "pd.Series[Any]":
    import pandas as pd

    return pd.Series(1.0, index=pd.Index(votes["worker"].unique(), name="worker"))


def _dawid_skene(votes: "pd.DataFrame") -> "pd.Series[int]":
    """Dawid & Skene (1979): each worker has a confusion matrix over labels, learnt by expectation-maximisation.

    With letters of choices as labels the matrix holds a taste for letters, and not what is confused with what. It stops
    when the bound on the likelihood gains less than 1e-5 an answer, after few steps.
    """
    from crowdkit.aggregation import DawidSkene

    return DawidSkene().fit_predict(votes)


def _one_coin_dawid_skene(votes: "pd.DataFrame") -> "pd.Series[int]":
    """Dawid and Skene's model with one number a worker: right with this probability, else any other label alike."""
    from crowdkit.aggregation import OneCoinDawidSkene

    return OneCoinDawidSkene().fit_predict(votes)


def _wawa(votes: "pd.DataFrame") -> "pd.Series[int]":
    """Worker agreement with aggregate: votes weighed by how often a worker agrees with the majority.

    The majority's ties are settled as in `_majority_vote`; in crowd-kit's own `Wawa` they go by the order of rows.
    """
    return _weighted(votes, _skills(votes, steps=1))


def _zero_based_skill(votes: "pd.DataFrame") -> "pd.Series[int]":
    """Wawa again and again, each time with the last weights, until they stand still.

    At crowd-kit's learning rate of 1 a step replaces the weights, and nothing changes once they stand still, as they do
    after a few steps: its `ZeroBasedSkill` goes on to 100. It halves the rate first at step 20, hence no more than 19.
    """
    return _weighted(votes, _skills(votes, steps=19))


def _skills(votes: "pd.DataFrame", steps: int) -> "pd.Series[Any]":
    """How often each worker agrees with the vote that these weights make; at first all weigh the same."""
    from crowdkit.aggregation import MajorityVote

    skills = _equal(votes)
    for _ in range(steps):
        agreed = MajorityVote().fit(votes, skills).skills_
        assert agreed is not None
        if agreed.equals(skills):
            break
        skills = agreed
    return skills


def _mmsr(votes: "pd.DataFrame") -> "pd.Series[int] | None":
    """Matrix mean-subsequence-reduced (Ma & Olshevsky 2020): skills from the rank-one matrix of workers' agreement.

    Its search starts at seeded random skills, and where it ends depends a little on them. With two workers, or few
    who differ, the matrix does not tell the skills: crowd-kit raises.
    """
    from crowdkit.aggregation import MMSR

    try:
        return _weighted(votes, MMSR().fit(votes).skills_)
    except ValueError:
        return None


def _weighted(votes: "pd.DataFrame", skills: "pd.Series[Any] | None") -> "pd.Series[int]":
    """A vote by weight: these classes' own `predict` less its check of being fitted, which scikit-learn 1.9 refuses."""
    from crowdkit.aggregation import MajorityVote

    return MajorityVote().fit_predict(votes, skills=skills)


CROWD_RULES = {
    "majority_vote": Rule(_majority_vote),
    "dawid_skene": Rule(_dawid_skene, classes=True),
    "one_coin_dawid_skene": Rule(_one_coin_dawid_skene, classes=True),
    "wawa": Rule(_wawa),
    "zero_based_skill": Rule(_zero_based_skill),
    "mmsr": Rule(_mmsr, classes=True),
}


def halves(items: list[str], splits: int) -> BoolArray:
    """Ways to halve items: by a hash of the split and the item, so that no other item moves one from half to half.

    Args:
        items: (items,), identifiers.
        splits: how many ways.

    Returns:
        (splits, items), whether an item is in the second half; the halves are about alike in size.
    """
    second = [[digest("half", split, item)[0] & 1 for item in items] for split in range(1, splits + 1)]
    return np.array(second, dtype=np.bool_).reshape(splits, len(items))


def best_of(accuracy: FloatArray) -> IntArray:
    """The best of several members; of equals the first; -1 where none has an accuracy.

    Args:
        accuracy: (..., members), NaN where not known.

    Returns:
        (...), places.
    """
    known = np.isfinite(accuracy)
    return np.where(known.any(axis=-1), np.where(known, accuracy, -np.inf).argmax(axis=-1), -1)


def scored(accuracy: FloatArray, chosen: IntArray) -> FloatArray:
    """The accuracy of the chosen member.

    Args:
        accuracy: (..., members).
        chosen: (...), places; -1 for none.

    Returns:
        (...); NaN where none is chosen.
    """
    found = np.take_along_axis(accuracy, np.maximum(chosen, 0)[..., None], axis=-1)[..., 0]
    return np.where(chosen >= 0, found, np.nan)
