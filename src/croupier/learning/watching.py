"""Deals that bots play, as positions from which a network learns who holds the cards that a seat cannot see.

As in self-play, what a shard contains depends only on the seed and the numbers of round and shard.
"""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np

from croupier.bots.strengths import learned_bot
from croupier.core.contract import Bot, State, first_seat
from croupier.core.dice import Dice
from croupier.core.hidden import ELSEWHERE, HOLDERS
from croupier.core.network import HAND, cards
from croupier.envs.native import look
from croupier.learning.model import Floats, Ints
from croupier.learning.selfplay import Play

SHARE: Final = 1 / 4
"""The share of decisions whose position is kept: those of one deal are much alike."""
WILD: Final = 1 / 20
"""The share of random actions, so that the network does not rely on what the bots always do."""


def watched(play: Play, seed: list[int]) -> tuple[Floats, Ints]:
    """Play one shard; return what seats to act have seen, and who holds each card: the number of a holder, or
    -1 for the seat's own cards."""
    rng = np.random.default_rng(seed)
    watcher = Watcher(play, Dice(int(rng.integers(1 << 62))), Random(f"{seed}"))
    return watcher.run()


class Watcher:
    """Watches the matches of one shard, one after another."""

    def __init__(self, play: Play, dice: Dice, rng: Random) -> None:
        self.play = play
        self.setup = play.setup()
        self.dice = dice
        self.rng = rng
        adviser = self.setup.game.adviser()
        learned = learned_bot(self.setup.game)
        self.bots: list[Bot] = [bot for bot in (adviser, learned) if bot is not None]
        self.seen = self.setup.observations(HOLDERS, "float32")
        self.rows: list[Floats] = []

    def run(self) -> tuple[Floats, Ints]:
        """Play all matches and return the positions."""
        for _ in range(self.play.matches):
            self._match()
        rows = np.stack(self.rows)
        begin = self.setup.layout.start[HAND]
        hands = rows[:, :, begin : begin + cards(self.setup.layout)] > 0
        held = hands[:, 1:]
        holders: Ints = np.where(held.any(axis=1), held.argmax(axis=1), ELSEWHERE)
        holders[hands[:, 0]] = -1
        return np.ascontiguousarray(rows[:, 0]), holders

    def _match(self) -> None:
        state = self.setup.start()
        seats = [self.rng.choice(self.bots) if self.bots else None for _ in range(self.play.seats)]
        deals = self.play.deals
        while not state.over() and state.deal() < deals:
            waiting = state.to_act()
            if not waiting:
                state.roll(self.dice)
                continue
            seat = int(first_seat(waiting))
            if state.choices(seat) > 1 and self.rng.random() < SHARE:
                self._keep(state, seat)
            bot = seats[seat]
            if bot is None or self.rng.random() < WILD:
                state.apply(seat, int(state.any_action(seat, self.dice)))
            else:
                state.apply(seat, bot.choose_at(state, seat, self.rng))

    def _keep(self, state: State, seat: int) -> None:
        """Keep what *seat* and the seats after it observe."""
        for row in range(HOLDERS):
            look(state, (seat + row) % HOLDERS, self.seen.out, row, self.setup.encode)
        self.rows.append(self.seen.array())
