"""Items to replies: round 1 of each model, then the revisions of each cell. The only rules that ask a model.

Inputs: results/{run}/items/{task}.parquet, and the journals in cache/
Outputs: results/{run}/draws/{model}/{task}.parquet, results/{run}/turns/{team}/{task}/{condition}.parquet

Where an experiment has `shards`, each is a job and a file, such as .../{task}/2-of-3.parquet, and they are gathered.
"""

PROTOCOL = digest(*GENERATION)


rule draws:
    """Round 1 of a model on a task: what all its teams start from."""
    input:
        questions="results/{run}/items/{task}.parquet",
        weights=lambda wildcards: weights_of([wildcards.model]),
        released=lambda wildcards: released("responses", [wildcards.model], wildcards.task),
    output:
        draws="results/{run}/draws/{model}/{task}.parquet",
    log:
        "results/{run}/logs/draws/{model}/{task}.log",
    benchmark:
        "results/{run}/benchmarks/draws/{model}/{task}.tsv"
    threads: lambda wildcards: allocation(wildcards).threads
    resources:
        gpu=lambda wildcards: allocation(wildcards).gpus,
        mem_mb=lambda wildcards, attempt: allocation(wildcards, attempt).mem_mb,
        runtime=lambda wildcards, attempt: allocation(wildcards, attempt).minutes,
        engine=1,
        hosted=lambda wildcards: int(allocation(wildcards).hosted),
    params:
        code=PROTOCOL,
        asked=lambda wildcards: asked(planned.pool(wildcards.model, wildcards.task), [wildcards.model]),
        shard=shard_of,
        cache=CACHE,
    script:
        "../scripts/draws.py"


use rule draws as draws_of_shard with:
    output:
        draws="results/{run}/draws/{model}/{task}/{shard}-of-{shards}.parquet",
    log:
        "results/{run}/logs/draws/{model}/{task}/{shard}-of-{shards}.log",
    benchmark:
        "results/{run}/benchmarks/draws/{model}/{task}/{shard}-of-{shards}.tsv"


rule turns:
    """The revisions of a team on a task under a condition."""
    input:
        questions="results/{run}/items/{task}.parquet",
        draws=lambda wildcards: expand(
            "results/{run}/draws/{model}/{task}.parquet",
            model=models_of(wildcards.team),
            allow_missing=True,
        ),
        weights=lambda wildcards: weights_of(models_of(wildcards.team)),
        released=lambda wildcards: released("responses", models_of(wildcards.team), wildcards.task),
    output:
        turns="results/{run}/turns/{team}/{task}/{condition}.parquet",
    log:
        "results/{run}/logs/turns/{team}/{task}/{condition}.log",
    benchmark:
        "results/{run}/benchmarks/turns/{team}/{task}/{condition}.tsv"
    threads: lambda wildcards: allocation(wildcards).threads
    resources:
        gpu=lambda wildcards: allocation(wildcards).gpus,
        mem_mb=lambda wildcards, attempt: allocation(wildcards, attempt).mem_mb,
        runtime=lambda wildcards, attempt: allocation(wildcards, attempt).minutes,
        engine=1,
        hosted=lambda wildcards: int(allocation(wildcards).hosted),
    params:
        code=PROTOCOL,
        asked=lambda wildcards: asked(
            planned.cell(wildcards.team, wildcards.task, wildcards.condition),
            models_of(wildcards.team),
            settings.teams[wildcards.team].members,
            settings.protocol.snippet_tokens,
        ),
        shard=shard_of,
        cache=CACHE,
    script:
        "../scripts/turns.py"


use rule turns as turns_of_shard with:
    output:
        turns="results/{run}/turns/{team}/{task}/{condition}/{shard}-of-{shards}.parquet",
    log:
        "results/{run}/logs/turns/{team}/{task}/{condition}/{shard}-of-{shards}.log",
    benchmark:
        "results/{run}/benchmarks/turns/{team}/{task}/{condition}/{shard}-of-{shards}.tsv"


rule gather:
    """The shards of a pool of draws, or of a cell's revisions, in one file: the same whatever their number."""
    input:
        shards=shards_of,
    output:
        gathered="results/{run}/{sharded}.parquet",
    log:
        "results/{run}/logs/gather/{sharded}.log",
    resources:
        mem_mb=memory_of_gathering,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        table=lambda wildcards: wildcards.sharded.partition("/")[0],
    script:
        "../scripts/gather.py"


ruleorder: gather > draws
ruleorder: gather > turns
