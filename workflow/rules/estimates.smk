"""Every quantity of the run with its interval, and every contrast of conditions.

Inputs: results/{run}/{measures,subsets,moves,votes}/{team}.parquet
Outputs: results/{run}/estimates.parquet, results/{run}/contrasts.parquet
"""


rule estimates:
    """Quantities of every cell, and what talk adds, under one set of item weights."""
    input:
        measures=expand("results/{run}/measures/{team}.parquet", team=TEAMS, allow_missing=True),
        subsets=expand("results/{run}/subsets/{team}.parquet", team=TEAMS, allow_missing=True),
        moves=expand("results/{run}/moves/{team}.parquet", team=TEAMS, allow_missing=True),
        votes=expand("results/{run}/votes/{team}.parquet", team=TEAMS, allow_missing=True),
    output:
        estimates="results/{run}/estimates.parquet",
        contrasts="results/{run}/contrasts.parquet",
    log:
        "results/{run}/logs/estimates.log",
    benchmark:
        "results/{run}/benchmarks/estimates.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 8000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.laws.estimates", "headcount.laws.contrasts"),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/estimates.py"
