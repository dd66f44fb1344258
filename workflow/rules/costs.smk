"""What hosted models will cost: `snakemake cost_estimate`. Asks nobody, and needs neither key nor model.

Inputs: the configuration, and what is answered and spent so far in cache/
Outputs: results/{run}/cost_estimate.csv, results/{run}/cost_estimate.md
"""


# It says where it writes in `params`: a rule without outputs runs, and prints, whenever it is asked for.
rule cost_estimate:
    """Calls, tokens and dollars of each hosted model, by cell."""
    log:
        f"{RUN}/logs/cost_estimate.log",
    localrule: True
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        cache=CACHE,
        csv=f"{RUN}/cost_estimate.csv",
        md=f"{RUN}/cost_estimate.md",
    script:
        "../scripts/cost_estimate.py"
