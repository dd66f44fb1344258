"""One module a figure: a question, the numbers that answer it, and a drawing of those numbers and no others.

A figure module has PAPER (what the paper calls it, or "") and make(inputs), which returns the figure and the
frame that was drawn. Its colours are its own, so that a change of them redraws it alone.
"""

from headcount.publish.registry import aliases

ALIASES = aliases(__path__)
