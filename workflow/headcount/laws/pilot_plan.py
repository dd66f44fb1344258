"""One plan: a pilot, what it predicts, what that costs, and how many items would make it surer."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import ceil, isfinite

import numpy as np

from headcount.laws.fit import regime_by_interval
from headcount.laws.frames import Part
from headcount.laws.pilot_checks import pilot_flags
from headcount.laws.pilot_costs import Tokens
from headcount.laws.pilot_error import PilotErrors
from headcount.laws.pilot_fit import Pilot
from headcount.laws.pilot_prediction import Ends, Prediction, predict
from headcount.laws.pilot_tokens import Budget, Prices, Spending, spending
from headcount.laws.profiles import Row
from headcount.laws.settings import FitSettings
from headcount.measures.arrays import BoolArray, FloatArray

LARGEST = 100  # size that is predicted
C_HALF_WIDTH = 0.02
_ROUNDED = 1e-6  # of an item


@dataclass(frozen=True)
class Planning:
    """What plans are made with.

    Attributes:
        fitting: seed and confidence of intervals; none where it asks for none.
        errors: what past predictions were off by.
        target: the team size that a plan speaks of first.
        budget: what one more effective agent may cost.
        prices: US dollars per million prompt and completion tokens, by team; none where a member has none.
        mixed: teams of several models.
    """

    fitting: FitSettings
    errors: PilotErrors
    target: int = 30
    budget: Budget = field(default_factory=Budget)
    prices: Mapping[str, Prices | None] = field(default_factory=dict)
    mixed: Collection[str] = ()


@dataclass(frozen=True)
class Plan:
    """A pilot, what it predicts, and what that costs; neither tokens nor spending where tokens were not told."""

    pilot: Pilot
    group: str
    said: Prediction
    tokens: Tokens | None
    spent: Spending | None

    @classmethod
    def of(
        cls, pilot: Pilot, weights: FloatArray, tokens: Tokens | None, how: Planning, group: str, team: str
    ) -> "Plan":
        """The plan of a pilot, for sizes from 2 to 100 and on to the largest that was run.

        Args:
            weights: of items, for a jackknife; see `predict`.
            group: whose past errors it may expect: alone, talk or mixed.
        """
        at = np.arange(2, max(LARGEST, how.target, int(pilot.profile.sizes[-1])) + 1)
        said = predict(pilot, at, weights, how.errors, group, how.fitting.confidence)
        spent = spending(tokens, how.prices.get(team), how.budget, said) if tokens else None
        return cls(pilot, group, said, tokens, spent)

    def row(self, how: Planning) -> Row:
        """The columns of PILOTS that do not name the series."""
        said, place, n_items = self.said, how.target - 2, self.pilot.profile.n_items
        c, beta = (_at(said.parameters, which, name) for which, name in ((0, "c"), (1, "beta")))
        items, law = float(said.items[place]), float(said.law[place])
        return {
            "pilot": self.pilot.sizes.tolist(),
            "n_items": n_items,
            **c,
            **beta,
            "regime": regime_by_interval(beta["beta"], beta["beta_low"], beta["beta_high"]),
            "agent_accuracy": float(self.pilot.agents(self.pilot.seen)[0]),
            "wrong_agreement": float(self.pilot.wrong_agreement(self.pilot.seen)[0]),
            "target": how.target,
            **_at(said.n_eff, place, "n_eff"),
            **_at(said.accuracy, place, "accuracy"),
            "items_margin": items,
            "law_margin": law,
            "items_to_halve": items_to_halve(n_items, items, law),
            "items_for_c": items_for_width(n_items, c["c_high"] - c["c"], C_HALF_WIDTH),
            **self._costs(),
            "flags": self._flags(how, place),
        }

    def sizes(self) -> Part:
        """The columns of PILOT_SIZES that do not name the series, (at,) each."""
        said = self.said
        in_pilot, run = np.isin(said.at, self.pilot.sizes), np.isin(said.at, said.seen_at)
        return {
            "n": said.at,
            "in_pilot": in_pilot,
            "held_out": run & ~in_pilot,
            **_columns(said.n_eff, "n_eff"),
            **_columns(said.accuracy, "accuracy"),
            "projection": said.projection,
            **_columns(_spread(said.seen_n_eff, run), "seen_n_eff"),
            **_columns(_spread(said.seen_accuracy, run), "seen_accuracy"),
            **self._spent(),
        }

    def _costs(self) -> Row:
        names = ("base_prompt_tokens", "prompt_tokens_per_peer", "completion_tokens", "first_tokens")
        spent = ("budget", "budget_unit", "stop", "stop_low", "stop_high")
        if self.tokens is None or self.spent is None:
            return dict.fromkeys((*names, *spent))
        told = self.tokens
        each = (told.base, told.per_peer, told.completion, told.first_prompt + told.first_completion)
        values = (self.spent.budget, self.spent.unit, self.spent.stop, self.spent.stop_low, self.spent.stop_high)
        return dict(zip((*names, *spent), (*each, *values), strict=True))

    def _spent(self) -> dict[str, FloatArray]:
        """Tokens, money and what the next effective agent costs, (at,) each; NaN where not known or without end."""
        names = ("prompt_tokens", "completion_tokens", "usd", "next_agent")
        if self.spent is None:
            return dict.fromkeys(names, np.full(self.said.at.size, np.nan))
        here = self.said.at - 1  # places among teams of 1, 2, 3, ...
        following = np.r_[self.spent.next_agent, np.inf][here]
        values = (*(part[here] for part in (self.spent.prompt, self.spent.completion, self.spent.usd)), following)
        return {name: np.where(np.isfinite(value), value, np.nan) for name, value in zip(names, values, strict=True)}

    def _flags(self, how: Planning, place: int) -> list[str]:
        level, sizes = self.pilot.profile.level.name, tuple(self.pilot.sizes.tolist())
        flags = pilot_flags(
            self.said,
            place,
            sizes,
            self.pilot.profile.n_items,
            float(self.pilot.wrong_agreement(self.pilot.seen)[0]),
            not how.errors.tried("n_eff", level, self.group, sizes),
        )
        return sorted([*flags, *([] if self.tokens else ["no_tokens"])])


def items_to_halve(items: int, of_items: float, of_law: float) -> float:
    """How many items a pilot needs for half the prediction interval.

    The margin is sqrt(i^2 + l^2), and i^2 falls as 1 / M: so M' = M i^2 / ((i^2 + l^2) / 4 - l^2), 4 M where l is 0.

    Args:
        of_items, of_law: margins i and l of ln N_eff.

    Returns:
        a whole number; NaN where the law's error alone is half the interval or more, so that no number would do.
    """
    left = (of_items**2 + of_law**2) / 4 - of_law**2
    return float(ceil(items * of_items**2 / left - _ROUNDED)) if left > 0 and of_items > 0 else float("nan")


def items_for_width(items: int, half_width: float, wanted: float) -> float:
    """How many items an interval of a half-width needs: M (h / wanted)^2; NaN where none is known."""
    return float(ceil(items * (half_width / wanted) ** 2 - _ROUNDED)) if isfinite(half_width) else float("nan")


def _at(ends: Ends, place: int, name: str) -> dict[str, float]:
    """An estimate and its ends as columns of one row."""
    return {column: float(values[place]) for column, values in _columns(ends, name).items()}


def _columns(ends: Ends, name: str) -> dict[str, FloatArray]:
    """Estimates and their ends as columns."""
    return {name: ends.value, f"{name}_low": ends.low, f"{name}_high": ends.high}


def _spread(ends: Ends, there: BoolArray) -> Ends:
    """Estimates and ends at the sizes that have them, in order; NaN at the others."""
    return Ends(*(_filled(values, there) for values in (ends.value, ends.low, ends.high)))


def _filled(values: FloatArray, there: BoolArray) -> FloatArray:
    filled = np.full(there.size, np.nan)
    filled[there] = values
    return filled
