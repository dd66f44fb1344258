"""A printed number beside ours: found by team and task, compared as it was printed."""

import pandas as pd
import pytest

from headcount.publish.columns import Printed
from headcount.publish.published import beside, compare


def ours(**columns) -> pd.DataFrame:
    return pd.DataFrame({"c": [0.851], "c_low": [0.84], "c_high": [0.87], "published_c": ["0.83"]} | columns)


@pytest.mark.parametrize(
    ("printed", "difference", "mark"),
    [
        ("0.83", "+0.02", "outside"),  # .834 would print as .83, and is below .84
        ("0.84", "+0.01", ""),
        ("0.836", "+0.015", "outside"),
        ("0.9", "+0.0", ""),  # .86 would print as .9
        ("", "", ""),
        ("91K", "", ""),
    ],
)
def test_what_is_outside_is_marked_and_rounding_is_not(printed, difference, mark):
    row = compare(ours(published_c=[printed]), {"c": "published_c"}).iloc[0]
    assert row["c_minus_published"] == difference
    assert row["c_outside"] == mark


def test_without_an_interval_nothing_is_outside():
    row = compare(ours().drop(columns=["c_low", "c_high"]), {"c": "published_c"}).iloc[0]
    assert (row["c_minus_published"], row["c_outside"]) == ("+0.02", "")


def test_a_share_is_compared_in_the_papers_per_cent():
    row = compare(ours(published_c=["80"]), {"c": "published_c"}, percent=["c"]).iloc[0]
    assert (row["c_minus_published"], row["c_outside"]) == ("+5", "outside")


def test_people_read_printed_difference_and_mark_in_one_cell():
    column = Printed("published_c", "c, paper", "as printed", of="c")
    row = compare(ours(published_c=["0.87"], c_high=[0.86]), {"c": "published_c"}).to_dict("records")[0]
    assert column.human(row) == "0.87 (−0.02) ‡"
    assert column.fields == ["published_c", "c_minus_published", "c_outside"]


def test_a_subset_of_a_task_stands_beside_the_papers_task():
    rows = pd.DataFrame({"team": ["t", "t"], "task": ["mmlu_hard_200", "other"], "condition": "debate"})
    printed = pd.DataFrame({"team": ["t"], "task": ["mmlu_hard"], "condition": "debate", "published_c": ["0.85"]})
    found = beside(rows, printed)
    assert found["published_c"].tolist() == ["0.85", ""]
    assert found["task"].tolist() == ["mmlu_hard_200", "other"]
