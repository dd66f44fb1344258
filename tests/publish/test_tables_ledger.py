"""Tables and the figure of the ledger show the cells that they say, at one endpoint, each number in its place."""

import pytest
from made_ledger import MOVES, rate, stable
from made_run import PUBLISHED, write_run
from made_series import NEWCOMER, QWEN, SWEPT, THINKER, one, row

from headcount.publish.figures.collapse_and_correction import draw, numbers
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import cells
from headcount.publish.registry import load
from headcount.schema import LEDGER_RATES, LEDGER_STABILITY
from headcount.schema.ledger import ALL

HERE = {"team": QWEN, "task": "mmlu_hard", "condition": "debate", "n": 10}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return Inputs(write_run(tmp_path_factory.mktemp("run")), PUBLISHED)


@pytest.fixture(scope="module")
def debate():
    return one(QWEN, "mmlu_hard", "debate")


def test_every_size_of_two_and_more_at_the_round_that_most_sizes_have(inputs):
    rows = load("tables", "transition_rates").make(inputs)
    swept = rows[(rows["team"] == QWEN) & (rows["task"] == "gsm_hard")]
    assert swept[["n", "round"]].to_numpy().tolist() == [[n, 3] for n in (2, 3, 5, 10, 30)]
    assert set(cells(inputs.read(LEDGER_RATES)).query("team == @QWEN and task == 'gsm_hard'")["k"]) >= {
        n - 1 for n in SWEPT
    }
    assert set(rows[rows["simulated"]]["team"]) == {NEWCOMER}


def test_rates_with_wilson_intervals_and_differences_with_those_from_resampled_items(inputs, debate):
    here = row(load("tables", "transition_rates").make(inputs), **HERE)
    for quantity, half in (("collapse", 0.01), ("correction", 0.01), ("collapse_minus_redraw", 0.02), ("net", 0.02)):
        value = rate(debate, 10, "complete_case", quantity)
        ends = [here[f"{quantity}{end}"] for end in ("", "_low", "_high")]
        assert ends == pytest.approx([value, value - half, value + half])
    assert here["collapse_events"] == round(100 * here["collapse"])
    assert here["onset_later_events"] == round(100 * rate(debate, 10, "complete_case", "onset_7"))


def test_each_tie_rule_and_each_reading_has_its_own_numbers(inputs, debate):
    ties = row(load("tables", "tie_rules").make(inputs), **HERE)
    for rule in ("complete_case", "reverse_alphabetical", "strict_plurality", "random_tie", "keep_previous"):
        assert ties[f"collapse_{rule}"] == rate(debate, 10, rule, "collapse")
    assert ties["relabelled_keep_previous"] == rate(debate, 10, "keep_previous", "relabelled")
    readings = row(load("tables", "doubtful_answers").make(inputs), **HERE)
    for reading in ("complete_case", "undefined_wrong", "no_fallback", "tag_only", "missing_lowest"):
        assert readings[f"correction_{reading}"] == rate(debate, 10, reading, "correction")
    assert readings["unlabelled_complete_case"] == rate(debate, 10, "complete_case", "unlabelled")


def test_the_figure_draws_rates_of_each_condition_and_one_null(inputs, debate):
    data = numbers(inputs.read(LEDGER_RATES))
    at = data[(data["team"] == QWEN) & (data["task"] == "mmlu_hard") & (data["n"] == 10)]
    assert set(at[at["kind"] == "collapse"]["condition"]) == {"debate", "self_correction", "noise"}
    assert len(at[at["kind"] == "correction_redraw"]) == 1
    here = row(at, kind="collapse", condition="debate")
    assert here["value"] == pytest.approx(rate(debate, 10, "complete_case", "collapse"), abs=1e-6)
    figure, drawn = draw(inputs.read(LEDGER_RATES))
    assert drawn.equals(data)
    assert [text.get_text() for text in figure.legends[0].get_texts()][-1] == "re-draw, no talk"


# --- label by label --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stability(inputs):
    return load("tables", "label_stability").make(inputs)


def test_labels_of_a_team_that_change_and_those_that_do_not(stability):
    """Of one task, debated by five at most: the largest team, at its last round."""
    thinker = one(THINKER, "mmlu_hard", "debate")
    for coding, moves in MOVES.items():
        for label, recoded in moves.items():
            here = row(stability, team=THINKER, coding=coding, label=label)
            moved = stable(thinker, 5, coding, label, recoded)
            assert (here[f"to_{recoded}"], here["changed"]) == (moved, moved)
            assert here["debates"] == moved + stable(thinker, 5, coding, label, label)
            assert here["changed_share"] == pytest.approx(moved / here["debates"])
    own = stability[stability["team"] == THINKER]
    assert set(own["n"]) == {5}
    assert set(own["coding"]) == set(MOVES)  # codings by which nothing changes have no row
    assert len(own[own["coding"] == "strict_plurality"]) == 3  # all, and the two labels that change


def test_tasks_of_a_team_and_teams_are_added(inputs, stability):
    rows = cells(inputs.read(LEDGER_STABILITY).query("condition == 'debate'"))
    largest = rows[rows["n"] == rows.groupby(["team", "task"])["n"].transform("max")]
    assert largest[largest["team"] == QWEN].groupby("task")["n"].first().to_dict()["humaneval_30"] == 10
    for team, own in ((ALL, largest[~largest["simulated"]]), *largest.groupby("team")):
        for coding in MOVES:
            mine = own[own["coding"] == coding]
            here = row(stability, team=team, coding=coding, label=ALL)
            assert here["debates"] == mine["debates"].sum()
            assert here["changed"] == mine.loc[mine["transition"] != mine["recoded"], "debates"].sum()
    assert stability["team"].iloc[0] == ALL
    assert set(stability[stability["simulated"]]["team"]) == {NEWCOMER}
    made_up = inputs.read(LEDGER_STABILITY).assign(simulated=True)
    assert load("tables", "label_stability").label_stability(made_up)["team"].iloc[0] == ALL


def test_a_coding_that_changes_nothing_is_said_once_and_conditions_do_not_mix(inputs):
    rows = inputs.read(LEDGER_STABILITY)
    same = rows[rows["transition"] == rows["recoded"]]
    make = load("tables", "label_stability").label_stability
    table = make(same)
    assert table[["team", "label", "changed"]].to_numpy().tolist() == [[ALL, ALL, 0]] * len(MOVES)
    assert make(rows[rows["condition"] == "noise"]).empty
    alone = make(rows[rows["team"] == THINKER])
    assert set(alone["team"]) == {THINKER}
