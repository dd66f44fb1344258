"""Replies that state programs to what these do: the only rule that runs what a model wrote, in a sandbox.

Inputs: results/{run}/{items,draws,turns}/ of tasks that ask for programs; resources/{run}/verdicts/ in a replay
Outputs: results/{run}/verdicts/{team}/{task}.parquet
"""


rule verdicts:
    """Which assertions each program of a team passes."""
    input:
        questions="results/{run}/items/{task}.parquet",
        draws=lambda wildcards: expand(
            "results/{run}/draws/{model}/{task}.parquet",
            model=models_of(wildcards.team),
            allow_missing=True,
        ),
        turns=lambda wildcards: [
            f"results/{wildcards.run}/turns/{cell.team}/{cell.task}/{cell.condition}.parquet"
            for cell in told_cells_of(wildcards.team)
            if cell.task == wildcards.task and cell.condition != "self_consistency"
        ],
        released=lambda wildcards: released("verdicts", [wildcards.team], wildcards.task),
    output:
        verdicts="results/{run}/verdicts/{team}/{task}.parquet",
    log:
        "results/{run}/logs/verdicts/{team}/{task}.log",
    threads: 4
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 240 * attempt,
    params:
        code=digest("headcount.answers.verdicts", "sandbox"),
    script:
        "../scripts/verdicts.py"
