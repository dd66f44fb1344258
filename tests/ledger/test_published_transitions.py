"""Counts, rates, intervals and onsets that the reference published, from our functions: rows of its regression tests.

T numbers are those of the list of regression tests; the inputs are in resources/published/ledger.
"""

import re

import numpy as np
import pandas as pd
import pytest
from debates import said, said_all, table
from published_ledger import LEDGER, model_rows
from published_ledger import table as published
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.stats import spearmanr
from transition_rows import NO_REDRAWS, labels_of, ledger_rows

from headcount.config import Fitting
from headcount.ledger.families import by_family
from headcount.ledger.labels import LABELS
from headcount.ledger.partials import rank_partial
from headcount.ledger.proportions import proportions
from headcount.ledger.rates import rate_run
from headcount.ledger.stability import stability_run
from headcount.ledger.tally import RATES, tally
from headcount.ledger.transitions import transitions
from headcount.store import plain


def rates(labels: list[str], **columns) -> pd.DataFrame:
    """Rates of one cell, by coding and quantity."""
    rows = plain(rate_run({"x": ledger_rows(labels, **columns)}, {"x": NO_REDRAWS}, Fitting(bootstrap=0)))
    return rows.set_index(["coding", "quantity"])


def counts_of(n: int, right: int, collapses: int, corrections: int) -> dict[str, int]:
    wrong = n - right
    return {
        **{"preserved": right - collapses, "collapse": collapses},
        **{"correction": corrections, "unrepaired": wrong - corrections},
    }


def test_t1_conditional_collapse_and_correction_of_eleven_models():
    for row in published("conditional_collapse_counts").to_dict("records"):
        counts = counts_of(row["n_deb"], row["n_init_correct"], row["n_cond_coll"], row["n_recover"])
        ours = rates(labels_of(**counts)).loc["complete_case"]
        for quantity, value, low, high in (
            ("collapse", "cond_collapse_pct", "cond_lo", "cond_hi"),
            ("correction", "recover_pct", "recover_lo", "recover_hi"),
            ("raw_collapse", None, "raw_lo", "raw_hi"),
        ):
            found = 100 * ours.loc[quantity, ["value", "wilson_low", "wilson_high"]].astype(float)
            wanted = [100 * row["n_cond_coll"] / row["n_deb"] if value is None else row[value], row[low], row[high]]
            assert found.tolist() == pytest.approx(wanted, abs=1e-8)


def test_t3_sums_over_the_primary_rows():
    pooled = published("conditional_collapse_counts").set_index("model")
    primary = ["GPT-5.4-mini", "Gemini 3-flash", "Phi-4-mini", "Qwen3-4B", "Llama-3.1-8B", "Qwen3-8B"]
    names = {name.lower().replace(" ", "-"): name for name in pooled.index}
    six = pooled.loc[[names[name.lower().replace(" ", "-")] for name in primary]]
    four = six.drop(index=[names["gpt-5.4-mini"], names["gemini-3-flash"]])
    for rows, wanted in ((six, (6925, 253, 816, 3458)), (four, (6525, 251, 804, 3145))):
        total = rows[["n_deb", "n_init_correct", "n_cond_coll", "n_recover"]].sum()
        ours = tally(np.array([[*counts_of(*total).values(), 0]], dtype=float))
        by_name = {name: (events, base) for name, events, base in zip(RATES, *(x[0] for x in ours), strict=True)}
        n, collapses, corrections, right = wanted
        assert by_name["raw_collapse"] == (collapses, n)
        assert by_name["collapse"] == (collapses, right)
        assert by_name["correction"] == (corrections, n - right)
        assert by_name["net"] == (corrections - collapses, n)


def test_t4_collapse_and_final_accuracy_of_the_fourteen_rows():
    for row in published("n14_rows").to_dict("records"):
        counts = counts_of(row["n_debates"], row["n_init_correct"], row["n_collapses"], row["n_corrections"])
        ours = rates(labels_of(**counts)).loc["complete_case", "value"]
        assert 100 * ours["collapse"] == pytest.approx(row["c_cond_pct"], abs=5.1e-5)
        assert ours["final_accuracy"] == pytest.approx(row["final_acc"], abs=1e-12)


def test_t5_wilson_and_jeffreys_intervals_of_fourteen_rows():
    rows = published("n14_intervals")
    ours = 100 * proportions(rows["k"].to_numpy(), rows["n"].to_numpy())
    for name in ("wilson", "jeffreys"):
        for end, short in (("low", "lo"), ("high", "hi")):
            assert ours[f"{name}_{end}"].to_numpy() == pytest.approx(rows[f"{name}_{short}_pct"].to_numpy(), abs=0.0051)


