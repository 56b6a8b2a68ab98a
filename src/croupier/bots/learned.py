"""What the strength `master` has learned: a bot that answers immediately, and who may hold which cards."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from croupier.core.contract import Bot, Game, View
from croupier.core.hidden import Odds
from croupier.core.layout import Writer
from croupier.core.network import SEARCHED, Beliefs, Network


def considered(game: Game, view: View) -> list[int]:
    """Return the actions to choose from: without those reserved for the clock, and without undoing if
    possible."""
    reserved = game.reserved()
    legal = [action for action in view.legal if action not in reserved]
    retreats = game.retreats()
    onward = [action for action in legal if action not in retreats]
    return onward if onward else legal


class LearnedBot(Bot):
    """Chooses the action that the network prefers; the adviser makes decisions that the network has not
    learned.
    """

    def __init__(self, game: Game, network: Network, encode: Callable[[View, Writer], None]) -> None:
        self.game = game
        self.adviser = game.adviser()
        self.network = network
        self.encode = encode

    def knows(self, view: View) -> bool:
        """Return whether the network has learned decisions like that of *view*."""
        return self.network.everything or self.adviser is None or self.game.trust(view) > SEARCHED

    def choose(self, view: View, rng: Random) -> int:
        if self.adviser is not None and not self.knows(view):
            return self.adviser.choose(view, rng)
        legal = considered(self.game, view)
        if len(legal) == 1:
            return legal[0]
        seen = self.network.layout.writer(1)
        seen.begin(0)
        self.encode(view, seen)
        seen.end()
        return self.network.best(seen, legal)


class Believer:
    """Knows how likely each holder of each hidden card is, from everything that a seat has seen."""

    def __init__(self, beliefs: Beliefs, encode: Callable[[View, Writer], None]) -> None:
        self.beliefs = beliefs
        self.encode = encode

    def odds(self, view: View) -> Odds:
        """Return the odds for the seat of *view*."""
        seen = self.beliefs.layout.writer(1)
        seen.begin(0)
        self.encode(view, seen)
        seen.end()
        return Odds(view.seat, self.beliefs.odds(seen))
