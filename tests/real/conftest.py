"""Tests on real engines run the workflow as its own tests do."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "workflow"))
