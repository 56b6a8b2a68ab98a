"""What a searching bot is asked, in a form that goes to another process.

Compiled views cannot be pickled, so a task says how the match came to where it is, as numbers. Whoever works
on it (mind.py) plays that again and shows the bot the view of its seat.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from croupier.core.options import Value


class Course:
    """What has happened in a match: a few bytes for each draw and each action."""

    def __init__(self) -> None:
        self._numbers = array("h")

    def note(self, seat: int, items: Sequence[int]) -> None:
        """*seat* has acted so, or (CHANCE) was drawn."""
        self._numbers.append(seat)
        self._numbers.append(len(items))
        self._numbers.extend(items)

    def __bytes__(self) -> bytes:
        return self._numbers.tobytes()


@dataclass(frozen=True, slots=True)
class Task:
    """One action that a searching bot is to choose."""

    table: str
    match: str
    game: str
    options: Mapping[str, Value]
    seats: int
    course: bytes
    seat: int
    actions: tuple[int, ...]
    """What the seat has chosen already of a decision that takes several actions."""
    bot: str
    seed: int
    seconds: float


@dataclass(slots=True)
class Thought:
    """A decision that a searching bot is making; it may take several tasks."""

    seat: int
    bot: str
    match: str
    deal: int
    question: int
    legal: list[int]
    """What could be done when it began: if that changes, this is another decision."""
    end: float
    """When the whole decision should be made."""
    due: float
    """From then on it is not waited for."""
    ready: float
    """Not before then is it known what was chosen."""
    number: int = 0
    """Names what is being asked for now."""
    actions: list[int] = field(default_factory=list)
    done: bool = False
    failed: bool = False
