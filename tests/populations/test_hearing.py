"""Whom agents hear, and what the mode is, by counting."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headcount.populations import hearing
from headcount.populations.words import joined, named, uniform

teams = st.integers(2, 7).flatmap(
    lambda n: st.lists(st.lists(st.integers(-1, 3), min_size=n, max_size=n), min_size=1, max_size=3)
)


def counted(heard):
    """The first of the most frequent answers, and how often it stands; -1 for none."""
    return Counter(answer for answer in heard if answer >= 0).most_common(1)[0] if max(heard) >= 0 else (-1, 0)


@given(teams)
def test_the_mode_of_all_others_is_counted_without_the_listener(answers):
    mode, holders = hearing.mode_of_all_others(np.array(answers))
    for team, modes, counts in zip(answers, mode, holders, strict=True):
        for agent in range(len(team)):
            assert counted(team[:agent] + team[agent + 1 :]) == (modes[agent], counts[agent])


@given(teams)
def test_the_mode_heard_and_that_of_a_team_are_counted(answers):
    table = np.array(answers)
    mode, holders = hearing.mode_heard(table[None])
    assert [counted(heard) for heard in answers] == list(zip(mode[0], holders[0], strict=True))
    assert [counted(heard)[0] for heard in answers] == list(hearing.mode_of_team(table))
    held = hearing.holders(table[:, None], np.array([heard[0] for heard in answers]))
    assert [heard.count(heard[0]) if heard[0] >= 0 else 0 for heard in answers] == list(held[:, 0])


@given(st.integers(2, 9), st.integers(1, 8), st.integers(0, 2**64 - 1))
def test_agents_hear_k_others_and_never_themselves(n, k, seed):
    k = min(k, n - 1)
    places = joined(np.array([[seed]], dtype=np.uint64), np.arange(n)[None])
    heard = hearing.choose(places, k)[0]
    for agent, peers in enumerate(heard):
        assert agent not in peers
        assert len(set(peers)) == k
        assert list(peers) == sorted(peers)


def test_every_other_is_heard_as_often():
    """And two of them together as often as any two."""
    n, k, rounds = 6, 2, 30_000
    heard = hearing.choose(joined(named("hear"), np.arange(rounds * n).reshape(rounds, n)), k)
    for agent in range(n):
        pairs = Counter(map(tuple, heard[:, agent]))
        expected = rounds / 10
        assert len(pairs) == 10
        assert all(abs(count - expected) < 4.5 * np.sqrt(expected) for count in pairs.values())


def test_uniform_numbers_are_uniform_and_independent_of_their_neighbours():
    words = joined(named("a word"), np.arange(200_000))
    numbers = np.stack([uniform(words, place) for place in range(9)])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    error = np.sqrt(1 / 12 / 200_000)
    assert abs(numbers.mean(axis=1) - 0.5).max() < 4.5 * error
    counts = np.stack([np.bincount((row * 100).astype(int), minlength=100) for row in numbers])
    assert (((counts - 2000) ** 2 / 2000).sum(axis=1) < 99 + 4.5 * np.sqrt(2 * 99)).all()
    correlations = np.corrcoef(np.concatenate([numbers, numbers[:, np.arange(200_000) - 1]]))
    assert abs(correlations[np.triu_indices(18, 1)]).max() < 4.5 / np.sqrt(200_000)
