"""Sources to items: the questions of each task, fetched, checked and cut to size.

Inputs: what the task's source names, or a released cache.
Outputs: results/{run}/items/{task}.parquet
"""


rule items:
    """The questions of a task. Fetched where Snakemake runs: compute nodes often have no network."""
    input:
        source=lambda wildcards: released("items", [""], wildcards.task) or source_of(wildcards.task),
    output:
        questions="results/{run}/items/{task}.parquet",
    log:
        "results/{run}/logs/items/{task}.log",
    localrule: True
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        code=digest("headcount.items.load"),
        asked=lambda wildcards: settings.tasks[wildcards.task].model_dump_json() + str(settings.replay),
        cache=CACHE,
    script:
        "../scripts/items.py"
