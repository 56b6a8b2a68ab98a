"""The measurements as data, and as a Markdown page."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import croupier
from croupier.core import contract


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with a target: a minimum or, for a cost, a maximum."""

    name: str
    value: float | None
    """None if the system does not report it."""
    aim: float
    unit: str = ""
    least: bool = False
    """True if higher is better."""

    @property
    def reached(self) -> bool:
        """Return True if the value reaches the target."""
        if self.value is None:
            return False
        return self.value >= self.aim if self.least else self.value <= self.aim

    def row(self) -> list[str]:
        """Return name, value, target, and whether the value reaches it."""
        aim = f"{'≥' if self.least else '≤'} {_number(self.aim)} {self.unit}"
        value = "–" if self.value is None else f"{_number(self.value)} {self.unit}"
        return [self.name, value.strip(), aim.strip(), "yes" if self.reached else "no"]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Section:
    """One comparison: a description, a table with its header in the first row, and notes."""

    title: str
    words: str
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = field(default_factory=list)
    figures: Sequence[Figure] = field(default_factory=list)
    """The figures with a target."""


def aims(sections: Sequence[Section]) -> Section | None:
    """Return all figures with a target as one table; None if there are none."""
    figures = [figure for section in sections for figure in section.figures]
    if not figures:
        return None
    rows = [["figure", "measured", "aim", "reached"], *(figure.row() for figure in figures)]
    return Section("Figures and targets", "The figures of the sections above that have a target.", rows)


def compiled() -> bool:
    """Return True if the rules that run here are compiled."""
    return not (contract.__file__ or "").endswith(".py")


def machine() -> list[str]:
    """Return where and when this runs."""
    rules = "compiled" if compiled() else "interpreted: nothing here was compiled"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return [
        f"croupier {croupier.__version__}, rules {rules}",
        f"{python}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores{_processor()}",
        datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    ]


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return f" ({line.partition(':')[2].strip()})"
    return ""


def markdown(sections: Sequence[Section]) -> str:
    """Return the report."""
    lines = ["# How fast Croupier is", "", "Made by `croupier bench`.", ""]
    lines += [f"- {line}" for line in machine()]
    for section in sections:
        lines += ["", f"## {section.title}", "", section.words, ""]
        head, *rows = section.rows
        lines += [_row(head), _row(["---", *["---:"] * (len(head) - 1)])]
        lines += [_row(row) for row in rows]
        lines += ["", *(f"- {note}" for note in section.notes)] if section.notes else []
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
