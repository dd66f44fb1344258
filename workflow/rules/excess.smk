"""What of a team's loss is owed to talk: cells beside agents who heard nobody, and beside a second team.

Inputs: results/{run}/answers/{team}.parquet, results/{run}/{measures,subsets}/{team}.parquet
Outputs: results/{run}/cross_pairs/{team}.parquet, without a row where every team was run once;
         results/{run}/excess.parquet
"""


rule cross_pairs:
    """Pairs of agents within teams, and across teams of the same size that never met."""
    input:
        answers="results/{run}/answers/{team}.parquet",
    output:
        pairs="results/{run}/cross_pairs/{team}.parquet",
    log:
        "results/{run}/logs/cross_pairs/{team}.log",
    resources:
        mem_mb=memory_of_answers,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.measures.cross_pairs"),
    script:
        "../scripts/cross_pairs.py"


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
