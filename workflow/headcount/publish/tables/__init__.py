"""One module a table: a question, a computation and a caption.

A table module has PAPER (what the paper calls it, or ""), SPEC, and make(inputs), which returns the tidy
frame that SPEC describes. Table jobs are many and short: no module here imports Matplotlib or SciPy.
"""

from headcount.publish.registry import aliases

ALIASES = aliases(__path__)
