"""Whether the numbers can be trusted: intervals and theorems tried on simulated data whose truth is known.

It reads no run. A quick look: snakemake calibration --config 'calibration={data_sets: 50}'

Inputs: none
Outputs: results/calibration/{study}/{part}.csv, results/calibration/{study}.csv,
         results/calibration/figures/{figure}.png .pdf .svg .csv, results/calibration/tables.md
"""

from headcount.calibration.parts import FIGURES, STUDIES


wildcard_constraints:
    study="|".join(STUDIES),
    part=r"[a-z0-9_.-]+",
    drawing="|".join(FIGURES),


rule calibration_part:
    """One population at one number of items, or one grid: minutes each."""
    output:
        "results/calibration/{study}/{part}.csv",
    log:
        "results/calibration/logs/{study}/{part}.log",
    benchmark:
        "results/calibration/benchmarks/{study}/{part}.tsv"
    resources:
        mem_mb=2000,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=lambda wildcards: digest(f"headcount.calibration.{wildcards.study}"),
        data_sets=settings.calibration.data_sets,
    script:
        "../scripts/calibration_part.py"


rule calibration_study:
    """All parts of a study in one table."""
    input:
        lambda wildcards: expand("results/calibration/{{study}}/{part}.csv", part=STUDIES[wildcards.study]),
    output:
        "results/calibration/{study}.csv",
    log:
        "results/calibration/logs/{study}.log",
    localrule: True
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/calibration_study.py"


rule calibration_figure:
    """Studies drawn."""
    input:
        lambda wildcards: expand("results/calibration/{study}.csv", study=FIGURES[wildcards.drawing]),
    output:
        png="results/calibration/figures/{drawing}.png",
        pdf="results/calibration/figures/{drawing}.pdf",
        svg="results/calibration/figures/{drawing}.svg",
        csv="results/calibration/figures/{drawing}.csv",
    log:
        "results/calibration/logs/figures/{drawing}.log",
    localrule: True
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest("headcount.publish.calibration"),
    script:
        "../scripts/calibration_figure.py"


rule calibration_tables:
    """Studies as Markdown tables."""
    input:
        expand("results/calibration/{study}.csv", study=["coverage", "excess", "theorem", "pilots"]),
    output:
        "results/calibration/tables.md",
    log:
        "results/calibration/logs/tables.log",
    localrule: True
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=digest("headcount.publish.calibration_tables"),
    script:
        "../scripts/calibration_tables.py"


rule calibration:
    """Every study of calibration, and its figures."""
    input:
        expand("results/calibration/{study}.csv", study=STUDIES),
        expand("results/calibration/figures/{drawing}.png", drawing=FIGURES),
        "results/calibration/tables.md",
