"""What jobs ask a cluster for: by the model and the size of a cell, and more in each further attempt.

What a site has (partitions, the longest job, kinds of GPU) is in profiles/slurm alone.
"""

from headcount.debate.allocations import (
    cell_rows,
    draws_allocation,
    pool_rows,
    rows_mb,
    screen_allocation,
    turns_allocation,
)


def allocation(wildcards, attempt=1):
    """What a shard of a pool's draws or of a cell's revisions needs, or a screen."""
    if "purpose" in wildcards.keys():
        return screen_allocation(settings, planned.screen(*screen_of(wildcards)), attempt)
    if "model" in wildcards.keys():
        return draws_allocation(settings, planned.pool(wildcards.model, wildcards.task), attempt)
    cell = planned.cell(wildcards.team, wildcards.task, wildcards.condition)
    return turns_allocation(settings, planned, cell, attempt)


def memory_of_gathering(wildcards, attempt):
    """For all the replies of a pool or cell, texts and tokens."""
    stage, *names = wildcards.sharded.split("/")
    rows = pool_rows(settings, planned.pool(*names)) if stage == "draws" else cell_rows(settings, planned.cell(*names))
    return rows_mb(rows, 8000, attempt)


def memory_of_reading(wildcards, attempt):
    """For all the replies of a team's largest cell, and all its answers; a job of all teams reads one at a time."""
    rows = [[cell_rows(settings, cell) for cell in cells_of(team)] for team in teams_of(wildcards)]
    return max(rows_mb(max(own), 8000, attempt) + rows_mb(sum(own), 1000, attempt) for own in rows)


def memory_of_answers(wildcards, attempt):
    """For all the answers of a team; a job of all teams reads one at a time."""
    rows = [sum(cell_rows(settings, cell) for cell in cells_of(team)) for team in teams_of(wildcards)]
    return rows_mb(max(rows), 2000, attempt)


def memory_of_the_largest(wildcards, attempt):
    """For all the replies of the run's largest cell."""
    return rows_mb(max(cell_rows(settings, cell) for cell in planned.cells), 8000, attempt)
