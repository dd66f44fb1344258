"""Rates are what counting one debate at a time gives; their intervals are those of SciPy and statsmodels."""

import numpy as np
import pandas as pd
import pytest
from debates import DEBATE, random_debates, replies, said, slow_majority, table
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from transition_rows import NO_REDRAWS, labels_of, ledger_rows

from headcount.config import Fitting
from headcount.errors import UserError
from headcount.ledger.proportions import jeffreys, proportions
from headcount.ledger.rates import rate_run
from headcount.ledger.redraw import redraws
from headcount.ledger.stability import stability_run
from headcount.ledger.tally import RATES
from headcount.ledger.transitions import transitions
from headcount.schema.ledger import CODINGS
from headcount.store import plain

CELL = ["task", "condition", "n", "k", "round"]
SEEDS = st.integers(0, 2**32 - 1)


def rates(answers, fitting: Fitting | None = None, null=NO_REDRAWS) -> pd.DataFrame:
    ledger = transitions(answers, "x", "every")
    return plain(rate_run({"x": ledger}, {"x": null}, fitting or Fitting(bootstrap=0), ["x"]))


@settings(max_examples=2)
@given(SEEDS)
def test_counts_are_those_of_debates_counted_one_by_one(seed):
    answers = table(random_debates(seed, debates=60, sizes=(2, 3)))
    ours = rates(answers)
    rows = plain(transitions(answers, "x", "every"))
    for coding in ("transition", *CODINGS):
        for key, cell in rows.groupby(CELL):
            counts = cell[coding].value_counts()
            name = "complete_case" if coding == "transition" else coding
            here = (ours[CELL] == pd.Series(key, index=CELL)).all(axis=1)
            found = ours[here & (ours["coding"] == name)].set_index("quantity")
            for quantity, (signs, among) in RATES.items():
                base = sum(counts.get(label, 0) for label in among)
                assert (quantity in found.index) == (base > 0)
                if base:
                    events = sum(sign * counts.get(label, 0) for label, sign in signs.items())
                    assert found.loc[quantity, ["events", "base", "value"]].tolist() == [events, base, events / base]


@settings(max_examples=2)
@given(SEEDS)
def test_the_four_labels_sum_to_the_labelled_rows_and_the_identity_holds_in_every_coding(seed):
    ours = rates(table(random_debates(seed, debates=30, sizes=(2, 3))))
    wide = ours.pivot(index=[*CELL, "coding"], columns="quantity", values=["events", "base"]).dropna(
        subset=[("base", "net")]
    )
    events, base = wide["events"].fillna(0), wide["base"]
    gain = events["final_accuracy"] - events["initial_accuracy"]
    whole = ~wide.index.get_level_values("coding").str.startswith("missing_")
    np.testing.assert_allclose(events["net"][whole], gain[whole], atol=1e-9)
    cells = base["collapse"].fillna(0) + base["correction"].fillna(0)
    np.testing.assert_allclose(cells[whole], base["net"][whole], atol=1e-9)
    labelled = base["unlabelled"] - events["unlabelled"]
    np.testing.assert_allclose(labelled[whole], base["net"][whole], atol=1e-9)


@settings(max_examples=3)
@given(SEEDS)
def test_ties_left_to_chance_are_the_mean_over_all_outcomes(seed):
    frame = random_debates(seed, debates=12, sizes=(2, 3))
    frame = frame[frame["task"] == "task0"]
    rng = np.random.default_rng(seed)
    ours = rates(table(frame)).query("coding == 'random_tie' and quantity == 'raw_collapse'")
    for row in ours.to_dict("records"):
        drawn = []
        debates = [d for key, d in replies(frame).items() if key[DEBATE.index("n")] == row["n"]]
        for debate in debates:
            ends = [[answer for answer, *_ in debate[turn - 1]] for turn in (1, row["round"])]
            if all(any(end) for end in ends):
                sides = [{slow_majority(end), slow_majority(end, "reverse_alphabetical")} for end in ends]
                tied = [sorted(side | set(_leaders(end))) for side, end in zip(sides, ends, strict=True)]
                picks = [[rng.choice(side) for _ in range(4000)] for side in tied]
                drawn.append(np.mean([a == "C" and b != "C" for a, b in zip(*picks, strict=True)]))
        assert row["base"] == len(drawn)
        assert row["events"] == pytest.approx(sum(drawn), abs=0.05 * max(1, len(drawn) ** 0.5))


