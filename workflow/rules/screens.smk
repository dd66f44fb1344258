"""Screens of models that were probed, and what they say about debates of the same models. No probes: no rows.

Inputs: results/{run}/probes/{model}/{task}.parquet, results/{run}/transitions/{team}.parquet
Outputs: results/{run}/screens.parquet, results/{run}/reliability.parquet, results/{run}/model_rows.parquet,
         results/{run}/associations.parquet, results/{run}/reorderings.parquet, results/{run}/selection.parquet,
         results/{run}/forecasts.parquet
"""

SCREENED = ["screens", "reliability", "model_rows", "associations", "reorderings", "selection", "forecasts"]
OF_SCREENED = [team for team in TEAMS if SCREENS and not settings.mixed(team)]


rule screens:
    """How readily each model leaves its answer when somebody argues against it, and whether that comes back."""
    input:
        probes=SCREENS,
    output:
        screens="results/{run}/screens.parquet",
        reliability="results/{run}/reliability.parquet",
    log:
        "results/{run}/logs/screens.log",
    benchmark:
        "results/{run}/benchmarks/screens.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.ledger.screen_rates", "headcount.ledger.screen_reliability"),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/screens.py"


rule associations:
    """Screens beside collapses, over models and over families, and what choosing by the screen would have done."""
    input:
        screens="results/{run}/screens.parquet",
        probes=SCREENS,
        transitions=expand("results/{run}/transitions/{team}.parquet", team=OF_SCREENED, allow_missing=True),
    output:
        rows="results/{run}/model_rows.parquet",
        associations="results/{run}/associations.parquet",
        reorderings="results/{run}/reorderings.parquet",
        selection="results/{run}/selection.parquet",
        forecasts="results/{run}/forecasts.parquet",
    log:
        "results/{run}/logs/associations.log",
    benchmark:
        "results/{run}/benchmarks/associations.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest(
            "headcount.ledger.model_rows",
            "headcount.ledger.screen_associations",
            "headcount.ledger.screen_audits",
        ),
        fitting=settings.fitting.model_dump_json(),
        families=[families_of(team) for team in OF_SCREENED],
    script:
        "../scripts/associations.py"
