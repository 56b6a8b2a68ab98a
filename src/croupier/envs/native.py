"""The inner loop of `vector`: many matches, one call per step; compiled, without lists.

Actions are passed as bytes, two per match, low byte first. Results are written into buffers of the caller:
legal actions as words of `WORD` bits, the seats to act, the rewards of episodes that ended.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64

from croupier.core.contract import IllegalAction, State, View, first_seat
from croupier.core.dice import Dice

WORD: Final = 56
"""Bits per word of legal actions: whole bytes for numpy, and small enough for a positive i64."""
ONE: Final[i64] = 0x100_0000_0000_0000
"""Bit 56: shifted right it gives every bit of a word (a small literal would shift in 32 bits)."""


class Matches:
    """*many* copies of the match *start*, each with its own course, all with draws from *dice*."""

    def __init__(self, start: State, many: int, words: int, by_deal: bool, reserved: int, dice: Dice) -> None:
        self.start = start
        self.many: i64 = many
        self.words: i64 = words
        """The number of words for the legal actions of one match."""
        self.by_deal = by_deal
        """Whether an episode is a deal; otherwise it is a match."""
        self.reserved: i64 = reserved
        """The action that is never offered, or -1."""
        self.dice = dice
        self.states: list[State] = []
        self.seats: list[int] = []
        """The seat to act in each match."""
        self.ended: list[int] = []
        """The number of finished deals of each match when its episode began, and ..."""
        self.before: list[list[float]] = []
        """... the payoffs at that time."""

    def begin(self, words: memoryview, seats: memoryview) -> None:
        """Restart all matches; *words* must be zero."""
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
        """Do one legal action in each match; if an episode ends, the next one begins.

        *words*, *rewards* and *ended* must be zero: zeros are not written.
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
        """Write a random legal action for each match into *actions*, uniformly distributed."""
        i: i64 = 0
        while i < self.many:
            state = self.states[i]
            seat: i64 = self.seats[i]
            action = state.any_action(seat, self.dice)
            while action == self.reserved:  # it is never the only one
                action = state.any_action(seat, self.dice)
            actions[i] = action
            i += 1

    def observed(self, encode: Callable[[View], bytearray]) -> bytearray:
        """Return the observations of the seats to act, as written by *encode*."""
        return bytearray().join([encode(self.states[i].view(self.seats[i])) for i in range(self.many)])

    def why_not(self, match: int, action: int) -> IllegalAction:
        """Return the refusal of an illegal action."""
        if action == self.reserved:
            return IllegalAction("reserved", f"action {action}: only a clock may do that")
        return self.states[match].why_not(self.seats[match], action)

    def _turn(self, state: State) -> int:
        """Make all draws that are due, and return the seat to act, or -1 when the match is over."""
        while True:
            waiting: i64 = state.to_act()
            if waiting != 0:
                return int(first_seat(waiting))
            if state.over():
                return -1
            state.roll(self.dice)

    def _end(self, i: i64, state: State, rewards: memoryview[float]) -> State:
        """Write the rewards of match *i*, and return the state in which its next episode begins."""
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
        """Write the legal actions of match *i* and its seat to act. Choices ascend, so words are filled in
        order."""
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
    """Return a byte for each of *many* actions: 1 for *legal* ones that are not *reserved*, else 0."""
    out = bytearray(many)
    for action in legal:
        out[action] = 1
    for action in reserved:
        out[action] = 0
    return out
