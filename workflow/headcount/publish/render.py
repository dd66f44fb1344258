"""One way to write a table: exact CSV for machines, Markdown and LaTeX for people (and `terminal` on screen).

CSV has every column under its machine name, numbers at fixed decimals, so that equal results are equal bytes.
People get human headings, intervals beside estimates, what is equal in all rows said once, no empty columns. A table
without a row is written too, and says so.
"""

import csv
import io
import re
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_lowercase

import pandas as pd

from headcount.publish.columns import SIMULATED_COLUMN, Column, TableSpec
from headcount.publish.words import EMPTY, NO_ROWS, SIMULATED


def write_table(frame: pd.DataFrame, spec: TableSpec, csv_path: Path, md_path: Path, tex_path: Path) -> None:
    """Write a frame in all three forms."""
    table = lay_out(frame, spec)
    for path, text in (
        (csv_path, as_csv(frame, spec)),
        (md_path, _markdown(table)),
        (tex_path, _latex(table, spec.name)),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def as_csv(frame: pd.DataFrame, spec: TableSpec) -> str:
    """Every column of the spec, intervals in columns of their own; SIMULATED or nothing in the last."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(spec.fields)
    columns = [(column, name) for column in spec.columns for name in column.fields]
    for row in frame[spec.fields].to_dict("records"):
        mark = SIMULATED if row[SIMULATED_COLUMN.field] else ""
        writer.writerow([*(column.exact(row[name]) for column, name in columns), mark])
    return text.getvalue()


def as_markdown(frame: pd.DataFrame, spec: TableSpec) -> str:
    """A GitHub table under its caption, with the meaning of its columns below."""
    return _markdown(lay_out(frame, spec))


def as_latex(frame: pd.DataFrame, spec: TableSpec) -> str:
    """A booktabs table; needs `booktabs` and, for wide tables, `graphicx`."""
    return _latex(lay_out(frame, spec), spec.name)


def _markdown(table: "Layout") -> str:
    lines = [[column.heading for column in table.columns], *table.rows]
    cells = [[_escape_markdown(cell) for cell in line] for line in lines]
    cells.insert(1, ["---:" if column.is_number else "---" for column in table.columns])
    body = "\n".join(f"| {' | '.join(line)} |" for line in cells)
    below = "\n".join(f"- {_escape_markdown(line)}" for line in [*table.meanings, *table.below])
    return f"{_escape_markdown(table.caption)}\n\n{body}\n\n{below}\n"


def _latex(table: "Layout", name: str) -> str:
    heading, *rows = (
        " & ".join(map(_escape_latex, line)) + r" \\"
        for line in [[column.heading for column in table.columns], *table.rows]
    )
    below = " ".join(_escape_latex(f"{line.rstrip('.')}.") for line in [*table.meanings, *table.below])
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_escape_latex(table.caption)}}}",
            rf"\label{{tab:{name}}}",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{{''.join('r' if c.is_number else 'l' for c in table.columns)}}}",
            r"\toprule",
            heading,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}}",
            rf"\par\smallskip\footnotesize {below}",
            r"\end{table}",
            "",
        ]
    )


@dataclass(frozen=True)
class Layout:
    """A table as people read it, in plain text: rows of cells, and what is said once above and below."""

    caption: str
    columns: list[Column]
    rows: list[list[str]]
    once: list[str]
    notes: dict[str, list[str]]  # what the letters of a column mean, by its field

    @property
    def below(self) -> list[str]:
        """All that stands below the table."""
        return [*self.once, *(note for notes in self.notes.values() for note in notes)]

    @property
    def meanings(self) -> list[str]:
        """What each column means; several of one meaning share a line, and a table without rows needs none."""
        headings: dict[str, list[str]] = {}
        for column in self.columns if self.rows else []:
            headings.setdefault(column.meaning, []).append(column.heading)
        return [f"{'; '.join(names)}: {meaning}" for meaning, names in headings.items()]


def lay_out(frame: pd.DataFrame, spec: TableSpec) -> Layout:
    """Arrange a frame for people."""
    columns, notes = _letter_notes(frame, [*spec.columns, SIMULATED_COLUMN])
    records = frame[spec.fields].to_dict("records")
    cells = [(column, [column.human(row) for row in records]) for column in columns]
    shown = [(column, texts) for column, texts in cells if _stands_in_body(column, texts)]
    once = [f"{column.heading} {texts[0]}" for column, texts in cells if _is_said_once(column, texts)]
    rows = [list(row) for row in zip(*(texts for _, texts in shown), strict=True)]
    below = [f"In all rows: {'; '.join(once)}"] if once else [] if rows else [NO_ROWS]
    return Layout(_caption(frame, spec), [column for column, _ in shown], rows, below, notes)


def _caption(frame: pd.DataFrame, spec: TableSpec) -> str:
    return f"{SIMULATED}. {spec.caption}" if frame[SIMULATED_COLUMN.field].any() else spec.caption


def _is_said_once(column: Column, texts: list[str]) -> bool:
    return column.show == "varying" and len(texts) > 1 and set(texts) != {EMPTY} and len(set(texts)) == 1


def _stands_in_body(column: Column, texts: list[str]) -> bool:
    if column is SIMULATED_COLUMN or column.show == "present":
        return not set(texts) <= {EMPTY}
    return not _is_said_once(column, texts)


def _letter_notes(frame: pd.DataFrame, columns: list[Column]) -> tuple[list[Column], dict[str, list[str]]]:
    """Columns whose noted names are letters, and what each letter means, by field."""
    lettered, notes = [], {}
    for column in columns:
        names = sorted({name for names in frame[column.field] for name in names}) if column.notes else []
        letters = dict(zip(names, ascii_lowercase, strict=False))
        if letters:
            meant = letters.items()
            notes[column.field] = [f"({letter}) {column.notes.get(name, name).rstrip('.')}" for name, letter in meant]
        lettered.append(replace(column, words=letters) if letters else column)
    return lettered, notes


def _escape_markdown(text: str) -> str:
    """Text that GitHub shows as it is; an underscore within a word needs no escape."""
    text = _SPACE.sub(" ", text).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKS.sub(r"\\\g<0>", text)


_SPACE, _MARKS = re.compile(r"\s+"), re.compile(r"[\\|*`]|(?<!\w)_|_(?!\w)")


def _escape_latex(text: str) -> str:
    return _SPECIAL.sub(lambda found: _LATEX[found[0]], text)


_GREEK = {"Δ": "Delta", "α": "alpha", "β": "beta", "κ": "kappa", "ρ": "rho", "τ": "tau", "φ": "phi", "Φ": "Phi"}
_SIGNS = {"√": "surd", "→": "to", "≤": "le", "≥": "ge", "≈": "approx", "‡": "ddagger"}
_MATHS = {  # what LaTeX has no letter for
    **{sign: rf"\{name}" for sign, name in (_GREEK | _SIGNS).items()},
    "⁻ᵝ": r"^{-\beta}",
    "ᴴ": "^H",
    "²": "^2",
    "₁": "_1",
    "−": "-",
}
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{special: f"\\{special}" for special in "&%$#_{}"},
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # behind a line's \\\\ a bracket would be its argument
    "]": "{]}",
    "–": "--",
    **{sign: f"${command}$" for sign, command in _MATHS.items()},
}
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))
