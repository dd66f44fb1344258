"""What the ledger's entries cost, and a card for each model: a page for people, and the reuse card for programs.

A model has a card if it debates in a team of its own, or is screened. Mixed teams are in the ledger's tables.
All cards are made together: they stand on the rates of the run.

Inputs: results/{run}/transitions/{team}.parquet, results/{run}/answers/{team}.parquet, results/{run}/probes/{model}/
        and of the run ledger_rates.parquet, gate_outcomes.parquet; draws and probe replies, for who answered
Outputs: results/{run}/ledger_costs.parquet, results/{run}/cards/{model}.html, results/{run}/cards/{model}.json
"""

SUBJECTS = subjects(settings, planned)
CARDS = [one.model for one in SUBJECTS]


rule ledger_costs:
    """Calls, tokens, money and time of every cell and screen, and what they brought."""
    input:
        transitions=expand("results/{run}/transitions/{team}.parquet", team=TEAMS, allow_missing=True),
        answers=expand("results/{run}/answers/{team}.parquet", team=TEAMS, allow_missing=True),
        probes=SCREENS,
    output:
        costs="results/{run}/ledger_costs.parquet",
    log:
        "results/{run}/logs/ledger_costs.log",
    resources:
        mem_mb=lambda wildcards, attempt: 8000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        code=digest("headcount.ledger.costs"),
        prices=[(name, model.engine, model.gpus, str(model.prices)) for name, model in settings.models.items()],
        speed=settings.estimates.tokens_per_second,
    script:
        "../scripts/ledger_costs.py"


rule cards:
    """Each model's ledger card and reuse card."""
    input:
        expand(f"{RUN}/{{name}}.parquet", name=["ledger_rates", "gate_outcomes", "ledger_costs"]),
        sorted({f"{RUN}/{name}" for one in SUBJECTS for name in one.files(settings)}),
    output:
        [
            report(
                f"{RUN}/cards/{model}.html",
                caption="../report/cards.rst",
                category="9 The ledger, model by model",
                labels={"model": model},
            )
            for model in CARDS
        ],
        expand(f"{RUN}/cards/{{model}}.json", model=CARDS),
    log:
        f"{RUN}/logs/cards.log",
    resources:
        mem_mb=memory_of_the_largest,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        code=digest("headcount.publish.ledger_card", "publish/templates"),
        about=[one.described(settings) for one in SUBJECTS],
    script:
        "../scripts/cards.py"


rule ledger_cards:
    """The cards of all models."""
    input:
        rules.cards.output,
