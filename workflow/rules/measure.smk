"""Replies to numbers: answers, what they say of a team, and fits. No rule here asks a model.

Inputs: results/{run}/{items,draws,turns,verdicts}/
Outputs: results/{run}/answers/{team}.parquet, results/{run}/fits.parquet, results/{run}/curves.parquet, and
         results/{run}/{measures,subsets,moves,votes,cross_pairs,transitions}/{team}.parquet
"""


rule answers:
    """The answers of a team: every turn in its place, each reply read once."""
    input:
        questions=lambda wildcards: expand(
            "results/{run}/items/{task}.parquet",
            task=told_tasks_of(wildcards.team),
            allow_missing=True,
        ),
        draws=lambda wildcards: expand(
            "results/{run}/draws/{model}/{task}.parquet",
            model=models_of(wildcards.team),
            task=told_tasks_of(wildcards.team),
            allow_missing=True,
        ),
        turns=lambda wildcards: [
            f"results/{wildcards.run}/turns/{cell.team}/{cell.task}/{cell.condition}.parquet"
            for cell in told_cells_of(wildcards.team)
            if cell.condition != "self_consistency"
        ],
        verdicts=lambda wildcards: expand(
            "results/{run}/verdicts/{team}/{task}.parquet",
            task=coded_tasks_of(wildcards.team),
            allow_missing=True,
        ),
        released=lambda wildcards: released_answers_of(wildcards.team),
    output:
        answers="results/{run}/answers/{team}.parquet",
    log:
        "results/{run}/logs/answers/{team}.log",
    resources:
        mem_mb=memory_of_reading,
        runtime=lambda wildcards, attempt: 120 * attempt,
    params:
        code=digest("headcount.answers.team"),
        cells=lambda wildcards: f"{cells_of(wildcards.team)} {settings.teams[wildcards.team].members}",
    script:
        "../scripts/answers.py"


rule measures:
    """What a team's answers say of it, as a job that reads them once.

    Diversity and correctness per item, size and round; means over all teams of each size of what is said before
    anybody is heard; what each revision changed; other rules than plurality; pairs across teams that were run twice,
    without a row where none was; and what became of each debate.
    """
    input:
        answers="results/{run}/answers/{team}.parquet",
    output:
        measures="results/{run}/measures/{team}.parquet",
        subsets="results/{run}/subsets/{team}.parquet",
        moves="results/{run}/moves/{team}.parquet",
        votes="results/{run}/votes/{team}.parquet",
        cross_pairs="results/{run}/cross_pairs/{team}.parquet",
        transitions="results/{run}/transitions/{team}.parquet",
    log:
        "results/{run}/logs/measures/{team}.log",
    benchmark:
        "results/{run}/benchmarks/measures/{team}.tsv"
    resources:
        mem_mb=memory_of_answers,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest(*OF_ANSWERS),
        sizes=lambda wildcards: sizes_of(wildcards.team),
        families=lambda wildcards: {model: settings.models[model].family for model in models_of(wildcards.team)},
    script:
        "../scripts/measures.py"


rule fits:
    """The laws of every cell, with intervals, and the curves they were fitted to."""
    input:
        measures=expand("results/{run}/measures/{team}.parquet", team=TEAMS, allow_missing=True),
        subsets=expand("results/{run}/subsets/{team}.parquet", team=TEAMS, allow_missing=True),
    output:
        fits="results/{run}/fits.parquet",
        curves="results/{run}/curves.parquet",
    log:
        "results/{run}/logs/fits.log",
    benchmark:
        "results/{run}/benchmarks/fits.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.laws.cells"),
        fitting=settings.fitting.model_dump_json(),
    script:
        "../scripts/fits.py"
