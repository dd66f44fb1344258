"""What is owed to talk: the table's numbers and the figure's are the run's, each against the null that it names."""

from math import exp

import pandas as pd
import pytest
from drawings import check_redrawn, ends, points, stamps, told
from made_excess import excess
from made_series import HETERO, NEWCOMER, QWEN, THINKER, one, row

from headcount.publish.figures import excess_agreement
from headcount.publish.inputs import Inputs
from headcount.publish.render import as_csv, as_latex, as_markdown
from headcount.publish.tables.how_much_is_social import SPEC, how_much_is_social, make
from headcount.schema import EXCESS
from headcount.store import write

DEBATE = {"team": QWEN, "task": "mmlu_hard", "condition": "debate"}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return written(tmp_path_factory.mktemp("run"), pd.DataFrame(list(excess())))


def written(folder, rows):
    write(folder / "excess.parquet", rows, EXCESS)
    return Inputs(folder)


def test_a_debate_beside_its_nulls_at_its_largest_team(inputs):
    here, debate = row(make(inputs), **DEBATE), one(QWEN, "mmlu_hard", "debate")
    assert (here["n"], here["round"], here["n_items"]) == (30, 3, 724)
    for null in "AB":
        log = debate.number(30, null, "log_n_eff_ratio", "adjusted")
        lost = [here[f"lost_{null.lower()}{end}"] for end in ("", "_low", "_high")]
        assert lost == pytest.approx([1 - exp(log), 1 - exp(log + 0.01), 1 - exp(log - 0.01)])
        assert lost[1] < lost[0] < lost[2]
        assert here[f"kappa_{null.lower()}"] == debate.number(30, null, "kappa", "adjusted")
        for name in ("c", "beta"):
            assert here[f"{name}_null_{null.lower()}"] == debate.number(0, null, f"{name}_null_paper", "adjusted")
            assert here[f"d{name}_{null.lower()}"] == debate.number(0, null, f"d{name}_answer", "adjusted")
    assert (here["c"], here["beta"]) == (debate.number(0, "A", "c_paper"), debate.number(0, "A", "beta_paper"))
    assert here["n_c"] == 10
    assert here["kappa_c"] == debate.number(10, "C", "kappa")
    assert here["n_eff_social"] == debate.number(10, "C", "n_eff_social")
    assert here["kappa_correctness"] == debate.number(10, "C", "kappa_correctness")


def test_every_cell_that_revised_has_a_row_and_self_correction_no_b(inputs):
    rows = make(inputs)
    revised = inputs.read(EXCESS)[["team", "task", "condition"]].drop_duplicates()
    assert len(rows) == len(revised) == len(rows.drop_duplicates(["team", "task", "condition"]))
    alone = rows[rows["condition"] == "self_correction"]
    assert alone["lost_b"].isna().all()
    assert alone["lost_a"].notna().all()
    assert rows.loc[rows["team"] != QWEN, "n_c"].isna().all()
    assert row(rows, team=QWEN, task="gsm_hard", condition="debate")["round"] == 3  # not the sweep's seventh
    assert set(rows.loc[rows["simulated"], "team"]) == {NEWCOMER}
    assert {HETERO, THINKER} <= set(rows["team"])


def test_where_a_run_has_one_null_the_cells_own_numbers_stand_with_it(inputs):
    rows = inputs.read(EXCESS)
    own = row(how_much_is_social(rows[rows["null"] == "B"]), **DEBATE)
    assert own["beta"] == one(QWEN, "mmlu_hard", "debate").number(0, "B", "beta_paper")
    assert pd.isna(own["lost_a"])


def test_it_is_written_in_all_forms_with_and_without_rows(inputs, tmp_path):
    for frame in (make(inputs), make(written(tmp_path, pd.DataFrame(columns=EXCESS.schema.names)))):
        for form in (as_csv, as_markdown, as_latex):
            assert form(frame, SPEC)
    assert as_csv(frame, SPEC).count("\n") == 1


def test_kappa_of_debates_is_drawn_with_its_intervals(inputs):
    figure, data = excess_agreement.draw(inputs.read(EXCESS))
    assert told(data, "value") <= points(figure)
    assert ends(figure) == told(data, "low", "high")
    assert set(data["condition"]) == {"debate"}
    assert set(data.loc[data["null"] == "C", "n"]) == {5, 10}
    here = data[(data["team"] == QWEN) & (data["task"] == "mmlu_hard") & (data["null"] == "B")]
    debate = one(QWEN, "mmlu_hard", "debate")
    assert here["value"].tolist() == [debate.number(n, "B", "kappa", "adjusted") for n in (2, 3, 5, 10, 30)]
    assert sum(stamps(figure)) == data.loc[data["simulated"], ["team", "task"]].drop_duplicates().shape[0]


def test_the_legend_names_the_nulls_that_there_are(inputs):
    rows = inputs.read(EXCESS)
    for nulls in ("A", "AB", "ABC"):
        figure, _ = excess_agreement.draw(rows[rows["null"].isin(list(nulls))])
        labels = [text.get_text() for text in figure.legends[0].get_texts()]
        assert [label[0] for label in labels] == list(nulls)


def test_without_a_debate_the_figure_says_so():
    rows = pd.DataFrame(list(excess()))
    figure, data = excess_agreement.draw(rows[rows["condition"] != "debate"])
    assert data.empty
    assert "No team debated" in figure.texts[0].get_text()


def test_equal_numbers_are_equal_files(inputs, tmp_path):
    check_redrawn(lambda: excess_agreement.draw(inputs.read(EXCESS)), tmp_path)
