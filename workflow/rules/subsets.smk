"""What agents say before they hear anybody: means over all teams of each size, from the largest.

Inputs: results/{run}/answers/{team}.parquet
Outputs: results/{run}/subsets/{team}.parquet: all rounds where nobody is heard, and round 1 of every task
"""


rule subsets:
    """Measures of a team of n, whichever of the agents they are."""
    input:
        answers="results/{run}/answers/{team}.parquet",
    output:
        subsets="results/{run}/subsets/{team}.parquet",
    log:
        "results/{run}/logs/subsets/{team}.log",
    benchmark:
        "results/{run}/benchmarks/subsets/{team}.tsv"
    resources:
        mem_mb=memory_of_answers,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.measures.subsets"),
        sizes=lambda wildcards: sizes_of(wildcards.team),
    script:
        "../scripts/subsets.py"
