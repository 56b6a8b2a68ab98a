"""What was measured, as data; and as a page of Markdown."""

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
class Section:
    """One comparison: what was done, a table whose first row is its head, and what to know about it."""

    title: str
    words: str
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = field(default_factory=list)


def compiled() -> bool:
    """Say whether the rules that run here are compiled."""
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
