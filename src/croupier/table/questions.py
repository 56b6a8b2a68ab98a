"""The decisions that seats owe: which are open, until when, and which have been answered."""

from __future__ import annotations

from dataclasses import replace

from croupier.wire.talk import Act, Asked


class Questions:
    """One open question a seat at most. A seat's questions are numbered from 1 in each match."""

    def __init__(self, seats: int) -> None:
        self.open: list[Asked | None] = [None] * seats
        self._answered = [0] * seats
        self._decision = [-1] * seats
        self._deadline: list[float | None] = [None] * seats
        self._last: list[tuple[int, tuple[int, ...]]] = [(-1, ())] * seats
        self._warned: list[Asked | None] = [None] * seats

    def ask(self, seat: int, decision: int, deadline: float | None) -> None:
        """Open the next question of *seat*; the rest of the same *decision* has the clock of its start."""
        if decision < 0 or decision != self._decision[seat]:
            self._decision[seat] = decision
            self._deadline[seat] = deadline
        self.open[seat] = Asked(self._answered[seat] + 1, self._deadline[seat])

    def answer(self, seat: int, actions: tuple[int, ...] | None) -> None:
        """Close the question of *seat*: with its own actions, or somebody else's (None)."""
        self._answered[seat] += 1
        self.open[seat] = None
        if actions is not None:
            self._last[seat] = (self._answered[seat], actions)

    def withdraw(self, seat: int) -> None:
        """Ask *seat* no longer; its next question has the same number."""
        self.open[seat] = None

    def warnings(self, ahead: float) -> list[float]:
        """Return when seats are to be warned, *ahead* of the end of their time (0: never)."""
        return [
            asked.deadline - ahead
            for seat, asked in enumerate(self.open)
            if ahead and asked is not None and asked.deadline is not None and self._warned[seat] is not asked
        ]

    def running_out(self, now: float, ahead: float) -> list[tuple[int, float]]:
        """Return the seats to be warned now, each once a question, and how long they have left."""
        found: list[tuple[int, float]] = []
        for seat, asked in enumerate(self.open):
            if asked is None or asked.deadline is None or self._warned[seat] is asked:
                continue
            if ahead and asked.deadline - ahead <= now < asked.deadline:
                self._warned[seat] = asked
                found.append((seat, asked.deadline - now))
        return found

    def forget(self) -> None:
        """Nobody is asked anything any more."""
        self.open = [None] * len(self.open)

    def repeats(self, seat: int, act: Act) -> bool:
        """Say whether *act* is the seat's last answer once more."""
        return act.turn >= 0 and (act.turn, act.actions) == self._last[seat]

    def late(self, seat: int, now: float) -> bool:
        """Say whether the time of the open question is up."""
        asked = self.open[seat]
        return asked is not None and asked.deadline is not None and now >= asked.deadline

    def limit(self, seat: int, deadline: float | None) -> None:
        """Give the open question another deadline, or none."""
        asked = self.open[seat]
        if asked is not None:
            self.open[seat] = replace(asked, deadline=deadline)

    def deadlines(self, seats: int = -1) -> list[float]:
        """Return when time is up for those of *seats* (a mask) that have a limit."""
        return [
            asked.deadline
            for seat, asked in enumerate(self.open)
            if asked is not None and asked.deadline is not None and seats >> seat & 1
        ]
