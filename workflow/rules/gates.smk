"""Replay: what an intervention would have done to the debates that were saved, and how early a collapse shows.

Inputs: results/{run}/transitions/{team}.parquet,
        results/{run}/probes/{model}/{task}.parquet of the models that were screened
Outputs: results/{run}/gate_outcomes.parquet, results/{run}/localisation.parquet
"""


rule gates:
    """Every gate on every cell's debates, and on all teams of one model together; learned gates on models left out."""
    input:
        transitions=expand("results/{run}/transitions/{team}.parquet", team=TEAMS, allow_missing=True),
        probes=SCREENS,
    output:
        outcomes="results/{run}/gate_outcomes.parquet",
        localisation="results/{run}/localisation.parquet",
    log:
        "results/{run}/logs/gates.log",
    benchmark:
        "results/{run}/benchmarks/gates.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 8000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.ledger.gate_outcomes", "headcount.ledger.localised"),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/gates.py"
