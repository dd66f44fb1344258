"""What the agents of a cell answered to an item, and the replies that the answers were read from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.text import Text

from headcount.axes import asked
from headcount.errors import UserError
from headcount.publish.trace_screen import Row, heading, line
from headcount.publish.transcript import Answer, Reply, asked_in, cell_answers, named, printable, question, replies

SHORT = 12  # digits of a request that tell replies apart


@dataclass(frozen=True)
class Texts:
    """Whether a run's texts may be shown: only its configuration says which tasks are private.

    Attributes:
        configurations: those of the run, as YAML has them; none if none is known.
    """

    configurations: Sequence[Mapping[str, Any]]

    def why_not(self, team: str, task: str, answers: Sequence[Answer]) -> str:
        """Why replies stay unshown, and where the answers came from; "" if they may be shown."""
        known = [settings.get("tasks") or {} for settings in self.configurations]
        sections = [tasks[asked(task, tasks)] for tasks in known if asked(task, tasks) in tasks]
        if not any(answer["request"] for answer in answers):
            return f"Replies are not at hand: others asked, and released answers alone{self._release(team, task)}."
        if not sections:
            return (
                "Replies are not shown: only the run's configuration says whether its texts are private. "
                "Name it with --config FILE."
            )
        if any(section.get("private") for section in sections):
            return "Replies are not shown: the task is private, and nothing that quotes it leaves its files."
        return ""

    def _release(self, team: str, task: str) -> str:
        folders = [known["replay"] for known in self.configurations if known.get("replay")]
        return f" ({folders[0]}/answers/{team}/{task}.parquet; the README there says who)" if folders else ""


def texts_of(run: str, config: Path | None, folder: Path = Path()) -> Texts:
    """What the configurations of a run say of its texts.

    Args:
        config: the run's configuration; none: every YAML file in `folder` and its config/ that has the run's name.
    """
    files = [config] if config else [*sorted(folder.glob("*.yaml")), *sorted(folder.glob("config/*.yaml"))]
    known = [_settings(file) for file in files]
    if config and known[0].get("run") != run:
        raise UserError(f"{config}: not the configuration of run '{run}'.")
    return Texts([settings for settings in known if settings.get("run") == run])


def _settings(file: Path) -> dict[str, Any]:
    try:
        settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{file}: no such file.") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}
    return settings if isinstance(settings, dict) else {}


def print_item(results: Path, row: Row, item: str, texts: Texts, console: Console) -> None:
    """Print every agent's answer to an item in a row's cell, of its size if it has one, and each reply once."""
    team, task, condition = (str(row[name]) for name in ("team", "task", "condition"))
    known = cell_answers(results, team, task, condition)
    answers = [answer for answer in known if answer["item"] == item]
    if not answers:
        some = ", ".join(list(dict.fromkeys(answer["item"] for answer in known))[:5])
        raise UserError(f"There is no item '{item}' in {team} / {task} / {condition}. Some that there are: {some}.")
    answers = [answer for answer in answers if not row.get("n") or answer["n"] == row["n"]]
    heading(console, f"{results}/answers/{team}.parquet", f"{len(answers)} answers to {item}")
    for shape in groupby(answers, key=lambda answer: (answer["replicate"], answer["n"], answer["k"])):
        _print_team(*shape, console)
    if why_not := texts.why_not(team, task, answers):
        console.print()
        line(console, why_not, "yellow")
    else:
        task = asked_in(results, task)
        heading(console, f"{results}/items/{task}.parquet", item)
        for text in question(results, task, item):
            console.print(Text(f"  {text}"), soft_wrap=True)
        _print_replies(replies(results, team, task, condition), answers, console)


def _print_team(shape: tuple[int, int, int], answers: Iterator[Answer], console: Console) -> None:
    replicate, n, k = shape
    again = f", replicate {replicate}" if replicate > 1 else ""
    console.print(Text(f"  N={n}, each hears {k}{again}", "cyan"))
    for answer in answers:
        given = named(answer["answer"]) if answer["answer"] is not None else "–"
        right = {True: "right", False: "wrong", None: "no answer"}[answer["correct"]]
        how = f"{answer['status']}, rule {answer['rule']}" if answer["rule"] else answer["status"]
        told = f"    round {answer['round']}  agent {answer['agent']:>2}  {given:<6} {right:<9}  {how:<28}"
        console.print(Text(f"{told}  {answer['request'][:SHORT]}".rstrip()), soft_wrap=True)


def _print_replies(said: Mapping[str, Reply], answers: Sequence[Answer], console: Console) -> None:
    for request in dict.fromkeys(answer["request"] for answer in answers):
        if request not in said:
            raise UserError(
                f"No reply here has request {request[:SHORT]}, which an answer names. Run the workflow again."
            )
        _print_reply(request, said[request], [answer for answer in answers if answer["request"] == request], console)


def _print_reply(request: str, reply: Reply, answers: Sequence[Answer], console: Console) -> None:
    """A reply, and where it was given: the same one stands in teams of several sizes."""
    heading(console, f"{request[:SHORT]}", f"{answers[0]['model']}, {reply.path}")
    answers = sorted(answers, key=_seat)
    for (round_, agent), places in groupby(answers, key=_seat):
        sizes = dict.fromkeys(str(place["n"]) for place in places)
        line(console, f"round {round_}, agent {agent}, in teams of {', '.join(sizes)}", "dim")
    for text in printable(reply.text).rstrip().split("\n"):
        console.print(Text(f"  {text}"), soft_wrap=True)


def _seat(answer: Answer) -> tuple[int, int]:
    return answer["round"], answer["agent"]
