"""What a change makes Snakemake run again: all that depends on it, and nothing else."""

import pytest

from headcount.publish import figures, tables

ITEMS, DRAWS, TURNS = {"items": 2}, {"draws": 3}, {"turns": 7}
PAGES = dict.fromkeys([*tables.ALIASES, *figures.ALIASES], 1) | {"manifest": 1}
FITS = {"fits": 1} | PAGES
ANSWERS = {"answers": 2, "measures": 2} | FITS
ONE_TEAM = {"answers": 1, "measures": 1} | FITS


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("answers/extract.py", ANSWERS),
        ("measures/votes.py", {"measures": 2} | FITS),
        ("laws/least_squares.py", FITS),
        ("debate/peers.py", DRAWS | TURNS | ANSWERS),
        ("publish/words.py", PAGES),
        ("sources/web.py", ITEMS | DRAWS | TURNS | ANSWERS),
    ],
)
def test_a_comment_in_a_module_runs_what_is_made_with_it(copy, module, expected):
    copy.comment(f"workflow/headcount/{module}")
    assert copy.jobs() == expected


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("workflow/headcount/debate/templates/revision.j2", "\n", " \n", DRAWS | TURNS | ANSWERS),
        (
            "workflow/headcount/publish/figures/regime_plane.py",
            "#D55E00",
            "#D55E01",
            {"regime_plane": 1, "manifest": 1},
        ),
        ("small.yaml", "fitting: {bootstrap: 20", "fitting: {bootstrap: 20, seed: 5", FITS),
        ("small.yaml", "concurrency: 4", "concurrency: 9, url: 'http://other'", {}),
        ("small.yaml", "members: [a, b]", "members: [b, a]", {"draws": 1, "turns": 1} | ONE_TEAM),
        ("small.yaml", "fitting:", "protocol: {snippet_tokens: 30}\nfitting:", TURNS | ANSWERS),
        (
            "letters.csv",
            "Which is letter 1?",
            "Which letter is it?",
            {"items": 1, "draws": 2, "turns": 4} | ANSWERS,
        ),
        ("resources/published/table01_regimes.csv", "0.", "1.", PAGES),
    ],
)
def test_a_change_runs_what_depends_on_it(copy, file, old, new, expected):
    copy.edit(file, old, new)
    assert copy.jobs() == expected
