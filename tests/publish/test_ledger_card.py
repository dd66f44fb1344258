"""A model's cards: their numbers are the files', they need nothing outside them, and each model has its own."""

import json
import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from small_cards import frame, of_run, small_cards
from small_runs import block, small_config

from headcount.content import content_hash
from headcount.debate.planner import plan
from headcount.ledger.break_even import break_even
from headcount.publish.card_files import card_files
from headcount.publish.card_numbers import card_numbers, run_numbers
from headcount.publish.card_subjects import subjects
from headcount.publish.ledger_card import ledger_card, write_cards
from headcount.publish.reuse_card import ReuseCard, read_card
from headcount.publish.reuse_card_made import fingerprint, reuse_card
from headcount.schema import ANSWERS, GATE_OUTCOMES, LEDGER_COSTS, LEDGER_RATES, PROBES, TRANSITIONS
from headcount.store import read, write

FIELDS = json.loads((Path(__file__).parents[2] / "resources/published/ledger/reuse_card_fields.json").read_text())
POPULATION = {"accuracy": 0.6, "spread": 0.5, "adoption": 0.3, "redraw": 0.7, "missing": 0.06}
MODELS = {"m": {"population": POPULATION, "model": "</title><script>alert(1)</script>"}, "o": {}}
TEAMS = {"t": {"members": ["m"]}, "u": {"members": ["m", "o"]}}
TASK = {"a": {"format": "made_up", "items": 12, "options": 4}}
HOW = {"teams": TEAMS, "tasks": TASK, "protocol": {"dialect": "ledger"}, "fitting": {"bootstrap": 50}}
PROBING = {"models": ["m", "o"], "tasks": ["a"], "agents": 2}
PANELS = {
    "p": block(conditions=["debate", "self_correction"], sizes=[2, 3, 6], updates=3),
    "u": block(teams=["u"], sizes=[3], updates=3),
}


def config_of(**changes):
    return small_config(**({"models": MODELS, "experiments": PANELS, "probing": PROBING} | HOW | changes))


CONFIG = config_of()


def subject(config, model):
    return next(one for one in subjects(config) if one.model == model)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return small_cards(CONFIG, tmp_path_factory.mktemp("run"), items=40)


@pytest.fixture(scope="module")
def numbers(results):
    return card_numbers(CONFIG, subject(CONFIG, "m"), run_numbers(results))


@pytest.fixture(scope="module")
def card(numbers):
    return reuse_card(CONFIG, subject(CONFIG, "m"), numbers)


@pytest.fixture(scope="module")
def page(numbers):
    return Parsed(ledger_card(CONFIG, subject(CONFIG, "m"), numbers))


class Parsed(HTMLParser):
    """Tags, addresses and words of a page."""

    def __init__(self, page):
        super().__init__()
        self.source, self.tags, self.addresses, self.words, self.open = page, [], [], [], []
        self.feed(page)
        self.text = " ".join(" ".join(self.words).split()).replace("\N{NO-BREAK SPACE}", " ")

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href", "srcset", "action", "data")]
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if "style" not in self.open:
            self.words.append(text)


def debates(results, **key):
    """Rows of the panel's debates: three agents, after the third revision."""
    wanted = {"condition": "debate", "n": 3, "round": 4} | key
    rows = frame(results, "transitions/t", TRANSITIONS)
    return rows[(rows[list(wanted)] == pd.Series(wanted)).all(axis=1)]


# --- whose cards -----------------------------------------------------------------------------------------------------


def test_models_that_debate_alone_or_are_screened_have_cards_and_mixed_teams_have_none():
    found = {one.model: one for one in subjects(CONFIG)}
    assert list(found) == ["m", "o"]
    assert (found["m"].panel.team, found["m"].panel.n, found["m"].panel.round, found["m"].panel.alone) == (
        "t",
        3,
        4,
        ("a",),
    )
    assert found["o"].panel is None  # it debates with others only
    assert [one.model for one in subjects(config_of(probing=None))] == ["m"]
    alone = config_of(probing=None, experiments={"e": block(conditions=["self_consistency"], sizes=[3])})
    assert subjects(alone) == []


