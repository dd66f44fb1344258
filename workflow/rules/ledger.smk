"""The ledger of every team that revised: what discussion repaired, what it destroyed, and what chance alone would.

Inputs: results/{run}/answers/{team}.parquet, results/{run}/transitions/{team}.parquet
Outputs: results/{run}/redraws/{team}.parquet,
         results/{run}/ledger_rates.parquet, results/{run}/ledger_stability.parquet
"""


rule redraws:
    """What an independent re-draw of each team would show, from round-1 answers."""
    input:
        answers=expand("results/{run}/answers/{team}.parquet", team=TEAMS, allow_missing=True),
    output:
        redraws=expand("results/{run}/redraws/{team}.parquet", team=TEAMS, allow_missing=True),
    log:
        "results/{run}/logs/redraws.log",
    resources:
        mem_mb=memory_of_answers,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.ledger.redraw"),
        seed=settings.fitting.seed,
    script:
        "../scripts/redraws.py"


rule ledger_rates:
    """Every rate of every cell under every coding, and how far labels hang on the coding."""
    input:
        transitions=expand("results/{run}/transitions/{team}.parquet", team=TEAMS, allow_missing=True),
        redraws=expand("results/{run}/redraws/{team}.parquet", team=TEAMS, allow_missing=True),
    output:
        rates="results/{run}/ledger_rates.parquet",
        stability="results/{run}/ledger_stability.parquet",
    log:
        "results/{run}/logs/ledger_rates.log",
    benchmark:
        "results/{run}/benchmarks/ledger_rates.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 8000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.ledger.rates", "headcount.ledger.stability"),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/ledger_rates.py"
