"""A page for each cell: curve, residuals, nulls, skill, accuracy, missing answers, and what was said.

Inputs: results/{run}/{fits,curves,estimates,excess,skills,rivals}.parquet, and of the team results/{run}/{measures,answers,items,draws,turns}/
Outputs: results/{run}/pages/{team}/{task}.{condition}.html
"""


rule pages:
    """The pages of a team's cells."""
    input:
        fits="results/{run}/fits.parquet",
        curves="results/{run}/curves.parquet",
        estimates="results/{run}/estimates.parquet",
        excess="results/{run}/excess.parquet",
        skills="results/{run}/skills.parquet",
        rivals="results/{run}/rivals.parquet",
        measures="results/{run}/measures/{team}.parquet",
        answers="results/{run}/answers/{team}.parquet",
        questions=rules.answers.input.questions,
        draws=rules.answers.input.draws,
        turns=rules.answers.input.turns,
    output:
        pages=report(
            directory("results/{run}/pages/{team}"),
            patterns=["{cell_task}.{cell_condition}.html"],
            caption="../report/pages.rst",
            category="8 Cell by cell",
            labels={"team": "{team}", "task": "{cell_task}", "condition": "{cell_condition}"},
        ),
    log:
        "results/{run}/logs/pages/{team}.log",
    resources:
        mem_mb=memory_of_reading,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.publish.cell_pages", "publish/templates"),
        cells=lambda wildcards: f"{cells_of(wildcards.team)} {told_tasks_of(wildcards.team)}",
    script:
        "../scripts/pages.py"


rule cells:
    """The pages of all cells."""
    input:
        expand(f"{RUN}/pages/{{team}}", team=TEAMS),
