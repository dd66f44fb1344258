"""The reuse card of a model: what somebody must know to put it beside other rows, in fields that a machine checks.

Groups and fields are those of the debate ledger's card (arXiv 2609.35279), and `conventions`, without which its numbers
cannot be compared. Types, ranges and what fields say of each other are checked, so a card that reads as one is one.
Rounds are the paper's: R1 is the first revision.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from headcount.config_errors import explain
from headcount.errors import UserError

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Text = Annotated[str, Field(min_length=1)]
Openness = Literal["open", "gated", "omitted"]
TieRule = Literal["alphabetical", "reverse_alphabetical", "strict_plurality", "keep_previous", "random"]
UndefinedCoding = Literal["complete_case", "undefined_wrong", "undefined_final_wrong"]


class Group(BaseModel):
    """Fields of one kind: all are there, none else is, none is converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Identity(Group):
    """Which model, as who served it knew it."""

    model_name: Text
    model_family: Text
    backend: Text
    model_version_or_snapshot: Text
    serving_parameters: dict[str, str | int | float | bool | list[float] | None]


class QuestionPool(Group):
    """Which questions, and how they were chosen."""

    benchmark: Text
    question_pool_id: Text
    pool_selection_rule: Text
    n_questions: Count
    outcome_blind_selection: bool


class Fingerprint(Group):
    """What a screen tells before anybody debates; null where the model was not screened."""

    alpha_tot: Share | None
    alpha_adv: Share | None
    alpha_cor: Share | None
    social_argument_ratio: Annotated[float, Field(ge=-1, le=1)] | None
    n_probe_rows: Count
    n_probe_completions: Count
    parser_none_rate: Share | None

    @model_validator(mode="after")
    def _rates_are_of_something(self) -> "Fingerprint":
        if self.n_probe_rows == 0 and any(value is not None for value in (self.alpha_tot, self.parser_none_rate)):
            raise ValueError("'alpha_tot' and 'parser_none_rate' are null where 'n_probe_rows' is 0")
        return self


class Onset(Group):
    """In which round collapses began; `unlocalised` where the rounds are not known."""

    r1: Count
    r2: Count
    r3: Count
    unlocalised: Count

    @property
    def collapses(self) -> int:
        return self.r1 + self.r2 + self.r3 + self.unlocalised


class Outcomes(Group):
    """What debates did; null where there were none, or nothing to count among."""

    n_debates: Count
    initial_majority_accuracy: Share | None
    final_majority_accuracy: Share | None
    conditional_collapse_rate: Share | None
    conditional_correction_rate: Share | None
    collapse_onset_distribution: Onset

    @model_validator(mode="after")
    def _collapses_are_told_twice_alike(self) -> "Outcomes":
        first, rate = self.initial_majority_accuracy, self.conditional_collapse_rate
        if self.n_debates == 0 and (first, rate, self.final_majority_accuracy) != (None, None, None):
            raise ValueError("accuracies and rates are null where 'n_debates' is 0")
        told = self.collapse_onset_distribution.collapses
        counted = 0.0 if first is None or rate is None else first * rate * self.n_debates
        if abs(told - counted) > 0.5 + 2e-4 * self.n_debates:  # rates may be rounded to four digits
            raise ValueError(
                f"'collapse_onset_distribution' holds {told} collapses, and 'conditional_collapse_rate' of "
                f"'initial_majority_accuracy' of 'n_debates' makes {counted:.1f}"
            )
        return self


class Utility(Group):
    """What a gate would have been worth; null where none was replayed."""

    w_coll: Annotated[float, Field(ge=0)]
    w_corr: Annotated[float, Field(ge=0)]
    gate_name: Text | None
    validation_cohort_id: Text | None
    collapses_prevented: Count | None
    corrections_lost: Count | None
    net_utility: float | None
    accuracy_delta: Annotated[float, Field(ge=-1, le=1)] | None

    @model_validator(mode="after")
    def _net_follows(self) -> "Utility":
        prevented, lost, net = self.collapses_prevented, self.corrections_lost, self.net_utility
        if prevented is None or lost is None or net is None:
            if (prevented, lost, net, self.accuracy_delta) != (None, None, None, None):
                raise ValueError(
                    "'collapses_prevented', 'corrections_lost', 'net_utility', 'accuracy_delta': all or none"
                )
        elif abs(net - (self.w_coll * prevented - self.w_corr * lost)) > 1e-6 * max(1.0, abs(net)):
            raise ValueError(
                f"'net_utility' is {net}, and w_coll * collapses_prevented - w_corr * corrections_lost is "
                f"{self.w_coll * prevented - self.w_corr * lost}"
            )
        return self


class Release(Group):
    """What of the row's data others can have."""

    aggregate_fields_open: bool
    probe_templates_open_or_gated: Openness
    full_transcripts_open_or_gated: Openness
    r1_feature_matrix_open_or_gated: Openness
    known_missing_artifacts: list[str]
    metadata_file: Text


class Conventions(Group):
    """How answers were read and counted."""

    endpoint_round: Annotated[int, Field(ge=1, le=3)] | None  # R1, R2 or R3; null where nobody debates
    tie_rule: TieRule
    undefined_coding: UndefinedCoding
    parser_version: Text
    seeds: dict[str, int]


class ReuseCard(Group):
    """All of a card."""

    schema_version: Literal["0.1"]
    simulated: bool = False  # no language model, but a statistical one
    identity: Identity
    question_pool: QuestionPool
    selection_time_fingerprint: Fingerprint
    debate_outcome_accounting: Outcomes
    signed_utility: Utility
    release: Release
    conventions: Conventions

    @model_validator(mode="after")
    def _debates_have_an_endpoint(self) -> "ReuseCard":
        last, began = self.conventions.endpoint_round, self.debate_outcome_accounting.collapse_onset_distribution
        if last is None and self.debate_outcome_accounting.n_debates:
            raise ValueError("'endpoint_round' is null, and 'n_debates' is not 0")
        late = [name for name in ("r1", "r2", "r3")[last or 0 :] if getattr(began, name)]
        if late:
            raise ValueError(f"collapses began in {', '.join(late)}, and 'endpoint_round' is {last}")
        return self


def read_card(path: Path) -> ReuseCard:
    """A card, or an error that names each field that is wrong, its value, and what is allowed."""
    if not path.is_file():
        raise UserError(f"{path}: no such file. A run's cards are in results/RUN/cards.")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise UserError(f"{path}: not a readable text file: {problem}.") from None
    try:
        json.loads(text, object_pairs_hook=_once)
        return ReuseCard.model_validate_json(text)
    except json.JSONDecodeError as problem:
        raise UserError(f"{path}: line {problem.lineno}: not JSON: {problem.msg}. Give one JSON object.") from None
    except _Twice as problem:
        raise UserError(f"{path}: the key {problem} stands twice in one group. Keep one of them.") from None
    except ValidationError as problems:
        raise UserError(explain(problems, ReuseCard, str(path))) from None


class _Twice(Exception):
    """A key that stands twice: JSON would silently keep the last."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise _Twice(repr(next(key for key in keys if keys.count(key) > 1)))
    return dict(pairs)


def as_json(card: ReuseCard) -> str:
    """For people and for `diff`."""
    return card.model_dump_json(indent=1) + "\n"
