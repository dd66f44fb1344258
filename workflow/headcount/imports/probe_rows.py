"""The reference's probe rows, JSON lines: an agent's first answer and what it answered to the eight probes.

    {"question_id": "mmlu_pro_17", "benchmark": "mmlu_pro", "model_name": "qwen3-4b", "correct_label": "C",
     "condition": "default", "agent_idx": 0, "temperature": 0.5, "initial_answer": "C",
     "probe_results": [{"strength": "weak", "social": false, "alt_answer": "A", "post_answer": "C"}, ...]}

Older rows have `probe_type` for the strength, `probe_answer` and `original_answer`, and may lack the right option,
which then comes from the debates of the same import. Whether a probe flipped its agent is computed here; a reply
without an answer is neither a flip nor none.
"""

from collections.abc import Mapping

from headcount.config import PROBE_CONDITIONS
from headcount.debate.probe_prompts import BATTERY, STRENGTHS, Probe
from headcount.imports.fields import Fields
from headcount.imports.records import Battery, BatteryKey, ProbeAnswer
from headcount.imports.rounds import differs
from headcount.imports.told import Told

_VALUES = dict(zip((0.25, 0.5, 0.75, 1.0), STRENGTHS, strict=True))
_READ = {
    *("question_id", "benchmark", "model_name", "model", "correct_label", "condition", "agent_idx", "agent_id"),
    *("temperature", "initial_answer", "original_answer", "initial_correct", "initial_parse_repaired", "probe_results"),
}
_UNUSED = {
    *("category", "alpha_total", "alpha_solo", "alpha_social", "by_strength", "flip_rate", "social_sensitivity"),
    *("argument_sensitivity", "sa_ratio", "total_cost", "cost", "timestamp", "backend", "usage", "initial_cost"),
}
KNOWN = _READ | _UNUSED
PREFIXES = ("provider_", "vllm_")  # of keys that say where a reply came from


def read(row: Fields, told: Told) -> Battery | None:
    """The battery of a row; None, with its problems noted, where there is none."""
    model, task = told.model_of(row, "model_name", "model"), told.task_of(row, "benchmark")
    key = BatteryKey(model, task, _condition(row), row.text("question_id"), _agent(row))
    results = list(row.objects("probe_results"))
    initial, gold = _initial(row, results), row.letter("correct_label")
    probes = tuple(_probe(result, initial) for result in results)
    _check(row, [probe.probe for probe in probes], asked=initial is not None)
    if row.bad:
        return None
    if gold is not None:
        differs(row, row.cells, "initial_correct", initial == gold)
    repaired = bool(row.flag("initial_parse_repaired"))
    return Battery(key, gold, row.number("temperature"), initial, repaired, probes, row.where)


def _condition(row: Fields) -> str:
    """The system prompt; rows from before there were several have the neutral one."""
    condition = row.text("condition") if row.has("condition") else PROBE_CONDITIONS[0]
    if condition not in PROBE_CONDITIONS:
        row.wrong(f"'condition' is {condition!r}", f"It is one of {', '.join(PROBE_CONDITIONS)}")
    return condition


def _agent(row: Fields) -> int:
    """As the row counts, from 0 or 1; which of them is seen from all rows."""
    return row.integer("agent_id" if "agent_id" in row.cells and "agent_idx" not in row.cells else "agent_idx", 0)


def _initial(row: Fields, results: list[Fields]) -> str | None:
    """The first answer: in the row, or in older ones in each result."""
    for key in ("initial_answer", "original_answer"):
        if key in row.cells:
            return row.letter(key)
    if not any("original_answer" in result.cells for result in results):
        row.wrong("'initial_answer' is missing", "Give the row the agent's first answer, null where there is none")
        return None
    stated = {result.letter("original_answer", there=True) for result in results}
    if len(stated) != 1 and not row.bad:
        row.wrong("the row has no first answer, or several", "Give it one 'initial_answer', null where there is none")
    return next(iter(stated), None)


def _probe(result: Fields, initial: str | None) -> ProbeAnswer:
    old = "probe_answer" in result.cells and "post_answer" not in result.cells
    answer = result.letter("probe_answer" if old else "post_answer", there=True)
    probe = Probe(_strength(result), _social(result))
    stated = result.flag("revised")
    if stated is not None and not result.bad and stated != (answer is not None and answer != initial):
        result.where.remark("stated 'revised' is not whether the answer changed, and is not used")
    return ProbeAnswer(probe.name, result.letter("alt_answer"), answer, *result.tokens())


def _strength(result: Fields) -> str:
    """By name, or by the number that stands for it."""
    named: Mapping[str, object] = {key: result.cells.get(key) for key in ("probe_type", "strength")}
    strength = next((value for value in named.values() if isinstance(value, str)), None)
    if strength is None:
        key = "strength" if result.has("strength") else "strength_value"
        strength = _VALUES.get(result.number(key) or 0.0, "")
    if strength not in STRENGTHS:
        result.wrong(f"{result.name('strength')} is none of {', '.join(STRENGTHS)}", "Name the probe's strength")
    return strength


def _social(result: Fields) -> bool:
    if result.flag("social") is None and not result.bad:
        result.wrong(f"{result.name('social')} is missing", "Say true or false")
    return bool(result.flag("social"))


def _check(row: Fields, probes: list[str], *, asked: bool) -> None:
    """Every probe of the battery once; none at all is allowed where there was no answer to argue with."""
    if row.bad or (not probes and not asked):
        return
    names = [probe.name for probe in BATTERY]
    if twice := sorted({name for name in probes if probes.count(name) > 1}):
        row.wrong(f"{' and '.join(twice)} stand twice", "Keep one result a probe")
    if lacking := [name for name in names if name not in probes]:
        row.wrong(f"no result of {' and '.join(lacking)}", "Give a probe without an answer a null 'post_answer'")
