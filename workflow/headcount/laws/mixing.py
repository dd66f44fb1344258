"""What mixing models does to agreement: pairs within a family, pairs between two, and the team that they make up.

Agreement of distinct pairs is a share of pairs. So a mixed team's is the mean of its blocks' weighted by their pairs,
at any composition: the block formula is an identity, and what a mixed team can gain is what pairs between families
agree less.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.errors import UserError
from headcount.laws.series import Series, TaskRows, by_task, item_names, split_series, task_rows
from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.correctness import share
from headcount.measures.diversity import pairs_among
from headcount.measures.scales import SHARE, Scales
from headcount.schema import BLOCKS, MIXING
from headcount.store import conform

POOLED = 0  # the n of what is pooled over sizes
KINDS = ("within", "between")  # in place of both families: all pairs of a kind
Families = tuple[str, str]


def mean_block_size(sizes: IntArray) -> FloatArray:
    """Size of the family of an agent drawn at random: nbar = sum_g n_g^2 / N (arXiv 2606.02646, A.7 Prop. 4).

    Args:
        sizes: (..., families), agents of each family.

    Returns:
        (...), in agents, from 1 (all families differ) to N (one family).
    """
    return np.asarray((sizes**2).sum(axis=-1) / sizes.sum(axis=-1))


def mixed_agreement(sizes: IntArray, within: FloatArray | float, between: FloatArray | float) -> FloatArray:
    """Pair agreement of a team from that within families and that between them.

    rho = ((nbar - 1) rho_W + (N - nbar) rho_B) / (N - 1) (arXiv 2606.02646, A.7 Prop. 4): of an agent's N - 1 peers,
    nbar - 1 are of its own family on average. Exact for distinct pairs.

    Args:
        sizes: (..., families), agents of each family.
        within: (...), agreement over pairs of one family; ignored where there is no such pair.
        between: (...), agreement over pairs of two families; ignored likewise.

    Returns:
        (...); NaN for a team of one.
    """
    n, own = sizes.sum(axis=-1), mean_block_size(sizes) - 1.0
    other = n - 1.0 - own
    total = np.where(own > 0, own * within, 0.0) + np.where(other > 0, other * between, 0.0)
    return np.where(n > 1, total / np.maximum(n - 1.0, 1.0), np.nan)


def mixed_agreement_limit(families: int, within: FloatArray | float, between: FloatArray | float) -> FloatArray:
    """The same for equal parts of a team that grows without bound: rho_W / G + (1 - 1/G) rho_B.

    With three families the weights are 1/3 and 2/3. The paper's .849 for a team of 30 is this; exact is .848
    (arXiv 2606.02646, A.7).
    """
    return np.asarray(within) / families + (1.0 - 1.0 / families) * np.asarray(between)


def rescaled_agreement(n: IntArray | int, agreement: FloatArray | float) -> FloatArray:
    """(N A - 1) / (N - 1): distinct-pair agreement from A = sum_v p_v^2, pairs with replacement (sections 3.1 and K.1).

    For comparison with the paper alone: its "observed" .843 is this applied to an A of distinct pairs, .848, which
    corrects twice (arXiv 2606.02646, A.7). Our agreement is of distinct pairs to begin with.
    """
    return np.asarray((n * np.asarray(agreement) - 1.0) / (np.asarray(n) - 1.0))


def balanced_pairs(n: IntArray, families: int, items: int = 1) -> tuple[int, int]:
    """Pairs within and between families over all teams of members in turn, one team an item and size.

    Args:
        n: (sizes,), team sizes.
        families: how many take turns.
        items: how many items each team answers.

    Returns:
        within: sum_N sum_g C(n_g, 2) items; between: the rest of sum_N C(N, 2) items.
    """
    parts = (np.asarray(n)[:, None] + np.arange(families)) // families
    within = int(pairs_among(parts).sum())
    return within * items, (int(pairs_among(np.asarray(n)).sum()) - within) * items


def weighted_mean(values: FloatArray, weights: FloatArray | IntArray) -> float:
    """sum w v / sum w: agreement of all pairs from that of parts, weighted by pairs."""
    return float(np.average(values, weights=weights))


def mixing_of_run(blocks: Mapping[str, pa.Table], settings: FitSettings, simulated: Collection[str] = ()) -> pa.Table:
    """Agreement within and between families of a run's mixed teams.

    sum equal pairs / sum pairs over items and replicates, of every two families and of all pairs of a kind, at each
    size; and at n = 0 over all sizes that have a pair within a family, so that both kinds are of the same teams
    (arXiv 2606.02646, Table 10). In round 1 and the last (of the rounds run at the most sizes). Items are resampled
    with the weights of the team's other estimates.

    Args:
        blocks: rows of `schema.BLOCKS` by team. They have every item of a task, since a team of two and more has
            rows whoever answered.
        settings: how sure we are.
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.MIXING`, where there is a pair of valid answers. No interval from one item.

    Raises:
        UserError: where a family is called as a kind of pairs is.
    """
    frames = []
    for team, table in blocks.items():
        for task, rows in by_task(table).items():
            about: dict[str, Any] = {"team": team, "task": task, "simulated": team in simulated}
            frames += [frame.assign(**about) for frame in _of_task(rows, settings, team, task)]
    nothing = pd.DataFrame(columns=MIXING.schema.names)
    return conform(pd.concat(frames) if frames else nothing, MIXING, MIXING.name)


def _of_task(table: pa.Table, settings: FitSettings, team: str, task: str) -> Iterator[pd.DataFrame]:
    rows = task_rows(table, np.unique(item_names(table)), BLOCKS, "first")
    families, pair = _families(table, team)
    weights = item_weights(len(rows.items), settings, team, task)
    for series in _first_and_last(split_series(rows)):
        counts = _with_kinds(_counts(rows, series, pair, len(families)), families)
        frame = _estimates(_with_pooled(counts), weights, settings)
        labels = np.array([*families, *((kind, kind) for kind in KINDS)], dtype=object)[frame.pop("families")]
        about: dict[str, Any] = {"condition": series.condition, "peers": series.peers, "round": series.round}
        n = np.r_[series.sizes, POOLED][frame.pop("size")]
        yield frame.assign(**about, n=n, family=labels[:, 0], family_other=labels[:, 1])


def _families(table: pa.Table, team: str) -> tuple[list[Families], IntArray]:
    """The pairs of families that there are, sorted, and each row's place among them."""
    columns = [table[name].cast(pa.string()).to_pylist() for name in ("family", "family_other")]
    pairs = list(zip(*columns, strict=True))
    known = sorted(set(pairs))
    taken = {name for pair in known for name in pair} & {*KINDS}
    if taken:
        raise UserError(
            f"blocks of {team}: family {min(taken)!r} is called as a kind of pairs is. Give the models another family."
        )
    place = {pair: number for number, pair in enumerate(known)}
    return known, np.array([place[pair] for pair in pairs], dtype=np.int64)


def _first_and_last(series: Iterable[Series]) -> Iterator[Series]:
    """Of each condition and kind of peers, round 1 and the last of the rounds run at the most sizes."""
    for _, rounds in groupby(series, key=lambda each: (each.condition, each.peers)):
        several = list(rounds)
        last = max(several, key=lambda each: (each.sizes.size, each.round))
        yield from (each for each in several if each.round in (1, last.round))


def _counts(rows: TaskRows, series: Series, pair: IntArray, families: int) -> FloatArray:
    """Equal pairs and pairs of each item at each size, (2, items, sizes, pairs of families)."""
    shape = (len(rows.items), series.sizes.size, families)
    cell = np.ravel_multi_index((rows.item[series.rows], series.size, pair[series.rows]), shape)
    names = ("equal_pairs", "pairs")
    counts = [np.bincount(cell, rows.columns[name][series.rows], int(np.prod(shape))) for name in names]
    return np.asarray(np.stack(counts).reshape(2, *shape), dtype=np.float64)


def _with_kinds(counts: FloatArray, families: list[Families]) -> FloatArray:
    """All pairs within a family and all between two beside each two families: two more in the last axis."""
    own = np.array([one == other for one, other in families], dtype=np.float64)
    return np.concatenate([counts, counts @ np.stack([own, 1.0 - own], axis=1)], axis=3)


def _with_pooled(counts: FloatArray) -> FloatArray:
    """All sizes that have a pair within a family beside each: one more in the axis of sizes."""
    both = counts[1, :, :, -len(KINDS)].sum(axis=0) > 0
    return np.concatenate([counts, counts[:, :, both].sum(axis=2, keepdims=True)], axis=2)


def _estimates(counts: FloatArray, weights: FloatArray, settings: FitSettings) -> pd.DataFrame:
    """One row a size and families that have a pair: their places, and the columns of MIXING that are numbers."""
    total = counts.sum(axis=1)
    size, families = np.nonzero(total[1] > 0)
    here = counts[:, :, size, families]  # (2, items, rows)
    interval = settings.interval(settings.n_boot)
    n_items = (here[1] > 0).sum(axis=0)
    scales = Scales.of([SHARE] * n_items.size, items=n_items)
    low, high, _ = interval(np.concatenate(list(here), axis=1), _shares, weights, settings.confidence, scales)
    equal, pairs = total[:, size, families]
    frame = {"size": size, "families": families, "value": equal / pairs, "n_items": n_items}
    low, high = (_unless(n_items < 2, end) for end in (low, high))
    frame |= {"low": low, "high": high}
    return pd.DataFrame(frame | {"pairs": pairs.astype(np.int64), "equal_pairs": equal.astype(np.int64)})


def _shares(means: FloatArray) -> FloatArray:
    """Equal pairs by pairs, (draws, rows), from means of both, (draws, 2 rows); NaN where a draw has no pair."""
    equal, pairs = np.split(means, 2, axis=1)
    return share(equal, pairs)


def _unless(unknown: BoolArray, values: FloatArray) -> FloatArray:
    return np.where(unknown, np.nan, values)
