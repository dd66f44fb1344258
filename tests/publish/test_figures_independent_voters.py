"""How many voters a team of several models is worth: four levels, one curve each, and its last value in words."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from drawings import bands, check_redrawn, points, stamps, told, words
from matplotlib.text import Text

from headcount.publish.figures import independent_voters
from headcount.publish.inputs import Inputs
from headcount.schema import CURVES, FITS, MIXING
from headcount.store import write

LEVELS = {"answer": 0.4, "agreement": 0.35, "correctness": 0.3, "pooled_agreement": 0.25}  # exponent of N
SIZES = (2, 3, 5, 10)


def series(team="panel", task="letters", condition="self_consistency", subsets="all", turn=1, sizes=SIZES, items=20):
    """Fits and curves of a series; `first` is 1 higher, which no figure of mixed teams shows where `all` is known."""
    key = {"team": team, "task": task, "condition": condition, "subsets": subsets, "round": turn, "n_items": items}
    key |= {"peers": "full" if condition == "debate" else "none", "simulated": team == "made-up"}
    off = float(subsets == "first") + (turn == 2)
    for level, power in LEVELS.items():
        fit = {"law": "ringelmann", "c": 0.5, "beta": power, "sizes": np.array(sizes), "share_missing": 0.0}
        fit |= {"interval": "percentile_95", "refits": 20, "regime": "sublinear", "flags": np.array([], dtype=object)}
        curves = [
            {"n": n, "n_eff": n**power + off, "n_eff_low": n**power - 0.1, "n_eff_high": n**power + 0.1} for n in sizes
        ]
        yield key | {"level": level} | fit, [key | {"level": level} | curve for curve in curves]


def frames(*parts):
    both = [pair for part in parts for pair in part]
    fits, curves = [fit for fit, _ in both], [row for _, rows in both for row in rows]
    return pd.DataFrame(fits).reindex(columns=FITS.schema.names), pd.DataFrame(curves).reindex(
        columns=CURVES.schema.names
    )


def draw(*parts):
    return independent_voters.draw(*frames(*parts))


def test_curves_bands_and_laws_are_those_of_the_csv():
    figure, data = draw(series())
    measured = data[data["kind"] == "measured"]
    assert points(figure) == told(data, "n_eff")
    assert told(measured, "n_eff_low", "n_eff_high") <= bands(figure.axes[0])
    pooled = measured[measured["level"] == "pooled_agreement"]
    assert pooled["n_eff"].tolist() == pytest.approx([n**0.25 for n in SIZES], abs=1e-6)
    law = data[(data["kind"] == "fitted") & (data["level"] == "answer")]
    n = law["n"].to_numpy()
    np.testing.assert_allclose(law["n_eff"], n / (1 + 0.5 * (n - 1) / n**0.4), atol=1e-6)
    assert told(data[data["kind"] == "independent"], "n_eff") == {(1, 1), (10, 10)}


def test_each_line_ends_in_its_value_with_interval():
    figure, _ = draw(series())
    said = words(figure)
    for power in LEVELS.values():
        value = 10**power
        assert f"{value:.1f}" in said
        assert f"{value:.2f} [{value - 0.1:.2f}, {value + 0.1:.2f}]" in said
    assert {"10", "if all were independent"} <= set(said)
    assert figure.get_suptitle() == "10 agents are worth 1.8 to 2.5 independent voters"
    assert "20 questions of letters" in figure.axes[0].get_title(loc="left")


def test_labels_of_equal_values_can_all_be_read():
    fits, curves = frames(series(), series(task="sums"))
    figure, _ = independent_voters.draw(fits, curves.assign(n_eff=1.5, n_eff_low=1.4, n_eff_high=1.6))
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes = [Text.get_window_extent(text) for text in axes.texts]  # without the line that leads to it
        assert len(boxes) == (14 if axes is figure.axes[0] else 5)
        assert not [pair for pair in combinations(boxes, 2) if pair[0].shrunk(0.98, 0.98).overlaps(pair[1])]
        assert all(box.y0 >= 0 and box.x1 <= figure.bbox.x1 for box in boxes)


def test_more_voters_than_agents_stay_in_the_panel():
    fits, curves = frames(series())
    figure, _ = independent_voters.draw(fits, curves.assign(n_eff=2.0 * curves["n"]))
    assert figure.axes[0].get_ylim()[1] > 20
    assert f"{20:.1f}" in words(figure)


def test_teams_of_any_n_stand_before_the_first_n_and_debate_before_silence():
    _, data = draw(series(), series(subsets="first"))
    assert data.loc[(data["kind"] == "measured") & (data["level"] == "answer"), "n_eff"].max() < 3
    debate = [series(condition="debate", subsets="first", turn=turn, sizes=(3, 6)) for turn in (1, 3)]
    _, data = draw(series(), *debate)
    measured = data[data["kind"] == "measured"]
    assert set(measured["condition"]) == {"debate"}
    assert set(measured["round"]) == {3}
    assert set(measured["n"]) == {3, 6}


def test_round_1_of_a_debate_over_all_teams_does_not_take_its_place():
    """A team that only debates has means over all teams of n in round 1, under the debate's name."""
    debate = [series(condition="debate", subsets=kind, turn=3) for kind in ("first", "adjusted")]
    alone, silent = series(condition="debate", turn=1), {"peers": "none"}
    alone = [({**fit, **silent}, [{**row, **silent} for row in rows]) for fit, rows in alone]
    _, data = draw(alone, *map(list, debate))
    _, as_run = draw(series(condition="debate", subsets="first", turn=3))
    pd.testing.assert_frame_equal(data, as_run)


