"""Teams of several models: how often agents of one family agree, and agents of two.

Inputs: results/{run}/answers/{team}.parquet
Outputs: results/{run}/blocks/{team}.parquet of each mixed team, results/{run}/mixing.parquet
"""

MIXED = [team for team in TEAMS if settings.mixed(team)]


rule blocks:
    """Pairs of agents of a mixed team by the families of their models."""
    input:
        answers="results/{run}/answers/{team}.parquet",
    output:
        blocks="results/{run}/blocks/{team}.parquet",
    log:
        "results/{run}/logs/blocks/{team}.log",
    resources:
        mem_mb=memory_of_answers,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.measures.blocks"),
        families=lambda wildcards: families_of(wildcards.team),
    script:
        "../scripts/blocks.py"


rule mixing:
    """Agreement within and between families; without a row where no team is mixed."""
    input:
        blocks=expand("results/{run}/blocks/{team}.parquet", team=MIXED, allow_missing=True),
    output:
        mixing="results/{run}/mixing.parquet",
    log:
        "results/{run}/logs/mixing.log",
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        code=digest("headcount.laws.mixing"),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/mixing.py"
