"""Screens: how readily a model leaves its answer when somebody argues against it, and the questions on which it does.

Inputs: results/{run}/items/{task}.parquet, and the journals in cache/; of private and recorded tasks
        resources/{run}/probes/{model}/{task}.parquet
Outputs: results/{run}/probe_replies/{model}/{task}.parquet, results/{run}/probes/{model}/{task}.parquet; of the pass that
         chooses questions flip_pool_replies/ and flip_pools/ in their place, and results/{run}/items/{chosen}.parquet
"""


rule probe_replies:
    """First answers of a model, repairs of their format, and its replies to arguments against them."""
    input:
        questions="results/{run}/items/{task}.parquet",
        weights=lambda wildcards: weights_of([wildcards.model]),
        released=lambda wildcards: released("responses", [wildcards.model], wildcards.task),
    output:
        replies="results/{run}/{purpose}_replies/{model}/{task}.parquet",
    log:
        "results/{run}/logs/{purpose}_replies/{model}/{task}.log",
    benchmark:
        "results/{run}/benchmarks/{purpose}_replies/{model}/{task}.tsv"
    threads: lambda wildcards: allocation(wildcards).threads
    resources:
        gpu=lambda wildcards: allocation(wildcards).gpus,
        mem_mb=lambda wildcards, attempt: allocation(wildcards, attempt).mem_mb,
        runtime=lambda wildcards, attempt: allocation(wildcards, attempt).minutes,
        engine=1,
        hosted=lambda wildcards: int(allocation(wildcards).hosted),
    params:
        code=digest("headcount.debate.probes", "debate/templates"),
        asked=lambda wildcards: asked(planned.screen(*screen_of(wildcards)), [wildcards.model]),
        cache=CACHE,
    script:
        "../scripts/probe_replies.py"


rule probes:
    """Every probe read, without its text."""
    input:
        questions=lambda wildcards: told_of_screen(wildcards, "items/{task}.parquet"),
        replies=lambda wildcards: told_of_screen(wildcards, "{purpose}_replies/{model}/{task}.parquet"),
        released=lambda wildcards: released_probes_of(wildcards),
    output:
        probes="results/{run}/{purpose}s/{model}/{screened}.parquet",
    log:
        "results/{run}/logs/{purpose}s/{model}/{screened}.log",
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.answers.probes"),
        screen=lambda wildcards: str(planned.screen(*screen_of(wildcards))),
    script:
        "../scripts/probes.py"


rule high_flip:
    """The questions of a task on which a model flipped most, in a pass that nothing else is made of."""
    input:
        questions=lambda wildcards: f"results/{wildcards.run}/items/{settings.tasks[wildcards.chosen].of}.parquet",
        probes=lambda wildcards: "results/{run}/flip_pools/{task.model}/{task.of}.parquet".format(
            run=wildcards.run, task=settings.tasks[wildcards.chosen]
        ),
    output:
        questions="results/{run}/items/{chosen}.parquet",
    log:
        "results/{run}/logs/items/{chosen}.log",
    localrule: True
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=digest("headcount.ledger.flip_pool"),
        wanted=lambda wildcards: settings.tasks[wildcards.chosen].items,
    script:
        "../scripts/high_flip.py"


ruleorder: high_flip > items