def test_the_task_with_most_items_is_the_large_panel():
    figure, data = draw(series(task="a"), series(task="b", items=30), series(task="c"), series(task="d"))
    assert list(data["task"].unique()) == ["b", "a", "c", "d"]
    areas = [axes.get_window_extent().width * axes.get_window_extent().height for axes in figure.axes]
    assert len(areas) == 4
    assert areas[0] > 2 * max(areas[1:])
    assert [axes.get_title(loc="left") for axes in figure.axes[1:]] == ["a", "c", "d"]


def test_a_level_without_values_has_no_line():
    fits, curves = frames(series())
    curves.loc[curves["level"] == "correctness", ["n_eff", "n_eff_low", "n_eff_high"]] = np.nan
    fits.loc[fits["level"] == "correctness", ["c", "beta"]] = np.nan
    figure, data = independent_voters.draw(fits, curves)
    assert "correctness" not in set(data["level"])
    assert not any("right" in text for text in words(figure))


@pytest.mark.parametrize("sizes", [(10,), (1,)])
def test_one_size_is_nothing_to_draw(sizes):
    fits, curves = frames(series(sizes=sizes))
    figure, data = independent_voters.draw(fits, curves)
    assert data.empty
    assert "two sizes" in figure.texts[0].get_text()


def test_simulated_is_said_in_panels_and_title():
    figure, data = draw(series(team="made-up", items=40), series())
    assert stamps(figure) == [True, False]
    assert figure.get_suptitle().startswith("SIMULATED: ")
    assert set(data.loc[data["simulated"].astype(bool), "team"]) == {"made-up"}
    assert not draw(series())[0].get_suptitle().startswith("SIMULATED")


def test_equal_numbers_are_equal_files(tmp_path):
    check_redrawn(lambda: draw(series(), series(task="sums"), series(task="words", sizes=range(2, 30))), tmp_path)


def test_only_teams_of_several_models_are_drawn(tmp_path):
    fits, curves = frames(series(), series(team="alike"))
    rest = dict.fromkeys(("n_valid", "r"), 1.0)
    mixing = {"team": "panel", "task": "letters", "condition": "self_consistency", "peers": "none", "round": 1, "n": 0}
    mixing |= {"family": "within", "family_other": "within", "pairs": 1, "equal_pairs": 1}
    mixing |= {"value": 1.0, "low": None, "high": None, "n_items": 1, "simulated": False}
    write(tmp_path / "fits.parquet", fits, FITS)
    write(tmp_path / "curves.parquet", curves.assign(**rest), CURVES)
    write(tmp_path / "mixing.parquet", pd.DataFrame([mixing]), MIXING)
    _, data = independent_voters.make(Inputs(tmp_path, Path()))
    assert set(data["team"]) == {"panel"}


def test_a_run_without_them_says_so(tmp_path):
    for table in (FITS, CURVES, MIXING):
        write(tmp_path / f"{table.name}.parquet", pd.DataFrame(columns=table.schema.names), table)
    figure, data = independent_voters.make(Inputs(tmp_path, Path()))
    assert data.empty
    assert "several models" in figure.texts[0].get_text()
