"""What docs/gallery.md claims."""

from computed import ROOT, panel_config, paper_numbers
from pages import Document

from headcount.config import load
from headcount.laws.audit import PILOT

GALLERY = Document("docs/gallery.md")

GALLERY.says("{} models as one panel", lambda: [len(panel_config().models)])


@GALLERY.says("what a pilot of {}, {} and {} predicts for {} (")
def pilot_of_the_showcase():
    return [*PILOT, max(load(ROOT / "config/showcase.yaml").experiments["core"].sizes)]


GALLERY.says("(`pilot_extrapolation`, the paper's Figure {})", lambda: [paper_numbers()["pilot_extrapolation"]])
for name in ("human_groups_latane", "learning_and_stagnation", "k_tau_by_initial_agreement"):
    GALLERY.says(f"(`{name}`, Figure {{}})", lambda name=name: [paper_numbers()[name]])