def _leaders(answers) -> list[str]:
    counts = pd.Series([answer for answer in answers if answer]).value_counts()
    return counts[counts == counts.max()].index.tolist()


@settings(max_examples=4)
@given(SEEDS, st.integers(2, 6))
def test_bounds_hold_whatever_the_missing_answers_were(seed, debates):
    """Every way to fill them in, among the options and one that nobody gave, keeps each rate within its bounds."""
    frame = random_debates(seed, debates=3 * debates, sizes=(2,))
    frame = frame[(frame["task"] == "task0")]
    bounded = rates(table(frame)).query("coding.str.startswith('missing')").set_index(["quantity", "coding"])["value"]
    rng = np.random.default_rng(seed)
    holes = np.flatnonzero(frame["answer"].isna())
    for _ in range(4):
        filled = frame.reset_index(drop=True).assign(answer=frame["answer"].to_numpy(dtype=object).copy())
        filled.loc[holes, "answer"] = rng.choice([*"ABCDE"], holes.size)
        filled["correct"] = pd.array(filled["answer"] == "C", dtype="boolean")
        for row in rates(table(filled)).query("coding == 'complete_case'").to_dict("records"):
            ends = [(row["quantity"], f"missing_{end}") for end in ("lowest", "highest")]
            if all(end in bounded.index for end in ends):  # else one extreme leaves nothing to count among
                assert bounded[ends[0]] - 1e-12 <= row["value"] <= bounded[ends[1]] + 1e-12


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_intervals_are_those_of_scipy_and_statsmodels(events, rest, confidence):
    n = events + rest
    (row,) = proportions(np.array([events]), np.array([n]), confidence).to_dict("records")
    if not n:
        assert all(np.isnan(value) for value in row.values())
        return
    wilson = stats.binomtest(events, n).proportion_ci(confidence, method="wilson")
    assert [row["wilson_low"], row["wilson_high"]] == pytest.approx([wilson.low, wilson.high], abs=1e-9)
    own = proportion_confint(events, n, alpha=1 - confidence, method="jeffreys")
    low, high = (0.0 if events == 0 else own[0], 1.0 if rest == 0 else own[1])
    assert [row["jeffreys_low"], row["jeffreys_high"]] == pytest.approx([low, high], abs=1e-9)


def test_jeffreys_reaches_the_ends_where_all_or_nothing_happened():
    low, high = jeffreys(np.array([0.0, 7.0]), np.array([7.0, 7.0]))
    assert (low[0], high[1]) == (0.0, 1.0)
    assert 0 < high[0] < 0.5 < low[1] < 1


def test_intervals_of_resampled_items_are_those_of_a_slow_bootstrap_of_whole_items():
    """Repetitions of an item come and go together: 40 items, each asked three times with one outcome."""
    labels = labels_of(preserved=20, collapse=12, correction=5, unrepaired=3)
    rows = plain(ledger_rows(labels))
    tripled = pd.concat([rows.assign(replicate=r) for r in (1, 2, 3)])
    fitting = Fitting(bootstrap=2000, seed=3)
    ledger = ledger_rows(labels * 3, item=tripled["item"].to_numpy(), replicate=tripled["replicate"].to_numpy())
    found = plain(rate_run({"x": ledger}, {"x": NO_REDRAWS}, fitting)).set_index(["coding", "quantity"])
    found = found.loc[("complete_case", "collapse")]
    rng = np.random.default_rng(0)
    drawn = rng.choice(np.array(labels), (4000, 40))
    slow = (drawn == "collapse").sum(axis=1) / np.isin(drawn, ["collapse", "preserved"]).sum(axis=1)
    assert [found["low"], found["high"]] == pytest.approx(np.percentile(slow, [2.5, 97.5]).tolist(), abs=0.015)
    assert found["high"] - found["low"] > 1.4 * (found["wilson_high"] - found["wilson_low"])
    assert found["n_items"] == 32


