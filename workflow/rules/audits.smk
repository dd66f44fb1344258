"""What laws are worth: the others beside Ringelmann's, and what a pilot of small teams predicts.

Inputs: results/{run}/{measures,subsets}/{team}.parquet
Outputs: results/{run}/{rivals,skills,audits,projections}.parquet
"""


rule audits:
    """Every law on every curve, and predictions of big teams from small ones beside what was seen."""
    input:
        measures=expand("results/{run}/measures/{team}.parquet", team=TEAMS, allow_missing=True),
        subsets=expand("results/{run}/subsets/{team}.parquet", team=TEAMS, allow_missing=True),
    output:
        rivals="results/{run}/rivals.parquet",
        skills="results/{run}/skills.parquet",
        audits="results/{run}/audits.parquet",
        projections="results/{run}/projections.parquet",
    log:
        "results/{run}/logs/audits.log",
    benchmark:
        "results/{run}/benchmarks/audits.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest(*(f"headcount.laws.{name}" for name in ("rivals", "skills", "audit", "projection"))),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/audits.py"
