"""A page for each cell: curve, residuals, nulls, skill, accuracy, missing answers, and what was said.

All are made together: they stand on the fits of the run, and no page can change without the others being made again.

Inputs: results/{run}/{fits,curves,estimates,excess,skills,rivals}.parquet, results/{run}/{measures,answers,items,draws,turns}/
Outputs: results/{run}/pages/{team}/{task}.{condition}.html
"""


rule pages:
    """The pages of all cells."""
    input:
        expand(f"{RUN}/{{name}}.parquet", name=["fits", "curves", "estimates", "excess", "skills", "rivals"]),
        expand(f"{RUN}/{{stage}}/{{team}}.parquet", stage=["measures", "answers"], team=TEAMS),
        texts(),
    output:
        pages=[
            report(
                directory(f"{RUN}/pages/{team}"),
                patterns=["{cell_task}.{cell_condition}.html"],
                caption="../report/pages.rst",
                category="8 Cell by cell",
                labels={"team": team, "task": "{cell_task}", "condition": "{cell_condition}"},
            )
            for team in TEAMS
        ],
    log:
        f"{RUN}/logs/pages.log",
    resources:
        mem_mb=memory_of_reading,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.publish.cell_pages", "publish/templates"),
        cells=[f"{cells_of(team)} {told_tasks_of(team)}" for team in TEAMS],
    script:
        "../scripts/pages.py"


rule cells:
    """Each cell from close by."""
    input:
        rules.pages.output,
