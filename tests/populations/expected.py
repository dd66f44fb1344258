"""What a simulated agent answers, by enumeration: the whole distribution of one turn, as docs/simulator.md has it."""

from collections import Counter, defaultdict
from functools import cache
from itertools import combinations

import numpy as np

from headcount.engines import simulated_answers

know = cache(simulated_answers.know)


@cache
def thought(population, family, item, *, again):
    """Probability of each answer that an agent comes to by itself."""
    known = know(population, family, item)
    texts = [item.gold, *known.wrong]
    chances = dict(zip(texts, known.shares, strict=True))
    taken = texts[int(np.searchsorted(np.cumsum(known.shares), known.common, side="right"))]
    share = np.sqrt(population.correlation)
    chances = {text: (1 - share) * chance + share * (text == taken) for text, chance in chances.items()}
    if again:
        likeliest = texts[int(np.argmax(known.shares))]
        sharp = population.sharpening
        chances = {text: (1 - sharp) * chance + sharp * (text == likeliest) for text, chance in chances.items()}
    return chances


def revised(population, family, item, own, peers, *, mode=None):
    """Probability of each answer in a revision; '' is a reply without one.

    Args:
        own: the agent's last answer, '' if it had none.
        peers: what it hears, in order, '' where nothing is said.
        mode: that of the whole team, where it is the one that agents adopt.
    """
    fresh, chances = thought(population, family, item, again=True), defaultdict(float)
    said = [peer for peer in peers if peer]
    if not own:
        chances |= fresh
    else:
        mode = mode or (Counter(said).most_common(1)[0][0] if said else None)
        holders = said.count(mode)
        rate = population.learning if mode == item.gold else population.sycophancy
        rate = population.adoption if rate is None else rate
        leave = population.switching if own == mode else 0.0
        follow = 1 - (1 - rate) ** (holders**population.crowding) if holders else 0.0
        for text, chance in others(population, family, item, own).items():
            chances[text] += leave * chance
        chances[mode] += (1 - leave) * follow
        left = (1 - leave) * (1 - follow)
        chances[own] += left * (1 - population.redraw)
        for text, chance in fresh.items():
            chances[text] += left * population.redraw * chance
    return {text: (1 - population.missing) * p for text, p in chances.items()} | {"": population.missing}


@cache
def others(population, family, item, own):
    """Shares of the answers but for one; that one alone where there is no other."""
    known = know(population, family, item)
    shares = dict(zip([item.gold, *known.wrong], known.shares, strict=True))
    rest = 1 - shares.get(own, 0.0)
    return {own: 1.0} if rest <= 0 else {text: share / rest for text, share in shares.items() if text != own}


def first(population, family, item):
    """The same of round 1."""
    fresh = thought(population, family, item, again=False)
    return {text: (1 - population.missing) * chance for text, chance in fresh.items()} | {"": population.missing}


def mean_of(distributions):
    """The distribution of a turn of which it is not known which of some it is of: pairs of a weight and one of them."""
    total, weights = defaultdict(float), sum(weight for weight, _ in distributions)
    for weight, distribution in distributions:
        for text, chance in distribution.items():
            total[text] += weight * chance / weights
    return total


def debated(population, family, item, before, agent, k):
    """A turn in a debate, whichever k others are heard.

    Args:
        before: the team's last answers, by agent counted from 0.
    """
    rest = [other for other in range(len(before)) if other != agent]
    team = Counter(answer for answer in before if answer)
    mode = team.most_common(1)[0][0] if team and population.mode == "team" else None
    heard = [[before[other] for other in some] for some in combinations(rest, k)]
    return mean_of([(1, revised(population, family, item, before[agent], peers, mode=mode)) for peers in heard])
