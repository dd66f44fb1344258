"""What holds of every run: who is asked what, and what depends on what."""

import pytest
from small_runs import ask_all, block, run, small_config, small_items

from headcount.seeds import seed31

ALL = ("self_consistency", "debate", "self_correction", "noise")
PLACE = ("item", "replicate", "n", "k", "round", "agent")


def turns(made, condition="debate", team="t"):
    """Request and text of every turn, by its place."""
    rows = made.turns[team, "a", condition].to_pylist()
    return {tuple(row[name] for name in PLACE): (row["request"], row["text"]) for row in rows}


def draws(made, model="m"):
    rows = made.draws[model, "a"].to_pylist()
    return {(row["item"], row["replicate"], row["n"], row["agent"]): (row["request"], row["text"]) for row in rows}


def repeated(condition, updates, nesting="nested", peers=("full",)):
    e = block(conditions=[condition], sizes=[2, 4], updates=updates, replicates=2, peers=list(peers))
    return small_config(experiments={"e": e}, protocol={"nesting": nesting})


@pytest.mark.parametrize("nesting", ["nested", "independent"])
@pytest.mark.parametrize("condition", ALL[1:])
def test_each_round_is_a_prefix_of_a_longer_run(tmp_path, condition, nesting):
    items = small_items(3)
    short = turns(run(repeated(condition, 1, nesting), items, tmp_path / "short"), condition)
    long = turns(run(repeated(condition, 3, nesting), items, tmp_path / "long"), condition)
    assert short == {place: reply for place, reply in long.items() if place[4] == 2}
    assert len(long) == 3 * len(short) == 3 * 3 * (2 + 4) * 2


def test_an_agent_of_a_small_team_is_the_same_agent_of_a_large_one(tmp_path):
    small = draws(run(small_config(sizes=(5,)), small_items(3), tmp_path / "small"))
    large = draws(run(small_config(sizes=(10,)), small_items(3), tmp_path / "large"))
    assert small == {place: reply for place, reply in large.items() if place[3] <= 5}


def test_independent_teams_share_no_draw(tmp_path):
    config = small_config(sizes=(2, 3), protocol={"nesting": "independent"})
    made = draws(run(config, small_items(2), tmp_path))
    assert {place[2] for place in made} == {2, 3}
    assert len({request for request, _ in made.values()}) == len(made) == 2 * (2 + 3)


def test_replicates_are_asked_with_other_seeds(tmp_path):
    made = draws(run(repeated("debate", 0), small_items(2), tmp_path))
    assert len({request for request, _ in made.values()}) == len(made) == 2 * 4 * 2


def test_self_correction_sees_only_itself():
    asked = ask_all(small_config(sizes=(3,), conditions=("self_correction",)), small_items(2))
    own = asked["draws"].text(item="q1", agent=2)
    prompt = asked["self_correction"].prompt(item="q1", agent=2, round=2)
    assert prompt.count(own) == 2  # as its own answer, and as the one snippet it hears
    assert prompt.count("FINAL: ") == 3  # the third is the requested format
    assert prompt.count("[Agent ") == prompt.count("[Agent 2]\n") == 1


@pytest.mark.parametrize(("peers", "k"), [(["full"], 4), ([2], 2)])
def test_debate_shows_the_last_answers_of_the_peers_heard_and_no_other(peers, k):
    config = small_config(experiments={"e": block(sizes=[5], updates=2, peers=peers)})
    asked = ask_all(config, small_items(2))
    for request in asked["debate"].requests:
        place, prompt = request.place, request.messages[-1][1]
        before = asked["draws" if place.round == 2 else "debate"]
        last = {a: before.text(item=place.item, agent=a, round=place.round - 1) for a in range(1, 6)}
        shown = {a for a, text in last.items() if f"[Agent {a}]\n{text}\n" in prompt}
        assert prompt.count("[Agent ") == len(shown) == k
        assert place.agent not in shown
        assert last[place.agent] in prompt


def test_noise_shows_other_items_answers_as_long_as_the_peers():
    """The confidence, which is in every text, tells most answers of the simulated agents apart."""
    asked = ask_all(small_config(sizes=(5,), conditions=("noise",), seed=5), small_items(8))
    of_item = {}
    for reply in asked["draws"].replies:
        of_item.setdefault(reply.place.item, set()).add(reply.response.text)
    for request in asked["noise"].requests:
        prompt, item = request.messages[-1][1], request.place.item
        heard = [text.split("\n\n")[0].strip() for text in prompt.split("[Agent ")[1:]]
        snippets = [text.split("]\n", 1)[1].split("\nYour own")[0].strip() for text in heard]
        elsewhere = set().union(*(texts for other, texts in of_item.items() if other != item))
        assert len(snippets) == 4
        assert set(snippets) <= elsewhere