def test_labels_that_contradict_the_answers_are_refused():
    rows = ledger_rows(["collapse", "preserved"], final_correct=pd.array([True, True], dtype="boolean"))
    with pytest.raises(UserError, match=r"by complete_case corrections minus collapses are -1, and accuracy gained 0"):
        rate_run({"x": rows}, {"x": NO_REDRAWS}, Fitting(bootstrap=0))


def test_the_reference_counts_silence_as_wrong_and_ours_sets_it_apart():
    answers = table(
        said("q1", [[None, None], ["A", "A"]]),
        said("q2", [["A", "A"], [None, None]]),
        said("q3", [["A", "A"], ["B", "B"]]),
    )
    events = rates(answers).set_index(["coding", "quantity"])["events"]
    assert [events["complete_case", name] for name in ("collapse", "unlabelled")] == [1, 2]
    assert [events["undefined_wrong", name] for name in ("collapse", "correction")] == [2, 1]
    assert events["undefined_final_wrong", "collapse"] == 2
    assert ("complete_case", "correction") not in events


def test_what_stands_against_self_correction_are_the_same_items_without_talk():
    talk = [said(f"q{i}", [["A"], ["B" if i < 6 else "A"]], k=0) for i in range(10)]
    alone = [said(f"q{i}", [["A"], ["B" if i < 2 else "A"]], condition="self_correction") for i in range(8)]
    ours = rates(table(*talk, *alone), Fitting(bootstrap=200)).query("coding == 'complete_case'")
    ours = ours.set_index(["condition", "quantity"])
    found = ours.loc[("debate", "collapse_minus_self_correction")]
    assert (found["value"], found["n_items"]) == (pytest.approx(6 / 8 - 2 / 8), 8)
    assert 0 < found["low"] < found["value"] < found["high"]
    assert ("self_correction", "collapse_minus_self_correction") not in ours.index


def test_redraws_stand_beside_the_rates_of_their_size():
    frame = pd.concat(
        [said(f"q{i}", [["A", "A", "A", "B", "B", "C"]] * 2, replicate=1).assign(condition="debate") for i in range(5)]
    )
    small = frame[frame["agent"] <= 3].assign(n=3, k=2)
    answers = table(frame, small)
    null = redraws(answers, "x")
    ours = rates(answers, null=null).set_index(["n", "quantity"])["value"]
    (row,) = plain(null).query("n == 3 and item == 'q0'").to_dict("records")
    expected = row["collapse"] / (row["collapse"] + row["preserved"])
    assert ours[3, "collapse_redraw"] == pytest.approx(expected)
    assert ours[3, "collapse_minus_redraw"] == pytest.approx(0 - expected)
    assert (6, "collapse_redraw") not in ours.index


def test_the_matrix_of_labels_holds_every_debate_once():
    answers = table(random_debates(1, debates=60))
    rows = transitions(answers, "x", "every")
    matrix = plain(stability_run({"x": rows}, ["x"]))
    assert (matrix.groupby("coding")["debates"].sum() == rows.num_rows).all()
    assert set(matrix["coding"]) == set(CODINGS)
    assert matrix["simulated"].all()


def test_a_run_without_revisions_has_no_rates():
    nothing = transitions(table(said("q", [["A", "B"]])), "x")
    assert rate_run({"x": nothing}, {"x": NO_REDRAWS}, Fitting()).num_rows == 0
    assert stability_run({"x": nothing}).num_rows == 0
