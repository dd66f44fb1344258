"""What a change makes Snakemake run again: all that depends on it, and nothing else."""

import pytest
from checkout import jobs_of, made_from, made_with

pytestmark = pytest.mark.workflow

# What a change of how laws are fitted changes: everything that is estimated.
FITTED = ("fits", "curves", "estimates", "contrasts", "excess", "audits", "rivals", "skills", "projections", "mixing")
FITTED += ("pairs", "pair_means", "crowd", "best_member", "calibration")
FITTED += ("screens", "reliability", "model_rows", "associations", "reorderings", "selection", "forecasts")
FITTED += ("pilots", "pilot_sizes", "budgets")
FITTED += ("redraws/", "ledger_rates", "gate_outcomes", "localisation")


@pytest.mark.parametrize(
    "module",
    [
        "extraction/extract.py",
        "measures/votes.py",
        "laws/least_squares.py",
        "debate/peers.py",
        "publish/words.py",
        "sources/web.py",
    ],
)
def test_a_comment_in_a_module_runs_what_is_made_with_it(copy, module):
    copy.comment(f"workflow/headcount/{module}")
    assert copy.jobs() == jobs_of(made_from(*made_with(module)))


@pytest.mark.parametrize(
    ("file", "old", "new", "first"),
    [
        ("workflow/headcount/debate/templates/revision.j2", "\n", " \n", ("draws/", "turns/", "probe_replies/")),
        ("workflow/headcount/publish/figures/regime_plane.py", "#F1E9E4", "#F1E9E5", ("figures/regime_plane",)),
        ("small.yaml", "fitting: {bootstrap: 20", "fitting: {bootstrap: 20, seed: 5", FITTED),
        ("small.yaml", "members: [a, b]", "members: [b, a]", ("draws/b/", "turns/mixed/")),
        ("small.yaml", "fitting:", "protocol: {snippet_tokens: 30}\nfitting:", ("turns/",)),
        ("letters.csv", "Which is letter 1?", "Which letter is it?", ("items/letters",)),
        ("resources/published/table01_regimes.csv", "0.", "1.", ("resources/published/table01_regimes",)),
        ("resources/calibration/pilot_error.csv", "0.", "1.", ("resources/calibration/pilot_error",)),
        ("small.yaml", "fitting:", "pilot: {target: 20}\nfitting:", ("pilots", "pilot_sizes")),
    ],
)
def test_a_change_runs_what_depends_on_it(copy, file, old, new, first):
    copy.edit(file, old, new)
    assert copy.jobs() == jobs_of(made_from(*first))


def test_how_an_engine_is_run_changes_nothing(copy):
    copy.edit("small.yaml", "concurrency: 4", "concurrency: 9, url: 'http://other'")
    assert copy.jobs() == {}


def test_what_depends_on_what_is_told_twice_alike():
    """A few counts by hand, lest rules and manifest be wrong together."""
    assert jobs_of(made_from("items/letters"))["turns"] == 4
    assert jobs_of(made_from("items/"))["draws"] == 3
    assert jobs_of(made_from("measures/mixed")).keys().isdisjoint({"redraws", "mixing", "blocks", "answers"})
    assert jobs_of(made_from("answers/mixed"))["blocks"] == 1
    assert {"measures/alone.parquet", "fits.parquet"} <= {*made_with("measures/votes.py")}
    assert {path.partition("/")[0] for path in made_with("sources/web.py")} == {"items"}
    assert jobs_of(made_from(*made_with("extraction/extract.py"))).keys() >= {
        "answers",
        "measures",
        "fits",
        "tables_of_size",
    }
