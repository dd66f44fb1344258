"""Associations of model rows and families, against published numbers: T2, T6 to T12, T25, T27, T30."""

import json

import numpy as np
import pytest
from published_ledger import LEDGER, RATE, columns, expected, families, model_rows, table

from headcount.ledger.associations import Question, associations, leave_outs
from headcount.ledger.families import by_family, effective_families, leave_one_out
from headcount.ledger.partials import rank_partial, rank_partial_test
from headcount.ledger.permutations import rank_test
from headcount.ledger.ranks import (
    associate,
    power,
    rows_for_power,
)


@pytest.mark.parametrize(
    ("x", "y", "rho"),
    [
        ("FR", "cond_collapse_pct", 0.195900280),
        ("SA", "cond_collapse_pct", 0.250570126),
        ("FR", "raw", 0.087358399),
        ("FR", "recover_pct", -0.091116410),
        ("init", "cond_collapse_pct", -0.218181818),
    ],
)
def test_t2_associations_of_the_sealed_rows(x, y, rho):
    rows = table("conditional_collapse_counts").eval(
        "raw = n_cond_coll / n_deb; init = n_init_correct / n_deb".replace("; ", "\n")
    )
    assert associate(rows[x], rows[y]).rho == pytest.approx(rho, abs=1e-9)


def test_t2_kendall_of_the_sealed_rows():
    rows = table("conditional_collapse_counts")
    assert associate(rows["FR"], rows["cond_collapse_pct"]).tau == pytest.approx(0.146795169, abs=1e-9)


@pytest.mark.parametrize("how", ["mean", "median"])
def test_t6_family_association_is_exact(how):
    test = rank_test(*columns(families(how), "alpha", RATE))
    assert test.statistic == pytest.approx(0.892857142857, abs=1e-9)
    assert (test.arrangements, test.as_extreme, test.as_directed, test.exact) == (5040, 62, 31, True)
    assert test.p_two_sided == pytest.approx(0.0123015873, abs=1e-9)


def test_t7_family_partial_after_initial_accuracy():
    x, y, control = columns(families(), "alpha", RATE, "init_acc")
    partial, test = rank_partial(x, y, [control]), rank_partial_test(x, y, [control])
    assert partial.rho == pytest.approx(0.76696498885, abs=1e-9)
    assert (partial.df, partial.p_t) == (4, pytest.approx(0.0751304546, abs=1e-9))
    assert test.statistic == partial.rho
    assert (test.arrangements, test.as_extreme, test.as_directed) == (5040, 442, 221)


@pytest.mark.parametrize(
    ("column", "name", "as_extreme"),
    [
        ("init_acc", "init_acc", 172),
        ("correction_rate", "correction_pct", 1008),
        ("debate_revision_proxy", "debate_revision_proxy", 444),
        ("final_acc", "final_acc", 552),
        ("raw_collapse", "raw_collapse_pct", 2),
    ],
)
def test_t8_rivals_of_the_screen_at_the_family_level(column, name, as_extreme):
    test = rank_test(*columns(families(), column, RATE))
    assert (test.as_extreme, test.arrangements) == (as_extreme, 5040)
    rho = -0.821428571 if name == "init_acc" else expected("family_bakeoff")[name][0]
    assert test.statistic == pytest.approx(rho, abs=1e-9)


def test_t9_leaving_out_one_family_of_the_family_means():
    tests = leave_one_out(families().reset_index(), "family", lambda rows: rank_test(*columns(rows, "alpha", RATE)))
    for family, (rho, p) in expected("lofo_family_mean").items():
        assert tests[family].statistic == pytest.approx(rho, abs=1e-9)
        assert tests[family].p_two_sided == pytest.approx(p, abs=1e-9)
    assert set(tests) == set(expected("lofo_family_mean"))


def test_t9_without_meta_and_qwen():
    frame = families().drop(["Meta", "Qwen"])
    test = rank_test(*columns(frame, "alpha", RATE))
    assert (test.statistic, test.as_directed, test.as_extreme, test.arrangements) == (pytest.approx(1.0), 1, 2, 120)


