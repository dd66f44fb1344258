"""Writes modules with all their mutants in them, and says what each mutant changes."""

from pathlib import Path

from mutmut.mutation.file_mutation import mutate_file_contents

LIBRARY = Path("workflow") / "headcount"


def make_mutants(folder: Path, modules: list[str]) -> dict[str, str]:
    """Rewrites modules of the copy in `folder`; which mutant runs is chosen later. Returns its change by its name."""
    changes: dict[str, str] = {}
    for module in modules:
        path = folder / LIBRARY / module
        mutated = mutate_file_contents(str(path), path.read_text())
        path.write_text(mutated.code)
        lines, spans = mutated.code.splitlines(), mutated.line_span_by_function_name
        texts = {n: " ".join(" ".join(lines[s.start - 1 : s.end]).replace(n, "").split()) for n, s in spans.items()}
        dotted = ".".join((LIBRARY / module).with_suffix("").parts[1:])
        for name in mutated.mutant_names:
            before, after = texts[name.rpartition("__mutmut_")[0] + "__mutmut_orig"], texts[name]
            changes[f"{dotted}.{name}"] = changed(before, after)
    return changes


def changed(before: str, after: str, around: int = 40) -> str:
    """What a mutant changes, as ‹old→new› in whole words, with what stands around it."""
    first = shared(before, after)
    while first and _in_word(before[first - 1 : first]):
        first -= 1
    last = shared(before[first:][::-1], after[first:][::-1])
    while last and _in_word(before[len(before) - last]):
        last -= 1
    old, new = (text[first : len(text) - last] for text in (before, after))
    behind = before[len(before) - last :][:around] if last else ""
    return f"{before[max(first - around, 0) : first]}‹{old}→{new}›{behind}"


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign in "_."


def shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
