"""Which series stands for a cell, and its estimates side by side."""

import itertools

import pandas as pd
import pytest

from headcount.publish.cells import largest, spread, wide


def estimates(peers="full", subsets="first", turn=3, sizes=(2, 5), quantities=("tie", "missing"), condition="debate"):
    keys = {"team": "t", "task": "a", "condition": condition, "subsets": subsets, "peers": peers, "round": turn}
    rows = [
        keys
        | {"n": n, "quantity": q, "value": n + turn / 10, "low": 0.0, "high": 9.0, "n_items": n, "simulated": False}
        for n, q in itertools.product(sizes, quantities)
    ]
    return pd.DataFrame(rows)


def test_the_last_round_of_the_series_with_most_sizes():
    many = pd.concat(
        [
            estimates(turn=2),
            estimates(turn=3),
            estimates(turn=7, sizes=(5,)),  # a sweep's later round
            estimates(turn=3, peers="1", sizes=(2, 3, 5)),
            estimates(condition="noise"),
        ]
    )
    rows = wide(many, ["tie", "missing"])
    assert rows["condition"].tolist() == ["debate", "debate", "noise", "noise"]
    assert rows["n"].tolist() == [2, 5, 2, 5]
    assert rows["tie"].tolist() == pytest.approx([2.3, 5.3, 2.3, 5.3])
    assert rows["n_items"].tolist() == [2, 5, 2, 5]
    assert largest(rows)["n"].tolist() == [5, 5]


def test_first_agents_stand_before_means_over_subsets_unless_these_have_more_sizes():
    few = estimates(peers="none", condition="self_consistency", turn=1)
    same = few.assign(subsets="all")
    more = estimates(peers="none", condition="self_consistency", turn=1, subsets="all", sizes=(2, 3, 5))
    assert set(wide(pd.concat([few, same]), ["tie"])["subsets"]) == {"first"}
    assert set(wide(pd.concat([few, more]), ["tie"])["subsets"]) == {"all"}


def test_a_quantity_that_a_run_lacks_is_empty():
    rows = wide(estimates(), ["tie", "icc"])
    assert rows["icc"].isna().all()
    assert rows[["tie_low", "tie_high"]].to_numpy().tolist() == [[0, 9], [0, 9]]
    assert wide(estimates().iloc[:0], ["icc"]).empty


def test_spread_keeps_every_series():
    rows = spread(pd.concat([estimates(turn=1), estimates(turn=2, peers="1")]), ["tie"])
    assert sorted(zip(rows["round"], rows["peers"], strict=True)) == [(1, "full")] * 2 + [(2, "1")] * 2
