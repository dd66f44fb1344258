"""A cell's page: its numbers are the files', it needs nothing outside it, and no model's text can do anything."""

import re
import shutil
from html.parser import HTMLParser

import pandas as pd
import pytest
from small_results import small_results, write_numbers
from small_runs import block, small_config

from headcount.publish.cell_pages import PRIVATE, RECORDED, write_pages
from headcount.publish.cell_pages_talk import chosen
from headcount.schema import CURVES, DRAWS, FITS, ITEMS, MEASURES, TURNS
from headcount.store import plain, read, write

CONDITIONS = ("self_consistency", "debate", "self_correction", "noise")
MODELS = {"m": {"population": {"accuracy": 0.5, "missing": 0.1, "adoption": 0.4}}}
CONFIG = small_config(sizes=(1, 2, 3, 5), conditions=CONDITIONS, models=MODELS)
DEBATE = small_config(sizes=(2, 3), models=MODELS)
EVIL = "</div><script>alert('x')</script> & \x1b[31m red \u202e FINAL: A"


class Parsed(HTMLParser):
    """Tags, addresses and words of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.addresses, self.words, self.open = [], [], [], []
        self.feed(page)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href", "srcset", "action", "data")]
        if tag not in ("meta", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if "style" not in self.open:
            self.words.append(text)


def pages_of(config, results):
    write_pages(config, results)
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((results / "pages/t").iterdir())}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return small_results(CONFIG, tmp_path_factory.mktemp("run"), items=30)


@pytest.fixture(scope="module")
def pages(results):
    return pages_of(CONFIG, results)


def test_each_cell_has_a_page_that_stands_alone(pages):
    assert set(pages) == {f"a.{condition}" for condition in CONDITIONS}
    for page in pages.values():
        parsed = Parsed(page)
        assert parsed.open == []
        assert "script" not in parsed.tags
        assert not {"img", "image", "use"} & set(parsed.tags)
        assert parsed.addresses == ["data:,"]
        assert "@import" not in page
        assert "url(" not in page


def test_simulated_pages_say_so(pages):
    assert all("SIMULATED" in Parsed(page).text for page in pages.values())


def test_equal_runs_have_equal_pages(pages, results):
    assert pages_of(CONFIG, results) == pages


@pytest.mark.parametrize(("condition", "round_"), [("self_consistency", 1), ("debate", 3), ("noise", 3)])
def test_sizes_and_residuals_are_those_of_curve_and_law(pages, results, condition, round_):
    curves, fits = (plain(read(results / f"{table.name}.parquet", table)) for table in (CURVES, FITS))
    here = f"condition == '{condition}' and round == {round_} and level == 'answer' and subsets == 'first'"
    fit = fits.query(here).set_index("law")
    rows = rows_of(pages[f"a.{condition}"], "effective size")
    for size in curves.query(f"{here} and n > 1").to_dict("records"):
        n, shown = size["n"], rows[str(size["n"])]
        measured, low, high = (float(text) for text in re.findall(r"[\d.]+", shown[0]))
        assert [measured, low, high] == pytest.approx([size["n_eff"], size["n_eff_low"], size["n_eff_high"]], abs=0.005)
        for text, law in zip(shown[1:4], ("ringelmann", "ringelmann_free", "kish"), strict=True):
            model = n / (1 + fit.loc[law, "c"] * (n - 1) * n ** -fit.loc[law, "beta"])
            assert float(text.replace("−", "-")) == pytest.approx(size["n_eff"] - model, abs=0.005)


def rows_of(page, heading):
    """The body of the first table whose head has a heading: cells by the first of a row."""
    table = next(t for t in re.findall(r"<table.*?</table>", page, re.DOTALL) if heading in t)
    body = re.findall(r"<tr>(.*?)</tr>", table.split("<tbody>")[1], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body]
    return {row[0]: row[1:] for row in cells}


def test_missing_and_accuracy_are_shares_of_the_measures(pages, results):
    measures = plain(read(results / "measures/t.parquet", MEASURES)).query("condition == 'debate'")
    team = measures.groupby(["n", "round"])["team_correct"].mean()
    silent = 1 - measures.groupby(["n", "round"])["n_valid"].mean() / [n for n, _ in team.index]
    table = pages["a.debate"].split("Round by round")[1]
    for n, cells in rows_of(table, "missing").items():
        numbers = [float(text.rstrip(" %")) for text in cells]
        assert numbers[3:6] == pytest.approx([100 * team[int(n), r] for r in (1, 2, 3)], abs=0.06)
        assert numbers[6:] == pytest.approx([100 * silent[int(n), r] for r in (1, 2, 3)], abs=0.06)


def test_samples_are_of_their_kind_and_the_first_by_hash(pages, results):
    measures = plain(read(results / "measures/t.parquet", MEASURES)).query("condition == 'debate' and n == 5")
    right = measures.pivot(index="item", columns="round", values="team_correct")
    mended = right.index[~right[1] & right[3]]
    broken = right.index[right[1] & ~right[3]]
    shown = dict(re.findall(r"<h3>(.*?)</h3>.*?<code>(q\d+)</code>", pages["a.debate"], re.DOTALL))
    assert shown["From wrong to right"] == chosen(list(mended))[0]
    assert shown["From right to wrong"] == chosen(list(broken))[0]
    text = Parsed(pages["a.debate"]).text
    assert f"{len(mended)} went from wrong to right, {len(broken)} from right to wrong" in text


def test_every_reply_of_a_sample_is_there(pages, results):
    said = plain(read(results / "turns/t/a/debate.parquet", TURNS))
    text = Parsed(pages["a.debate"]).text
    item = re.search(r"<code>(q\d+)</code>", pages["a.debate"])[1]
    for reply in said[(said["item"] == item) & (said["n"] == 5)]["text"]:
        assert " ".join(reply.split()) in text


def rewritten(results, change, question="What?"):
    """A run with other replies and questions."""
    for path in results.glob("draws/*/a.parquet"):
        write(path, plain(read(path, DRAWS)).assign(text=change), DRAWS)
    for path in results.glob("turns/t/a/*.parquet"):
        write(path, plain(read(path, TURNS)).assign(text=change), TURNS)
    items = plain(read(results / "items/a.parquet", ITEMS))
    choices = pd.Series([[question] * 3] * len(items))
    write(results / "items/a.parquet", items.assign(question=question, choices=choices), ITEMS)
    write_numbers(DEBATE, results)


def test_what_models_write_is_text_and_nothing_else(tmp_path):
    results = small_results(DEBATE, tmp_path)
    rewritten(results, EVIL, EVIL)
    for page in pages_of(DEBATE, results).values():
        parsed = Parsed(page)
        assert "<script" not in page
        assert parsed.open == []
        assert "</div><script>alert('x')</script> & \ufffd[31m red \ufffd FINAL: A" in parsed.text
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", page)


def test_long_replies_keep_head_and_tail(tmp_path):
    results = small_results(DEBATE, tmp_path)
    rewritten(results, "FINAL: A\n" + "x" * 5000 + "\nthe end")
    page = pages_of(DEBATE, results)["a.debate"]
    assert "4,117 characters left out" in page
    assert "x" * 701 not in page
    assert "the end" in page


def test_private_tasks_show_answers_alone(tmp_path):
    private = small_config(
        sizes=(2, 3), conditions=("debate",), models=MODELS, tasks={"a": {"format": "arithmetic", "private": True}}
    )
    results = small_results(private, tmp_path)
    for page in pages_of(private, results).values():
        text = Parsed(page).text
        assert PRIVATE in text
        assert not any(word in text for word in ("What is item", "option", "RATIONALE", "Right answer"))
        assert 'class="vote' in page


def test_recorded_answers_have_numbers_and_no_talk(results, tmp_path):
    recorded = small_config(
        sizes=(2, 3, 5),
        conditions=("self_consistency",),
        models={"m": {"engine": "recorded", "model": "m"}},
        tasks={"a": {"format": "recorded", "items": 30}},
        replay="elsewhere",
    )
    shutil.copytree(results, tmp_path / "run", ignore=shutil.ignore_patterns("pages", "items", "draws", "turns"))
    (page,) = pages_of(recorded, tmp_path / "run").values()
    text = Parsed(page).text
    assert RECORDED in text
    assert "RATIONALE" not in text
    assert "Effective team size" in text


@pytest.mark.parametrize(
    ("experiments", "says"),
    [
        ({"e": block(sizes=[1])}, "No team of two or more has a value here."),
        ({"e": block(sizes=[4])}, "4 agents count for"),
        ({"e": block(sizes=[3, 4], peers=[1, 2])}, "everybody hears"),
        ({"e": block(sizes=[2, 8], conditions=["self_consistency"])}, "In teams of 2,"),
        ({"e": block(sizes=[2, 3], updates=5)}, "Rounds 1, 2 and 6 of 6 are shown."),
    ],
)
def test_small_and_odd_cells_have_pages(tmp_path, experiments, says):
    config = small_config(models=MODELS, experiments=experiments)
    results = small_results(config, tmp_path)
    for page in pages_of(config, results).values():
        assert says in Parsed(page).text
