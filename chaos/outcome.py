"""The outcome of a goal's run, and the report of several runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Final, Self, TypeAlias

from benchmarks.report import Figure, machine

Tell: TypeAlias = Callable[[str], None]
"""Shows the progress of a run."""

UNMEASURABLE: Final = "not measurable: other work kept the processors of this machine busy"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The figures of one goal."""

    size: str
    """The amount of work, in words: ``500 kills, 41,144 actions``."""
    counts: Sequence[Figure]
    """Figures that do not depend on the speed of the machine."""
    timings: Sequence[Figure] = ()
    """Figures that depend on it; tests print them and never judge by them."""
    notes: Sequence[str] = ()
    """Failures with the command to repeat them, and other findings."""
    controls: Sequence[Figure] = ()
    """Figures of the machine. If one is beyond its limit, the machine was too busy for the timings to mean
    anything, and the run is repeated."""

    @property
    def figures(self) -> list[Figure]:
        return [*self.counts, *self.timings, *self.controls]

    @property
    def measurable(self) -> bool:
        """Return False if the machine was too busy to measure times."""
        return all(figure.reached for figure in self.controls)

    @property
    def counted(self) -> bool:
        """Return True if every count is within its limit."""
        return all(figure.reached for figure in self.counts)

    @property
    def passed(self) -> bool:
        return all(figure.reached for figure in self.figures)


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome of a goal, in a report."""

    goal: str
    title: str
    outcome: Outcome
    seconds: float
    load: str
    """The load averages of the machine at the end."""
    repeat: str
    """The command that repeats this run."""


class Sum:
    """A dataclass whose fields are added up with ``+=``."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __iadd__(self, other: Self) -> Self:
        for one in fields(self):
            mine = getattr(self, one.name)
            mine += getattr(other, one.name)
            setattr(self, one.name, mine)
        return self


@dataclass
class Problems:
    """Counts failures and keeps the words of the first ones."""

    many: int = 0
    words: list[str] = field(default_factory=list)

    def add(self, words: str) -> None:
        self.many += 1
        if len(self.words) < 10:
            self.words.append(words)

    def __iadd__(self, other: Self) -> Self:
        self.many += other.many
        self.words = [*self.words, *other.words][:10]
        return self


@contextlib.contextmanager
def guarded(problems: Problems, case: str) -> Iterator[None]:
    """Add an error to *problems*, with the words that identify the *case*."""
    try:
        yield
    except Exception as error:
        problems.add(f"{case}: {type(error).__name__}: {error}")


def none_of(name: str, many: int) -> Figure:
    """Return a figure that has to be 0."""
    return Figure(name, many, 0)


def some_of(name: str, many: int, least: int = 1) -> Figure:
    """Return a figure that fails if nothing was tested."""
    return Figure(name, many, least, least=True)


def markdown(rows: Sequence[Row], seed: int, size: str) -> str:
    """Return the report."""
    lines = [
        "# Chaos: the permanent goals",
        "",
        "Made by `make chaos`; docs/security.md explains the goals.",
        "",
    ]
    lines += [f"- {line}" for line in [*machine(), f"size {size}, seed {seed}"]]
    lines += ["", "| goal | size | figure | measured | limit | passed |", "|---|---|---|---:|---:|---|"]
    for row in rows:
        for number, figure in enumerate(row.outcome.figures):
            first = [f"{row.goal} {row.title}", row.outcome.size] if number == 0 else ["", ""]
            lines.append("| " + " | ".join([*first, *figure.row()]) + " |")
    for row in rows:
        lines += [
            "",
            f"## {row.goal} {row.title}",
            "",
            f"{row.seconds:.0f} s, {row.load}; repeat with `{row.repeat}`",
            "",
        ]
        if not row.outcome.measurable:
            lines += [f"{UNMEASURABLE}.", ""]
        lines += [f"- {note}" for note in row.outcome.notes]
    failed = [row.goal for row in rows if not row.outcome.passed]
    lines += ["", f"Failed: {', '.join(failed)}" if failed else "All goals passed."]
    return "\n".join(lines) + "\n"
