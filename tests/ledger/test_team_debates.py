"""From answers to gates: the ledger's own rows, replayed."""

import pandas as pd
import pytest
from debates import DEBATE, random_debates, said, table

from headcount.ledger.gates import GATES, fire
from headcount.ledger.probe_features import read_probe_features
from headcount.ledger.replay import freeze, labelled, outcome
from headcount.ledger.saved_run import team_debates
from headcount.ledger.trajectories import trajectories
from headcount.ledger.transitions import transitions
from headcount.store import plain

UNPROBED = read_probe_features([])


def saved(*debates):
    """Each debate once, judged at its last round."""
    rows = team_debates(transitions(table(*debates), "m", "every"), "m", UNPROBED, simulated=False)
    return rows[rows["round"] == rows.groupby(DEBATE)["round"].transform("max")]


PANELS = [
    said("collapsed", [["A", "A", "B"], ["B", "B", "A"], ["B", "B", "B"]]),
    said("corrected", [["A", "B", "B"], ["A", "A", "B"], ["A", "A", "A"]]),
    said("preserved", [["A", "A", "A"], ["A", "A", "A"], ["A", "A", "A"]]),
    said("silent", [[None, None, None], ["A", "A", "A"], ["A", "A", "A"]]),
]


def test_fixed_gates_on_four_panels_by_hand():
    rows = labelled(saved(*PANELS))
    assert rows["question_id"].tolist() == ["t/collapsed", "t/corrected", "t/preserved"]
    assert set(rows["source"]) == {"m debate n=3 k=2"}
    found = {name: outcome(freeze(rows, fire(name, rows))) for name in GATES}
    assert (found["r1_majority_changed"].prevented, found["r1_majority_changed"].lost) == (1, 1)
    assert (found["oracle"].net, found["anti_oracle"].net, found["always_freeze"].net) == (1, -1, 0)
    assert found["never"].accuracy == found["always_freeze"].accuracy == pytest.approx(2 / 3)
    assert found["disagreement"].fired == 2


@pytest.mark.parametrize("seed", range(2))
def test_the_always_gate_undoes_what_the_ledger_says_of_debate(seed):
    frame = random_debates(seed)
    kinds = plain(transitions(table(frame[frame["n"] > 1]), "m", "every"))["transition"].value_counts()
    rows = team_debates(transitions(table(frame), "m", "every"), "m", UNPROBED, simulated=False)
    always = outcome(freeze(labelled(rows), fire("always_freeze", labelled(rows))))
    assert (always.collapses, always.corrections) == (kinds["collapse"], kinds["correction"])
    assert always.net == kinds["collapse"] - kinds["correction"]
    assert len(labelled(rows)) == len(rows) - kinds["unlabelled"]


def test_source_question_and_endpoint_name_a_debate():
    rows = team_debates(
        transitions(table(*PANELS, *(panel.assign(replicate=2) for panel in PANELS)), "m", "every"),
        *("m", UNPROBED),
        simulated=False,
    )
    assert not rows.duplicated(["source", "question_id", "round"]).any()
    assert rows["question_id"].nunique() == 4
    assert set(rows["source"]) == {f"m debate n=3 k=2 replicate {number}" for number in (1, 2)}


def test_a_row_has_the_course_of_its_debate_and_its_own_end():
    """Debates of several lengths and sizes: features are the debate's at every endpoint, ends are the endpoint's."""
    ends = transitions(table(random_debates(3)), "m", "every")
    rows = team_debates(ends, "m", UNPROBED, simulated=True).set_index([*DEBATE, "round"])
    course = trajectories(ends).set_index(DEBATE)
    told = plain(ends).set_index([*DEBATE, "round"])
    assert set(rows.index) == {key for key in told.index if key[4] > 1}
    for key, row in rows.iterrows():
        pd.testing.assert_series_equal(row[course.columns].astype(float), course.loc[key[:-1]], check_names=False)
        assert row["final_correct"] is told.loc[key, "final_correct"]
