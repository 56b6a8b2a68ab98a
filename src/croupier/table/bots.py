"""The bots of a table: which one decides for a seat, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.bots.strengths import filler, players, quick
from croupier.core.contract import Bot, Game, Pace, View
from croupier.wire.talk import BOT, Asked, Place


class Bots:
    """The bots and the stand-in of one table."""

    def __init__(self, game: Game, pace: Pace, free_seats: str = "", least_pause: float = 0.0) -> None:
        """*free_seats* is the bot for free seats; empty: the game's default.

        *least_pause* is the minimum number of seconds between two decisions while only bots play.
        """
        self.filler = free_seats or filler(game)
        """The bot for free seats and for the seats of players who leave."""
        self._pace = pace
        self._least_pause = least_pause
        self._bots = players(game)
        self._quick = quick(game)
        """Decides for a searching bot whose search fails or is late."""
        self._stand_in = game.stand_in()

    def searcher(self, place: Place, asked: bool) -> str:
        """Return the searching bot that decides for *place* now; empty if none does.

        *asked* is True if the player has an open question, which they may still answer.
        """
        if place.kind == BOT:
            name = place.bot
        elif place.away and not asked:
            name = self._pace.absence_bot(place.connected)
        else:
            return ""
        return name if name and self._bots[name].searches else ""

    def searching(
        self, places: Sequence[Place], waiting: int, asked: Sequence[Asked | None]
    ) -> dict[int, str]:
        """Return the searching bots that decide for the seats *waiting* (a mask), by seat.

        *asked* has the open question of each seat.
        """
        found: dict[int, str] = {}
        for place in places:
            if waiting >> place.seat & 1 and (place.kind == BOT or place.away):
                name = self.searcher(place, asked[place.seat] is not None)
                if name:
                    found[place.seat] = name
        return found

    def decider(self, place: Place, by: str) -> Bot:
        """Return the bot without search that decides for *place*; *by* as in `journal.Acted`."""
        name = place.bot if by == "bot" else self._pace.absence_bot(place.connected) if place.away else ""
        bot = self._bots[name] if name else self._stand_in
        return self._quick if bot.searches else bot

    def thinks(self, view: View, alone: bool) -> float:
        """Return how long the bot in the seat of *view* takes; *alone* is True if only bots play."""
        seconds = self._pace.thinking(view)
        return self._least_pause if alone and seconds < self._least_pause else seconds
