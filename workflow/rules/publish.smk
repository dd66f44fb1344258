"""Numbers to pages: tables, figures, and the manifest that chains their hashes. Light jobs: they import little.

Every table and figure is a target by its own name and by the paper's: `snakemake regimes`, `snakemake table01`.

Inputs: results/{run}/fits.parquet, results/{run}/curves.parquet, resources/published/
Outputs: results/{run}/tables/{name}.csv .md .tex, results/{run}/figures/{name}.pdf .png .csv,
         results/{run}/manifest.json
"""

NUMBERS = {
    "fits": f"{RUN}/fits.parquet",
    "curves": f"{RUN}/curves.parquet",
    "published": sorted(map(str, Path(PUBLISHED).glob("*.csv"))),
}

for _name in tables.ALIASES:

    rule:
        name:
            _name
        input:
            **NUMBERS,
        output:
            csv=report(
                f"{RUN}/tables/{_name}.csv",
                caption=f"../report/{_name}.rst",
                category="Tables",
                labels={"table": _name.replace("_", " ")},
            ),
            md=f"{RUN}/tables/{_name}.md",
            tex=f"{RUN}/tables/{_name}.tex",
        log:
            f"{RUN}/logs/tables/{_name}.log",
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            name=_name,
            code=digest(f"headcount.publish.tables.{_name}", "headcount.publish.render"),
        script:
            "../scripts/table.py"


for _name in figures.ALIASES:

    rule:
        name:
            _name
        input:
            **NUMBERS,
        output:
            png=report(
                f"{RUN}/figures/{_name}.png",
                caption=f"../report/{_name}.rst",
                category="Figures",
                labels={"figure": _name.replace("_", " ")},
            ),
            pdf=f"{RUN}/figures/{_name}.pdf",
            csv=f"{RUN}/figures/{_name}.csv",
        log:
            f"{RUN}/logs/figures/{_name}.log",
        resources:
            mem_mb=2000,
            runtime=10,
        params:
            name=_name,
            code=digest(f"headcount.publish.figures.{_name}"),
        script:
            "../scripts/figure.py"


for _folder, _suffix, _aliases in (
    ("tables", "csv", tables.ALIASES),
    ("figures", "png", figures.ALIASES),
):
    for _name, _alias in _aliases.items():
        if _alias:

            rule:
                name:
                    _alias
                input:
                    f"{RUN}/{_folder}/{_name}.{_suffix}",


rule tables:
    """All tables."""
    input:
        expand(f"{RUN}/tables/{{name}}.csv", name=tables.ALIASES),


rule figures:
    """All figures."""
    input:
        expand(f"{RUN}/figures/{{name}}.png", name=figures.ALIASES),


rule manifest:
    """The hash of every file, chained to those it was made from."""
    input:
        rules.tables.input,
        rules.figures.input,
    output:
        manifest=f"{RUN}/manifest.json",
    log:
        f"{RUN}/logs/manifest.log",
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        code=digest("headcount.publish.manifest"),
    script:
        "../scripts/manifest.py"