@pytest.mark.parametrize(
    ("blocks", "n", "round_"),
    [
        ({"e": block(sizes=[1, 2, 5], updates=2)}, 5, 3),  # no three: the largest
        ({"e": block(sizes=[3, 9], updates=7)}, 3, 4),  # not beyond the third revision
        ({"e": block(sizes=[3], updates=1), "f": block(sizes=[5], updates=3)}, 3, 2),
        ({"e": block(sizes=[5], updates=3, peers=[1])}, None, None),  # nobody hears all others
    ],
)
def test_a_card_is_about_three_agents_and_three_revisions_where_it_can_be(blocks, n, round_):
    found = subjects(config_of(probing=None, experiments=blocks))
    assert [(one.panel.n, one.panel.round) for one in found] == ([(n, round_)] if n else [])


def test_tasks_of_a_panel_share_one_endpoint():
    tasks = TASK | {"b": TASK["a"]}
    blocks = {"e": block(sizes=[3], updates=3), "f": block(tasks=["b"], sizes=[3], updates=2)}
    (found,) = subjects(config_of(probing=None, tasks=tasks, experiments=blocks))
    assert (found.panel.tasks, found.panel.round) == (("a", "b"), 3)


def test_cards_are_made_from_what_the_manifest_says(results, numbers):
    made = dict(card_files(CONFIG, plan(CONFIG)))
    assert set(made) == {f"cards/{model}.{kind}" for model in ("m", "o") for kind in ("html", "json")}
    assert set(made["cards/m.html"]) == set(numbers.made_from)
    tables = {"transitions/t.parquet": TRANSITIONS, "ledger_costs.parquet": LEDGER_COSTS}
    for name, table in tables.items():
        assert numbers.made_from[name] == content_hash(read(results / name, table))


# --- the reuse card --------------------------------------------------------------------------------------------------


def test_the_reuse_card_has_exactly_the_published_groups_and_fields_and_ours(card):
    said = json.loads(card.model_dump_json())
    groups = {name: list(fields) for name, fields in said.items() if isinstance(fields, dict)}
    assert list(groups.pop("conventions")) == [
        "endpoint_round",
        "tie_rule",
        "undefined_coding",
        "parser_version",
        "seeds",
    ]
    assert {name: set(fields) for name, fields in groups.items()} == {k: set(v) for k, v in FIELDS["groups"].items()}
    onset = said["debate_outcome_accounting"]["collapse_onset_distribution"]
    assert list(onset) == ["r1", "r2", "r3", "unlocalised"]
    assert said["schema_version"] == FIELDS["schema_version"]


def test_a_card_of_recorded_answers_claims_neither_parser_nor_weights_nor_seeds_of_ours(card, numbers):
    models = {name: {"engine": "recorded", "model": name} for name in MODELS}
    tasks = {"a": {"format": "recorded", "items": 40}}
    recorded = config_of(models=models, tasks=tasks, replay="elsewhere")
    theirs = reuse_card(recorded, subject(recorded, "m"), numbers)
    assert theirs.conventions.parser_version == "not told: others recorded the answers"
    assert theirs.conventions.seeds == {"resampling": recorded.fitting.seed}
    assert theirs.identity.model_version_or_snapshot == "m, not told: others recorded the answers"
    assert card.conventions.parser_version.startswith("ledger ")
    assert set(card.conventions.seeds) == {"requests", "resampling"}


def test_debates_of_the_reuse_card_are_those_of_the_transitions(card, results):
    labels = Counter(debates(results)["transition"])
    outcomes, labelled = card.debate_outcome_accounting, sum(labels.values()) - labels["unlabelled"]
    right, wrong = labels["preserved"] + labels["collapse"], labels["correction"] + labels["unrepaired"]
    assert labels["collapse"] > 0
    assert labels["correction"] > 0
    assert outcomes.n_debates == labelled
    assert outcomes.initial_majority_accuracy == pytest.approx(right / labelled)
    assert outcomes.final_majority_accuracy == pytest.approx((labels["preserved"] + labels["correction"]) / labelled)
    assert outcomes.conditional_collapse_rate == pytest.approx(labels["collapse"] / right)
    assert outcomes.conditional_correction_rate == pytest.approx(labels["correction"] / wrong)
    began = Counter(debates(results, transition="collapse")["onset_round"])
    assert [getattr(outcomes.collapse_onset_distribution, f"r{r}") for r in (1, 2, 3)] == [began[r] for r in (2, 3, 4)]
    assert outcomes.collapse_onset_distribution.unlocalised == 0
    assert card.conventions.endpoint_round == 3


