"""Gates that are learned on other models: brute force, planted rules, and nothing seen of the model left out."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from saved_debates import ends, random_saved
from sklearn.linear_model import LogisticRegression

from headcount.errors import UserError
from headcount.ledger.logistic import RIDGE, fit_logistic, fit_logistics, standardised
from headcount.ledger.probe_gate import FEATURES, TAUS, probe_gated_freeze
from headcount.ledger.replay import freeze, outcome
from headcount.ledger.stump import Stump, eligible, learn_stump, leave_one_model_out

seeds = st.integers(0, 2**32 - 1)
R1 = ["r1_majority_changed", "r1_n_flipped", "r1_agree_frac"]


def objective(debates, fired):
    counts = outcome(freeze(debates, fired))
    return counts.net / len(debates) - 0.02 * counts.fired / len(debates), counts.net, -counts.lost, -counts.fired


@settings(max_examples=15)
@given(seeds)
def test_no_cut_at_a_value_beats_the_stump(seed):
    debates = random_saved(seed, rows=60)
    found = objective(debates, learn_stump(debates, [*R1, "probe_mean_fr"])(debates))
    for feature in R1:
        for threshold, high in product(debates[feature].unique(), (True, False)):
            fired = debates[feature] >= threshold if high else debates[feature] <= threshold
            assert objective(debates, fired.to_numpy())[0] <= found[0] + 1e-12
    assert found[0] >= 0  # never to freeze is allowed


def test_a_planted_rule_is_found_and_thirds_are_not_rounded_away():
    """Collapses at agreement 2/3 alone; the reference's threshold of twelve decimals leaves 2/3 out.

    With 101 rows every percentile is one of the values.
    """
    debates = ends(31, 30, 10, 30).assign(r1_agree_frac=[1 / 3] * 31 + [2 / 3] * 30 + [1 / 3] * 40)
    high = learn_stump(debates, ["r1_agree_frac"])
    assert (high.threshold, high.high, high(debates).sum()) == (2 / 3, True, 30)
    turned = debates.assign(r1_agree_frac=1 - debates["r1_agree_frac"])
    low = learn_stump(turned, ["r1_agree_frac"])
    assert (low.threshold, low.high, low(turned).sum()) == (1 - 2 / 3, False, 30)


def test_where_freezing_never_pays_nothing_is_frozen():
    debates = ends(50, 0, 20, 10).assign(r1_agree_frac=np.linspace(0, 1, 80))
    assert learn_stump(debates, ["r1_agree_frac"]) == Stump()
    assert not Stump()(debates).any()


def test_a_missing_value_is_the_mean_of_the_rows_learned_from():
    debates = ends(11, 10, 0, 0).assign(probe_mean_fr=[0.0] * 11 + [1.0] * 10)
    unknown = debates.assign(probe_mean_fr=np.nan)
    stump = learn_stump(debates, ["probe_mean_fr"])
    assert (stump.threshold, stump.high, stump.filled) == (1.0, True, 10 / 21)
    assert not stump(unknown).any()
    assert Stump("probe_mean_fr", 0.4, True, 10 / 21)(unknown).all()
    holed = pd.concat([debates, unknown.head(1)], ignore_index=True)
    assert learn_stump(holed, ["probe_mean_fr"]).filled == 10 / 21
    assert learn_stump(unknown, ["probe_mean_fr"]) == Stump()


@settings(max_examples=2)
@given(seeds)
def test_a_model_left_out_does_not_teach_its_own_gates(seed):
    """Whatever its ends are, its gate and its firing stay."""
    debates = random_saved(seed)
    turned = debates["final_correct"].where(debates["model"] != "m2", ~debates["final_correct"])
    other = debates.assign(final_correct=turned)
    (fired, stumps), (fired_other, other_stumps) = (leave_one_model_out(rows, R1) for rows in (debates, other))
    mine = (debates["model"] == "m2").to_numpy()
    assert stumps["m2"] == other_stumps["m2"]
    assert (fired[mine] == fired_other[mine]).all()
    features = ["probe_mean_fr", "init_agree_frac"]
    (one, choices), (two, other_choices) = (probe_gated_freeze(rows, features) for rows in (debates, other))
    assert choices["m2"] == other_choices["m2"]
    assert (one.fired[mine] == two.fired[mine]).all()


def test_a_risk_that_probes_foretell_is_frozen_and_chance_is_not():
    """Collapses and corrections of which the flip rate alone tells the difference, in every model alike."""
    rng = np.random.default_rng(1)
    frames = [ends(40, 30, 30, 20).assign(model=f"m{i}", source=f"m{i}", r1_majority_correct=1.0) for i in range(4)]
    debates = pd.concat(frames, ignore_index=True)
    collapse = debates["initial_correct"] & ~debates["final_correct"]
    for name in FEATURES:
        debates[name] = rng.random(len(debates))
    debates["probe_mean_fr"] = np.where(collapse, 0.9, 0.1) + 0.05 * rng.random(len(debates))
    debates["r1_majority_correct"] = debates["initial_correct"].astype(float)
    replayed, choices = probe_gated_freeze(debates)
    counts = outcome(replayed)
    assert (counts.prevented, counts.lost) == (120, 0)
    assert {choice.mode for choice in choices.values()} == {"initial"}  # the first of two alike
    blind = debates.assign(probe_mean_fr=0.5)
    assert outcome(probe_gated_freeze(blind)[0]).net < 20


def test_a_freeze_after_r1_is_chosen_where_r1_is_right():
    frames = [ends(40, 30, 30, 30).assign(model=f"m{i}", source=f"m{i}") for i in range(4)]
    debates = pd.concat(frames, ignore_index=True).assign(r1_majority_correct=1.0, init_agree_frac=0.5)
    debates["probe_mean_fr"] = np.where(debates["initial_correct"] & ~debates["final_correct"], 0.9, 0.1)
    replayed, choices = probe_gated_freeze(debates, ["probe_mean_fr", "init_agree_frac"])
    assert {choice.mode for choice in choices.values()} == {"r1"}
    assert outcome(replayed).accuracy == 1.0  # and it fires at all of them, as everything is right after R1
    assert outcome(replayed).repaired == 120


def test_weights_move_the_choice():
    """A collapse that is worth nothing is never prevented."""
    debates = random_saved(8)
    features = ["probe_mean_fr", "init_agree_frac"]
    cautious, choices = probe_gated_freeze(debates, features, weights=(0.0, 1.0))
    assert {choice.utility >= 0 for choice in choices.values()} == {True}
    heavy, _ = probe_gated_freeze(debates, features, weights=(10.0, 1.0))
    assert outcome(heavy).prevented >= outcome(cautious).prevented
    assert max(TAUS) == 1.0


def test_few_models_and_few_rows():
    debates = random_saved(0, models=3)
    for learn in (lambda rows: leave_one_model_out(rows, R1), probe_gated_freeze):
        with pytest.raises(UserError, match="needs 4 models with 50 debates each; there are 3"):
            learn(debates)
    mixed = pd.concat([debates, debates.head(30).assign(model="small")])
    assert set(mixed["model"][eligible(mixed["model"])]) == {"m0", "m1", "m2"}


def slow_stump(debates, features):
    """Cut after cut, as `learn_stump` describes it, on the debates one by one."""
    best, found = (0, 0, 0, 0), Stump()
    for feature in features:
        known = debates[feature].dropna().to_numpy()
        values = debates[feature].fillna(known.mean()).to_numpy()
        cuts = np.percentile(values, np.arange(0, 101, 5))
        cuts = np.unique([*cuts, *values] if len(set(values)) <= 25 else cuts)
        for threshold, high in product(cuts, (True, False)):
            counts = outcome(freeze(debates, values >= threshold if high else values <= threshold))
            score = (50 * counts.net - counts.fired, counts.net, -counts.lost, -counts.fired)
            if score > best:
                best, found = score, Stump(feature, threshold, high, known.mean())
    return found


@settings(max_examples=5)
@given(seeds)
def test_stumps_are_those_of_every_cut_tried_one_by_one(seed):
    debates = random_saved(seed, rows=200 + seed % 40)
    features = [*R1, "probe_mean_fr", "init_agree_frac"]
    _, stumps = leave_one_model_out(debates, features)
    for left, stump in stumps.items():
        rest = debates[debates["model"] != left]
        assert stump == learn_stump(rest, features) == slow_stump(rest, features)


# --- the regression behind the risk ----------------------------------------------------------------------------------


@settings(max_examples=15)
@given(seeds)
def test_logistic_is_the_maximum_likelihood_fit_where_nothing_is_penalised(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(200, 2)) * [1.0, 50.0] + [3.0, -7.0]
    y = rng.random(200) < 1 / (1 + np.exp(-(x[:, 0] - 3)))
    found = fit_logistic(x, y, ridge=1e-12)(x)
    assert found == pytest.approx(sm.Logit(y, sm.add_constant(x)).fit(disp=0, tol=1e-12).predict(), abs=1e-5)


@settings(max_examples=10)
@given(seeds)
def test_fits_to_counts_are_those_of_scikit_learn_to_the_rows(seed):
    rng = np.random.default_rng(seed)
    x, trials = rng.choice([0.0, 1 / 3, 1.0, np.nan], (12, 3)), rng.integers(0, 4, (4, 12))
    trials[:, 0] += 2
    events = rng.binomial(trials, 0.4)
    events[:, 0] = 1  # of two or more: both classes are there
    for fit, count, true in zip(fit_logistics(x, events * 1.0, trials * 1.0), trials, events, strict=True):
        rows = np.repeat(x, count, axis=0)
        label = np.concatenate([np.arange(n) < k for n, k in zip(count, true, strict=True)])
        z = standardised(rows, fit.mean, fit.scale)
        assert z.mean(axis=0)[np.isfinite(rows).all(axis=0)] == pytest.approx(0, abs=1e-12)
        model = LogisticRegression(C=1 / (RIDGE * len(rows)), solver="newton-cholesky", tol=1e-10).fit(z, label)
        assert fit(rows) == pytest.approx(model.predict_proba(z)[:, 1], abs=1e-7)


def test_logistic_of_a_separable_or_one_sided_label():
    x = np.array([[0.0], [0.0], [1.0], [np.nan]])
    assert (fit_logistic(x, np.array([False] * 4))(x) == 0).all()
    assert (fit_logistic(x, np.array([True] * 4))(x) == 1).all()
    split = fit_logistic(x[:3], np.array([False, False, True]))(x[:3])
    assert np.isfinite(split).all()
    assert split[2] > 0.5 > split[0]


@settings(max_examples=15)
@given(seeds, st.floats(0.01, 100), st.floats(-50, 50))
def test_logistic_does_not_mind_units(seed, scale, shift):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(60, 2)), rng.random(60) < 0.4
    assert fit_logistic(scale * x + shift, y)(scale * x + shift) == pytest.approx(fit_logistic(x, y)(x), abs=1e-6)
