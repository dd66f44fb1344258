"""How big a team is worth its cost, from the smallest teams: `snakemake pilot`. And whether talk beats more samples.

Inputs: results/{run}/{measures,subsets,answers}/{team}.parquet, resources/calibration/pilot_error.csv
Outputs: results/{run}/pilots.parquet, results/{run}/pilot_sizes.parquet, results/{run}/budgets.parquet,
         results/{run}/pilot.html
"""

PILOT_ERROR = "resources/calibration/pilot_error.csv"


rule pilots:
    """Plans from the smallest teams: effective size, accuracy and cost of teams to 100, with prediction intervals."""
    input:
        measures=expand("results/{run}/measures/{team}.parquet", team=TEAMS, allow_missing=True),
        subsets=expand("results/{run}/subsets/{team}.parquet", team=TEAMS, allow_missing=True),
        errors=PILOT_ERROR,
    output:
        pilots="results/{run}/pilots.parquet",
        sizes="results/{run}/pilot_sizes.parquet",
    log:
        "results/{run}/logs/pilots.log",
    benchmark:
        "results/{run}/benchmarks/pilots.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.laws.pilots"),
        fitting=settings.fitting.model_dump_json(),
        pilot=settings.pilot.model_dump_json(),
        prices=[(name, str(model.prices)) for name, model in settings.models.items()],
    script:
        "../scripts/pilots.py"


rule budgets:
    """Teams that talk beside as many samples as their calls, or their tokens, would buy."""
    input:
        measures=expand("results/{run}/measures/{team}.parquet", team=TEAMS, allow_missing=True),
        answers=expand("results/{run}/answers/{team}.parquet", team=TEAMS, allow_missing=True),
    output:
        budgets="results/{run}/budgets.parquet",
    log:
        "results/{run}/logs/budgets.log",
    benchmark:
        "results/{run}/benchmarks/budgets.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 8000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.laws.budgets"),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/budgets.py"


rule pilot_page:
    """The page that a pilot is decided by."""
    input:
        pilots="results/{run}/pilots.parquet",
        sizes="results/{run}/pilot_sizes.parquet",
        budgets="results/{run}/budgets.parquet",
    output:
        page=report(
            "results/{run}/pilot.html",
            caption="../report/pilot.rst",
            category=QUESTIONS["pilot"],
            labels={"page": "the pilot, for a decision"},
        ),
    log:
        "results/{run}/logs/pilot_page.log",
    localrule: True
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=digest("headcount.publish.pilot_page", "publish/templates"),
        confidence=settings.fitting.confidence,
    script:
        "../scripts/pilot_page.py"


rule pilot:
    """How big a team is worth its cost."""
    input:
        f"{RUN}/pilot.html",
