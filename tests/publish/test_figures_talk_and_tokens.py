"""What talk changes and what it costs: the drawn numbers are the run's, and all of them are in the CSV."""

import pandas as pd
import pytest
from drawings import check_redrawn, ends, points, stamps, told, words

from headcount.publish.figures import learning_and_stagnation, prompt_tokens

HEARD = {"debate": "full", "self_correction": "none", "noise": "full", "self_consistency": "none"}
SIZES = (1, 2, 5, 10)
TOKENS = {"debate": 400.0, "self_correction": 100.0, "noise": 390.0, "self_consistency": 70.0}  # an agent of 10
FIGURES = [learning_and_stagnation, prompt_tokens]


def rows(team, task, condition, turns=(1, 2, 3), sizes=SIZES, simulated=False, peers=None):
    """Estimates that tell rounds and sizes apart."""
    for turn in turns:
        series = {"team": team, "task": task, "condition": condition, "subsets": "first", "round": turn}
        series |= {"peers": peers or HEARD[condition], "n_items": 20, "simulated": simulated}
        for n in sizes:
            unasked = n == 1 and turn > 1 and HEARD[condition] == "full"
            tokens = 0.0 if unasked else n * TOKENS[condition] * (n / 10) * turn / 3
            values = {"n_eff_answer": n**0.5 + turn / 100, "prompt_tokens": tokens}
            values |= {"net_first": (n - 4) / 100 + turn / 1000} if turn > 1 else {}
            for quantity, value in values.items():
                yield series | {"n": n, "quantity": quantity, "value": value, "low": value * 0.9, "high": value * 1.1}


def estimates(*parts):
    return pd.DataFrame([row for part in parts for row in part])


@pytest.fixture
def talking():
    """All conditions on one task; later rounds of a sweep at one size, which no figure shows."""
    sweep = rows("team", "letters", "debate", turns=(4, 5), sizes=(10,))
    fewer = rows("team", "letters", "debate", peers="2")
    return estimates(*(rows("team", "letters", name) for name in HEARD), sweep, fewer)


def test_net_change_and_voters_of_the_last_round_are_drawn(talking):
    figure, data = learning_and_stagnation.draw(talking)
    assert points(figure) == told(data, "value")
    assert ends(figure) == told(data, "low", "high")
    measured = data[data["kind"].isin(["net", "n_eff"])]
    assert set(measured["round"]) == {3}
    assert set(measured["n"]) == {2, 5, 10}
    assert set(measured["condition"]) == {"debate", "self_correction", "noise"}
    net = measured[(measured["kind"] == "net") & (measured["condition"] == "noise")]
    assert net["value"].tolist() == pytest.approx([-0.017, 0.013, 0.063])
    assert net["low"].tolist() == pytest.approx([-0.0153, 0.0117, 0.0567])


def test_voters_stand_between_one_and_n(talking):
    figure, data = learning_and_stagnation.draw(talking)
    assert told(data[data["kind"] == "independent"], "value") == {(1, 1), (10, 10)}
    assert told(data[data["kind"] == "one_voter"], "value") == {(1, 1), (10, 1)}
    assert {"N independent voters", "one voter"} <= set(words(figure))


def test_a_panel_for_each_team_and_task_and_none_for_what_was_not_run():
    two = estimates(
        rows("a", "letters", "debate"), rows("b", "letters", "debate"), rows("b", "sums", "debate", sizes=(2, 5))
    )
    figure, _ = learning_and_stagnation.draw(two)
    named = [axes.get_title(loc="left") for axes in figure.axes]
    assert [name for name in named if name] == ["a\nletters", "b\nletters", "\nsums"]
    assert len(figure.axes) == 6
    assert all(axes.axison for axes in figure.axes)
    figure, _ = prompt_tokens.draw(two)
    assert [axes.get_title() for axes in figure.axes if axes.axison] == ["letters", "", "sums"]
    assert [axes.get_ylabel() for axes in figure.axes if axes.axison] == ["a", "b", ""]


def test_panels_are_named_each_where_teams_have_different_tasks():
    figure, _ = prompt_tokens.draw(estimates(rows("a", "letters", "debate"), rows("b", "sums", "debate")))
    assert [axes.get_title() for axes in figure.axes] == ["letters", "sums"]


def test_tokens_of_the_last_round_are_drawn_and_nothing_where_nobody_was_asked(talking):
    figure, data = prompt_tokens.draw(talking)
    measured = data[data["kind"] == "measured"]
    assert points(figure) == told(measured, "tokens")
    assert ends(figure) == told(measured, "tokens_low", "tokens_high")
    sizes = measured.groupby("condition")["n"].agg(list).to_dict()
    assert sizes == {"debate": [2, 5, 10], "self_correction": [1, 2, 5, 10], "noise": [2, 5, 10]}
    assert measured.loc[measured["n"] == 10, "tokens"].tolist() == [4000, 1000, 3900]


def test_how_many_times_dearer_debate_is_at_the_largest_size_of_both():
    both = estimates(rows("t", "a", "debate"), rows("t", "a", "self_correction", sizes=(1, 2, 5)))
    figure, data = prompt_tokens.draw(both)
    times = data[data["kind"] == "times"].to_dict("records")
    assert [(row["n"], row["tokens"], row["times"]) for row in times] == [(5, 1000, 4)]
    assert [text.strip() for text in words(figure) if "×" in text] == ["4.0×"]
    alone, data = prompt_tokens.draw(estimates(rows("t", "a", "debate")))
    assert set(data["kind"]) == {"measured"}
    assert not any("×" in text for text in words(alone))


@pytest.mark.parametrize("module", FIGURES)
def test_a_run_that_asks_once_has_nothing_to_draw(module):
    for nothing in (estimates(rows("t", "a", "self_consistency", turns=(1,))), estimates(rows("t", "a", "debate"))[:0]):
        figure, data = module.draw(nothing)
        assert data.empty
        assert "asked again" in figure.texts[0].get_text()


@pytest.mark.parametrize("module", FIGURES)
def test_one_size_one_condition_and_no_intervals_are_enough(module):
    one = estimates(rows("t", "a", "debate", sizes=(2,))).assign(low=float("nan"), high=float("nan"))
    figure, data = module.draw(one)
    assert points(figure) <= told(data, "value" if "value" in data else "tokens")
    assert len(data) >= 1


@pytest.mark.parametrize("module", FIGURES)
def test_simulated_panels_say_so_and_others_do_not(module):
    both = estimates(rows("real", "a", "debate"), rows("made-up", "a", "debate", simulated=True))
    figure, data = module.draw(both)
    assert sum(stamps(figure)) == len(stamps(figure)) / 2 > 0
    assert set(data.loc[data["simulated"].astype(bool), "team"]) == {"made-up"}
    assert all(stamps(module.draw(both[both["simulated"]])[0]))
    assert not any(stamps(module.draw(both[~both["simulated"]])[0]))


@pytest.mark.parametrize("module", FIGURES)
def test_equal_numbers_are_equal_files(module, talking, tmp_path):
    check_redrawn(lambda: module.draw(talking), tmp_path)
