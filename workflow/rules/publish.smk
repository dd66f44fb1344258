"""Numbers to pages: tables, figures, and the manifest that chains their hashes. Light jobs: they import little.

Tables and figures are made where Snakemake runs: in a cluster's queue each would wait longer than it takes.
Every table and figure is a target by its own name and by the paper's: `snakemake regimes`, `snakemake table01`.
What a run cannot fill is not among `tables` and `figures`; asked for by name, it comes out empty and says so.

Inputs: the files that a page's module says it reads, of results/{run}/*.parquet and resources/published/*.csv
Outputs: results/{run}/tables/{name}.csv .md .tex, results/{run}/figures/{name}.pdf .svg .png .csv,
         results/{run}/manifest.json
"""

for _name, _page in tables.PAGES.items():

    rule:
        name:
            _name
        input:
            **numbers_of(_page),
        output:
            csv=report(
                f"{RUN}/tables/{_name}.csv",
                caption=f"../report/{_name}.rst",
                category=QUESTIONS[_page.question],
                labels={"table": _name.replace("_", " "), "paper": _page.alias},
            ),
            md=f"{RUN}/tables/{_name}.md",
            tex=f"{RUN}/tables/{_name}.tex",
        log:
            f"{RUN}/logs/tables/{_name}.log",
        localrule: True
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            name=_name,
            code=digest(f"headcount.publish.tables.{_name}", "headcount.publish.render"),
        script:
            "../scripts/table.py"


for _name, _page in figures.PAGES.items():

    rule:
        name:
            _name
        input:
            **numbers_of(_page),
        output:
            png=report(
                f"{RUN}/figures/{_name}.png",
                caption=f"../report/{_name}.rst",
                category=QUESTIONS[_page.question],
                labels={"figure": _name.replace("_", " "), "paper": _page.alias},
            ),
            pdf=f"{RUN}/figures/{_name}.pdf",
            svg=f"{RUN}/figures/{_name}.svg",
            csv=f"{RUN}/figures/{_name}.csv",
        log:
            f"{RUN}/logs/figures/{_name}.log",
        localrule: True
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            name=_name,
            code=digest(f"headcount.publish.figures.{_name}"),
        script:
            "../scripts/figure.py"


for _folder, _suffix, _pages in (
    ("tables", "csv", tables.PAGES),
    ("figures", "png", figures.PAGES),
):
    for _name, _page in _pages.items():
        if _page.alias:

            rule:
                name:
                    _page.alias
                input:
                    f"{RUN}/{_folder}/{_name}.{_suffix}",


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
