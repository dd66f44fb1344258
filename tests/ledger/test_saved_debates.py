"""From answers to gates: the ledger's own rows, replayed."""

import pytest
from debates import DEBATE, random_debates, said, table

from headcount.errors import UserError
from headcount.ledger.gates import GATES, fire
from headcount.ledger.replay import freeze, labelled, outcome
from headcount.ledger.saved import saved_debates
from headcount.ledger.trajectories import trajectories
from headcount.ledger.transitions import transitions


def saved(*debates):
    answers = table(*debates)
    return saved_debates(transitions(answers, "m"), trajectories(answers))


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
    last = frame.groupby(DEBATE)["round"].transform("max")
    rows = saved(frame[last == 3])
    kinds = rows["transition"].value_counts()
    always = outcome(freeze(labelled(rows), fire("always_freeze", labelled(rows))))
    assert (always.collapses, always.corrections) == (kinds["collapse"], kinds["correction"])
    assert always.net == kinds["collapse"] - kinds["correction"]
    assert len(labelled(rows)) == len(rows) - kinds["unlabelled"]


def test_a_row_has_one_endpoint_and_its_own_name():
    answers = table(*PANELS)
    with pytest.raises(UserError, match=r"item .* stands at two endpoints"):
        saved_debates(transitions(answers, "m", "every"), trajectories(answers))
    rows = saved(*PANELS, *(panel.assign(replicate=2) for panel in PANELS))
    assert not rows.duplicated(["source", "question_id"]).any()
    assert rows["question_id"].nunique() == 4
