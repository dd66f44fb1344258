"""The jobs that `headcount plan --jobs` counts, against those that Snakemake would run."""

import re
import sys
from pathlib import Path

import pytest
import yaml
from checkout import Checkout

pytestmark = pytest.mark.workflow

ASKING = {"draws", "draws_of_shard", "turns", "turns_of_shard", "probe_replies"}
BESIDE = {"items", "weights"}


def counted(checkout: Checkout, config: str) -> tuple[int, int]:
    """Jobs that ask a model, and light ones, as a terminal of 80 columns shows them."""
    done = checkout.headcount("plan", config, "--jobs")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.split("\nin all")[0].splitlines())) <= 80
    asking = re.search(r"^in all +(\d+)", done.stdout, re.MULTILINE)
    light = re.search(r"Light jobs: (\d+) in the queue, (\d+) where", done.stdout)
    return int(asking[1]), int(light[1]) + int(light[2])


def test_every_job_is_counted(fresh):
    """A private task, a mixed team, and cells of one job and of three."""
    fresh.edit("small.yaml", "sizes: [1, 2, 3]}\n  mix", "sizes: [1, 2, 3], shards: 3}\n  mix")
    jobs = fresh.jobs()
    asking = sum(count for rule, count in jobs.items() if rule in ASKING)
    assert counted(fresh, "small.yaml") == (asking, sum(jobs.values()) - asking)
    assert "gather" in jobs


def test_the_paper_has_its_jobs_under_the_slurm_profile(fresh):
    """What a bare `--profile slurm all` would submit, on a machine with neither a cluster nor the items of GPQA."""
    said = fresh.call(sys.executable, "-m", "snakemake", "--profile", "slurm", "all", "--dry-run", "--quiet", "rules")
    assert said.returncode == 0, said.stderr
    jobs = {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", said.stdout, re.MULTILINE)}
    assert sum(counted(fresh, "config/paper.yaml")) == jobs["total"] - jobs["all"]
    assert jobs["draws_of_shard"] + jobs["turns_of_shard"] > 100


def test_the_profile_and_its_partitions_agree():
    """A job may be as long as the profile says, so there must be a partition that takes it."""
    folder = Path(__file__).parents[2] / "profiles/slurm"
    profile, site = (yaml.safe_load((folder / name).read_text()) for name in ("config.yaml", "partitions.yaml"))
    caps = dict(cap.split("=") for cap in profile["resources"])
    assert all(partition["max_runtime"] >= int(caps["runtime"]) for partition in site["partitions"].values())
