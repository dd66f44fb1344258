"""Every turn of either path has the distribution that enumeration gives it, whatever was said before.

Given what agents said before, they answer independently of each other. So of each kind of turn, the number that gave a
certain answer is a sum of independent events of known probability, and may be off by LIMIT standard errors: by chance
in fewer than one of 500 choices of the seed, of about 300 such numbers.
"""

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest
from expected import debated, first, mean_of, revised
from small_runs import small_items
from two_paths import asked, configured, wide, written

from headcount.config import Population
from headcount.engines.questions import questions

LIMIT = 4.5
ITEMS, AGENTS = 40, 5
REPLICATES = {"asked": 3, "written": 15}  # prompts take time
SHARED = {"correlation": 0.3, "family_correlation": 0.2}
MIXED = {
    "m": {"missing": 0.1, "adoption": 0.25, "redraw": 0.3} | SHARED,
    "o": {"accuracy": 0.4, "tail": 0.9, "sharpening": 0.4, "redraw": 0.6} | SHARED,
}
UNEVEN = {"learning": 0.4, "sycophancy": 0.1, "switching": 0.2, "crowding": 0.5, "wrong_law": "poisson", "spread": 0.5}
RUNS = {
    "options": (MIXED, ("m", "m", "o"), 4, {}, ["full", 2]),
    "numbers": ({"m": UNEVEN}, ("m",), 0, {"nesting": "independent"}, ["full", 2]),
    "team": ({"m": UNEVEN | {"mode": "team", "missing": 0.1}}, ("m",), 4, {}, ["full"]),
    "panel": (MIXED, ("m", "o"), 4, {"dialect": "ledger"}, ["full"]),
}


@pytest.fixture(scope="module", params=RUNS)
def made(request, tmp_path_factory):
    """The configuration, the items, and the answers of either path."""
    populations, members, options, protocol, peers = RUNS[request.param]
    items, configs = small_items(ITEMS, options=options), {}
    for path, replicates in REPLICATES.items():
        block = {"sizes": [2, AGENTS], "peers": peers, "replicates": replicates}
        configs[path] = configured(populations, members, options=options, block=block, protocol=protocol)
    told = asked(configs["asked"], items, tmp_path_factory.mktemp("asked"))
    return configs["asked"], questions(items), {"asked": told, "written": written(configs["written"], items)}


def model_of(config, agent):
    """Population and family of an agent counted from 0."""
    name = config.teams["t"].member(agent + 1)
    return config.models[name].population, config.models[name].family


def rounds(answers, condition, n, k):
    """What was said before and after each update: item, answers by agent, answers by agent."""
    said = [wide(answers, condition=condition, n=n, k=k, round=r) for r in (1, 2, 3)]
    for before, after in pairwise(said):
        then = after.loc[before.index]
        for (item, replicate), old, new in zip(before.index, before.values.tolist(), then.values.tolist(), strict=True):
            yield item, replicate, old, new


def check(turns, what):
    """Turns are triples of what could be told from the others, what was answered, and the expected distribution."""
    sums = defaultdict(lambda: np.zeros(3))
    for names, answer, distribution in turns:
        assert sum(distribution.values()) == pytest.approx(1)
        for name, text in names.items():
            chance = distribution.get(text, 0.0)
            sums[name] += (float(answer == text), chance, chance * (1 - chance))
    for name, (seen, expected, variance) in sums.items():
        assert abs(seen - expected) <= LIMIT * np.sqrt(variance) + 1e-6, (what, name, seen, expected, variance**0.5)
    return sums


def named(item, own="", mode=None):
    """Answers that are told from each other, by what they are in a turn."""
    names = {"right": item.gold, "silent": ""} | ({"own": own} if own else {})
    if mode:
        state = "modal" if own == mode else "other"
        names[f"mode, {'right' if mode == item.gold else 'wrong'}, {state}"] = mode
    return names