def test_noise_has_no_text_of_this_items_peers():
    """Golds, and so the texts, of this item are its own: the first is marked by a number that no other item has."""
    population = {"accuracy": 1.0, "spread": 0.0}
    config = small_config(sizes=(4,), conditions=("noise",), models={"m": {"population": population}})
    asked = ask_all(config, small_items(5))
    for request in asked["noise"].requests:
        gold = str(100 + int(request.place.item[1:]))
        first_round = request.messages[-1][1].count(f"FINAL: {gold}")
        assert first_round <= 1, "its own answer alone"
        assert request.place.round > 2 or first_round == 1


def test_a_team_of_one_is_asked_again_in_self_correction_only(tmp_path):
    made = run(small_config(sizes=(1,), conditions=ALL), small_items(2), tmp_path)
    assert {condition: table.num_rows for (_, _, condition), table in made.turns.items()} == {
        "debate": 0,
        "noise": 0,
        "self_correction": 2 * 2,
    }


@pytest.mark.parametrize("condition", ALL[1:])
def test_neither_order_nor_number_of_items_in_flight_changes_a_reply(tmp_path, condition):
    items = small_items(6)
    config = small_config(conditions=(condition,), protocol={"items_in_flight": 1})
    wide = small_config(conditions=(condition,), protocol={"items_in_flight": 64})
    one = run(config, items, tmp_path / "one")
    other = run(wide, items.take([5, 3, 1, 0, 2, 4]), tmp_path / "other")
    assert one.turns["t", "a", condition].equals(other.turns["t", "a", condition])
    assert one.draws["m", "a"].equals(other.draws["m", "a"])


def test_an_item_that_comes_changes_no_reply_to_another_in_debate(tmp_path):
    few = turns(run(small_config(), small_items(3), tmp_path / "few"))
    more = turns(run(small_config(), small_items(4), tmp_path / "more"))
    assert few == {place: reply for place, reply in more.items() if place[0] != "q3"}


def test_the_other_conditions_of_a_run_change_no_reply(tmp_path):
    alone = turns(run(small_config(), small_items(3), tmp_path / "alone"))
    among = turns(run(small_config(conditions=ALL), small_items(3), tmp_path / "among"))
    assert alone == among


def test_mixed_teams_use_each_members_own_model_and_its_draws(tmp_path):
    models = {"m": {}, "o": {"population": {"accuracy": 0.1}}}
    config = small_config(sizes=(5,), conditions=ALL, models=models, members=("m", "o"))
    made = run(config, small_items(3), tmp_path / "mixed")
    solo = run(small_config(sizes=(3,)), small_items(3), tmp_path / "solo")
    assert draws(made, "m") == draws(solo, "m"), "agents 1, 3 and 5 are m's agents 1, 2 and 3"
    assert {place[3] for place in draws(made, "o")} == {1, 2}
    for row in made.turns["t", "a", "debate"].to_pylist():
        assert row["model"] == ("m" if row["agent"] % 2 else "o")


def test_parts_of_a_mixed_team_may_be_unequal_and_every_round_asks_each_members_own_model(tmp_path):
    models = {"m": {}, "o": {"population": {"accuracy": 0.1}}}
    experiments = {"e": block(sizes=[5], peers=[1, 2], updates=6)}
    config = small_config(models=models, members=("m", "m", "o"), experiments=experiments)
    made = run(config, small_items(2), tmp_path / "mixed")
    assert {place[3] for place in draws(made, "m")} == {1, 2, 3, 4}
    assert {place[3] for place in draws(made, "o")} == {1}
    rows = made.turns["t", "a", "debate"].to_pylist()
    assert {(row["k"], row["round"]) for row in rows} == {(k, round_) for k in (1, 2) for round_ in range(2, 8)}
    assert all(row["model"] == ("o" if row["agent"] == 3 else "m") for row in rows)
    assert len(rows) == 2 * 2 * 6 * 5


def test_mixed_teams_show_each_member_under_its_number_on_the_team():
    models = {"m": {}, "o": {"population": {"accuracy": 0.1}}}
    asked = ask_all(small_config(sizes=(3,), models=models, members=("m", "o")), small_items(1))
    prompt = asked["debate"].prompt(agent=1, round=2)
    assert f"[Agent 2]\n{asked['draws'].text(team='o', agent=1)}\n" in prompt
    assert f"[Agent 3]\n{asked['draws'].text(team='m', agent=2)}\n" in prompt


def test_slots_of_a_model_have_their_temperatures():
    models = {"m": {"sampling": {"slot_temperatures": [0.1, 0.9]}}}
    asked = ask_all(small_config(sizes=(4,), conditions=("debate", "self_correction"), models=models), small_items(1))
    for part in asked.values():
        for request in part.requests:
            assert request.temperature == (0.1 if request.place.agent % 2 else 0.9)


def test_seeds_are_those_of_earlier_versions():
    """A change orphans every reply ever paid for."""
    asked = ask_all(small_config(sizes=(2,), seed=2606), small_items(1))
    assert [request.seed for request in asked["draws"].requests] == [
        seed31("agent", 2606, "q0", 1, a, 1, 0) for a in (1, 2)
    ]
    assert seed31("agent", 2606, "q0", 1, 1, 1, 0) == 1165573750
    assert seed31("ab", "c") != seed31("a", "bc")
