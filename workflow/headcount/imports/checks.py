"""What can be wrong between rows, of one file or of several: sizes, repetitions, right answers, seats, replicates.

Each check takes records, notes what is wrong with some, and returns the others. A debate is whole or it is left out.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from headcount.imports.records import Battery, Debate

Record = TypeVar("Record", Debate, Battery)
Item = tuple[str, str]  # task, item


def same_size(debates: Sequence[Debate]) -> list[Debate]:
    """Teams of which a file does not say how large they are have the size of the largest of their kind."""
    largest: dict[Hashable, Debate] = {}
    for debate in debates:
        largest[_cell(debate)] = max(largest.get(_cell(debate), debate), debate, key=lambda debate: debate.key.n)
    kept = []
    for debate in debates:
        whole = largest[_cell(debate)]
        if debate.sized or debate.key.n == whole.key.n:
            kept.append(debate)
        else:
            what = f"{debate.key.n} agents answer, and {whole.key.n} do in {whole.where}: an agent is missing"
            debate.where.wrong(what, "Give an agent without an answer a null in every round")
    return kept


def _cell(debate: Debate) -> Hashable:
    return (*debate.key[:3], debate.sized)


def once(records: Sequence[Record]) -> list[Record]:
    """Each debate or battery once: a repetition is left out, and two that contradict each other both are."""
    first: dict[Hashable, Record] = {}
    contradicted: set[Hashable] = set()
    for record in records:
        before = first.setdefault(record.key, record)
        if before is record:
            continue
        what = f"{_name(record)} stands in {before.where} already"
        if before.same(record):
            record.where.wrong(what, "Remove one of the rows")
        else:
            contradicted.add(record.key)
            record.where.wrong(f"{what}, with other answers", "Find out which is right, and remove the other")
    return [record for key, record in first.items() if key not in contradicted]


def _name(record: Debate | Battery) -> str:
    if isinstance(record, Debate):
        key = record.key
        replicate = f", replicate {key.replicate}" if key.replicate > 1 else ""
        return f"the {key.condition} of {key.team} on {key.task} / {key.item}, n={key.n}{replicate},"
    return f"agent {record.key.agent} of {record.key.model} on {record.key.task} / {record.key.item}"


def one_gold(debates: Sequence[Debate], batteries: Sequence[Battery]) -> tuple[list[Debate], list[Battery]]:
    """One right answer an item; items of which files say two are left out, and batteries of items that have none."""
    first: dict[Item, Debate | Battery] = {}
    disputed: set[Item] = set()
    records: list[Debate | Battery] = [*debates, *(battery for battery in batteries if battery.gold is not None)]
    for record in records:
        before = first.setdefault(_item(record), record)
        if before.gold != record.gold:
            disputed.add(_item(record))
            what = f"the right answer to {_item(record)[1]} is {record.gold!r}, and {before.gold!r} in {before.where}"
            record.where.wrong(what, "Find out which is right, and correct the other")
    told = []
    for battery in batteries:
        if _item(battery) in first:
            told.append(replace(battery, gold=first[_item(battery)].gold))
        else:
            what = "'correct_label' is missing, and no debate or row of this import has the question's right answer"
            battery.where.wrong(what, "Give the row its right option, or import it with its debates")
    return [d for d in debates if _item(d) not in disputed], [b for b in told if _item(b) not in disputed]


def _item(record: Debate | Battery) -> Item:
    return record.key.task, record.key.item


def same_seats(debates: Sequence[Debate]) -> list[Debate]:
    """An agent of a team is of one model in all its debates."""
    seats: dict[tuple[str, int], tuple[str, Debate]] = {}
    kept = []
    for debate in debates:
        wrong = False
        for agent, model in enumerate(debate.models, 1):
            known, before = seats.setdefault((debate.key.team, agent), (model, debate))
            if known != model and not wrong:
                wrong = True
                what = f"agent {agent} of {debate.key.team} is {model!r}, and {known!r} in {before.where}"
                debate.where.wrong(what, "Seat the models alike, or name a team for each seating")
        if not wrong:
            kept.append(debate)
    return kept


def all_replicates(debates: Sequence[Debate]) -> list[Debate]:
    """Every item of a cell is repeated as often, with numbers from 1."""
    by_cell: dict[Hashable, dict[str, list[Debate]]] = defaultdict(lambda: defaultdict(list))
    for debate in debates:
        key = debate.key
        by_cell[key._replace(item="", replicate=0)][key.item].append(debate)
    kept = []
    for items in by_cell.values():
        most = max(debate.key.replicate for group in items.values() for debate in group)
        for group in items.values():
            if len(group) == most:
                kept += group
            else:
                lacking = sorted({*range(1, most + 1)} - {debate.key.replicate for debate in group})
                what = f"item {group[0].key.item} lacks replicate {', '.join(map(str, lacking))} of {most}"
                group[0].where.wrong(what, "Give every item all replicates, or remove those that some lack")
    return kept


def checked(debates: Iterable[Debate], batteries: Iterable[Battery]) -> tuple[list[Debate], list[Battery]]:
    """Records that stand every check; of the others their notes say why not."""
    steps: list[Callable[[Sequence[Debate]], list[Debate]]] = [same_size, once, same_seats]
    whole = list(debates)
    for step in steps:
        whole = step(whole)
    whole, probed = one_gold(whole, once(list(batteries)))
    return all_replicates(whole), probed
