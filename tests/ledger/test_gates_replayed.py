"""Replay of gates on saved debates: the published counts (T18-T21), SciPy, and what must hold for every debate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published_ledger import expected, table
from saved_debates import ends, firing, random_saved
from scipy import stats

from headcount.errors import UserError
from headcount.ledger.break_even import break_even
from headcount.ledger.gates import GATES, KNOWS, fire, register
from headcount.ledger.replay import delta_interval, freeze, labelled, ladder, outcome
from headcount.ledger.shields import IN_SAMPLE, in_sample_shields, shield, shield_sweep
from headcount.schema.ledger import UTILITY_WEIGHTS

# --- published numbers -----------------------------------------------------------------------------------------------

POLICIES = table("replay_policies")
PRIMARY = table("replay_primary_exact")


def replayed(n, collapses, corrections, prevented, lost, preserved=None, others=0):
    """Debates with published counts, replayed; how many stayed right changes no count but accuracy."""
    rest = n - collapses - corrections
    preserved = rest // 2 if preserved is None else preserved
    debates, fired = firing(preserved, collapses, corrections, rest - preserved, prevented, lost, others)
    return outcome(freeze(debates, fired))


@pytest.mark.parametrize("row", POLICIES.to_dict("records"), ids=lambda row: f"{row['cohort']} {row['policy']}")
def test_t18_policies(row):
    found = replayed(row["n_records"], row["collapses"], row["corrections"], row["prevented"], row["lost"])
    assert (found.debates, found.collapses, found.corrections) == (
        row["n_records"],
        row["collapses"],
        row["corrections"],
    )
    assert (found.prevented, found.lost, found.net) == (row["prevented"], row["lost"], row["net"])
    assert 100 * found.delta == pytest.approx(row["delta_pp"], abs=0.0051)
    if row["policy"] == "naive_always_freeze":
        debates, _ = firing(10, row["collapses"], row["corrections"], 10, 0, 0)
        always = outcome(freeze(debates, fire("always_freeze", debates)))
        assert (always.prevented, always.lost) == (row["prevented"], row["lost"])


@pytest.mark.parametrize("row", PRIMARY.to_dict("records"), ids=lambda row: row["policy"])
def test_t19_primary_policies_exactly(row):
    right = round(row["standard_acc"] * row["n"])
    changed = row["collapses_prevented"] + row["corrections_lost"]
    found = replayed(
        row["n"],
        111,
        194,
        row["collapses_prevented"],
        row["corrections_lost"],
        right - 194,
        min(row["gate_count"] - changed, right - 194),
    )
    assert found.delta == pytest.approx(row["acc_delta"], abs=1e-12)
    assert found.accuracy == pytest.approx(row["policy_acc"], abs=1e-12)
    assert (found.right / found.debates, found.net) == (pytest.approx(row["standard_acc"], abs=1e-12), row["net"])


@pytest.mark.parametrize(
    ("prevented", "lost", "ratio"),
    [(29, 108, 3.7241), (67, 120, 1.7910), (111, 194, 1.7477), (90, 169, 1.8778), (80, 160, 2.0), (251, 804, 3.2032)],
)
def test_t20_break_even(prevented, lost, ratio):
    assert break_even(prevented, lost).ratio == pytest.approx(ratio, abs=1e-4)


@pytest.mark.parametrize(
    ("prevented", "lost", "low", "high"), [(29, 108, 2.45, 5.82), (67, 120, 1.32, 2.45), (0, 2, 0.19, np.inf)]
)
def test_t20_break_even_intervals(prevented, lost, low, high):
    """Our intervals of the published counts, as the specification of what we add states them."""
    found = break_even(prevented, lost)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.005)


def test_t21_the_probe_gated_freeze_of_the_paper():
    published = expected("lomo")
    counts = published["n"], published["collapses"], published["corrections"]
    gated = replayed(*counts, published["prevented"], published["lost"])
    assert gated.net == -79
    assert 100 * gated.delta == pytest.approx(-1.2107, abs=5e-5)
    debates, _ = firing(2894, 251, 804, 2576, 0, 0)
    found = {name: outcome(freeze(debates, fire(name, debates))) for name in ("oracle", "always_freeze")}
    assert 100 * found["oracle"].delta == pytest.approx(3.8467, abs=5e-5)
    assert found["always_freeze"].net == -553
    assert 100 * found["always_freeze"].delta == pytest.approx(-8.4751, abs=5e-5)


# --- what must hold --------------------------------------------------------------------------------------------------

seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=30)
@given(seeds)
def test_bounds_of_every_gate(seed):
    debates = random_saved(seed)
    found = {name: outcome(freeze(debates, fire(name, debates))) for name in GATES}
    collapses, corrections = found["never"].collapses, found["never"].corrections
    oracle, anti, always = found["oracle"], found["anti_oracle"], found["always_freeze"]
    assert (oracle.prevented, oracle.lost) == (collapses, 0)
    assert (anti.prevented, anti.lost) == (0, corrections)
    assert always.net == collapses - corrections  # minus the debate's gain
    assert always.accuracy == pytest.approx(debates["initial_correct"].mean())
    assert (found["never"].net, found["never"].fired) == (0, 0)
    for counts in found.values():
        assert anti.net <= counts.net <= oracle.net
        assert counts.broken == counts.repaired == 0  # a freeze to the first majority makes nothing new
        assert counts.debates == len(debates)


@settings(max_examples=30)
@given(seeds)
def test_a_freeze_to_r1_is_what_a_count_by_hand_says(seed):
    debates = random_saved(seed, rows=40)
    fired = fire("any_r1_flip", debates)
    found = outcome(freeze(debates, fired, "r1_majority_correct"))
    after = debates["final_correct"].where(~fired, debates["r1_majority_correct"] == 1)
    assert found.accuracy == pytest.approx(after.mean())
    assert found.net == after.sum() - debates["final_correct"].sum()
    assert found.net == found.prevented + found.repaired - found.lost - found.broken


@settings(max_examples=40)
@given(st.integers(0, 40), st.integers(0, 40), st.floats(0.01, 20))
def test_the_ladder_changes_sign_at_break_even(prevented, lost, weight):
    counts = replayed(200, 40, 40, prevented, lost)
    utility = counts.utility(weight)
    ratio = break_even(prevented, lost).ratio
    if prevented + lost == 0:
        assert np.isnan(ratio)
        assert utility == 0
    elif prevented and abs(weight - ratio) > 1e-9:
        assert (utility > 0) == (weight > ratio)
    else:
        assert utility <= 1e-9
    steps = ladder(np.array(counts.prevented - counts.broken), np.array(counts.lost - counts.repaired), 200)
    assert steps[0] == pytest.approx(counts.delta)
    assert steps == pytest.approx([(w * prevented - lost) / 200 for w in UTILITY_WEIGHTS])


@given(st.integers(0, 60), st.integers(0, 60))
def test_break_even_interval_is_that_of_the_beta_quantiles(prevented, lost):
    found = break_even(prevented, lost)
    if prevented + lost == 0:
        assert np.isnan([found.ratio, found.low, found.high]).all()
        return
    low = stats.beta.ppf(0.025, lost, prevented + 1) if lost else 0.0
    high = stats.beta.ppf(0.975, lost + 1, prevented) if prevented else 1.0
    assert found.low == pytest.approx(low / (1 - low))
    assert found.high == pytest.approx(high / (1 - high) if high < 1 else np.inf)
    assert found.low <= found.ratio <= found.high


def test_an_interval_of_one_question_a_debate_is_the_bootstrap_of_rows():
    debates, fired = firing(100, 40, 20, 40, 30, 10)
    found = freeze(debates, fired)
    low, high = delta_interval(found, debates["question_id"], np.random.default_rng(0), 4000)
    gain = found.after.astype(float) - found.final
    drawn = stats.bootstrap((gain,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(1))
    assert (low, high) == pytest.approx(tuple(drawn.confidence_interval), abs=0.01)
    assert low < outcome(found).delta < high


def test_models_that_share_questions_widen_the_interval():
    debates, fired = firing(100, 40, 20, 40, 30, 10)
    found = freeze(debates, fired)
    ends_alone = delta_interval(found, debates["question_id"], np.random.default_rng(0))
    shared = delta_interval(found, (np.arange(200) // 10).astype(str), np.random.default_rng(0))
    assert shared[1] - shared[0] > 1.5 * (ends_alone[1] - ends_alone[0])


@pytest.mark.parametrize("shared", [1, 4])
def test_a_gate_of_known_effect_gets_its_known_utility(shared):
    """Kinds and firings of known chances, alike in `shared` models of a question; 95 % intervals of 80 cohorts."""
    rng = np.random.default_rng(10)
    chances, fires = np.array([0.5, 0.15, 0.2, 0.15]), np.array([0.1, 0.7, 0.4, 0.5])
    truth = chances[1] * fires[1] - chances[2] * fires[2]
    held, deltas = [], []
    for _ in range(80):
        kind = np.repeat(rng.choice(4, 240 // shared, p=chances), shared)
        fired = np.repeat(rng.random(240 // shared), shared) < fires[kind]
        debates = ends(1, 1, 1, 1).iloc[kind].reset_index(drop=True)
        found = freeze(debates, fired)
        low, high = delta_interval(found, np.repeat(np.arange(240 // shared), shared).astype(str), rng, 200)
        held.append(low <= truth <= high)
        deltas.append(outcome(found).delta)
    assert 0.87 < np.mean(held) <= 1
    assert np.mean(deltas) == pytest.approx(truth, abs=0.015)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.79, 0.97])
def test_break_even_intervals_cover_as_they_say(share):
    """Over all outcomes of 30 rows that a gate changes, weighed by their chances."""
    lost = np.arange(31)
    held = [found.low <= share / (1 - share) <= found.high for found in (break_even(30 - k, k) for k in lost.tolist())]
    assert stats.binom.pmf(lost, 30, share) @ held >= 0.95


def test_rows_without_a_label_are_set_apart():
    debates = ends(2, 1, 1, 1).astype({"initial_correct": object})
    debates.loc[0, "initial_correct"] = None
    rows = labelled(debates)
    assert len(rows) == 4
    assert outcome(freeze(rows, fire("always_freeze", rows))).right == 2
    reference = debates.assign(initial_correct=debates["initial_correct"].fillna(False))  # undefined is wrong
    assert outcome(freeze(reference, fire("always_freeze", reference))).corrections == 2


# --- the registry ----------------------------------------------------------------------------------------------------


def test_fixed_gates_fire_where_they_say():
    rows = random_saved(3)
    assert (fire("r1_majority_changed", rows) == (rows["r1_majority_changed"] == 1)).all()
    assert (fire("disagreement", rows) == (rows["init_agree_frac"] < 1)).all()
    aware = (rows["r1_majority_changed"] == 1) & (rows["r1_agree_frac"] < 1)
    assert (fire("r1_aware", rows) == aware).all()
    assert set(np.flatnonzero(fire("disagreement_ref", rows))) <= set(np.flatnonzero(fire("disagreement", rows)))


def test_a_gate_that_is_not_there_and_a_row_that_lacks_a_column():
    with pytest.raises(UserError, match=r"no gate 'sometimes'\. There are: never, always_freeze"):
        fire("sometimes", ends(1, 1, 1, 1))
    with pytest.raises(UserError, match="any_r1_flip reads a column 'r1_n_flipped'"):
        fire("any_r1_flip", ends(1, 1, 1, 1))
    with pytest.raises(ValueError, match="a gate 'never' already"):
        register("never", "nothing")(lambda debates: np.ones(len(debates), bool))


def test_shields_from_nothing_to_everything():
    rows = random_saved(5)
    probed = rows["probe_mean_fr"].notna()
    assert not shield(1.0)(rows).any()
    assert (shield(-0.1)(rows) == probed).all()
    sweep = shield_sweep(rows)
    assert sweep["tau"].tolist() == [i / 20 for i in range(21)]
    assert (np.diff(sweep["fired"]) <= 0).all()
    best = sweep[sweep["most_accurate"]].iloc[0]
    assert (best["net"], len(sweep[sweep["most_accurate"]])) == (sweep["net"].max(), 1)
    assert best["tau"] == sweep.loc[sweep["net"] == sweep["net"].max(), "tau"].max()  # the one that fires least
    safest = sweep[sweep["safest"]].iloc[0]
    affordable = sweep[sweep["net"] >= -0.005 * len(rows)]
    assert safest["prevented"] == affordable["prevented"].max()
    assert safest["tau"] == affordable.loc[affordable["prevented"] == safest["prevented"], "tau"].max()


@settings(max_examples=20)
@given(seeds)
def test_a_sweep_ends_where_nothing_and_where_everything_is_frozen(seed):
    """Where every question was moved by some probe, and none by all."""
    rows = random_saved(seed, rows=60)
    rows["probe_mean_fr"] = np.random.default_rng(seed).uniform(0.001, 1, len(rows))
    sweep = shield_sweep(rows).set_index("tau")
    for tau, gate in ((1.0, "never"), (0.0, "always_freeze")):
        counts = outcome(freeze(rows, fire(gate, rows)))
        for name in ("fired", "prevented", "lost", "net", "accuracy"):
            assert sweep.loc[tau, name] == getattr(counts, name)


def test_shields_of_known_questions():
    """Of 200 debates, collapses at a rate of .9, corrections at .5 and at .1; the rest at .3."""
    rows = ends(90, 20, 40, 50)
    rows["probe_mean_fr"] = np.repeat([0.3, 0.9, 0.5, 0.1, 0.3], [90, 20, 1, 39, 50])
    (best, rule), (safest, safe_rule) = in_sample_shields(rows).values()
    assert (outcome(best).prevented, outcome(best).lost, rule) == (20, 0, "probe_mean_fr > 0.85")
    assert (outcome(safest).prevented, safe_rule) == (20, rule)
    rows["probe_mean_fr"] = np.repeat([0.3, 0.1, 0.9, 0.3], [90, 20, 40, 50])  # what protects costs more
    assert [rule for _, rule in in_sample_shields(rows).values()] == ["probe_mean_fr > 1"] * 2
    some = rows.assign(probe_mean_fr=np.repeat([0.3, 0.9, 0.95, 0.1, 0.3], [90, 20, 1, 39, 50]))
    (best, _), (safest, _) = in_sample_shields(some).values()
    assert (outcome(best).net, outcome(safest).net) == (19, 19)
    cost = some.assign(probe_mean_fr=np.repeat([0.3, 0.9, 0.2, 0.9, 0.3], [90, 1, 19, 2, 88]))  # one for two
    assert shield_sweep(cost, slack=0.005).query("safest")["prevented"].tolist() == [1]
    assert shield_sweep(cost, slack=0.0).query("safest")["prevented"].tolist() == [0]
    assert in_sample_shields(rows.assign(probe_mean_fr=np.nan)) == {}
    assert set(in_sample_shields(rows)) == set(IN_SAMPLE)
    assert all("in_sample" in name for name in IN_SAMPLE)


def test_every_gate_says_what_it_knows():
    assert set(KNOWS) == set(GATES)
    rows = random_saved(0)
    early = rows[[name for name in rows if name.startswith("init_")]]
    for name, knows in KNOWS.items():
        if knows in ("nothing", "first_answers"):
            fire(name, early)
        elif knows == "round_1":
            fire(name, rows.drop(columns=["initial_correct", "final_correct"]))
        else:
            with pytest.raises(UserError, match="initial_correct"):
                fire(name, early)
