"""What a pilot's prediction is worth: by hand, by brute force over halves, and where a law holds exactly."""

import math

import numpy as np
import pytest
from fitted import pick
from hypothesis import given, settings
from hypothesis import strategies as st
from lawful_teams import lawful
from made_up_teams import answers, measured
from scipy.optimize import curve_fit

from headcount.laws.audit import AUDITED, OURS, audit_run
from headcount.laws.compared import COMPARED
from headcount.laws.estimate import C_BOUNDS
from headcount.laws.forms import ringelmann
from headcount.laws.item_split import SPLITS, halves, item_split
from headcount.laws.levels import ANSWER
from headcount.laws.profiles import Profile
from headcount.laws.quality import held_out_errors
from headcount.laws.references import constant_correlation, skill
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings, item_weights
from headcount.laws.skills import skills_of_run
from headcount.measures.intervals import jackknife_error
from headcount.measures.subsets import subset_measures
from headcount.schema import ANSWERS, SKILLS
from headcount.seeds import seed64
from headcount.store import conform, plain

SIZES = (1, 2, 3, 5, 7, 10)
POINTS = FitSettings(n_boot=0)
effective = st.lists(st.floats(1, 30), min_size=3, max_size=3).map(np.array)


def skills(measures, how=POINTS, subsets=None, **options):
    table = skills_of_run({"team": TeamRows(measures, subsets)}, how, **options)
    assert table.schema.equals(SKILLS.schema)
    return plain(table)


@pytest.fixture(scope="module")
def asked():
    return answers(sizes=SIZES, items=30, conditions=("debate", "self_correction"), rounds=2)


@pytest.fixture(scope="module")
def measures(asked):
    return measured(asked)


@given(effective, effective, effective)
def test_skill_is_the_share_of_error_taken_away(seen, told, other):
    def sse(values):
        return math.fsum(math.log(a / b) ** 2 for a, b in zip(values, seen, strict=True))

    if sse(other) > 1e-6:
        assert skill(seen, told, other) == pytest.approx(1 - sse(told) / sse(other), rel=1e-6, abs=1e-9)
        assert skill(seen, other, other) == pytest.approx(0)
        assert skill(seen, seen, other) == 1
        assert skill(3 * seen, 3 * told, 3 * other) == pytest.approx(skill(seen, told, other), rel=1e-6, abs=1e-9)


def test_skill_needs_every_value_above_zero_and_a_reference_that_errs():
    seen, told = np.array([2.0, 3.0]), np.array([2.0, 4.0])
    for worse in ([2.0, 0.0], [2.0, -1.0], [2.0, np.nan]):
        assert math.isnan(skill(seen, np.array(worse), told))
        assert math.isnan(skill(seen, told, np.array(worse)))
    assert math.isnan(skill(seen, told, seen))
    assert math.isnan(skill(seen[:0], told[:0], seen[:0]))


def test_kish_of_one_size():
    """Rope pulling: two men are worth 1.86, so rho is .0753 and eight are worth 5.24."""
    assert constant_correlation(2, 1.86, np.array([2, 8])) == pytest.approx([1.86, 8 / (1 + 7 * (2 / 1.86 - 1))])


def test_where_a_law_holds_it_has_all_skill_and_kish_of_two_has_less():
    frame = skills(lawful(lambda n: n * ringelmann(n, 0.5, 0.3), (2, 3, 5, 10, 30), conditions=("debate",)))
    assert set(frame["level"]) == {"answer", "pooled_agreement"}
    for _, row in pick(frame, law="ringelmann_free").iterrows():
        assert [row["skill_kish_two"], row["skill_carried"]] == pytest.approx([1, 1], abs=1e-6)
        assert [row["rmse"], row["error"], row["error_largest"]] == pytest.approx([0, 0, 0], abs=1e-4)
        assert (row["pilot"].tolist(), row["held_out"].tolist()) == ([2, 3, 5], [10, 30])
    assert (pick(frame, law="kish")["skill_kish_two"] < 1).all()
    assert (pick(frame, law="kish")["error_largest"] < -0.1).all()


