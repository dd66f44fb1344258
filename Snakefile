"""Headcount: how many of your N agents count? This file is the table of contents."""

from snakemake.utils import min_version

min_version("9.27")

if not workflow.configfiles:

    configfile: "config/demo.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"  # validate the config, plan the cells, constrain wildcards
include: "workflow/rules/resources.smk"  # what jobs need of a cluster
include: "workflow/rules/costs.smk"  # what hosted models will cost
include: "workflow/rules/items.smk"
include: "workflow/rules/weights.smk"
include: "workflow/rules/generate.smk"
include: "workflow/rules/probes.smk"
include: "workflow/rules/verdicts.smk"
include: "workflow/rules/measure.smk"
include: "workflow/rules/ledger.smk"
include: "workflow/rules/gates.smk"
include: "workflow/rules/screens.smk"
include: "workflow/rules/mixed.smk"
include: "workflow/rules/estimates.smk"
include: "workflow/rules/excess.smk"
include: "workflow/rules/audits.smk"
include: "workflow/rules/pilot.smk"
include: "workflow/rules/panel.smk"
include: "workflow/rules/pages.smk"
include: "workflow/rules/cards.smk"
include: "workflow/rules/publish.smk"
include: "workflow/rules/calibration.smk"


rule all:
    default_target: True
    input:
        rules.tables.input,
        rules.figures.input,
        rules.pilot.input,
        rules.cells.input,
        rules.ledger_cards.input,
        rules.manifest.output,
