"""Writes docs/mutation.md from what mutation testing found."""

import csv
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
COUNTS = HERE / "counts.csv"
START = "<!-- from here on written by tests/mutation/run.py -->"


def read_csv(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write_csv(path: Path, rows: list[dict]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0] if rows else ["module"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_page(path: Path) -> None:
    """The page's own words, then a table of parts, then all survivors by the reason for which they do."""
    words = path.read_text().partition(START)[0]
    reasons = tomllib.loads((HERE / "reasons.toml").read_text())["reason"]
    left = [row for part in read_csv(COUNTS) for row in read_csv(HERE / "survivors" / f"{part['part']}.csv")]
    sections = [_section(r["name"], r["because"], [row for row in left if row["reason"] == r["name"]]) for r in reasons]
    unexplained = [row for row in left if not row["reason"]]
    sections.append(_section("Not explained yet", "Tests are missing here.", unexplained))
    path.write_text(f"{words}{START}\n\n{_table(read_csv(COUNTS))}\n{''.join(sections)}")


def _table(counts: list[dict[str, str]]) -> str:
    lines = ["| Part | Mutants | Tried | Killed | of them by time | Survived | Share killed | Processor time |"]
    lines.append("|---|--:|--:|--:|--:|--:|--:|--:|")
    for row in counts:
        tried, left = int(row["tried"]), int(row["survived"])
        cells = (row["part"], row["mutants"], tried, tried - left, row["timed_out"], left, f"{1 - left / tried:.1%}")
        lines.append("| " + " | ".join(map(str, cells)) + f" | {row['seconds']} s |")
    return "\n".join(lines) + "\n"


def _section(name: str, because: str, rows: list[dict[str, str]]) -> str:
    if not rows:
        return ""
    items = [f"- {row['module']}, `{row['function']}`: `` {row['change']} ``\n" for row in rows]
    return f"\n## {name} ({len(rows)})\n\n{because}\n\n{''.join(items)}"
