"""How fast extraction is, and how often it agrees with the answers that replies state.

    python benchmarks/extraction.py $HEADCOUNT_SHARED/data/mmlu_pro_outputs_4_models.parquet

Takes a Parquet file of replies: item, model, n_options, text. A statement is "answer is X"; a reply
is clear if all its statements name the same one of the question's options.
"""

import re
import sys
import time
from pathlib import Path

import pandas as pd

from headcount.extraction.extract import extract

# Independent of the library's grammar, on purpose: the plainest sense of "answer is X".
STATEMENT = re.compile(r"""answer is[\s:*"($\\{]{0,6}([A-J])(?![A-Za-z0-9])(?!\(|[ ]?=)""")
JOINED = re.compile(r"""[^A-Za-z]{0,3}(?:and/or|and|or|,)[^A-Za-z]{0,3}[A-J](?![A-Za-z])""")


def clear_answer(text: str, n_options: int) -> str | None:
    """The one option that the reply's statements name, if there is exactly one."""
    statements = list(STATEMENT.finditer(text))
    named = {statement[1] for statement in statements}
    if any(JOINED.match(text, statement.end()) for statement in statements) or len(named) != 1:
        return None
    letter = named.pop()
    return letter if letter <= "ABCDEFGHIJ"[n_options - 1] else None


def main(replies: Path) -> None:
    """Print replies per second of one core, and the agreement over clear replies."""
    frame = pd.read_parquet(replies, columns=["n_options", "text"])
    pairs = list(zip(frame.text, frame.n_options.astype(int), strict=True))
    for dialect in ("ringelmann", "ledger"):
        begin = time.process_time()
        values = [extract(text, "choice", n, dialect).value for text, n in pairs]
        seconds = time.process_time() - begin
        clear = [clear_answer(text, n) for text, n in pairs]
        agree = [ours == theirs for ours, theirs in zip(values, clear, strict=True) if theirs]
        print(
            f"{dialect}: {len(pairs)} replies, {len(pairs) / seconds:,.0f} per second, "
            f"{sum(agree)} of {len(agree)} clear ones agree ({sum(agree) / len(agree):.2%})"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