def test_the_screen_of_the_reuse_card_is_that_of_the_probes(card, results):
    rows = frame(results, "probes/m/a", PROBES).query("condition == 'default'")
    asked = rows[rows["initial_correct"].notna()]
    told = asked[asked["flip"].notna()]
    flips = told.assign(flip=told["flip"].astype(float))
    found = card.selection_time_fingerprint
    assert found.alpha_tot == pytest.approx(flips.groupby(["item", "agent"])["flip"].mean().mean())
    right, wrong = (flips[flips["initial_correct"] == value] for value in (True, False))
    assert found.alpha_adv == pytest.approx(right["flip"].mean())
    mended = wrong["flip"].astype(bool) & wrong["correct"].astype(bool)
    assert found.alpha_cor == pytest.approx(mended.mean())
    assert found.n_probe_completions == len(asked)
    assert found.n_probe_rows == len(asked[["item", "agent"]].drop_duplicates())
    assert found.parser_none_rate == pytest.approx(1 - len(told) / len(asked))


def test_an_agent_who_was_never_probed_counts_nowhere(card, results):
    rows = frame(results, "probes/m/a", PROBES)
    one = rows[(rows["condition"] == "default") & (rows["item"] == "q0") & (rows["agent"] == 1)].index
    unread = rows.astype({"initial_correct": "boolean"})
    unread.loc[one, "initial_correct"] = pd.NA
    found, before = fingerprint(unread), card.selection_time_fingerprint
    assert found.n_probe_completions == before.n_probe_completions - 8
    assert found.n_probe_rows == before.n_probe_rows - 1


def test_a_model_without_probes_or_debates_has_nulls_there(results, card):
    rows = frame(results, "probes/m/a", PROBES)
    assert fingerprint(rows.iloc[:0]).model_dump() == {
        **dict.fromkeys(card.selection_time_fingerprint.model_dump()),
        **{"n_probe_rows": 0, "n_probe_completions": 0},
    }
    about = subject(CONFIG, "o")
    only_screened = reuse_card(CONFIG, about, card_numbers(CONFIG, about, run_numbers(results)))
    assert only_screened.debate_outcome_accounting.n_debates == 0
    assert only_screened.signed_utility.gate_name is None
    assert only_screened.selection_time_fingerprint.n_probe_rows > 0


def test_the_gate_of_the_reuse_card_is_a_fixed_one_on_these_debates(card, results):
    rows = frame(results, "gate_outcomes", GATE_OUTCOMES)
    keep = (rows["team"] == "t") & (rows["condition"] == "debate") & (rows["n"] == 3) & (rows["round"] == 4)
    row = rows[keep & (rows["gate"] == "r1_majority_changed")].iloc[0]
    gate = card.signed_utility
    assert (gate.gate_name, gate.validation_cohort_id) == ("r1_majority_changed", "small/t")
    assert (gate.collapses_prevented, gate.corrections_lost) == (row["prevented"], row["lost"])
    assert gate.net_utility == row["net"]
    assert gate.accuracy_delta == pytest.approx(row["net"] / row["debates"])


# --- the page --------------------------------------------------------------------------------------------------------


def test_the_page_stands_alone_and_a_name_can_do_nothing(page):
    assert page.open == []
    assert "script" not in page.tags
    assert page.addresses == ["data:,"]
    assert "@import" not in page.source
    assert "url(" not in page.source


def test_a_simulated_card_says_so_in_both_forms(page, card):
    assert "SIMULATED: from a statistical model" in page.text
    assert card.simulated


def test_the_bar_and_the_sentence_are_the_transitions(page, results):
    labels = Counter(debates(results)["transition"])
    spans = re.findall(r'<span class="(\w+)" style="width: ([\d.]+)%" title="\w+: (\d+)">', page.source)
    assert {label: int(count) for label, _, count in spans} == {k: v for k, v in labels.items() if v}
    assert sum(float(width) for _, width, _ in spans) == pytest.approx(100, abs=0.01)
    assert f"repaired {labels['correction']} and destroyed {labels['collapse']} :" in page.text


