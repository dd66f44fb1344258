"""What a pilot says about larger teams, beside what was seen: the drawn numbers are the audit's."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from drawings import bands, check_redrawn, ends, points, stamps, words
from matplotlib.colors import to_hex

from headcount.publish.figures import extrapolation, mixed_extrapolation, pilot_extrapolation
from headcount.publish.figures.extrapolation import PILOT
from headcount.publish.inputs import Inputs
from headcount.schema import AUDITS, MIXING
from headcount.store import write

RUN = (2, 3, 5, 10)
LAWS = {"ringelmann": 1.5, "ringelmann_free": 1.4, "kish": 1.3, "power": 1.2, "power_on_r": 9, "logistic": 1.1}


def audit(team, task="letters", condition="debate", peers="full", run=RUN, pilot=(2, 3, 5), simulated=False, turn=3):
    """N_eff of n agents is n ** .5, and predicted as a multiple of it; every size from 2 on is asked about."""
    series = {"team": team, "task": task, "condition": condition, "subsets": "first", "peers": peers, "round": turn}
    for level, law, n in product(("answer", "pooled_agreement"), LAWS, range(2, max(run) + 1)):
        seen = n**0.5 if n in run else np.nan
        told = LAWS[law] * n**0.5 + (level != "answer")
        yield series | {
            **{"level": level, "law": law, "n": n, "pilot": list(pilot), "held_out": n in run and n not in pilot},
            **{"observed": seen, "observed_low": seen - 0.1, "observed_high": seen + 0.1, "predicted": told},
            **{"predicted_low": told - 0.2 if law == "ringelmann" else np.nan},
            **{"predicted_high": told + 0.2 if law == "ringelmann" else np.nan},
            **{"n_items": 20, "simulated": simulated},
        }


def audits(*parts):
    return pd.DataFrame([row for part in parts for row in part], columns=AUDITS.schema.names)


def draw(*parts):
    return extrapolation.draw(audits(*parts), "There is none.")


def drawn(data, *columns):
    return {(float(n), y) for column in columns for n, y in zip(data["n"], data[column], strict=True) if pd.notna(y)}


def test_what_was_seen_and_what_each_form_says_are_shares_of_n():
    figure, data = draw(audit("t"))
    seen, said, one = (data[data["kind"] == kind] for kind in ("observed", "predicted", "one_voter"))
    assert points(figure) == drawn(pd.concat([seen, said, one]), "r")
    assert ends(figure) == drawn(seen, "r_low", "r_high")
    assert seen["r"].tolist() == pytest.approx([n**-0.5 for n in RUN], abs=1e-6)
    kish = said[said["law"] == "kish"]
    assert kish["n"].tolist() == list(range(2, 11))
    assert kish["r"].tolist() == pytest.approx([1.3 * n**-0.5 for n in range(2, 11)], abs=1e-6)
    assert set(said["law"]) == set(LAWS) - {"power_on_r"}


def test_forms_are_not_asked_about_teams_smaller_than_the_pilots():
    _, data = draw(audit("t", run=(3, 6, 9, 15), pilot=(3, 6, 9)))
    assert data.loc[data["kind"] == "predicted", "n"].min() == 3


def test_the_envelope_is_that_of_ringelmann_alone():
    figure, data = draw(audit("t"))
    law = data[(data["law"] == "ringelmann")]
    assert drawn(law, "r_low", "r_high") <= bands(figure.axes[0])
    assert data.loc[data["law"].isin(["kish", "power"]), ["r_low", "r_high"]].isna().all(axis=None)


def test_the_pilot_is_shaded_and_its_marks_are_open():
    figure, data = draw(audit("t"))
    (shade,) = [patch for patch in figure.axes[0].patches if to_hex(patch.get_facecolor()) == PILOT.lower()]
    left, right = shade.get_x(), shade.get_x() + shade.get_width()
    assert [n for n in range(1, 11) if left < n < right] == [2, 3, 4, 5]
    marks = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    fills = {tuple(line.get_xdata()): line.get_markerfacecolor() for line in marks}
    assert fills[2, 3, 5] == "white"
    assert fills[10,] != "white"
    assert data.loc[data["in_pilot"] & (data["kind"] == "observed"), "n"].tolist() == [2, 3, 5]


def test_the_error_at_the_largest_size_is_written_and_in_the_csv():
    figure, data = draw(audit("t"))
    (error,) = data[data["kind"] == "error"].to_dict("records")
    assert (error["n"], error["error"]) == (10, 0.5)
    (said,) = [text for text in words(figure) if "predicted" in text]
    assert said == f"N = 10: {1.5 * 10**0.5:.2f} predicted,\n{10**0.5:.2f} seen (+50 %)"


def test_a_team_is_shown_in_debate_if_it_debated_and_alone_otherwise():
    alone = {"condition": "self_consistency", "peers": "none", "turn": 1}
    _, data = draw(audit("a"), audit("a", **alone), audit("a", peers="2", run=(2, 3, 5)), audit("b", **alone))
    seen = data[data["kind"] == "observed"]
    assert seen.groupby("team")["condition"].unique().map(list).to_dict() == {
        "a": ["debate"],
        "b": ["self_consistency"],
    }
    assert len(seen) == 2 * len(RUN)


def test_without_intervals_points_and_lines_stand_alone():
    bare = audits(audit("t")).assign(**dict.fromkeys(("observed_low", "observed_high"), np.nan))
    figure, data = extrapolation.draw(bare.assign(predicted_low=np.nan, predicted_high=np.nan), "")
    assert len(points(figure)) > len(RUN)
    assert data[["r_low", "r_high"]].isna().all(axis=None)


def test_a_form_without_a_prediction_has_no_line_and_no_name():
    rows = audits(audit("t"))
    rows.loc[rows["law"].isin(["power", "logistic"]), "predicted"] = np.nan
    figure, data = extrapolation.draw(rows, "")
    assert set(data["law"].dropna()) == {"", "ringelmann", "ringelmann_free", "kish"}
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert not {"power law", "logistic"} & set(labels)


def test_simulated_panels_say_so_and_others_do_not():
    figure, data = draw(audit("real"), audit("made-up", simulated=True))
    assert stamps(figure) == [True, False]  # teams by name
    assert set(data.loc[data["simulated"].astype(bool), "team"]) == {"made-up"}


def test_equal_numbers_are_equal_files(tmp_path):
    check_redrawn(lambda: draw(audit("t"), audit("u", task="sums", run=(3, 6, 9, 15, 30), pilot=(3, 6, 9))), tmp_path)


@pytest.fixture
def run(tmp_path):
    """A run of one team of each kind, on disk."""
    mixing = {"team": "mixed", "task": "letters", "condition": "debate", "peers": "full", "round": 3, "n": 0}
    mixing |= {"family": "within", "family_other": "within", "pairs": 1, "equal_pairs": 1}
    mixing |= {"value": 1.0, "low": None, "high": None, "n_items": 1, "simulated": False}
    write(
        tmp_path / "audits.parquet", audits(audit("alike"), audit("mixed", run=(3, 6, 9, 15), pilot=(3, 6, 9))), AUDITS
    )
    write(tmp_path / "mixing.parquet", pd.DataFrame([mixing]), MIXING)
    return Inputs(tmp_path, Path())


def test_teams_of_one_model_and_of_several_are_figures_of_their_own(run):
    assert set(pilot_extrapolation.make(run)[1]["team"]) == {"alike"}
    assert set(mixed_extrapolation.make(run)[1]["team"]) == {"mixed"}


@pytest.mark.parametrize(
    ("module", "what"), [(pilot_extrapolation, "one model"), (mixed_extrapolation, "several models")]
)
def test_a_run_without_such_a_team_says_so(module, what, tmp_path):
    for table in (AUDITS, MIXING):
        write(tmp_path / f"{table.name}.parquet", pd.DataFrame(columns=table.schema.names), table)
    figure, data = module.make(Inputs(tmp_path, Path()))
    assert data.empty
    assert what in figure.texts[0].get_text()
