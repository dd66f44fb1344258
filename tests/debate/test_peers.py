"""Whom an agent hears, and whose words make noise."""

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from headcount.debate.peers import Strangers, hear
from headcount.errors import UserError

LENGTHS = st.dictionaries(st.sampled_from([f"q{i}" for i in range(30)]), st.integers(0, 50), min_size=2)


@given(st.integers(0, 9), st.integers(2, 30), st.data())
def test_an_agent_hears_k_distinct_others(seed, n, data):
    k, agent = data.draw(st.integers(1, n - 1)), data.draw(st.integers(1, n))
    heard = hear(seed, "q", 1, n, k, 2, agent)
    assert len(set(heard)) == len(heard) == k
    assert agent not in heard
    assert set(heard) <= set(range(1, n + 1))
    assert list(heard) == sorted(heard)


@given(st.integers(2, 30), st.data())
def test_full_connection_is_all_others(n, data):
    agent = data.draw(st.integers(1, n))
    assert hear(0, "q", 1, n, n - 1, 2, agent) == tuple(a for a in range(1, n + 1) if a != agent)


def test_peers_are_drawn_anew_each_round_and_evenly():
    rounds = [hear(0, "q", 1, 10, 3, round_, 1) for round_ in range(2, 1002)]
    assert len(set(rounds)) > 80  # of 84 possible triples
    times = Counter(peer for heard in rounds for peer in heard)
    assert set(times) == set(range(2, 11))
    assert all(abs(times[peer] - 1000 / 3) < 5 * (1000 * 2 / 9) ** 0.5 for peer in times)  # five standard errors


@given(LENGTHS, st.integers(0, 2**64 - 1), st.integers(0, 60), st.data())
def test_a_donor_is_another_item_and_long_enough_if_any_is(lengths, key, length, data):
    item = data.draw(st.sampled_from(sorted(lengths)))
    donor = Strangers.of(lengths).donor(key, item, length)
    longest = max(size for other, size in lengths.items() if other != item)
    assert donor != item
    assert lengths[donor] >= min(length, longest)


@given(LENGTHS, st.integers(0, 2**64 - 1), st.integers(0, 60), st.data())
def test_an_unchosen_item_that_goes_changes_nothing(lengths, key, length, data):
    item, gone = data.draw(st.sampled_from(sorted(lengths))), data.draw(st.sampled_from(sorted(lengths)))
    donor = Strangers.of(lengths).donor(key, item, length)
    assume(gone not in (item, donor))
    rest = {other: size for other, size in reversed(lengths.items()) if other != gone}
    assert Strangers.of(rest).donor(key, item, length) == donor


@given(LENGTHS, st.integers(0, 2**64 - 1), st.integers(0, 60), st.integers(0, 60))
def test_an_item_that_comes_changes_nothing_unless_it_is_chosen(lengths, key, length, size):
    before = Strangers.of(lengths).donor(key, "q0", length)
    after = Strangers.of({"new": size} | lengths).donor(key, "q0", length)
    assert after in (before, "new")


def test_donors_differ_between_keys():
    pool = Strangers.of({f"q{i}": 9 for i in range(10)})
    times = Counter(pool.donor(key * 0x9E3779B97F4A7C15 % 2**64, "q0", 5) for key in range(900))
    assert set(times) == {f"q{i}" for i in range(1, 10)}
    assert max(times.values()) < 160  # 100 expected


def test_one_item_has_no_strangers():
    with pytest.raises(UserError, match=r"q0 is the only item.*at least two"):
        Strangers.of({"q0": 5}).donor(1, "q0", 5)
