"""What is wrong with a file's rows, and what is merely worth knowing of them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """Why a row cannot be converted, and what to do."""

    file: str
    unit: str  # line of a text file, row of a table
    number: int
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.file}: {self.unit} {self.number}: {self.what}. {self.remedy}."


@dataclass
class Remark:
    """What many rows of a file have in common; nothing is refused for it."""

    text: str
    rows: set[int] = field(default_factory=set)


@dataclass
class Notes:
    """All that is said about one file."""

    file: str
    unit: str = "line"
    problems: dict[Problem, None] = field(default_factory=dict)  # in order, each once
    remarks: dict[str, Remark] = field(default_factory=dict)

    def in_order(self) -> list[Problem]:
        """All problems as the file has its rows."""
        return sorted(self.problems, key=lambda problem: problem.number)

    def wrong(self, number: int, what: str, remedy: str) -> None:
        """A problem of a row."""
        self.problems[Problem(self.file, self.unit, number, what, remedy)] = None

    def wrong_everywhere(self, number: int, what: str, remedy: str) -> None:
        """A problem that all rows share: it is told once, at the first."""
        if not any(problem.what == what for problem in self.problems):
            self.wrong(number, what, remedy)

    def remark(self, number: int, text: str) -> None:
        """A row of which something is worth knowing."""
        self.remarks.setdefault(text, Remark(text)).rows.add(number)

    def told(self) -> list[str]:
        """The remarks as sentences."""
        return [
            f"{remark.text} ({self.unit} {min(remark.rows)}{_others(len(remark.rows) - 1)})"
            for remark in self.remarks.values()
        ]


@dataclass(frozen=True)
class Where:
    """The row that something was read from."""

    notes: Notes
    number: int

    def wrong(self, what: str, remedy: str) -> None:
        self.notes.wrong(self.number, what, remedy)

    def remark(self, text: str) -> None:
        self.notes.remark(self.number, text)

    def __str__(self) -> str:
        return f"{self.notes.file}, {self.notes.unit} {self.number}"


def _others(count: int) -> str:
    return f" and {count:,} more" if count else ""
