"""Every two models of a panel, and their means within a family, across families and over all, each with an interval.

A quantity of all pairs is one function of the item means of its parts (`measures.model_pairs`), so a draw of item
weights moves all pairs together, and a mean over pairs has the interval that their correlation leaves it.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.errors import UserError
from headcount.laws.panels import Weighed, as_table, weighed_panels
from headcount.laws.settings import FitSettings
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.intervals import Estimator
from headcount.measures.model_pairs import PARTS, QUANTITIES, Quantity, Sides, mean_over_pairs, ratio_of, sides
from headcount.measures.panel import Panel
from headcount.measures.scales import Scales
from headcount.schema import PAIR_MEANS, PAIRS

AVERAGINGS = ("pairs", "events")
GAP = "within_minus_across"  # a relation beside within, across and all: the difference of two, of one draw of items

Options = Mapping[str, Mapping[str, int]]  # by task and item, how many options it has; free-form items are left out


def pair_run(
    answers: Mapping[str, pa.Table],
    families: Mapping[str, str],
    options: Options,
    settings: FitSettings,
    simulated: Collection[str] = (),
) -> tuple[pa.Table, pa.Table]:
    """Pairs of models of every panel of a run, and their means.

    Args:
        answers: rows of `schema.ANSWERS` by team; teams of one model have no pair, and no rows.
        families: family by model.
        options: number of options by task and item; what needs it is null without it.
        settings: how sure we are, as in `fit_run`.
        simulated: teams whose answers no model gave.

    Returns:
        rows of `schema.PAIRS`, model < model_other, and of `schema.PAIR_MEANS`: pairs within a family, across
        families, all, and within minus across. `events` counts the items in a quantity's base, a repetition of an item
        by itself, over all pairs of a mean.
    """
    pairs, means = [], []
    for weighed in weighed_panels(answers, settings):
        lot = _lot(weighed.panel, families, options.get(weighed.panel.task, {}))
        key = weighed.key | {"simulated": weighed.team in simulated, "n_items": weighed.n_items}
        for name, quantity in QUANTITIES.items():
            of_pairs, of_means = _frames(weighed, lot, quantity)
            pairs.append(of_pairs.assign(quantity=name, **key))
            means.append(of_means.assign(quantity=name, **key))
    return as_table(pairs, PAIRS), as_table(means, PAIR_MEANS)


@dataclass(frozen=True)
class _Lot:
    """All pairs of a panel.

    Attributes:
        labels: one row a pair: model, model_other, family, family_other.
        relations: (pairs,) by name, which pairs belong to it; relations without a pair are left out.
        sides: the two models of each pair.
    """

    labels: pd.DataFrame
    relations: dict[str, BoolArray]
    sides: Sides


def _lot(panel: Panel, families: Mapping[str, str], options: Mapping[str, int]) -> _Lot:
    stranger = next((model for model in panel.models if model not in families), None)
    if stranger is not None:
        raise UserError(
            f"answers: {panel.task}: model {stranger!r} has no family. Known: {', '.join(sorted(families))}."
        )
    order = np.argsort(np.array(panel.models))
    one, other = np.triu_indices(order.size, 1)
    first, second = order[one], order[other]
    model = np.array(panel.models, dtype=object)
    family = np.array([families[name] for name in panel.models], dtype=object)
    columns = {"model": model[first], "model_other": model[second]}
    columns |= {"family": family[first], "family_other": family[second]}
    within = family[first] == family[second]
    relations = {"all": np.ones(within.size, np.bool_), "within": within, "across": ~within}
    n_options = np.array([options.get(item, np.nan) for item in panel.items])[panel.item]
    return _Lot(
        pd.DataFrame(columns),
        {name: here for name, here in relations.items() if here.any()},
        sides(panel.answer, panel.correct, n_options, first, second),
    )


def _frames(weighed: Weighed, lot: _Lot, quantity: Quantity) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A quantity of all pairs, and of their means."""
    n_pairs = len(lot.labels)
    parts = [weighed.panel.item_means(PARTS[part](lot.sides)) for part in quantity.parts]
    estimator = _estimator(quantity, lot.relations, n_pairs)
    base = PARTS[quantity.base](lot.sides)
    scales = _scales(quantity, lot.relations, weighed.panel.item_means(base) > 0)
    value, low, high = weighed.estimate(np.concatenate(parts, axis=1), estimator, scales)
    events = base.sum(axis=0)
    numbers = pd.DataFrame({"value": value, "low": low, "high": high})
    of_pairs = lot.labels.assign(events=events, **numbers[:n_pairs])
    labels = pd.DataFrame(_means(lot.relations, np.isfinite(value[:n_pairs]), events))
    return of_pairs, labels.assign(**numbers[n_pairs:].reset_index(drop=True))


def _estimator(quantity: Quantity, relations: dict[str, BoolArray], n_pairs: int) -> Estimator:
    """Means (draws, parts x pairs) -> the quantity of each pair, then its means by averaging and relation."""

    def estimate(means: FloatArray) -> FloatArray:
        parts = means.reshape(-1, len(quantity.parts), n_pairs)
        numerator, denominator = quantity.ratio(*np.moveaxis(parts, 1, 0))
        averages = []
        for averaging in AVERAGINGS:
            of = {
                name: mean_over_pairs(numerator[:, here], denominator[:, here], averaging)
                for name, here in relations.items()
            }
            if {"within", "across"} <= of.keys():
                of[GAP] = of["within"] - of["across"]
            averages += list(of.values())
        return np.concatenate([ratio_of(numerator, denominator), np.stack(averages, axis=1)], axis=1)

    return estimate


def _scales(quantity: Quantity, relations: dict[str, BoolArray], based: BoolArray) -> Scales:
    """Of what `_estimator` gives; `based` are the items in the base of each pair, (items, pairs)."""
    items = [based[:, here].any(axis=1).sum() for here in relations.values()]
    means = [quantity.scale] * len(items)
    if {"within", "across"} <= relations.keys():
        means, items = [*means, quantity.scale_of_gap], [*items, based.any(axis=1).sum()]
    count = len(AVERAGINGS)
    every = np.r_[based.sum(axis=0), items * count]
    return Scales.of([*[quantity.scale] * based.shape[1], *means * count], items=every)


def _means(relations: Mapping[str, BoolArray], known: BoolArray, events: IntArray) -> Iterator[dict[str, object]]:
    """The labels of the means, in the order of `_estimator`; pairs without a value are not counted."""
    both = {"within", "across"} <= relations.keys()
    chosen = {name: here & known for name, here in relations.items()} | ({GAP: known} if both else {})
    for averaging in AVERAGINGS:
        for name, pairs in chosen.items():
            counts = {"pairs": int(pairs.sum()), "events": int(events[pairs].sum())}
            yield {"relation": name, "averaging": averaging, **counts}
