"""Who has which seat at a table, and which connection plays it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from croupier.bots.strengths import names
from croupier.core.contract import WATCHER, Event, Game
from croupier.core.refusal import house_refusal
from croupier.table import journal
from croupier.table.effects import Key
from croupier.wire.bot_names import bot_name
from croupier.wire.table_spec import Guest
from croupier.wire.talk import BOT, OPEN, PERSON, Join, Place


def arrangement_error(game: Game, seats: Sequence[str], expected: int) -> str:
    """Return what is wrong with the arrangement *seats*, or an empty string."""
    if len(seats) != expected:
        return f"{len(seats)} seats: expected {expected}"
    kinds = [OPEN, PERSON, *(f"{BOT} {name}" for name in names(game))]
    for number, kind in enumerate(seats):
        if kind not in kinds:
            return f"seat {number} {kind!r}: expected {', '.join(kinds)}"
    return ""


class Seating:
    """The places of a table. Everything except connections is restored from the journal."""

    def __init__(
        self, seats: Sequence[str], tokens: Sequence[str], guests: Sequence[Guest | None] = ()
    ) -> None:
        self.places: list[Place] = []
        self.keys: dict[int, Key] = {}
        self.newcomers: dict[int, tuple[Key, Join]] = {}
        """The people who take the seats of bots when the next deal begins, by seat."""
        self.players: list[str] = []
        """The names of the players of the current or last match, by seat."""
        self._playing = False
        self._tokens = tokens
        self._guests = guests
        self.arrange(seats)

    def begin(self, players: Sequence[str]) -> None:
        """Begin a match of *players*: their seats are reserved for them until `end`."""
        self.players = list(players)
        self._playing = True

    def end(self) -> None:
        """End the match."""
        self._playing = False

    # Who may have which seat.

    def arrange(self, seats: Sequence[str]) -> list[int]:
        """Set who may take which seat; return the seats whose players have lost them."""
        evicted: list[int] = []
        before = self.places
        taken = {guest.name for guest in self._guests if guest is not None} | set(self._staying(seats))
        self.places = []
        for seat, kind in enumerate(seats):
            old = before[seat] if before else None
            sits = old is not None and old.name and old.kind != BOT
            if _is_bot(kind):
                bot = _bot(seat, kind.removeprefix("bot "), taken)
                guest = self._guests[seat] if self._guests else None
                if guest is not None:
                    bot.name = guest.name
                self.places.append(bot)
                taken.add(bot.name)
                if sits:
                    evicted.append(seat)
            elif old is not None and sits:
                old.kind = kind
                self.places.append(old)
            else:
                self.places.append(self._kept(seat, kind))
        return evicted

    def check_arrangement(self, game: Game, seats: Sequence[str]) -> None:
        """Raise Refusal if *seats* is not a possible arrangement."""
        wrong = arrangement_error(game, seats, len(self.places)) or self.clash(seats)
        if wrong:
            raise house_refusal("bad_seats", {"words": wrong})

    def clash(self, seats: Sequence[str]) -> str:
        """Return an error if a player who stays has the name of a dummy in *seats*."""
        stay = self._staying(seats)
        for seat, kind in enumerate(seats):
            name = bot_name(seat, "dummy")
            if kind == f"{BOT} dummy" and name in stay:
                return f"seat {seat} {kind!r}: the player in seat {stay[name]} already has its name, {name}"
        return ""

    def _staying(self, seats: Sequence[str]) -> dict[str, int]:
        """Return the seats of the players who keep theirs in the arrangement *seats*, by name."""
        return {
            place.name: place.seat
            for place in self.places
            if place.name and place.kind != BOT and not _is_bot(seats[place.seat])
        }

    def check_free(self, seat: int) -> None:
        """Raise Refusal if *seat* is not a free seat."""
        if not 0 <= seat < len(self.places):
            raise house_refusal("no_such_seat", {"seat": seat, "last": len(self.places) - 1})
        if self.places[seat].name:
            raise house_refusal("seat_taken", {"seat": seat})

    def sit(self, entry: journal.Sat) -> bool:
        """Give a place that is free, or that a bot has for one match, to a player.

        Return True if the player takes over the hand of a bot.
        """
        place = self.places[entry.seat]
        takes_over = self._playing and place.kind == BOT
        if place.kind == BOT:
            place = self.places[entry.seat] = self._kept(entry.seat, place.helps)
        if takes_over:
            self.players[entry.seat] = entry.name
        place.name = entry.name
        place.number = entry.number
        place.token = entry.token
        place.person = entry.person
        place.address = entry.address
        return takes_over

    def rise(self, seat: int) -> None:
        """Free a place; during a match its player may return to it."""
        kind = self.places[seat].helps or self.places[seat].kind
        self.places[seat] = self._kept(seat, kind, self.players[seat] if self._playing else "")

    def hand_over(self, entry: journal.Left) -> None:
        """Let a bot play for a player who has left, or in a free seat."""
        others = {place.name for place in self.places if place.seat != entry.seat}
        place = _bot(entry.seat, entry.bot, others)
        place.helps = self.places[entry.seat].kind
        self.places[entry.seat] = place
        if self._playing:
            self.players[entry.seat] = place.name

    def rename(self, seat: int, name: str) -> None:
        """Give the player of *seat* another name."""
        self.places[seat].name = name
        if self._playing:
            self.players[seat] = name

    # People who wait for the seats of bots.

    def expect(self, seat: int, key: Key, join: Join, token: str) -> None:
        """Keep the seat of a bot for a person until the next deal begins; *token* as in `Place`."""
        self.newcomers[seat] = key, join
        self.places[seat].next = join.claim.name
        self.places[seat].next_token = token

    def expected(self, key: Key) -> int:
        """Return the seat that is kept for the connection *key*, or WATCHER."""
        return next((seat for seat, (owner, _) in self.newcomers.items() if owner == key), WATCHER)

    def forget_newcomer(self, seat: int) -> None:
        """Stop keeping the seat of a bot for a person."""
        del self.newcomers[seat]
        self.places[seat].next = self.places[seat].next_token = ""

    def admit(self) -> dict[int, tuple[Key, Join]]:
        """Remove and return the people for whom the seats of bots are kept."""
        newcomers = self.newcomers
        self.newcomers = {}
        return newcomers

    # Who is there.

    def player(self, seat: int) -> Place | None:
        """Return the place *seat* if a person or program has it."""
        place = self.places[seat] if 0 <= seat < len(self.places) else None
        return place if place is not None and place.name and place.kind != BOT else None

    def undecided(self) -> list[int]:
        """Return the seats of the people who have not answered whether they want to play another match."""
        return [place.seat for place in self.places if place.name and place.answers and not place.ready]

    def snapshot(self) -> list[journal.Seat]:
        """Return who has which seat, for the journal."""
        return [
            journal.Seat(
                place.kind,
                place.bot,
                place.name,
                place.number,
                place.token,
                place.person,
                place.helps,
                place.address,
            )
            for place in self.places
        ]

    def restore(self, seats: Sequence[journal.Seat]) -> None:
        """Restore the places from a `snapshot`; only bots are connected."""
        self.places = [
            Place(
                seat,
                one.kind,
                one.bot,
                one.name,
                number=one.number,
                token=one.token,
                person=one.person,
                connected=one.kind == BOT,
                helps=one.helps,
                address=one.address,
            )
            for seat, one in enumerate(seats)
        ]

    def mark(self, seat: int, by: str, counted: bool, shown: bool) -> None:
        """Count a decision of *seat*; *by* and *counted* as in `journal.Acted`.

        *shown* is True if everyone may know whether the decision was late.
        """
        place = self.places[seat]
        if not by:
            place.late = place.late and not shown
        elif by == "clock":
            place.timeouts += counted
            place.late = place.late or shown
        elif by == "fault":
            place.errors += 1

    def follow(self, event: Event, actor: int, auto: bool | None) -> None:
        """Update the places from *event*, which the seat *actor* or nobody (-1) caused, when it is told."""
        if actor >= 0 and auto is not None:
            self.places[actor].auto = auto
        if event.opens:
            for place in self.places:
                place.timeouts = place.errors = 0

    def rest(self) -> None:
        """Clear the marks of the players after a match."""
        for place in self.places:
            place.away = place.ready = False

    def copies(self) -> list[Place]:
        """Return copies of the places."""
        return [replace(place) for place in self.places]

    def helpers(self) -> list[int]:
        """Return the seats of bots that play only in this match."""
        return [place.seat for place in self.places if place.helps]

    def people(self) -> bool:
        """Return True if a person or program has a seat."""
        return any(place.name and place.kind != BOT for place in self.places)

    def only_bots(self) -> bool:
        """Return True if bots have all seats."""
        return all(place.kind == BOT for place in self.places)

    def alone(self, seat: int) -> bool:
        """Return True if bots have all seats except *seat*."""
        return all(place.kind == BOT or place.seat == seat for place in self.places)

    def present(self) -> int:
        """Return the first seat of a bot or of a player who is there and decides."""
        return next(
            place.seat for place in self.places if place.kind == BOT or (place.connected and not place.away)
        )

    def filled(self) -> bool:
        """Return True if all seats are taken."""
        return all(place.name for place in self.places)

    def absent(self) -> list[int]:
        """Return the seats whose players are not connected."""
        return [
            place.seat for place in self.places if place.name and place.kind != BOT and not place.connected
        ]

    # Connections.

    def connect(self, seat: int, key: Key) -> Key | None:
        """Assign the connection *key* to *seat*; return the previous one, if any."""
        old = self.keys.get(seat)
        self.keys[seat] = key
        self.places[seat].connected = True
        return old

    def disconnect(self, seat: int, key: Key) -> bool:
        """Note that the connection *key* has ended; return False if it does not play *seat*."""
        if seat < 0 or self.keys.get(seat) != key:
            return False
        del self.keys[seat]
        self.places[seat].connected = False
        return True

    def disconnect_all(self) -> None:
        """Forget all connections."""
        self.keys.clear()
        self.newcomers.clear()

    def seat_of(self, key: Key) -> int:
        """Return the seat that the connection *key* plays, or WATCHER."""
        for seat, owner in self.keys.items():
            if owner is key or owner == key:
                return seat
        return WATCHER

    def _kept(self, seat: int, kind: str, former: str = "") -> Place:
        """Return a place without a player: free, reserved for a token, or for a guest."""
        guest = self._guests[seat] if self._guests else None
        if guest is not None:
            number = seat + 1
            return Place(seat, kind, name=guest.name, number=number, token=guest.token, person=guest.person)
        return Place(seat, kind, former=former, token=self._tokens[seat] if self._tokens else "")


def _is_bot(kind: str) -> bool:
    return kind.startswith(f"{BOT} ")


def _bot(seat: int, bot: str, taken: Container[str]) -> Place:
    """Return the place of a bot, with its usual name or the next one that is not taken."""
    return Place(seat, BOT, bot, bot_name(seat, bot, taken), number=seat + 1, connected=True)
