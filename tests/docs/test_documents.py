"""Every number in the documents is computed here and found there, or said to be no claim."""

import pytest
from of_calibration_more import CALIBRATION
from of_decisions import DECISIONS
from of_gallery import GALLERY
from of_import import IMPORT
from of_panel import PANEL
from of_paper_claims import PAPER
from of_readme import README
from of_simulator import SIMULATOR
from pages import ROOT, agrees

DOCUMENTS = [README, CALIBRATION, DECISIONS, GALLERY, IMPORT, PANEL, PAPER, SIMULATOR]
ELSEWHERE = ("docs/mutation.md",)  # what was seen once, and says when
SLOW = ("ledger", "panel")  # runs whose rebuilding takes minutes: `make test-workflow`
NAMES = {
    r"`[^`\n]*`|2ᴴ": "names, keys and inputs",
    r"arXiv \d{4}\.\d{5}(v\d)?": "a paper",
    r"\(https?://[^)]*\)": "an address",
    r"SmolLM2-135M|smollm2-135m|Qwen[\d.]*|Llama [23]": "a model",
}

for document in DOCUMENTS:
    for pattern, why in NAMES.items():
        document.leaves(pattern, why, needed=False)


def cases():
    for document in DOCUMENTS:
        for claim in document.claims:
            marks = [pytest.mark.workflow] if claim.run in SLOW else []
            yield pytest.param(document, claim, id=f"{document.name}: {claim.passage[:60].strip()}", marks=marks)


@pytest.mark.parametrize(("document", "claim"), list(cases()))
def test_a_claim_says_what_is_computed(document, claim, request):
    found = list(claim.pattern.finditer(document.text))
    assert found, f"{document.name} does not say: {claim.passage}"
    computed = list(claim.numbers(request.getfixturevalue("replay")(claim.run)) if claim.run else claim.numbers())
    for said in found:
        assert len(said.groups()) == len(computed)
        wrong = [(one, other) for one, other in zip(said.groups(), computed, strict=True) if not agrees(one, other)]
        assert not wrong, f"{document.name} says, and computed is"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_no_number_is_stray(document):
    assert document.stray() == [], "Claim these numbers in tests/docs, or say there why they are no claim"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_no_remark_is_idle(document):
    text = document.text
    needed = (remark.pattern for remark in document.remarks if remark.needed)
    assert [pattern.pattern for pattern in needed if not pattern.search(text)] == []


def test_no_document_is_left_out():
    written = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} | {"README.md"}
    assert written - {document.name for document in DOCUMENTS} <= set(ELSEWHERE)
