"""The questions to the seats: which are open, their deadlines, and which have been answered."""

from __future__ import annotations

from croupier.core.refusal import house_refusal
from croupier.wire.talk import Act, Asked


class Questions:
    """The questions of one match: at most one open question per seat, numbered from 1 for each seat."""

    def __init__(self, seats: int) -> None:
        self.open: list[Asked | None] = [None] * seats
        self._answered = [0] * seats
        self._decision = [-1] * seats
        self._deadline: list[float | None] = [None] * seats
        self._last: list[tuple[int, tuple[int, ...]]] = [(-1, ())] * seats
        self._warned: list[Asked | None] = [None] * seats

    def ask(self, seat: int, decision: int, deadline: float | None) -> bool:
        """Open the next question of *seat*; return True if it begins a decision.

        A question of the same *decision* keeps the earlier deadline.
        """
        begins = decision < 0 or decision != self._decision[seat]
        if begins:
            self._decision[seat] = decision
            self._deadline[seat] = deadline
        self.open[seat] = Asked(self._answered[seat] + 1, self._deadline[seat])
        return begins

    def answer(self, seat: int, actions: tuple[int, ...] | None) -> None:
        """Close the question of *seat* with the player's own actions; None if another decided for them."""
        self._answered[seat] += 1
        self.open[seat] = None
        if actions is not None:
            self._last[seat] = (self._answered[seat], actions)

    def withdraw(self, seat: int) -> None:
        """Withdraw the question of *seat*; the next one gets the same number."""
        self.open[seat] = None

    def running_out(self, now: float, ahead: float) -> list[tuple[int, float]]:
        """Return the seats to be warned now (once per question), and the seconds they have left."""
        found: list[tuple[int, float]] = []
        if not ahead:
            return found
        for seat, asked in enumerate(self.open):
            if asked is None or asked.deadline is None or self._warned[seat] is asked:
                continue
            if asked.deadline - ahead <= now < asked.deadline:
                self._warned[seat] = asked
                found.append((seat, asked.deadline - now))
        return found

    def forget(self) -> None:
        """Withdraw all questions."""
        self.open = [None] * len(self.open)

    def repeats(self, seat: int, act: Act) -> bool:
        """Return True if *act* repeats the seat's last answer."""
        turn, actions = self._last[seat]
        return act.turn >= 0 and act.turn == turn and act.actions == actions

    def check(self, seat: int, act: Act, now: float) -> None:
        """Raise Refusal if *act* answers a question of *seat* that is not open, or answers too late."""
        asked = self.open[seat]
        if act.turn >= 0 and (asked is None or act.turn != asked.turn):
            if asked is None:
                raise house_refusal("stale.nothing_open", {"question": act.turn})
            raise house_refusal("stale.other_open", {"question": act.turn, "open": asked.turn})
        if self.late(seat, now):
            raise house_refusal("too_late")

    def late(self, seat: int, now: float) -> bool:
        """Return True if the deadline of the open question has passed."""
        asked = self.open[seat]
        return asked is not None and asked.deadline is not None and now >= asked.deadline

    def limit(self, seat: int, deadline: float | None) -> None:
        """Give the open question another deadline, or none."""
        asked = self.open[seat]
        if asked is not None:
            self.open[seat] = Asked(asked.turn, deadline)

    def last_deadline(self, seats: int) -> float | None:
        """Return the latest deadline of *seats* (a mask), or None."""
        latest: float | None = None
        for seat, asked in enumerate(self.open):
            if asked is None or not seats >> seat & 1:
                continue
            deadline = asked.deadline
            if deadline is not None and (latest is None or deadline > latest):
                latest = deadline
        return latest

    def wake(self, ahead: float) -> float:
        """Return the next deadline or warning (*ahead* seconds before a deadline; 0: no warnings)."""
        soonest = float("inf")
        for seat, asked in enumerate(self.open):
            if asked is None:
                continue
            deadline = asked.deadline
            if deadline is None:
                continue
            warned = not ahead or self._warned[seat] is asked
            soonest = min(soonest, deadline if warned else deadline - ahead)
        return soonest