def test_a_row_by_hand(measures):
    """Means by pandas, the law by SciPy."""
    row = pick(skills(measures), condition="debate", level="answer", law="ringelmann_free").iloc[0]
    means = pick(plain(measures), condition="debate", round=2).groupby("n")["n_eff_answer"].mean()
    n, held = np.array([2.0, 3.0, 5.0]), np.array([7.0, 10.0])
    theta, _ = curve_fit(ringelmann, n, means[n] / n, p0=(0.4, 0.1), bounds=((0, -1), (20, 1)), ftol=1e-14, xtol=1e-14)
    seen, told = means[held].to_numpy(), held * ringelmann(held, *theta)
    rho = 2 / means[2] - 1
    references = {"kish_two": held / (1 + (held - 1) * rho), "carried": np.full(2, means[5])}
    for name, other in references.items():
        errors = [(np.log(values / seen) ** 2).sum() for values in (told, other)]
        assert row[f"skill_{name}"] == pytest.approx(1 - errors[0] / errors[1], abs=1e-5)
    assert row["rmse"] == pytest.approx(np.sqrt(((told - seen) ** 2).mean()), abs=1e-5)
    assert row["error"] == pytest.approx(np.mean(np.abs(told - seen) / seen), abs=1e-5)
    assert row["error_largest"] == pytest.approx(told[1] / seen[1] - 1, abs=1e-5)


def test_errors_are_those_of_the_audit(measures):
    audit = plain(audit_run({"team": TeamRows(measures)}, POINTS))
    audit = audit[audit["held_out"]]
    frame = skills(measures)
    assert set(frame["law"]) == set(AUDITED)
    for _, row in frame.iterrows():
        cell = pick(audit, **{name: row[name] for name in ("condition", "level", "law")})
        seen, told = cell["observed"].to_numpy(), cell["predicted"].to_numpy()
        assert (row["rmse"], row["error"]) == pytest.approx(held_out_errors(seen, told))
        assert row["error_largest"] == pytest.approx(told[-1] / seen[-1] - 1)
        assert list(row["flags"]) == (["predicts_nothing"] if (told <= 0).any() else [])
        assert math.isnan(row["skill_carried"]) == bool((told <= 0).any())


def test_a_law_that_predicts_less_than_nobody_says_so_and_has_no_skill():
    """N_eff that falls the faster the larger the team: the power law goes on falling."""
    fall = {2: 2.0, 3: 1.9, 5: 1.2, 10: 1.0}
    frame = skills(lawful(lambda n: np.vectorize(fall.get)(n), tuple(fall), conditions=("debate",)))
    power = pick(frame, level="answer", law="power").iloc[0]
    assert power["error_largest"] < -1
    assert power["flags"].tolist() == ["predicts_nothing"]
    assert math.isnan(power["skill_carried"])
    assert pick(frame, level="answer", law="kish")["flags"].iloc[0].tolist() == []


def test_null_a_is_the_first_answers_of_all_teams_of_n(asked, measures):
    frame = conform(asked, ANSWERS, "test")
    subsets = subset_measures(frame, {("t", "self_correction"): SIZES, ("t", "debate"): SIZES})
    row = pick(skills(measures, subsets=subsets), condition="debate", subsets="first", level="answer", law="kish")
    null = pick(plain(subsets), condition="self_correction", round=1).groupby("n")["n_eff_answer"].mean()
    means = pick(plain(measures), condition="debate", round=2).groupby("n")["n_eff_answer"].mean()
    held = np.array([7, 10])
    n = np.array([2, 3, 5])
    told = COMPARED["kish"].predict(n, (means[n] / n).to_numpy()[None], held)[0]
    expected = skill(means[held].to_numpy(), told, null[held].to_numpy())
    assert row["skill_null_a"].tolist() == pytest.approx([expected])
    alone = pick(skills(measured(asked[asked["round"] == 1]), subsets=subsets), condition="debate")
    assert alone["skill_null_a"].isna().all()  # a first round is not set against itself


