"""Anybody's answers, a row an answer: JSON lines, CSV or Parquet.

    item,agent,round,answer,gold
    q17,1,1,C,C

Needed: `item`, `agent` and `round` (both from 1; round 1 are the independent answers), `answer` (empty where there is
none) and `gold`. Optional: `model`, `team`, `task`, `condition`, `replicate`, `n` (agents of the team), `k` (how many
others an agent hears), `options` (how many the question has), `temperature`, `status`, `rule`, `prompt_tokens` and
`completion_tokens`. Where `gold` is an option's letter, so are answers; elsewhere they are compared as they stand.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from headcount.config import CONDITIONS
from headcount.imports.fields import Fields, number_of
from headcount.imports.records import Debate, DebateKey, Said
from headcount.imports.told import Told
from headcount.items.item import LETTERS

_KEYS = {"item", "agent", "round", "replicate", "n", "k", "model", "team", "task", "condition"}
_SAID = {"answer", "gold", "options", "temperature", "status", "rule", "prompt_tokens", "completion_tokens"}
KNOWN = _KEYS | _SAID
NEEDED = {"item", "agent", "round", "answer", "gold"}
STATUSES = {True: ("parsed", "fallback"), False: ("missing", "truncated", "ambiguous")}  # by whether there is an answer
NOT_SAID = -1
ALONE = "self_consistency"


class Teammates(NamedTuple):
    """What tells teams on a question apart, as far as a row says it."""

    task: str
    team: str
    condition: str  # "" where the row does not say
    item: str
    replicate: int
    n: int  # NOT_SAID
    k: int  # NOT_SAID


@dataclass(frozen=True)
class Answer:
    """A row: who said what when."""

    row: Fields
    agent: int
    round: int
    model: str
    gold: str
    said: Said


def read(rows: Sequence[Fields], told: Told) -> tuple[list[Debate], int]:
    """The debates of a table without those that have a bad row or lack one, which is noted; and how many there are."""
    teams: dict[Teammates, list[Answer]] = defaultdict(list)
    for row in rows:
        key = _key(row, told)
        if key is not None:
            teams[key].append(_answer(row, told))
    whole = _conditions(teams)
    return [debate for group in _cells(whole).values() for debate in _debates(group, told)], len(whole)


def _key(row: Fields, told: Told) -> Teammates | None:
    """Whose row it is; None where that cannot be said."""
    model = told.model_of(row, "model")
    team = told.names.of("team", row.text("team"), row) if row.has("team") else model
    condition = row.text("condition") if row.has("condition") else ""
    if condition and condition not in CONDITIONS:
        row.wrong(f"'condition' is {condition!r}", f"It is one of {', '.join(CONDITIONS)}")
    n, k = row.integer("n", 1, NOT_SAID), row.integer("k", 0, NOT_SAID)
    key = Teammates(told.task_of(row, "task"), team, condition, row.text("item"), row.integer("replicate", 1, 1), n, k)
    return None if row.bad else key


def _answer(row: Fields, told: Told) -> Answer:
    gold, answer = row.text("gold"), _text(row)
    if gold in tuple(LETTERS):
        options = LETTERS[: row.integer("options", 2, len(LETTERS), most=len(LETTERS))]
        for name, letter in (("gold", gold), ("answer", answer)):
            if letter is not None and letter not in options:
                row.wrong(f"'{name}' is {letter!r}, no option's letter", f"Write one of {options[0]} to {options[-1]}")
    elif answer is not None and _alike(answer, gold):
        row.wrong(f"'answer' is {answer!r}, and 'gold' {gold!r}", "Write a letter or number in one way in all rows")
    status = row.text("status") if row.has("status") else STATUSES[answer is not None][0]
    if status not in STATUSES[answer is not None]:
        having = "an answer" if answer is not None else "no answer"
        row.wrong(f"'status' is {status!r} with {having}", f"It is one of {', '.join(STATUSES[answer is not None])}")
    rule = row.text("rule") if row.has("rule") else ""
    said = Said(
        answer, status, rule, row.number("temperature"), row.count("prompt_tokens"), row.count("completion_tokens")
    )
    return Answer(row, row.integer("agent", 1), row.integer("round", 1), told.model_of(row, "model"), gold, said)


def _text(row: Fields) -> str | None:
    """The answer; blanks around it are dropped, and nothing is no answer."""
    if "answer" not in row.cells:
        row.wrong("'answer' is missing", "Give the row one, empty where the agent gave none")
    return row.optional("answer")


def _alike(answer: str, gold: str) -> bool:
    """Whether two answers that are compared as they stand are one letter or number, written in two ways."""
    if len(gold) == 1 and gold.isalpha():
        return answer != gold and answer.casefold() == gold.casefold()
    number = number_of(gold)
    return answer != gold and number is not None and number == number_of(answer)


def _conditions(teams: dict[Teammates, list[Answer]]) -> dict[Teammates, list[Answer]]:
    """With the condition of rows that do not say it: a team with a second round debates."""
    talking = {(key.task, key.team) for key, answers in teams.items() if any(said.round > 1 for said in answers)}
    whole: dict[Teammates, list[Answer]] = defaultdict(list)
    for key, answers in teams.items():
        usual = "debate" if (key.task, key.team) in talking else ALONE
        whole[key._replace(condition=key.condition or usual)] += answers
    return whole


def _cells(teams: dict[Teammates, list[Answer]]) -> dict[tuple[object, ...], dict[Teammates, list[Answer]]]:
    """Teams that differ in item and replicate alone: their debates have one size and one number of rounds."""
    cells: dict[tuple[object, ...], dict[Teammates, list[Answer]]] = defaultdict(dict)
    for key, answers in teams.items():
        cells[key.task, key.team, key.condition, key.n, key.k][key] = answers
    return cells


def _debates(cell: dict[Teammates, list[Answer]], told: Told) -> Iterator[Debate]:
    """The whole debates of a cell."""
    last = max(said.round for answers in cell.values() for said in answers)
    kept = last if told.rounds is None else told.rounds + 1
    if next(iter(cell)).condition == ALONE:
        kept = 1
    for key, answers in cell.items():
        n = key.n if key.n != NOT_SAID else max(said.agent for group in cell.values() for said in group)
        debate = _debate(key._replace(n=n), answers, kept)
        if debate is not None:
            yield replace(debate, sized=key.n != NOT_SAID)


def _debate(key: Teammates, answers: list[Answer], rounds: int) -> Debate | None:
    """A team's debate, if none of its rows is bad or missing."""
    seats: dict[tuple[int, int], Answer] = {}
    placed = [answer for answer in answers if answer.agent and answer.round]
    for answer in placed:
        if answer.round <= rounds:
            _seat(seats, answer, key)
        elif key.condition == ALONE:
            answer.row.wrong(f"round {answer.round} of a team that answers once", "Say how it came to a second round")
        else:
            answer.row.where.remark(f"rounds after round {rounds} are kept out: --rounds takes more")
    first = answers[0].row
    _check_heard(key, first)
    if len(placed) == len(answers) and (lacking := list(_lacking(key, seats, rounds))):
        first.wrong(f"item {key.item!r} lacks {'; '.join(lacking)}", _COMPLETE)
    if any(answer.row.bad for answer in answers):
        return None
    said = tuple(tuple(seats[turn, agent].said for agent in range(1, key.n + 1)) for turn in range(1, rounds + 1))
    models = tuple(seats[1, agent].model for agent in range(1, key.n + 1))
    return Debate(_full(key), answers[0].gold, models, said, sized=True, where=first.where)


