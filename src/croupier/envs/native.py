"""The inner loop of the environments: many matches, one call per step; compiled, without lists.

Legal actions and observations are written as words of bits and as floats (`Writer`), one row per match;
arrays.py turns all rows into arrays at once. Actions are passed as bytes, two per match, low byte first.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.contract import Bot, IllegalAction, State, View, first_seat
from croupier.core.dice import Dice
from croupier.core.layout import Writer


class Matches:
    """*many* copies of the match *start*, each with its own course, all with draws from *dice*.

    With *bots* the caller plays one seat in each match: the seat *own*, or a random one in each episode if
    *own* is negative. The bots play the other seats, in playing order after the caller's.
    """

    def __init__(
        self,
        start: State,
        many: int,
        by_deal: bool,
        dice: Dice,
        legal: Writer,
        seen: Writer | None,
        encode: Callable[[View, Writer], None],
        reserved: int = -1,
        bots: list[Bot] | None = None,
        own: int = -1,
    ) -> None:
        self.start = start
        self.many: i64 = many
        self.by_deal = by_deal
        """True if an episode is a deal; otherwise it is a match."""
        self.dice = dice
        self.legal = legal
        """Receives the legal actions of the seats to act."""
        self.seen = seen
        """Receives their observations; None if they are not wanted."""
        self.encode = encode
        self.reserved: i64 = reserved
        """The action that is never offered, or -1."""
        self.bots: list[Bot] = bots or []
        self.rng = Random(int(dice.below(1 << 30)) if bots else 0)
        """The randomness of the bots."""
        self.fixed: i64 = own
        self.own: vec[i64] = vec[i64]([0] * many)
        """The caller's seat in each match, if there are bots."""
        self.states: list[State] = []
        self.seats: vec[i64] = vec[i64]([0] * many)
        """The seat to act in each match."""
        self.ended: vec[i64] = vec[i64]([0] * many)
        """The number of finished deals of each match when its episode began, and ..."""
        self.before: list[list[float]] = []
        """... the payoffs at that time."""

    def begin(self) -> None:
        """Restart all matches."""
        self.states = []
        self.before = []
        for i in range(self.many):
            state = self.start.clone()
            self.states.append(state)
            self.ended[i] = state.deal()
            self.before.append(state.payoffs())
            self._sit(i)
            self.seats[i] = self._turn(i, state)
            self._show(i, state)

    def step(self, actions: bytes, rewards: memoryview[float], ended: memoryview) -> None:
        """Do one legal action in each match; if an episode ends, the next one begins.

        *rewards* and *ended* must be zero: zeros are not written.
        """
        i: i64 = 0
        while i < self.many:
            state = self.states[i]
            state.apply(int(self.seats[i]), actions[i + i] | actions[i + i + 1] << 8)
            seat = self._turn(i, state)
            while seat < 0:  # more than once if an episode ends without a decision of the caller
                state = self._end(i, state, rewards)
                ended[i] = 1
                seat = self._turn(i, state)
            self.seats[i] = seat
            self._show(i, state)
            i += 1

    def random(self, actions: memoryview) -> None:
        """Write a random legal action for each match into *actions*, uniformly distributed."""
        i: i64 = 0
        while i < self.many:
            state = self.states[i]
            seat = self.seats[i]
            action = state.any_action(seat, self.dice)
            while action == self.reserved:  # a reserved action is never the only legal one
                action = state.any_action(seat, self.dice)
            actions[i] = action
            i += 1

    def why_not(self, match: int, action: int) -> IllegalAction:
        """Return the refusal of an illegal action."""
        return self.states[match].why_not(int(self.seats[match]), action)

    def _sit(self, i: i64) -> None:
        """Choose the caller's seat for the next episode of match *i*."""
        if self.bots:
            self.own[i] = self.fixed
            if self.fixed < 0:
                self.own[i] = self.dice.below(len(self.bots) + 1)

    def _turn(self, i: i64, state: State) -> i64:
        """Make all draws and decisions of bots that are due in match *i*; return the seat to act, or -1 when
        the episode is over."""
        while True:
            waiting: i64 = state.to_act()
            if waiting == 0:
                if state.over() or (self.by_deal and state.deal() != self.ended[i]):
                    return -1
                state.roll(self.dice)
            elif not self.bots:
                return first_seat(waiting)
            elif waiting >> self.own[i] & 1:
                return self.own[i]
            else:
                self._let_bot(state, first_seat(waiting), self.own[i])

    def _let_bot(self, state: State, seat: i64, own: i64) -> None:
        """Let the bot of *seat* decide."""
        bot = self.bots[int((seat - own) % (len(self.bots) + 1)) - 1]
        state.apply(int(seat), bot.choose_at(state, int(seat), self.rng))

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
        self._sit(i)
        return state

    def _show(self, i: i64, state: State) -> None:
        """Write the legal actions of match *i* and the observation of its seat to act."""
        seat = self.seats[i]
        self.legal.begin(i)
        state.write_legal(seat, self.legal)
        self.legal.end()
        seen = self.seen
        if seen is not None:
            look(state, seat, seen, i, self.encode)


def look(state: State, seat: i64, out: Writer, row: i64, encode: Callable[[View, Writer], None]) -> None:
    """Write what *seat* knows of *state* into a row of *out*."""
    out.begin(row)
    if not state.observe(seat, out):
        encode(state.view(int(seat)), out)
    out.end()
