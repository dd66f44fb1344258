"""The frame of every job of the workflow: what went wrong stands in the job's log, and once on the terminal."""

import gc
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from headcount.errors import UserError


@contextmanager
def job(log: str | Path) -> Iterator[None]:
    """Run a job; a user's mistake ends it with its message, anything else with its traceback."""
    started = time.monotonic()
    gc.freeze()  # what was imported stays until the end: never search it for garbage
    with Path(log).open("w", encoding="utf-8") as file:
        print(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC: started", file=file, flush=True)
        try:
            yield
        except KeyboardInterrupt:
            print("interrupted", file=file)
            sys.exit(f"\nInterrupted. What was answered is kept. (log: {log})")
        except (UserError, SystemExit) as mistake:  # the engines' SystemExit: stopped from outside
            print(mistake, file=file)
            sys.exit(f"\n{mistake}\n(log: {log})")
        except BaseException:
            traceback.print_exc(file=file)
            print(f"(log: {log})", file=sys.stderr)
            raise
        print(f"done in {time.monotonic() - started:.1f} s", file=file)
