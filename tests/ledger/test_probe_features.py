"""What probes said, joined to debates: of the model's own questions, in one condition, and knowing no right answer."""

import numpy as np
import pandas as pd
import pytest
from debates import said, table
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_probes import battery

from headcount.ledger.probe_features import (
    KEYS,
    OF_MODEL,
    OF_QUESTION,
    PRE_DEBATE_PROBED,
    PROBED,
    probe_features,
    read_probe_features,
    with_probes,
)
from headcount.ledger.saved_run import MIXED, team_debates
from headcount.ledger.trajectories import trajectories
from headcount.ledger.transitions import transitions
from headcount.schema import PROBES
from headcount.store import write

SOLO, SOCIAL = [True] * 4 + [False] * 4, [False] * 7 + [True]


def ends(questions=3):
    answers = table(*(said(f"q{i}", [["A", "A", "B"], ["B", "B", "B"]]) for i in range(questions)))
    return transitions(answers, "t", "every")


def test_probes_join_by_model_and_question():
    features = trajectories(ends()).assign(model="m")
    rows = with_probes(features, probe_features(battery([SOLO, SOCIAL], [True, True], agents=1)))
    assert rows["probe_mean_fr"].tolist() == pytest.approx([0.5, 0.125, np.nan], nan_ok=True)
    assert rows["s_soc"].tolist() == pytest.approx([-1, 0.25, np.nan], nan_ok=True)
    assert rows["probe_x_init_split"].iloc[0] == pytest.approx(0.5 / 3)
    assert rows["probe_x_changed"].iloc[0] == 0.5  # every majority changed in R1
    assert rows["probe_x_flip_frac"].iloc[1] == pytest.approx(0.125 * 2 / 3)
    assert rows["alpha_adv"].tolist()[:2] == [5 / 16] * 2  # the model's, not the question's
    assert set(OF_QUESTION) | set(PROBED) | set(PRE_DEBATE_PROBED) <= set(rows)


def test_a_question_s_rate_is_the_mean_over_its_agents_of_their_rates():
    """An agent with two readable replies weighs as much as one with eight."""
    flips = [[True] * 8, [False, True, *[None] * 6], [False] * 8]
    (row,) = probe_features(battery(flips, [True] * 3)).to_dict("records")
    assert row["probe_mean_fr"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert row["alpha_adv"] == pytest.approx(9 / 18)  # pooled over probes


def test_other_models_other_tasks_and_other_conditions_say_nothing():
    own = battery([SOLO], [True], agents=1)
    others = [own.assign(model="x"), own.assign(task="u"), own.assign(condition="anti_social", flip=True)]
    found = probe_features(pd.concat([own, *others], ignore_index=True)).set_index(KEYS)
    assert found.loc[("m", "t", "q0"), OF_QUESTION].tolist() == [0.5, -1.0, 0.0]
    rows = with_probes(trajectories(ends()).assign(model="y"), found.reset_index())
    assert rows[[*OF_QUESTION, *OF_MODEL, *PROBED]].isna().all(axis=None)


seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=25)
@given(seeds)
def test_a_question_s_own_features_know_no_right_answer(seed):
    """Whoever was right: only where it is not known, no probe was asked."""
    rng = np.random.default_rng(seed)
    flips = rng.choice(np.array([True, False, None], dtype=object), (6, 8))
    one, two = (
        probe_features(battery(flips, rng.random(6) < 0.5, corrected=rng.random((6, 8)) < 0.5)) for _ in range(2)
    )
    pd.testing.assert_frame_equal(one[[*KEYS, *OF_QUESTION]], two[[*KEYS, *OF_QUESTION]])


def test_files_of_models_and_tasks_and_a_run_without_any(tmp_path):
    blank = dict.fromkeys(PROBES.schema.names)
    filled = {"initial_repaired": False, "initial_request": "", "initial_calls": 1, "initial_prompt_tokens": 9}
    filled |= {"initial_completion_tokens": 9, "request": "", "status": "parsed", "rule": "p1_tag", "n_tags": 1}
    filled |= {"tags_disagree": False, "truncated": False, "prompt_tokens": 9, "completion_tokens": 9}
    rows = battery([SOLO, SOCIAL], [True, False], agents=1)
    files = []
    for model in ("m", "x"):
        frame = rows.assign(model=model, probe=rows["probe"].astype(str))
        files.append(tmp_path / model / "t.parquet")
        write(files[-1], frame.assign(**{n: v for n, v in (blank | filled).items() if n not in frame}), PROBES)
    pd.testing.assert_frame_equal(
        read_probe_features(files), probe_features(pd.concat([rows, rows.assign(model="x")])), check_dtype=False
    )
    none = read_probe_features([])
    assert none.empty
    team = team_debates(ends(), "m", none, simulated=False)
    assert len(team) == 3
    assert team[[*OF_QUESTION, *OF_MODEL, *PROBED]].isna().all(axis=None)


def test_a_team_of_several_models_has_no_probes_of_its_own():
    features = probe_features(battery([SOLO], [True], agents=1))
    for model, known in (("m", [True, False, False]), (MIXED, [False] * 3)):
        team = team_debates(ends(), model, features, simulated=False)
        assert team["probe_mean_fr"].notna().tolist() == known
