"""Other people's files to a run of ours, again whenever they change. A workflow of its own: it makes the configuration.

    snakemake -s workflow/import.smk --cores 1 --config run=theirs task=mmlu_pro files="traces_a.jsonl traces_b.jsonl"

Inputs: the files, with what else `headcount import` can be told (task, model, format, rounds, skip_bad)
Outputs: results/{run}/import.txt, what was found in them; resources/{run}/ and config/{run}.yaml, both or neither
"""

from headcount.digest import digest

for _key in ("run", "files"):
    if _key not in config:
        raise SystemExit(f"--config {_key}=... is needed: docs/import.md says how.")

TOLD = {key: value for key, value in config.items() if key not in ("run", "files")}


# What it writes under resources/ and config/ is no output: Snakemake deletes outputs before it makes them again, and a
# former import stays until the next one is whole.
rule import_files:
    """Check files, and convert what they hold."""
    input:
        str(config["files"]).split(),
    output:
        report=f"results/{config['run']}/import.txt",
    log:
        f"results/{config['run']}/logs/import.log",
    localrule: True
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=digest("headcount.imports.report"),
        run=str(config["run"]),
        told=TOLD,
    script:
        "scripts/import_files.py"
