"""Who sits where at a table, and which connection plays which seat."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import count

from croupier.bots.strengths import names
from croupier.core.contract import WATCHER, Game
from croupier.table import journal
from croupier.table.effects import Guest, Key
from croupier.wire.talk import BOT, OPEN, PERSON, Place


def arrangement_error(game: Game, seats: Sequence[str], expected: int) -> str:
    """Return what is wrong with *seats* of an arrangement, or nothing."""
    if len(seats) != expected:
        return f"{len(seats)} seats: expected {expected}"
    kinds = [OPEN, PERSON, *(f"{BOT} {name}" for name in names(game))]
    for number, kind in enumerate(seats):
        if kind not in kinds:
            return f"seat {number} {kind!r}: expected {', '.join(kinds)}"
    return ""


class Seating:
    """The places of a table. What changes here for good is in the journal."""

    def __init__(
        self, seats: Sequence[str], tokens: Sequence[str], guests: Sequence[Guest | None] = ()
    ) -> None:
        self.places: list[Place] = []
        self.keys: dict[int, Key] = {}
        self._tokens = tokens
        self._guests = guests
        self.arrange(seats)

    def arrange(self, seats: Sequence[str]) -> list[int]:
        """Say who is to sit where; return the seats whose players had to get up."""
        evicted: list[int] = []
        before = self.places
        taken = {guest.name for guest in self._guests if guest is not None}
        self.places = []
        for seat, kind in enumerate(seats):
            old = before[seat] if before else None
            sits = old is not None and old.name and old.kind != BOT
            if _is_bot(kind):
                self.places.append(_bot(seat, kind.removeprefix("bot "), taken))
                taken.add(self.places[seat].name)
                if sits:
                    evicted.append(seat)
            elif old is not None and sits:
                old.kind = kind
                self.places.append(old)
            else:
                self.places.append(self._kept(seat, kind))
        return evicted

    def clash(self, seats: Sequence[str]) -> str:
        """Return which bot of the arrangement *seats* would be called like a player who stays, if any."""
        stay = {
            place.name: place.seat
            for place in self.places
            if place.kind != BOT and not _is_bot(seats[place.seat])
        }
        for seat, kind in enumerate(seats):
            name = _bot_name(seat, kind.removeprefix("bot "))
            if _is_bot(kind) and name in stay:
                return f"seat {seat} {kind!r}: the player in seat {stay[name]} is called {name}, as its bot"
        return ""

    def sit(self, entry: journal.Sat) -> None:
        """Give a free place to a player."""
        place = self.places[entry.seat]
        place.name = entry.name
        place.number = entry.number
        place.token = entry.token
        place.person = entry.person

    def rise(self, seat: int, former: str) -> None:
        """Free a place; *former* is who would go on with the match there."""
        kind = self.places[seat].helps or self.places[seat].kind
        self.places[seat] = self._kept(seat, kind, former)

    def hand_over(self, entry: journal.Left) -> None:
        """Let a bot play on for somebody who got up, or in a seat that nobody has taken."""
        others = {place.name for place in self.places if place.seat != entry.seat}
        place = _bot(entry.seat, entry.bot, others)
        place.helps = self.places[entry.seat].kind
        self.places[entry.seat] = place

    def helpers(self) -> list[int]:
        """Return the seats where bots sit for this match only."""
        return [place.seat for place in self.places if place.helps]

    def filled(self) -> bool:
        """Say whether somebody sits in every place."""
        return all(place.name for place in self.places)

    def absent(self) -> list[int]:
        """Return the seats whose players are not connected."""
        return [
            place.seat for place in self.places if place.name and place.kind != BOT and not place.connected
        ]

    def connect(self, seat: int, key: Key) -> Key | None:
        """Let the connection *key* play *seat*; return the one that did before."""
        old = self.keys.get(seat)
        self.keys[seat] = key
        self.places[seat].connected = True
        return old

    def seat_of(self, key: Key) -> int:
        """Return the seat that the connection *key* plays, or WATCHER."""
        return next((seat for seat, owner in self.keys.items() if owner == key), WATCHER)

    def _kept(self, seat: int, kind: str, former: str = "") -> Place:
        """Return the place where nobody is: free, reserved for a token, or a guest's."""
        guest = self._guests[seat] if self._guests else None
        if guest is not None:
            number = seat + 1
            return Place(seat, kind, name=guest.name, number=number, token=guest.token, person=guest.person)
        return Place(seat, kind, former=former, token=self._tokens[seat] if self._tokens else "")


def _is_bot(kind: str) -> bool:
    return kind.startswith(f"{BOT} ")


def _bot_name(seat: int, bot: str) -> str:
    # The name of a dummy is fixed by the Hearts protocol.
    return f"player{seat + 1}" if bot == "dummy" else f"bot{seat + 1}"


def _bot(seat: int, bot: str, taken: Container[str] = ()) -> Place:
    """Return the place of a bot, under its usual name or the next one that is not taken."""
    name = next(name for name in (_bot_name(other, bot) for other in count(seat)) if name not in taken)
    return Place(seat, BOT, bot, name, number=seat + 1, connected=True)
