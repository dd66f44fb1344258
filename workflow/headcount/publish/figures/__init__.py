"""One module a figure: a question, the numbers that answer it, and a drawing of those numbers and no others.

A figure module says what it is (`registry.Page`) and has make(inputs), which returns the figure and the frame
that was drawn. Its colours are its own, so that a change of them redraws it alone.
"""

from headcount.publish.registry import Pages

PAGES = Pages(__path__)
