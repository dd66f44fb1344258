"""Labels stand beside what they name, in the panel, and not on each other."""

from itertools import combinations

from matplotlib.figure import Figure
from matplotlib.text import Text

from headcount.publish.figures.labels import Label, place


def placed(labels, **more):
    """Boxes of labels on an empty panel, in pixels."""
    figure = Figure(figsize=(3, 2))
    axes = figure.subplots()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    figure.draw_without_rendering()
    place(axes, labels, **more)
    figure.draw_without_rendering()
    return [Text.get_window_extent(text) for text in axes.texts]  # without the line to its point


def test_labels_do_not_lie_on_each_other_or_outside():
    boxes = placed([Label(f"label {i}", [(0.97, 0.5 + i / 100)], "black") for i in range(6)])
    assert len(boxes) == 6
    assert all(box.x1 < 300 * 0.9 + 2 for box in boxes)  # where the panel ends
    assert not any(one_.overlaps(other) for one_, other in combinations(boxes, 2))


def test_a_label_that_is_not_needed_is_left_out_where_there_is_no_room():
    crowd = [Label("label", [(0.5, 0.5)], "black", needed=False) for _ in range(50)]
    assert 1 <= len(placed(crowd, reach=(3,))) <= 8
    assert len(placed([Label("label", [(0.5, 0.5)], "black") for _ in range(50)], reach=(3,))) == 50
