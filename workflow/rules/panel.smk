"""A panel of different models: who errs like whom, what rules make of their votes, and how far their agreement goes.

Inputs: results/{run}/answers/{team}.parquet of the teams of several models, and how many options their items have
Outputs: results/{run}/{pairs,pair_means,crowd,best_member,calibration}.parquet
"""

PANEL = ("pairs", "pair_means", "crowd", "best_member", "calibration")


rule panel:
    """One agent of each model, side by side."""
    input:
        answers=expand("results/{run}/answers/{team}.parquet", team=MIXED, allow_missing=True),
        questions=expand(
            "results/{run}/items/{task}.parquet",
            task=sorted({task for team in MIXED for task in told_tasks_of(team)}),
            allow_missing=True,
        ),
        recorded=at_hand(settings.replay / "items.parquet") if settings.replay else [],
    output:
        pairs="results/{run}/pairs.parquet",
        means="results/{run}/pair_means.parquet",
        crowd="results/{run}/crowd.parquet",
        members="results/{run}/best_member.parquet",
        calibration="results/{run}/calibration.parquet",
    log:
        "results/{run}/logs/panel.log",
    benchmark:
        "results/{run}/benchmarks/panel.tsv"
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.laws.model_pairs", "headcount.laws.crowd", "headcount.laws.calibration"),
        fitting=settings.fitting.model_dump_json(),
        families=lambda wildcards: {name: settings.models[name].family for team in MIXED for name in models_of(team)},
    script:
        "../scripts/panel.py"