def test_t17_four_models_on_gpqa():
    for row in published("crossbench_gpqa").to_dict("records"):
        counts = counts_of(row["n"], row["init_correct"], row["collapses"], row["corrections"])
        ours = rates(labels_of(**counts)).loc["complete_case"]
        for quantity, short in (("collapse", "cond"), ("correction", "corr")):
            ends = 100 * ours.loc[quantity, ["wilson_low", "wilson_high"]].astype(float)
            assert ends.tolist() == pytest.approx([row[f"{short}_lo_pct"], row[f"{short}_hi_pct"]], abs=0.051)
        assert ours.loc["net", "events"] == row["signed_net"]
        assert 100 * ours.loc["net", "value"] == pytest.approx(row["delta_acc_pp"], abs=0.0051)
        for name, short in (("initial_accuracy", "init_acc_pct"), ("final_accuracy", "final_acc_pct")):
            assert 100 * ours.loc[name, "value"] == pytest.approx(row[short], abs=0.051)


def _joint(row: dict) -> np.ndarray:
    """Debates by primary and strict label that have all the published margins: (primary, strict), by integer program.

    What the audit does not say (which label became which) is free; a reading that is stricter labels nothing new.
    """
    names = ("kept", "collapse", "correction", "wrong", "unlabeled")
    cell = np.arange(25).reshape(5, 5)
    coll, corr = (np.arange(5) == place for place in (1, 2))
    labelled = (np.arange(5)[:, None] < 4) & (np.arange(5) < 4)
    sums = {
        **{f"p_{name}": cell[place] for place, name in enumerate(names)},
        **{f"s_{name}": cell[:, place] for place, name in enumerate(names)},
        "labeled_cell_changed": cell[labelled & ~np.eye(5, dtype=bool)],
        "collapse_changed": cell[labelled & (coll[:, None] != coll)],
        "correction_changed": cell[labelled & (corr[:, None] != corr)],
        "prim_coll_unlabeled_by_strict": cell[1:2, 4],
        "prim_corr_unlabeled_by_strict": cell[2:3, 4],
    }
    matrix = np.array([np.isin(np.arange(25), places) for places in sums.values()], dtype=float)
    wanted = [row[name] for name in sums]
    most = np.where(np.isin(np.arange(25), cell[4, :4]), 0, np.inf)
    found = milp(
        np.zeros(25), constraints=LinearConstraint(matrix, wanted, wanted), integrality=1, bounds=Bounds(0, most)
    )
    assert found.success, row["source"]
    return np.round(found.x).astype(int).reshape(5, 5)


def test_t22_the_parser_audit_source_by_source_and_in_all():
    audit = published("parser_audit_no_fallback")
    sources = audit[audit["source"] != "TOTAL"].to_dict("records")
    primary, strict, first, last = [], [], [], []
    for row in sources:
        joint = _joint(row)
        pairs = [(LABELS[i], LABELS[j]) for (i, j), count in np.ndenumerate(joint) for _ in range(count)]
        own = [p for p, _ in pairs], [s for _, s in pairs]
        both = row["init_ties"] + row["final_ties"] - row["any_tie_rows"]
        tied = np.arange(row["n_rows"])
        start, end = tied < row["init_ties"], (tied >= row["init_ties"] - both) & (tied < row["any_tie_rows"])
        for all_, some in zip((primary, strict, first, last), (*own, start, end), strict=True):
            all_.extend(some)
        _check_audit(row, *own, start, end)
    _check_audit(audit.set_index("source").loc["TOTAL"].to_dict(), primary, strict, first, last)
    ours = rates(primary, no_fallback=strict, initial_tie=first, final_tie=last)
    ratios = [("no_fallback", "unlabelled"), ("no_fallback", "relabelled"), *_TIED]
    assert ours.loc[ratios, ["events", "base"]].to_numpy().tolist() == [
        [654, 1620],
        [51, 966],
        [298, 3240],
        [272, 1620],
    ]


_TIED = [("complete_case", "tied_ends"), ("complete_case", "any_tie")]
_PUBLISHED = ("kept", "collapse", "correction", "wrong", "unlabeled")


def _check_audit(row, primary, strict, first, last) -> None:
    rows = ledger_rows(primary, no_fallback=strict, initial_tie=first, final_tie=last)
    matrix = plain(stability_run({"x": rows})).query("coding == 'no_fallback'")
    for side, short in (("transition", "p"), ("recoded", "s")):
        counts = matrix.groupby(side)["debates"].sum()
        assert [counts.get(label, 0) for label in LABELS] == [row[f"{short}_{name}"] for name in _PUBLISHED]
        assert sum(row[f"{short}_{name}"] for name in _PUBLISHED) == row["n_rows"]
    ours = rates(primary, no_fallback=strict, initial_tie=first, final_tie=last)["events"]
    assert ours["no_fallback", "relabelled"] == row["labeled_cell_changed"]
    assert ours["complete_case", "initial_tie"] == row["init_ties"]
    assert ours["complete_case", "final_tie"] == row["final_ties"]
    assert ours["complete_case", "any_tie"] == row["any_tie_rows"]


