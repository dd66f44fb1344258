"""Weights of the models that run here, fetched before the jobs that load them.

Inputs: what a model's `weights` names
Outputs: results/{run}/weights/{model}.txt, which says where they lie
"""


rule weights:
    """A model's weights. Runs where Snakemake does: compute nodes often have no network, and a GPU should not wait."""
    output:
        weights="results/{run}/weights/{model}.txt",
    log:
        "results/{run}/logs/weights/{model}.log",
    localrule: True
    resources:
        mem_mb=1000,
        runtime=120,
    params:
        code=digest("headcount.sources"),
        source=lambda wildcards: settings.models[wildcards.model].model_dump_json(include={"weights"}),
        cache=CACHE,
    script:
        "../scripts/weights.py"
