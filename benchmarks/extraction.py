"""How fast extraction is, and how often it agrees with the answers that replies state.

    python benchmarks/extraction.py $HEADCOUNT_SHARED/data/mmlu_pro_outputs_4_models.parquet

Takes a Parquet file of replies: item, model, n_options, text. A statement is "answer is X"; a reply
is clear if all its statements name the same one of the question's options.
"""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from results import Numbers, Row, show

from headcount.extraction.extract import extract

# Independent of the library's grammar, on purpose: the plainest sense of "answer is X".
STATEMENT = re.compile(r"""answer is[\s:*"($\\{]{0,6}([A-J])(?![A-Za-z0-9])(?!\(|[ ]?=)""")
DIALECTS = ("ringelmann", "ledger")
JOINED = re.compile(r"""[^A-Za-z]{0,3}(?:and/or|and|or|,)[^A-Za-z]{0,3}[A-J](?![A-Za-z])""")


def clear_answer(text: str, n_options: int) -> str | None:
    """The one option that the reply's statements name, if there is exactly one."""
    statements = list(STATEMENT.finditer(text))
    named = {statement[1] for statement in statements}
    if any(JOINED.match(text, statement.end()) for statement in statements) or len(named) != 1:
        return None
    letter = named.pop()
    return letter if letter <= "ABCDEFGHIJ"[n_options - 1] else None


def measured(replies: Path) -> Numbers:
    """Of each dialect: replies, seconds of one core, clear replies, and how many of them agree."""
    frame = pd.read_parquet(replies, columns=["n_options", "text"])
    pairs = list(zip(frame.text, frame.n_options.astype(int), strict=True))
    numbers: Numbers = {}
    for dialect in DIALECTS:
        begin = time.process_time()
        values = [extract(text, "choice", n, dialect).value for text, n in pairs]
        seconds = time.process_time() - begin
        clear = [clear_answer(text, n) for text, n in pairs]
        agree = [ours == theirs for ours, theirs in zip(values, clear, strict=True) if theirs]
        numbers[dialect] = {"replies": len(pairs), "seconds": seconds, "clear": len(agree), "agree": sum(agree)}
    return numbers


def rows(numbers: Numbers) -> Iterator[Row]:
    for dialect, own in numbers.items():
        what = f"extraction, {dialect} dialect: {own['replies']:,} replies of one core"
        yield Row(what, f"{own['replies'] / own['seconds']:,.0f} a second", "10,000")
        yield Row(f"of {own['clear']:,} clear ones agree", f"{own['agree'] / own['clear']:.2%}")


if __name__ == "__main__":
    show(rows(measured(Path(sys.argv[1]))))
