"""Numbers to pages: tables, figures, and the manifest that chains their hashes.

Tables and figures are made where Snakemake runs: in a cluster's queue each would wait longer than it takes. Those that
answer one question are made together, as a process takes longer to start than a table to make.
Every table and figure is a target by its own name and by the paper's: `snakemake regimes`, `snakemake table01`.
What a run cannot fill is not among `tables` and `figures`; asked for by name, it comes out empty and says so.

Inputs: the files that a page's module says it reads, of results/{run}/*.parquet and resources/published/*.csv
Outputs: results/{run}/tables/{name}.csv .md .tex, results/{run}/figures/{name}.pdf .svg .png .csv,
         results/{run}/manifest.json
"""

for _batch, _names in batches(tables.PAGES).items():

    rule:
        name:
            f"tables_{_batch}"
        input:
            **numbers_of(*(tables.PAGES[name] for name in _names)),
        output:
            [shown("table", name, tables.PAGES[name], "csv") for name in _names],
            expand(f"{RUN}/tables/{{name}}.{{form}}", name=_names, form=["md", "tex"]),
        log:
            f"{RUN}/logs/tables/{_batch}.log",
        localrule: True
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            names=_names,
            code=digest(*(f"headcount.publish.tables.{name}" for name in _names), "headcount.publish.render"),
        script:
            "../scripts/tables.py"


for _batch, _names in batches(figures.PAGES).items():

    rule:
        name:
            f"figures_{_batch}"
        input:
            **numbers_of(*(figures.PAGES[name] for name in _names)),
        output:
            [shown("figure", name, figures.PAGES[name], "png") for name in _names],
            expand(f"{RUN}/figures/{{name}}.{{form}}", name=_names, form=["pdf", "svg", "csv"]),
        log:
            f"{RUN}/logs/figures/{_batch}.log",
        localrule: True
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            names=_names,
            code=digest(*(f"headcount.publish.figures.{name}" for name in _names)),
        script:
            "../scripts/figures.py"


for _file, _page in (
    *((f"{RUN}/tables/{name}.csv", page) for name, page in tables.PAGES.items()),
    *((f"{RUN}/figures/{name}.png", page) for name, page in figures.PAGES.items()),
):
    for _name in filter(None, (Path(_file).stem, _page.alias)):

        rule:
            name:
                _name
            input:
                _file,


rule numbers:
    """All estimates of the run, whether a page shows them or not."""
    input:
        expand(f"{RUN}/{{name}}.parquet", name=["fits", "curves", "estimates", "contrasts", "excess"]),
        expand(f"{RUN}/{{name}}.parquet", name=["rivals", "skills", "audits", "projections", "mixing"]),
        expand(f"{RUN}/{{name}}.parquet", name=["ledger_rates", "ledger_stability", "gate_outcomes", "localisation"]),
        expand(f"{RUN}/{{name}}.parquet", name=["pilots", "pilot_sizes", "budgets"]),
        expand(f"{RUN}/{{name}}.parquet", name=["ledger_costs"]),
        expand(f"{RUN}/{{name}}.parquet", name=PANEL if MIXED else []),
        expand(f"{RUN}/{{name}}.parquet", name=SCREENED if SCREENS else []),


rule tables:
    """All tables that the run can fill."""
    input:
        expand(f"{RUN}/tables/{{name}}.csv", name=applying(tables.PAGES, settings, planned)),


rule figures:
    """All figures that the run can fill."""
    input:
        expand(f"{RUN}/figures/{{name}}.png", name=applying(figures.PAGES, settings, planned)),


rule ledger:
    """What discussion repaired and what it destroyed: all tables, figures and cards of it that the run can fill."""
    input:
        ledger_of("tables", tables.PAGES, "csv"),
        ledger_of("figures", figures.PAGES, "png"),
        rules.ledger_cards.input,


rule manifest:
    """The hash of every file, chained to those it was made from."""
    input:
        rules.numbers.input,
        rules.tables.input,
        rules.figures.input,
        rules.pilot.input,
        rules.cells.input,
        rules.ledger_cards.input,
    output:
        manifest=f"{RUN}/manifest.json",
    log:
        f"{RUN}/logs/manifest.log",
    resources:
        mem_mb=memory_of_the_largest,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        code=digest("headcount.publish.manifest"),
    script:
        "../scripts/manifest.py"
