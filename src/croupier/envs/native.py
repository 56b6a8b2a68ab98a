"""The inner loop of `vector`: many matches, one call a step; compiled, no list and no Python in between.

Actions come in as bytes, two for each match, low one first. What goes out is written into buffers that the
caller owns: legal actions as words of `WORD` bits, the seats to act, the rewards of episodes that ended.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64

from croupier.core.contract import IllegalAction, State, View, first_seat
from croupier.core.dice import Dice

WORD: Final = 56
"""Legal actions in a word: whole bytes for numpy, and small enough that every word is a positive i64."""
ONE: Final[i64] = 0x100_0000_0000_0000
"""Bit 56: shifted right it gives every bit of a word (a small literal would shift in 32 bits)."""


class Matches:
    """*many* copies of the match *start*, each with its own course, all with chance from *dice*."""

    def __init__(self, start: State, many: int, words: int, by_deal: bool, reserved: int, dice: Dice) -> None:
        self.start = start
        self.many: i64 = many
        self.words: i64 = words
        """How many words the legal actions of one match take."""
        self.by_deal = by_deal
        """Whether an episode is a deal; else it is a match."""
        self.reserved: i64 = reserved
        """The action that is offered to nobody, or -1."""
        self.dice = dice
        self.states: list[State] = []
        self.seats: list[int] = []
        """Who acts next in each match."""
        self.ended: list[int] = []
        """How many deals of each match were over when its episode began, and ..."""
        self.before: list[list[float]] = []
        """... the payoffs then."""

    def begin(self, words: memoryview, seats: memoryview) -> None:
        """Start all matches anew; *words* must be zero."""
        self.states = []
        self.seats = []
        self.ended = []
        self.before = []
        for i in range(self.many):
            state = self.start.clone()
            self.states.append(state)
            self.ended.append(state.deal())
            self.before.append(state.payoffs())
            self.seats.append(self._turn(state))
            self._show(i, state, words, seats)

    def step(
        self,
        actions: bytes,
        words: memoryview,
        seats: memoryview,
        rewards: memoryview[float],
        ended: memoryview,
    ) -> None:
        """Do one legal action in each match; where an episode ends the next one begins.

        *words*, *rewards* and *ended* must be zero: what stays so is not written.
        """
        i: i64 = 0
        while i < self.many:
            state = self.states[i]
            state.apply(self.seats[i], actions[i + i] | actions[i + i + 1] << 8)
            seat = self._turn(state)
            if seat < 0 or (self.by_deal and state.deal() != self.ended[i]):
                state = self._end(i, state, rewards)
                ended[i] = 1
                seat = self._turn(state)
            self.seats[i] = seat
            self._show(i, state, words, seats)
            i += 1

    def random(self, actions: memoryview) -> None:
        """Write for each match an action into *actions*, every legal one as likely as the others."""
        i: i64 = 0
        while i < self.many:
            state = self.states[i]
            seat: i64 = self.seats[i]
            many = state.choices(seat)
            action = state.choice(seat, self.dice.below(many) if many > 1 else 0)
            while action == self.reserved:  # never the only one
                action = state.choice(seat, self.dice.below(many))
            actions[i] = action
            i += 1

    def observed(self, encode: Callable[[View], bytearray]) -> bytearray:
        """Return what whoever acts next in each match may know, as *encode* writes it."""
        return bytearray().join([encode(self.states[i].view(self.seats[i])) for i in range(self.many)])

    def why_not(self, match: int, action: int) -> IllegalAction:
        """Return the refusal of an illegal action."""
        if action == self.reserved:
            return IllegalAction("reserved", f"action {action}: only a clock does that")
        return self.states[match].why_not(self.seats[match], action)

    def _turn(self, state: State) -> int:
        """Let chance have its turn, and return the seat that acts then, or -1 when the match is over."""
        while True:
            waiting: i64 = state.to_act()
            if waiting != 0:
                return int(first_seat(waiting))
            if state.over():
                return -1
            state.roll(self.dice)

    def _end(self, i: i64, state: State, rewards: memoryview[float]) -> State:
        """Pay out match *i*, and return the state in which its next episode begins."""
        before = self.before[i]
        after = state.payoffs()
        many: i64 = len(after)
        seat: i64 = 0
        while seat < many:
            rewards[i * many + seat] = after[seat] - before[seat]
            seat += 1
        if state.over():
            state = self.start.clone()
            self.states[i] = state
            after = state.payoffs()
        self.ended[i] = state.deal()
        self.before[i] = after
        return state

    def _show(self, i: i64, state: State, words: memoryview, seats: memoryview) -> None:
        """Write what may be done in match *i*, and by whom. The k-th choices ascend: word follows word."""
        seat: i64 = self.seats[i]
        seats[i] = seat
        at = i * self.words
        word: i64 = 0
        edge: i64 = WORD
        many = state.choices(seat)
        k: i64 = 0
        while k < many:
            action = state.choice(seat, k)
            k += 1
            if action == self.reserved:
                continue
            while action >= edge:
                if word:
                    words[at] = word
                    word = 0
                at += 1
                edge += WORD
            word |= ONE >> (edge - action)
        words[at] = word


def marks(legal: list[int], many: int, reserved: frozenset[int]) -> bytearray:
    """Return a byte for each of *many* actions: 1 for the *legal* ones that are not *reserved*, else 0."""
    out = bytearray(many)
    for action in legal:
        out[action] = 1
    for action in reserved:
        out[action] = 0
    return out
