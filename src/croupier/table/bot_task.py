"""A decision for a searching bot, in a form that can be sent to another process.

Compiled objects cannot be pickled. Therefore this module is not compiled, and a task contains all draws and
actions of the match as numbers. The process (bot_worker.py) replays them and gives the bot the view of its
seat.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from croupier.core.options import Value


class Course:
    """The draws and actions of a match, a few bytes each."""

    def __init__(self) -> None:
        self._numbers = array("h")

    def note(self, seat: int, items: Sequence[int]) -> None:
        """Add the actions of *seat*, or the outcome of a draw if *seat* is CHANCE."""
        self._numbers.append(seat)
        self._numbers.append(len(items))
        self._numbers.extend(items)

    def __bytes__(self) -> bytes:
        return self._numbers.tobytes()


@dataclass(frozen=True, slots=True)
class BotTask:
    """A request for one action of a searching bot."""

    table: str
    match: str
    game: str
    options: Mapping[str, Value]
    seats: int
    course: bytes
    seat: int
    actions: tuple[int, ...]
    """The actions already chosen, if the decision takes several."""
    bot: str
    seed: int
    seconds: float


@dataclass(slots=True)
class BotDecision:
    """A decision in progress of a searching bot; it may take several tasks."""

    seat: int
    bot: str
    match: str
    deal: int
    question: int
    legal: list[int]
    """The legal actions at its start; if they change, this decision is no longer due."""
    end: float
    """When the search should end."""
    due: float
    """When the table stops waiting for it."""
    ready: float
    """The earliest time at which the table may use it."""
    number: int = 0
    """The number of the current `Search`."""
    actions: list[int] = field(default_factory=list)
    answered: bool = False
    """True if an answer has arrived and has not been processed yet."""
    answer: int | None = None
    done: bool = False
    failed: bool = False

    @property
    def used_at(self) -> float:
        """Return the earliest time at which the table uses it, or decides otherwise."""
        return self.ready if self.done or self.failed else self.due