@given(st.integers(2, 30), st.integers(1, 5), st.integers(0, 9))
def test_halves_are_halves(items, splits, seed):
    weights = halves(items, splits, np.random.default_rng(seed)).reshape(splits, 2, items)
    assert (weights.sum(axis=1) == 1).all()
    assert (weights[:, 0].sum(axis=1) == items // 2).all()


def test_errors_over_halves_by_brute_force():
    rng = np.random.default_rng(5)
    sizes, pilot = np.array([2, 3, 5, 10, 30]), np.array([2, 3, 5])
    values = sizes * ringelmann(sizes, 0.4, 0.1) * rng.lognormal(0, 0.2, (25, 5))
    values[3] = np.nan
    found = item_split(Profile(ANSWER, sizes, values, 24), pilot, ["ringelmann", "kish"], C_BOUNDS, "words")
    known = np.delete(values, 3, axis=0)
    weights = halves(24, SPLITS, np.random.default_rng(seed64("item_split", "words")))
    for law in ("ringelmann", "kish"):
        errors = {"same_half": [], "other_half": [], "halves": []}
        for half in weights.astype(bool):
            own, other = known[half].mean(axis=0), known[~half].mean(axis=0)
            told = COMPARED[law].predict(pilot, (own[:3] / pilot)[None], sizes[3:])[0]
            for name, seen, says in (("same_half", own, told), ("other_half", other, told), ("halves", own, other[3:])):
                off = says - seen[3:]
                errors[name].append((np.sqrt((off**2).mean()), *(np.abs(off) / seen[3:]).tolist()))
        for name, rows in errors.items():
            rmse, middle, largest = np.array(rows).T
            assert found[law][f"{name}_rmse"] == pytest.approx(np.median(rmse))
            assert found[law][f"{name}_error"] == pytest.approx(np.median((middle + largest) / 2))
            assert found[law][f"{name}_error_largest"] == pytest.approx(np.median(largest))


def test_a_law_that_holds_is_as_far_from_other_items_as_they_are_from_each_other():
    """And looks better on its own items than it is: here items differ in correlation, alike at all sizes."""
    rng = np.random.default_rng(6)
    sizes, pilot = np.array([2, 3, 5, 10, 30]), np.array([2, 3, 5])
    values = sizes * ringelmann(sizes, rng.uniform(0.2, 0.8, (100, 1)), 0.2)
    found = item_split(Profile(ANSWER, sizes, values, 100), pilot, ["kish", "ringelmann_free"], C_BOUNDS, "words")
    good, poor = found["ringelmann_free"], found["kish"]
    assert good["other_half_error"] == pytest.approx(good["halves_error"], rel=0.3)
    assert good["same_half_error"] < 0.5 * good["other_half_error"]
    assert poor["other_half_error"] > 2 * good["other_half_error"]


def test_the_error_at_the_largest_size_has_the_runs_interval(measures):
    row = pick(skills(measures, FitSettings()), condition="debate", level="answer", law="kish").iloc[0]
    values = (
        pick(plain(measures), condition="debate", round=2)
        .pivot(index="item", columns="n", values="n_eff_answer")[[2, 3, 5, 7, 10]]
        .sort_index()
    )
    weights, errors = item_weights(30, FitSettings(), "team", "t"), []
    for weight in weights:
        means = values[weight > 0].mean().to_numpy()
        told = COMPARED["kish"].predict(np.array([2, 3, 5]), (means[:3] / [2, 3, 5])[None], np.array([10]))[0, 0]
        errors.append([told / means[-1] - 1])
    margin = 2.0452296 * jackknife_error(np.array(errors))[0]  # Student's t, 29 degrees of freedom
    assert row["error_largest_low"] == pytest.approx(row["error_largest"] - margin, rel=1e-5)
    assert row["error_largest_high"] == pytest.approx(row["error_largest"] + margin, rel=1e-5)


def test_which_laws_have_intervals(measures):
    frame = skills(measures, FitSettings())
    known = frame.groupby("law")["error_largest_low"].apply(lambda column: column.notna().all()).to_dict()
    assert known == {law: law in OURS for law in AUDITED}
    assert skills(measures)["error_largest_low"].isna().all()


def test_one_item_has_neither_halves_nor_interval():
    frame = skills(measured(answers(sizes=SIZES, items=1, missing=0)), FitSettings())
    assert frame[["other_half_error", "halves_rmse", "error_largest_low"]].isna().all(axis=None)
    assert frame["error"].notna().any()


def test_nothing_to_hold_out_nothing_to_say():
    assert skills(measured(answers(sizes=(1, 2, 5)))).empty
    assert skills_of_run({}, POINTS).num_rows == 0


@settings(max_examples=3, deadline=None)
@given(st.permutations("ABCD"), st.integers(0, 99))
def test_names_of_answers_and_order_of_rows_change_nothing(names, seed):
    frame = answers(sizes=(1, 2, 3, 5, 7), items=8, conditions=("debate",), rounds=1)
    renamed = frame.assign(answer=frame["answer"].map(dict(zip("ABCD", names, strict=True))))
    shuffled = renamed.sample(frac=1, random_state=seed)
    columns = ["skill_carried", "error", "other_half_error", "same_half_rmse", "halves_error_largest"]
    one, other = (
        skills(measured(rows)).query("law in ['kish', 'ringelmann']")[columns].to_numpy() for rows in (frame, shuffled)
    )
    assert one == pytest.approx(other, rel=1e-5, nan_ok=True)
