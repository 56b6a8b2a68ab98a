"""The players at the table as one connection has been told, and the lines for changes (spec 13, 14)."""

from __future__ import annotations

from croupier.games.coinche import messages
from croupier.games.coinche.joining import reserved
from croupier.games.coinche.messages import nickname
from croupier.games.coinche.vocabulary import SEATS
from croupier.wire.talk import (
    AWAY,
    BACK,
    BOT,
    CAME,
    LOST,
    PLAYING,
    QUIT,
    RENAMED,
    Place,
    PlacesChanged,
    TableInfo,
)


class Seats:
    """The seats as they were told. Notes may lag behind the table, so the table itself is not read."""

    def __init__(self, info: TableInfo, told: dict[int, str]) -> None:
        """*told* are the players by seat, as all clients at the table know them."""
        self.info = info
        self.told = told
        self.playing = info.phase == PLAYING
        """Whether a game is running, as far as has been told."""
        self._lost = {
            place.seat for place in info.places if place.name and place.kind != BOT and not place.connected
        }
        self._counted = -1

    def changed(self, note: PlacesChanged) -> list[str]:
        """Return the lines for *note*."""
        seat = note.seat
        if not 0 <= seat < SEATS:
            return [*self._differences(), *self.gathering()]
        name = nickname(Place(seat, name=note.name))
        place = self.info.places[seat]
        if note.what == CAME:
            if self.told.get(seat) == name:
                return []
            self.told[seat] = name
            return [messages.sits(seat, name), *self.gathering()]
        if note.what == QUIT:
            self.told.pop(seat, None)
            if place.kind != BOT:
                return [messages.left(seat, name, "quit"), *self.gathering()]
            self.told[seat] = nickname(place)
            return [messages.left(seat, name, "quit"), messages.plays(seat, nickname(place), "bot")]
        if note.what == LOST:
            if place.name == note.name:
                self._lost.add(seat)
            else:
                self.told.pop(seat, None)
            return [messages.left(seat, name, "lost"), *self.gathering()]
        if note.what == BACK:
            self._lost.discard(seat)
            return [messages.back(seat, self.told.get(seat, nickname(place)))]
        if note.what == RENAMED:
            old = self.told.get(seat, name)
            self.told[seat] = new = nickname(Place(seat, name=note.renamed))
            return [messages.renamed(seat, old, new)]
        return [messages.plays(seat, name, "bot" if note.what == AWAY else "human")]

    def gathering(self) -> list[str]:
        """Return 104 if no game is running, players are missing and this has changed."""
        seated = len(self.told)
        if self.playing or (seated == SEATS and (self.info.started or self.info.match)):
            return []
        if seated == self._counted:
            return []
        self._counted = seated
        return [messages.waiting(seated, self.info)]

    def starts(self) -> None:
        """Note that a game has begun."""
        self.playing = True
        self._counted = -1

    def _differences(self) -> list[str]:
        """Return the lines for all changes since the last lines."""
        lines: list[str] = []
        for place in self.info.places:
            old, new = self.told.get(place.seat, ""), nickname(place)
            if old == new:
                continue
            if old:
                del self.told[place.seat]
                if place.seat not in self._lost:
                    # Bots that filled in leave without a line; a player does not.
                    how = "quit" if reserved(old) else "kicked"
                    lines.append(messages.left(place.seat, old, how))
                self._lost.discard(place.seat)
            if new:
                self.told[place.seat] = new
                lines.append(messages.sits(place.seat, new))
        return lines