def test_rates_stand_beside_their_nulls(page, results):
    rates = frame(results, "ledger_rates", LEDGER_RATES)
    here = rates[
        (rates["team"] == "t") & (rates["n"] == 3) & (rates["round"] == 4) & (rates["coding"] == "complete_case")
    ]
    debate, alone = (here[here["condition"] == name].set_index("quantity") for name in ("debate", "self_correction"))
    row = debate.loc["collapse"]
    shown = f"{100 * row['value']:.1f} % [{100 * row['wilson_low']:.1f}, {100 * row['wilson_high']:.1f}]"
    base = f"{row['events']:.0f} of {row['base']:.0f}"
    nulls = f"{100 * debate.loc['collapse_redraw', 'value']:.1f} % {100 * alone.loc['collapse', 'value']:.1f} %"
    assert f"{shown} {base} {nulls}" in page.text


def test_break_even_and_ladder_are_those_of_the_gate_outcomes(page, results):
    rows = frame(results, "gate_outcomes", GATE_OUTCOMES)
    keep = (rows["team"] == "t") & (rows["condition"] == "debate") & (rows["n"] == 3) & (rows["round"] == 4)
    row = rows[keep & (rows["gate"] == "always_freeze")].iloc[0]
    even = break_even(int(row["prevented"]), int(row["lost"]))
    ends = f"{even.ratio:.2f} [{even.low:.2f}, {even.high:.2f}]"
    ladder = " ".join(
        f"{100 * row[f'utility_{w}']:+.1f}".replace("-", "−") for w in ("1", "1_5", "2", "3", "4", "5", "10")
    )
    net = f"{row['net']:.0f}".replace("-", "−")
    assert f"always: no debate {row['prevented']:.0f} {row['lost']:.0f} {net} {ends} {ladder}" in page.text


def test_costs_and_reading_are_those_of_their_files(page, results):
    costs = frame(results, "ledger_costs", LEDGER_COSTS)
    at = (costs["team"] == "t") & (costs["condition"] == "debate") & (costs["n"] == 3) & (costs["round"] == 4)
    row = costs[at].iloc[0]
    assert f"debates {row['calls']:,} {row['prompt_tokens']:,} {row['completion_tokens']:,} – – " in page.text
    price = f"{row['tokens_per_kept']:,.0f}" if row["kept"] > 0 else "none kept"
    assert f" {row['kept']:.0f} {price} – – {row['calls_per_200']:,.0f} 2,400".replace("-", "−") in page.text
    answers = frame(results, "answers/t", ANSWERS).query("condition == 'debate' and n == 3 and round == 4")
    silent = (answers["status"] == "missing").mean()
    assert f"R3: of {len(answers)} replies" in page.text
    assert f"{100 * silent:.1f} % missing" in page.text


def test_equal_runs_have_equal_cards_and_a_changed_run_has_another(results, tmp_path, page):
    again = tmp_path / "results"
    shutil.copytree(results, again)
    write_cards(CONFIG, again, tmp_path)
    assert (tmp_path / "m.html").read_text(encoding="utf-8") == page.source
    assert isinstance(read_card(tmp_path / "m.json"), ReuseCard)
    ends = read(again / "transitions/t.parquet", TRANSITIONS)
    write(again / "transitions/t.parquet", ends.slice(0, ends.num_rows // 2), TRANSITIONS)
    of_run(CONFIG, again)
    write_cards(CONFIG, again, tmp_path)
    assert (tmp_path / "m.html").read_text(encoding="utf-8") != page.source


def test_a_card_without_a_screen_and_one_without_debates_say_so(results):
    unscreened = config_of(probing=None)
    about = subject(unscreened, "m")
    text = Parsed(ledger_card(unscreened, about, card_numbers(unscreened, about, run_numbers(results)))).text
    assert "The model was not screened in this run" in text
    about = subject(CONFIG, "o")
    text = Parsed(ledger_card(CONFIG, about, card_numbers(CONFIG, about, run_numbers(results)))).text
    assert "No team of this model alone debates in this run." in text
    assert "When collapses began" not in text