def test_t23_onsets_of_the_pooled_collapses():
    rows = published("onset_counts").set_index("cohort")
    for name, row in rows.drop(index="POST_A6_STRICT_PLURALITY").iterrows():
        onset = np.repeat([2, 3, 4], row[["r1", "r2", "r3"]].astype(int))
        answers = np.where(np.arange(1, 5) < onset[:, None], "A", "B")
        ledger = transitions(table(said_all(np.repeat(answers[:, :, None], 3, axis=2))), "x")
        ours = plain(rate_run({"x": ledger}, {"x": NO_REDRAWS}, Fitting(bootstrap=0))).set_index(["coding", "quantity"])
        found = ours.loc[[("complete_case", f"onset_{turn}") for turn in (2, 3, 4)]]
        assert found["events"].tolist() == row[["r1", "r2", "r3"]].tolist(), name
        assert set(found["base"]) == {row["n_collapses"]}
    pooled = rows.loc["POOLED_PRIMARY"]
    assert (100 * found["value"]).tolist() == pytest.approx([58.9, 18.6, 22.5], abs=0.05)
    assert pooled["n_collapses"] == 253


def test_t28_the_same_panels_under_two_tie_rules():
    rows = published("r3_tie_rules")
    for row in rows.to_dict("records"):
        counts = counts_of(row["n"], row["n_init_correct"], row["collapses"], row["corrections"])
        onset = [2] * row["r1"] + [3] * row["r2"] + [4] * row["r3"]
        labels = labels_of(**counts)
        column = np.full(len(labels), np.nan)
        column[[place for place, label in enumerate(labels) if label == "collapse"]] = onset
        ours = rates(labels, onset_round=column).loc["complete_case"]
        assert ours.loc["net", "events"] == row["net"]
        assert sum(ours["events"].get(f"onset_{turn}", 0) for turn in (2, 3, 4)) == row["collapses"]
        ends = 100 * ours.loc["collapse", ["wilson_low", "wilson_high"]].astype(float)
        assert ends.tolist() == pytest.approx([row["cond_lo_pct"], row["cond_hi_pct"]], abs=0.0051)
    nets = rows.pivot(index="panel", columns="tie_rule", values="net").dropna()
    assert sorted(nets[["alphabetic", "strict"]].to_numpy().tolist()) == [[0, 7], [6, 8], [14, 22]]


def test_t29_labels_and_onsets_of_published_debates_from_their_majorities():
    """The excerpt has each round's majority as right or wrong: so had these debates."""
    rows = published("per_debate_excerpt")
    debates = [
        said(f"{row['model']} {row['question_id']}", [["A" if right else "B"] * 3 for right in _right(row)])
        for row in rows.to_dict("records")
    ]
    ours = plain(transitions(table(*debates), "x")).set_index("item")
    for row in rows.to_dict("records"):
        found = ours.loc[f"{row['model']} {row['question_id']}"]
        assert (found["transition"] == "collapse") == row["collapsed"]
        assert (found["transition"] == "correction") == row["corrected"]
        assert found["final_correct"] == row["final_correct"]
        onset = row["cascade_round"] + 1 if row["collapsed"] else np.nan
        assert found["onset_round"] == onset or np.isnan([found["onset_round"], onset]).all()
        between = row["r1_majority_correct"] and row["r2_majority_correct"]
        assert found["transient_break"] == bool(row["init_majority_correct"] and row["final_correct"] and not between)


def _right(row: dict) -> list[int]:
    return [row["init_majority_correct"], *(row[f"r{turn}_majority_correct"] for turn in (1, 2, 3))]


def test_t31_recoded_by_the_alphabetical_rule_the_association_stands():
    """Six stored majorities are not alphabetical (D2); collapses become 33, 38, 11 and 13, and the ranks stay."""
    audit = published("parser_audit_no_fallback").set_index("source")
    rows = model_rows().set_index("model")
    recoded = [name for name in audit.index if name in rows.index]
    assert len(recoded) == 6
    rows["c"] = rows["collapses"] / rows["initially_correct"]
    for name in recoded:
        counts = {label: audit.loc[name, f"p_{short}"] for label, short in zip(LABELS, _PUBLISHED, strict=True)}
        ours = rates(labels_of(**counts))
        rows.loc[name, "c"] = ours.loc[("complete_case", "collapse"), "value"]
        rows.loc[name, "init_acc"] = (
            ours.loc[("complete_case", "initial_accuracy"), "events"] / audit.loc[name, "n_rows"]
        )
    new = audit.loc[["qwen3.5-4b", "qwen3.5-9b", "qwen3.6-27b-fp8", "qwen3.6-35b-a3b-fp8"], "p_collapse"]
    assert new.tolist() == [33, 38, 11, 13]
    means = by_family(rows.reset_index(), ["alpha", "c", "init_acc"])
    alpha, c, init_acc = (means[name].to_numpy() for name in ("alpha", "c", "init_acc"))
    assert spearmanr(alpha, c).statistic == pytest.approx(0.892857142857, abs=1e-9)
    assert rank_partial(alpha, c, [init_acc]).rho == pytest.approx(0.766965, abs=5e-7)


def test_every_published_file_says_where_it_comes_from():
    told = set(re.findall(r"^\| (.+?) \|", (LEDGER / "SOURCES.md").read_text(), re.MULTILINE))
    named = {name for cell in told for name in re.findall(r"`(\w+\.\w+)`", cell)}
    assert named == {path.name for path in LEDGER.iterdir()} - {"SOURCES.md"}
