"""What is asked: a set of questions, where it comes from, and how it is read."""

from typing import Literal

from pydantic import Field, model_validator

from headcount.config_models import Name
from headcount.config_sources import Closed, Source


class Task(Closed):
    """A set of questions with known answers."""

    format: Literal[
        "mmlu_hard",
        "arc_challenge",
        "arithmetic",
        "gsm_hard",
        "gpqa_diamond",
        "humaneval",
        "file",
        "high_flip",
        "recorded",
        "made_up",
    ] = Field(
        description="what the source holds and how it is read; `high_flip`: those questions of another task on which "
        "a model is most easily argued out of its answer; `recorded`: nothing is read, answers alone are replayed; "
        "`made_up`: questions without content, for simulated models"
    )
    source: Source | None = Field(None, description="where it comes from; by default the pinned source of its format")
    items: int | None = Field(
        None, ge=1, description="size of a seeded subset; all by default. Of recorded or made-up tasks: how many"
    )
    options: int | None = Field(None, ge=2, le=10, description="of a made-up question; none: a number is asked")
    of: Name | None = Field(None, description="the task that high_flip questions are chosen from")
    model: Name | None = Field(None, description="the model that flips; the pass that chooses is used for nothing else")
    partial: bool = Field(False, description="of a recorded task: teams may have been asked some of its items only")
    seed: int = Field(0, description="chooses the subset")
    private: bool = Field(False, description="no text of its items or replies leaves this machine")

    @model_validator(mode="after")
    def _source_is_known(self) -> "Task":
        if self.source is None and self.format in ("gpqa_diamond", "file"):
            raise ValueError(f"format {self.format} has no public source; it needs 'source'")
        if self.format == "gpqa_diamond" and not self.private:
            raise ValueError("GPQA's authors ask that it is not published; it needs 'private: true'")
        if self.format == "humaneval" and self.private:
            raise ValueError("answers to HumanEval are programs, which quote replies: it cannot be 'private'")
        return self

    @model_validator(mode="after")
    def _items_that_are_not_loaded_are_counted(self) -> "Task":
        if self.format in ("recorded", "made_up"):
            if self.items is None:
                raise ValueError(f"format {self.format} needs 'items', the number of its items")
            if self.source is not None:
                raise ValueError(f"format {self.format} takes no 'source': its items are not loaded")
        if self.partial and self.format != "recorded":
            raise ValueError("'partial' is for format recorded: all other teams are asked every item")
        if self.options is not None and self.format != "made_up":
            raise ValueError("'options' is for format made_up: other questions bring their own")
        return self

    @model_validator(mode="after")
    def _high_flip_says_of_what(self) -> "Task":
        given = [name for name in ("of", "model", "items") if getattr(self, name) is not None]
        if self.format == "high_flip" and len(given) < 3:
            raise ValueError("format high_flip needs 'of' (a task), 'model' and 'items' (how many)")
        if self.format == "high_flip" and self.source is not None:
            raise ValueError("format high_flip takes no 'source': its questions are those of the task 'of'")
        if self.format != "high_flip" and (self.of or self.model):
            raise ValueError("'of' and 'model' are for format high_flip")
        return self

    @property
    def chosen(self) -> bool:
        """Whether its questions are options to choose from, as far as its format tells; a user's file may hold both."""
        if self.format == "made_up":
            return self.options is not None
        return self.format in ("mmlu_hard", "arc_challenge", "gpqa_diamond", "file", "high_flip", "recorded")
