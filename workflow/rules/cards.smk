"""What the ledger's entries cost, and a card for each model: a page for people, and the reuse card for programs.

A model has a card if it debates in a team of its own, or is screened. Mixed teams are in the ledger's tables.

Inputs: results/{run}/transitions/{team}.parquet, results/{run}/answers/{team}.parquet, results/{run}/probes/{model}/
        and of the run ledger_rates.parquet, gate_outcomes.parquet; draws and probe replies, for who answered
Outputs: results/{run}/ledger_costs.parquet, results/{run}/cards/{model}.html, results/{run}/cards/{model}.json
"""

CARDS = [one.model for one in subjects(settings, planned)]


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
    """A model's ledger card and reuse card."""
    input:
        rates="results/{run}/ledger_rates.parquet",
        gates="results/{run}/gate_outcomes.parquet",
        costs="results/{run}/ledger_costs.parquet",
        own=lambda wildcards: files_of_card(wildcards.model),
    output:
        html=report(
            "results/{run}/cards/{model}.html",
            caption="../report/cards.rst",
            category="9 The ledger, model by model",
            labels={"model": "{model}"},
        ),
        json="results/{run}/cards/{model}.json",
    log:
        "results/{run}/logs/cards/{model}.log",
    resources:
        mem_mb=memory_of_the_largest,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        code=digest("headcount.publish.ledger_card", "publish/templates"),
        about=lambda wildcards: subject(settings, wildcards.model, planned).described(settings),
    script:
        "../scripts/cards.py"


rule ledger_cards:
    """The cards of all models."""
    input:
        expand(f"{RUN}/cards/{{model}}.{{kind}}", model=CARDS, kind=["html", "json"]),
