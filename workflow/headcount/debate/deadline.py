"""The end of a job's time on a Slurm cluster: it stops itself before that, so that it ends whole and says why."""

import asyncio
import os
import subprocess
import time
from datetime import datetime

from headcount.errors import UserError

MARGIN = "HEADCOUNT_STOP_SECONDS"  # variable: how long before its end a job stops
_LONGEST_MARGIN, _SHARE = 120.0, 0.1  # without it: so many seconds, or that share of what was left at first


async def stop_in_time() -> None:
    """Raise before the job's time is up; return at once where no time is set.

    Asks again when the time has come: an administrator may have given the job more.

    Raises:
        UserError: the job must stop now.
    """
    margin, end = None, await asyncio.to_thread(end_of_job)
    while end is not None:
        left = end - time.time()
        margin = _margin(left) if margin is None else margin
        await asyncio.sleep(left - margin)
        later = await asyncio.to_thread(end_of_job)
        if later is None or later <= end:
            raise UserError(
                f"Stopped {margin:.0f} s before the job's time is up, at {datetime.fromtimestamp(end):%H:%M:%S}. "
                "What was answered is kept; the next attempt goes on."
            )
        end = later


def end_of_job() -> float | None:
    """When Slurm will end this job, in seconds since the epoch; None outside Slurm, or where it does not say."""
    job, told = os.environ.get("SLURM_JOB_ID"), os.environ.get("SLURM_JOB_END_TIME")
    return (_asked(job) or (float(told) if told else None)) if job else None


def _asked(job: str) -> float | None:
    """The end of a job by `squeue`, which knows of extensions, and of older Slurms that do not tell their jobs."""
    words = ["squeue", "--noheader", "--jobs", job, "--format", "%e"]
    try:
        env = os.environ | {"SLURM_TIME_FORMAT": "%s"}
        said = subprocess.run(words, env=env, capture_output=True, text=True, timeout=30, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return float(said) if said.isdigit() else None  # N/A: without a limit


def _margin(left: float) -> float:
    said = os.environ.get(MARGIN)
    try:
        return float(said) if said else min(_LONGEST_MARGIN, _SHARE * left)
    except ValueError:
        raise UserError(f"{MARGIN}: {said!r} is not a number of seconds.") from None
