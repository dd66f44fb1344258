"""What talk did to the answers of a team: who moved where, and what other rules would have made of the last ones.

Inputs: results/{run}/answers/{team}.parquet
Outputs: results/{run}/moves/{team}.parquet, results/{run}/votes/{team}.parquet
"""


rule moves:
    """What each revision of a team changed, per item and size: right and wrong, to the mode and off it."""
    input:
        answers="results/{run}/answers/{team}.parquet",
    output:
        moves="results/{run}/moves/{team}.parquet",
    log:
        "results/{run}/logs/moves/{team}.log",
    resources:
        mem_mb=memory_of_answers,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.measures.moves"),
    script:
        "../scripts/moves.py"


rule votes:
    """A team's last answers by other rules than plurality."""
    input:
        answers="results/{run}/answers/{team}.parquet",
    output:
        votes="results/{run}/votes/{team}.parquet",
    log:
        "results/{run}/logs/votes/{team}.log",
    resources:
        mem_mb=memory_of_answers,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.measures.aggregators"),
        families=lambda wildcards: {model: settings.models[model].family for model in models_of(wildcards.team)},
    script:
        "../scripts/votes.py"
