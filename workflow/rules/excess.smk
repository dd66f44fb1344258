"""What of a team's loss is owed to talk: cells beside agents who heard nobody, and beside a second team.

Inputs: results/{run}/{measures,subsets,cross_pairs}/{team}.parquet
Outputs: results/{run}/excess.parquet
"""


rule excess:
    """What each cell loses beyond its nulls, under one set of item weights."""
    input:
        measures=expand("results/{run}/measures/{team}.parquet", team=TEAMS, allow_missing=True),
        subsets=expand("results/{run}/subsets/{team}.parquet", team=TEAMS, allow_missing=True),
        cross_pairs=expand("results/{run}/cross_pairs/{team}.parquet", team=TEAMS, allow_missing=True),
    output:
        excess="results/{run}/excess.parquet",
    log:
        "results/{run}/logs/excess.log",
    benchmark:
        "results/{run}/benchmarks/excess.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.laws.excess"),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/excess.py"