def _seat(seats: dict[tuple[int, int], Answer], answer: Answer, key: Teammates) -> None:
    """Put an answer in its place, unless it contradicts those that sit already."""
    row, other = answer.row, seats.setdefault((answer.round, answer.agent), answer)
    if other is not answer:
        what = f"agent {answer.agent} answers item {key.item!r} twice in round {answer.round}, in {_place(other)} too"
        row.wrong(what, "Remove a row, or tell teams apart by 'replicate' or 'team'")
    if answer.agent > key.n:
        row.wrong(f"agent {answer.agent} is on a team of {key.n}", "Agents count from 1 to n: correct one of them")
    before = seats.get((1, answer.agent), answer)
    if before.model != answer.model:
        row.wrong(f"agent {answer.agent} is {answer.model!r}, and {before.model!r} in {_place(before)}", _ONE_MODEL)
    if next(iter(seats.values())).gold != answer.gold:
        first = next(iter(seats.values()))
        row.wrong(
            f"'gold' is {answer.gold!r}, and {first.gold!r} in {_place(first)}", "Give each item one right answer"
        )


_ONE_MODEL = "An agent is of one model in all rounds"


def _check_heard(key: Teammates, row: Fields) -> None:
    """In conditions where others are heard these are some of the team; elsewhere they are none."""
    most = _others(key)
    if key.k != NOT_SAID and not min(most, 1) <= key.k <= most:
        row.wrong(
            f"'k' is {key.k} in the {key.condition} of a team of {key.n}", f"It is {min(most, 1)} to {most} there"
        )


def _others(key: Teammates) -> int:
    """How many an agent can hear."""
    return key.n - 1 if key.condition in ("debate", "noise") else 0


def _full(key: Teammates) -> DebateKey:
    return DebateKey(*key[:5], key.n, key.k if key.k != NOT_SAID else _others(key))


def _place(answer: Answer) -> str:
    return f"{answer.row.where.notes.unit} {answer.row.where.number}"


def _lacking(key: Teammates, seats: dict[tuple[int, int], Answer], rounds: int) -> Iterator[str]:
    """In words, the agents of each round that have no row."""
    for turn in range(1, rounds + 1):
        agents = [agent for agent in range(1, key.n + 1) if (turn, agent) not in seats]
        if len(agents) == key.n:
            yield f"round {turn}"
        elif agents:
            yield f"agent{'s' if len(agents) > 1 else ''} {', '.join(map(str, agents))} in round {turn}"


_COMPLETE = "Give an agent without an answer a row with an empty one; if debates should end earlier, say --rounds"
