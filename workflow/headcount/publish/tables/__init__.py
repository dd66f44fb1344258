"""One module a table: a question, a computation and a caption.

A table module says what it is (`registry.Page`), has SPEC, and make(inputs), which returns the tidy frame that
SPEC describes; an empty one where a run has nothing of the kind. Table jobs are many and short: no module here
imports Matplotlib or SciPy.
"""

from headcount.publish.registry import Pages

PAGES = Pages(__path__)