def mode_of(answers):
    said = [answer for answer in answers if answer]
    return Counter(said).most_common(1)[0][0] if said else None


@pytest.mark.parametrize("path", ["asked", "written"])
def test_round_1(made, path):
    config, items, both = made
    turns = []
    for (item, _), row in wide(both[path], condition="debate", n=AGENTS, k=AGENTS - 1, round=1).iterrows():
        for agent, answer in enumerate(row):
            distribution = first(*model_of(config, agent), items[item])
            likely = sorted(distribution, key=distribution.get)[-2:]
            turns.append(
                (named(items[item]) | dict(zip(("second", "first"), likely, strict=True)), answer, distribution)
            )
    check(turns, path)


@pytest.mark.parametrize("path", ["asked", "written"])
@pytest.mark.parametrize(("n", "k"), [(2, 1), (AGENTS, AGENTS - 1), (AGENTS, 2)])
def test_debate(made, path, n, k):
    config, items, both = made
    if k not in both[path]["k"].unique():
        k = n - 1
    turns = []
    for item, _, before, after in rounds(both[path], "debate", n, k):
        for agent, answer in enumerate(after):
            mode = mode_of(before[:agent] + before[agent + 1 :])
            expected = debated(*model_of(config, agent), items[item], before, agent, k)
            turns.append((named(items[item], before[agent], mode), answer, expected))
    seen = check(turns, (path, n, k))
    assert sum(name.startswith("mode") for name in seen) == 4


@pytest.mark.parametrize("path", ["asked", "written"])
def test_self_correction(made, path):
    """An agent's own snippet stands where those of peers do; a panel's expert hears nobody."""
    config, items, both = made
    turns = []
    for item, _, before, after in rounds(both[path], "self_correction", AGENTS, 0):
        for agent, answer in enumerate(after):
            own = before[agent]
            peers = [own] if config.protocol.dialect == "ringelmann" else []
            who = model_of(config, agent)
            turns.append((named(items[item], own), answer, revised(*who, items[item], own, peers)))
    check(turns, path)


@pytest.mark.parametrize("path", ["asked", "written"])
def test_noise_of_one_peer(made, path):
    """It is the peer's round-1 answer to any other item that it answered."""
    config, items, both = made
    said = wide(both[path], condition="noise", n=2, k=1, round=1)
    heard_of = {replicate: rows.droplevel("replicate") for replicate, rows in said.groupby("replicate")}
    turns = []
    for item, replicate, before, after in rounds(both[path], "noise", 2, 1):
        for agent, answer in enumerate(after):
            other = heard_of[replicate][2 - agent].to_dict()  # column 2 is the other's where this is agent 0
            spoke = other.pop(item) != ""
            strange = [text for text in other.values() if text or not spoke]
            if not spoke and config.protocol.dialect == "ledger":  # cut before its answer
                strange = [""]
            told = {items[item].gold, before[agent], ""}  # whichever the others are, they are none of these
            texts = Counter(text if text in told or items[item].choices else "?" for text in strange)
            who = model_of(config, agent)
            heard = [(count, revised(*who, items[item], before[agent], [text])) for text, count in texts.items()]
            turns.append((named(items[item], before[agent]), answer, mean_of(heard)))
    check(turns, path)


def test_expected_distributions_are_sharp_enough_to_tell_parameters_apart():
    """The check fails where a parameter is another one: here two thirds of an adoption rate."""
    item = next(iter(questions(small_items(1, options=4)).values()))
    rng, turns = np.random.default_rng(5), []
    for _ in range(400):
        moved = rng.random() < 1 - (1 - 0.2) ** 2
        turns.append(
            (
                {"mode": "B"},
                "B" if moved else "C",
                revised(Population(adoption=0.3, redraw=0), "f", item, "C", ["B", "B"]),
            )
        )
    with pytest.raises(AssertionError, match="mode"):
        check(turns, "other")
