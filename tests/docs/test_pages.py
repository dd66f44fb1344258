"""Claims fail where a document says something else, and no digit hides."""

import pytest
from pages import Document, agrees


@pytest.fixture
def document(tmp_path):
    def write(text: str) -> Document:
        (tmp_path / "page.md").write_text(text, encoding="utf-8")
        return Document(str(tmp_path / "page.md"))

    return write


@pytest.mark.parametrize(
    ("said", "computed", "agreed"),
    [
        ("59.7", 59.74, True),
        ("59.7", 59.76, False),
        (".05", 0.0467, True),
        ("−.09", -0.09, True),
        (".09", -0.09, False),
        ("12,032", 12032, True),
        ("12,033", 12032.0, False),
        ("Three", 3, True),
        ("4", 3.6, True),
        ("4", 3, False),
        ("1,000", "1000", True),
        ("1.9", "1.10", False),
        ("2", lambda number: number > 2, False),
    ],
)
def test_a_number_agrees_to_the_last_digit_that_is_said(said, computed, agreed):
    assert agrees(said, computed) == agreed


def test_a_passage_is_found_across_lines_and_gives_its_numbers(document):
    page = document("Of 225\nnumbers,  three\nare 1.5 and .25.")
    page.says("Of {} numbers, {} are {} and {}.", lambda: [])
    assert page.claims[0].pattern.search(page.text).groups() == ("225", "three", "1.5", ".25")


def test_words_between_the_numbers_of_a_claim_are_not_covered_by_it(document):
    page = document("at 24 items 11 fail\n")
    page.says("at 24 items {} fail", lambda: [11])
    assert page.stray() == ["1: at 24 items ·· fail"]
    page.leaves(r"at \d+ items", "a size")
    assert page.stray() == []


def test_a_second_number_beside_a_claimed_one_is_stray(document):
    page = document("11 fail\n\n12 fell\n")
    page.says("{} fail", lambda: [11])
    assert page.stray() == ["3: 12 fell"]


def test_a_block_ends_at_an_empty_line_and_a_fence_holds_empty_lines(document):
    page = document("| a |\n| 1 |\n\n2\n\n```\nb\n\n3\n```\n")
    page.shows("| a |", lambda: "")
    page.fenced("b", lambda: "")
    assert [claim.pattern.search(page.text)[1] for claim in page.claims] == ["| a |\n| 1 |", "b\n\n3"]
    assert page.stray() == ["4: 2"]
