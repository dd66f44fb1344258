"""Benchmarks run one after another, and the page that says what they measured.

    python benchmarks/report.py all           # half an hour; run nothing beside it
    python benchmarks/report.py client fits   # these alone
    python benchmarks/report.py               # nothing: the page is written again

Numbers go to benchmarks/report/NAME.json, and from all of them comes the end of benchmarks/README.md. `extraction`
reads the replies under $HEADCOUNT_SHARED; where that is not set, `all` leaves it out and says so.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from importlib import import_module
from pathlib import Path

import scale_report
from results import Numbers, table

HERE = Path(__file__).resolve().parent
REPORT, PAGE = HERE / "report", HERE / "README.md"
START = "<!-- from here on written by benchmarks/report.py -->"
SMALL = ("client", "fits", "generation", "simulator", "extraction")
SCALE = "paper_scale"
SHARED = "HEADCOUNT_SHARED"
REPLIES = "data/mmlu_pro_outputs_4_models.parquet"


def main(names: list[str]) -> None:
    for name in names:
        print(f"{name} ...", flush=True)
        _alone(_measure, name)
    PAGE.write_text(page(PAGE.read_text()))


def page(written: str) -> str:
    """The page, whose words before the mark stay."""
    return f"{written.partition(START)[0]}{START}\n\n" + "\n".join(_measured()).rstrip() + "\n"


def _measure(name: str) -> None:
    module = import_module(name)
    if name == SCALE:
        module.main(False, REPORT)
        return
    numbers: Numbers = module.measured(*_inputs(name))
    _keep(name, numbers | {"seen": date.today().isoformat(), "cores": os.cpu_count()})


def _inputs(name: str) -> list[Path]:
    return [Path(os.environ[SHARED]) / REPLIES] if name == "extraction" else []


def _alone(work: Callable[[str], None], name: str) -> None:
    """In a process of its own: memory, threads and what a benchmark watches are nobody else's."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        pool.submit(work, name).result()


def _keep(name: str, numbers: Numbers) -> None:
    (REPORT / f"{name}.json").write_text(json.dumps(numbers, indent=1) + "\n")


def _kept(name: str) -> Numbers:
    numbers: Numbers = json.loads((REPORT / f"{name}.json").read_text())
    return numbers


def _measured() -> Iterator[str]:
    yield "## What was seen"
    yield ""
    yield from table(("what", "result", "goal", "seen on"), _lines())
    yield from scale_report.section(_kept(SCALE), "report/")


def _lines() -> Iterator[tuple[object, ...]]:
    for name in (name for name in SMALL if (REPORT / f"{name}.json").exists()):
        numbers = _kept(name)
        seen = f"{numbers.pop('seen')}, {numbers.pop('cores')} cores"
        yield from ((*row, seen) for row in import_module(name).rows(numbers))


def _asked(words: list[str]) -> list[str]:
    if unknown := set(words) - {"all", *SMALL, SCALE}:
        raise SystemExit(
            f"{', '.join(sorted(unknown))}: no benchmark. There are {', '.join((*SMALL, SCALE))}, and all."
        )
    if words != ["all"]:
        return words
    if SHARED in os.environ:
        return [*SMALL, SCALE]
    print(f"extraction is left out: {SHARED}, the folder of its replies, is not set")
    return [*(name for name in SMALL if name != "extraction"), SCALE]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    main(_asked(parser.parse_args().names))