def test_t10_model_rows():
    rows = model_rows()
    found = associate(rows["alpha"], rows[RATE])
    assert found.rho == pytest.approx(0.829483450233, abs=1e-9)
    assert found.p_t == pytest.approx(0.000243151157, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((0.53385, 0.94442), abs=2e-5)
    without = leave_one_out(rows, "family", lambda left: associate(left["alpha"], left[RATE]).rho)
    assert without == pytest.approx(expected("model_row_lofo"), abs=1e-9)
    assert min(without, key=without.get) == "Google"
    assert effective_families(rows["family"]) == pytest.approx(expected("inverse_simpson_families"), abs=0.005)


@pytest.mark.parametrize("controls", expected("model_row_partials"))
def test_t11_partials_of_model_rows(controls):
    rows = model_rows()
    partial = rank_partial(*columns(rows, "alpha", RATE), columns(rows, *controls.split("+")))
    published = expected("model_row_partials")[controls]
    assert [partial.rho, partial.p_t, partial.df] == pytest.approx(published, abs=1e-9)


def test_t12_dropping_each_qwen_row():
    rows = model_rows()
    without = leave_one_out(rows, "model", lambda left: left)
    for model, (rho, as_extreme) in expected("leave_one_qwen_row").items():
        left = without[model]
        assert associate(left["alpha"], left[RATE]).rho == pytest.approx(rho, abs=1e-9)
        assert rank_test(*columns(families(rows=left), "alpha", RATE)).as_extreme == as_extreme


def test_t25_nine_sealed_models():
    sealed = json.loads((LEDGER / "alpha_n9.json").read_text())
    rate = np.array(sealed["C_cond"])
    total = associate(sealed["alpha_total"], rate)
    assert (total.rho, total.p_t) == pytest.approx((0.783333333, 0.0125198730), abs=1e-9)
    assert (total.low, total.high) == pytest.approx((0.24848, 0.95213), abs=5e-6)
    for channel, rho in (("alpha_adv", 0.616666667), ("alpha_cor", -0.2)):
        assert associate(sealed[channel], rate).rho == pytest.approx(rho, abs=1e-9)
    exact = rank_test(np.array(sealed["alpha_total"]), rate)
    assert exact.exact
    assert exact.p_two_sided == pytest.approx(0.017223, abs=5e-7)


@pytest.mark.parametrize(
    ("drop", "G", "row", "family", "partial", "p"),
    [([], 11, 0.8239, 0.7517, 0.5969, 0.0685), (["Tencent"], 10, None, 0.9483, 0.9311, 0.000265)],
)
def test_t27_extension_cohort_ends_at_round_three(drop, G, row, family, partial, p):
    rows = table("extension_r3_frozen")
    rows = rows[~rows["family"].isin(drop)]
    if row is not None:
        assert associate(rows["alpha_tot"], rows[RATE]).rho == pytest.approx(row, abs=6e-5)
    means = by_family(rows, ["alpha_tot", RATE, "init_acc"])
    x, y, control = columns(means, "alpha_tot", RATE, "init_acc")
    found = rank_partial(x, y, [control])
    assert len(means) == G
    assert (associate(x, y).rho, found.rho, found.p_t) == pytest.approx((family, partial, p), abs=6e-5)


def test_t27_eleven_families_are_too_many_to_enumerate_and_are_sampled():
    means = by_family(table("extension_r3_frozen"), ["alpha_tot", RATE])
    test = rank_test(*columns(means, "alpha_tot", RATE), np.random.default_rng(1))
    assert (test.exact, test.arrangements) == (False, 100_001)
    assert test.p_two_sided == pytest.approx(0.0101, abs=0.0012)  # four standard errors of 100,000 draws
    with pytest.raises(ValueError, match="give a generator"):
        rank_test(*columns(means, "alpha_tot", RATE))


def test_t30_power_after_one_control():
    assert power(0.767, 7, controls=1) == pytest.approx(0.419, abs=0.001)
    assert power(0.767, 12, controls=1) == pytest.approx(0.817, abs=0.001)
    assert rows_for_power(0.767, controls=1) == expected("power")["min_G"]


def test_t6_to_t12_in_one_table():
    rows = model_rows()
    asked = [
        *(Question(level) for level in ("family_mean", "family_median", "model")),
        Question("family_mean", ("init_acc",)),
        *leave_outs(rows, "family_mean"),
        *leave_outs(rows, "model"),
    ]
    found = associations(rows, "alpha", RATE, asked, np.random.default_rng(0), 2000)
    assert found["as_extreme"].tolist()[:2] == [62, 62]
    assert found["exact"].tolist()[:4] == [True, True, False, True]
    assert (found.loc[3, "as_extreme"], found.loc[3, "controls"], found.loc[3, "df"]) == (442, "init_acc", 4)
    assert len(found) == 4 + (7 + 2 + 2 + 6) + (7 + 14)  # models that are all of their family are left out once
    by_name = found.iloc[4:].set_index(["level", "left_out"])["rho"]
    for family, (rho, _) in expected("lofo_family_mean").items():
        assert by_name["family_mean", family] == pytest.approx(rho, abs=1e-9)
    for left, rho in expected("model_row_lofo").items():
        assert by_name["model", left] == pytest.approx(rho, abs=1e-9)
    for model, (rho, _) in expected("leave_one_qwen_row").items():
        assert by_name["model", model] == pytest.approx(rho, abs=1e-9)
        assert found[(found["level"] == "family_mean") & (found["left_out"] == model)]["as_extreme"].tolist() == [62]
    row = found.loc[2]  # 14 model rows: too many orders
    assert (row["arrangements"], row["p_two_sided"] < 0.005) == (2001, True)
    assert row["bonett_wright_low"] < row["fisher_low"] < row["rho"] < row["fisher_high"] < row["bonett_wright_high"]


def test_two_families_answer_nothing():
    rows = model_rows().query("family in ['Meta', 'Phi']")
    found = associations(rows, "alpha", RATE, [Question("family_mean", ("init_acc",))], np.random.default_rng(0)).iloc[
        0
    ]
    assert np.isnan(found[["rho", "p_t", "p_two_sided", "fisher_low"]].astype(float)).all()
