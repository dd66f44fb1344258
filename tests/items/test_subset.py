"""Subsets: nested, blind to the order of rows, moved by at most one by a new row, and fair."""

from hypothesis import given
from hypothesis import strategies as st

from headcount.items.item import Item
from headcount.items.subset import subset

names = st.lists(st.text(min_size=1, max_size=4), unique=True, max_size=30)
sizes = st.none() | st.integers(1, 40)


def draw(ids, size, seed):
    return [item.id for item in subset([Item(i, "?", None, "0") for i in ids], size, seed)]


@given(names, sizes, st.integers(), st.randoms())
def test_the_order_of_rows_does_not_matter(ids, size, seed, random):
    chosen = draw(ids, size, seed)
    random.shuffle(ids)
    assert draw(ids, size, seed) == chosen
    assert len(chosen) == (len(ids) if size is None else min(size, len(ids)))


@given(names, st.integers(1, 40), st.integers(1, 40), st.integers())
def test_a_smaller_subset_lies_in_a_larger(ids, a, b, seed):
    small, large = sorted((a, b))
    assert set(draw(ids, small, seed)) <= set(draw(ids, large, seed))


@given(names.filter(bool), sizes, st.integers())
def test_a_new_row_displaces_at_most_one_and_only_by_itself(ids, size, seed):
    *old, new = ids
    before, after = set(draw(old, size, seed)), set(draw(ids, size, seed))
    assert len(before - after) <= 1
    assert after - before <= {new}


def test_over_seeds_every_item_is_drawn_equally_often():
    ids = [f"college_physics-{i}" for i in range(10)]
    times = dict.fromkeys(ids, 0)
    for seed in range(2000):
        for chosen in draw(ids, 3, seed):
            times[chosen] += 1
    assert all(abs(n - 600) < 5 * 20.5 for n in times.values())  # binomial(2000, 0.3): sd 20.5
