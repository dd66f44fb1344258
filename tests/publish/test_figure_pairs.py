"""Figures of many teams and tasks: on one page, with no place empty, and no name or number in another's way."""

from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from test_figures_talk_and_tokens import estimates, rows

from headcount.publish.figures import learning_and_stagnation
from headcount.publish.figures.grids import PAGE

PAPER = {
    **dict.fromkeys(("gemini-flash-lite", "hetero", "llama-3.1-8b", "ministral-8b"), ("gpqa", "gsm_hard", "mmlu_hard")),
    "qwen2.5-32b": ("gpqa", "gsm_hard", "mmlu_hard"),
    "qwen2.5-7b": ("gpqa", "gsm_hard", "humaneval", "humaneval.code", "mmlu_hard"),
    "qwen3-8b-think": ("mmlu_hard",),
}
RUNS = {
    "the paper's": PAPER,
    "seven panels on two tasks": {f"model-{number}-instruct": ("arc", "mmlu_hard") for number in range(7)},
    "two tasks": {"one": ("arc", "mmlu_hard")},
}
SIZES = (2, 3, 5, 7, 10, 15, 20, 30)


def drawn(run):
    data = estimates(
        *(
            rows(team, task, condition, sizes=SIZES, simulated=True)
            for team, tasks in run.items()
            for task in tasks
            for condition in ("debate", "self_correction", "noise")
        )
    )
    figure, _ = learning_and_stagnation.draw(data)
    return figure, FigureCanvasAgg(figure).get_renderer()


@pytest.fixture(scope="module", params=RUNS.values(), ids=RUNS)
def shown(request):
    return request.param, *drawn(request.param)


def boxes(texts, renderer):
    return [text.get_window_extent(renderer) for text in texts if text.get_text().strip() and text.get_visible()]


def overlap(one, other):
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def test_a_page_holds_it(shown):
    run, figure, _ = shown
    width, height = figure.get_size_inches()
    assert width <= 7
    assert height <= PAGE + 0.01
    assert len(figure.axes) == 2 * sum(map(len, run.values()))
    assert all(axes.axison and axes.lines for axes in figure.axes)


def test_panels_are_large_enough_to_read_and_apart(shown):
    _, figure, renderer = shown
    panels = [axes.get_window_extent(renderer) for axes in figure.axes]
    assert min(panel.height for panel in panels) > 0.4 * figure.dpi
    assert min(panel.width for panel in panels) > 0.8 * figure.dpi
    assert not any(overlap(*pair) for pair in combinations(panels, 2))


def test_no_name_lies_on_another_or_leaves_the_page(shown):
    run, figure, renderer = shown
    titles = [title for axes in figure.axes for title in (axes.title, axes._left_title)]
    lines = boxes(titles, renderer)
    assert not any(overlap(*pair) for pair in combinations(lines, 2))
    page = figure.bbox
    assert all(box.x0 >= page.x0 and box.x1 <= page.x1 and box.y1 <= page.y1 for box in lines)
    named = " ".join(title.get_text() for title in titles)
    assert all(task in named for tasks in run.values() for task in tasks)
    assert len(run) == 1 or all(team in named for team in run)


def test_numbers_of_sizes_do_not_touch_and_the_largest_is_there(shown):
    _, figure, renderer = shown
    for axes in figure.axes[1::2]:
        ticks = [label for label in axes.get_xticklabels() if label.get_visible()]
        assert [label.get_text() for label in ticks][-1] == "30"
        numbers = boxes(ticks, renderer)
        assert not any(overlap(*pair) for pair in combinations(numbers, 2))


def test_marks_of_all_sizes_lie_within_their_panel(shown):
    _, figure, _ = shown
    for axes in figure.axes:
        low, high = axes.transData.inverted().transform(axes.transAxes.transform([(0, 0), (1, 1)]))[:, 0]
        inches = axes.get_position().width * figure.get_figwidth()
        for n in (1, 30):
            place = axes.transAxes.inverted().transform(axes.transData.transform((n, 1)))[0]
            assert 0.05 < place * inches < inches - 0.05
        assert low < 1 < 30 < high
