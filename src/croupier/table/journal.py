"""The journal of a table: entries in order, from which it is restored and its records are written.

A journal and a record (core/record.py) have their own types. Of the sixteen entries here only `Drew` and
`Acted` state the same facts as an entry of a record, and even these differ: a record says whether a draw is
with replacement, for programs that do not know the rules; the journal says whether a late answer was counted.
One type for both would save about ten lines, give each side a field of the other, and need the same two
conversions. The rest is opposite: the journal has the seed when a deal begins, digests of tokens and
addresses, and the changes of seats; a record is public, has a commitment in that place, and the seed only
after the deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import msgspec

from croupier.core import record
from croupier.core.chance import commitment
from croupier.core.contract import Game
from croupier.core.options import Value


class Entry(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """One line of a table's journal."""


class Arranged(Entry, frozen=True, tag="arranged"):
    seats: list[str]


class Sat(Entry, frozen=True, tag="sat"):
    """A player took a free seat, or the seat of a bot that plays until the match ends."""

    seat: int
    name: str
    number: int
    token: str
    """The digest of the token, never the token itself."""
    person: bool = False
    address: str = ""
    """The keyed digest of the player's address, if they have no token."""


class Rose(Entry, frozen=True, tag="rose"):
    """The seat is free again."""

    seat: int


class Left(Entry, frozen=True, tag="left"):
    """The player left during a game, or the seat stayed free: *bot* plays until the match ends."""

    seat: int
    bot: str


class Renamed(Entry, frozen=True, tag="renamed"):
    seat: int
    name: str


class Started(Entry, frozen=True, tag="started"):
    """A player requested the start: the match begins when all seats are taken."""


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who had a seat when a match began: the result of all earlier lines of the journal."""

    kind: str
    bot: str = ""
    name: str = ""
    number: int = 0
    token: str = ""
    person: bool = False
    helps: str = ""
    address: str = ""


class Began(Entry, frozen=True, tag="began"):
    match: str
    players: list[str]
    at: str
    options: dict[str, Value] | None = None
    """In a rematch, which may change options: those that differ from the defaults. None: the table's."""
    who: list[str] = []
    """For each seat the id of an account, ``bot <strength>`` or nothing; empty if no account plays."""
    seats: list[Seat] = []
    """Who has which seat; after a restart the journal is read from here on."""
    numbers: list[int] = []
    """How many events each seat and, last, the watchers had been told before this match."""
    undid: str = ""
    """The match that was aborted to take a decision back; the lines before that decision follow in this
    match.
    """


class Contributed(Entry, frozen=True, tag="contributed"):
    """A seat adds *nonce* to the server's *seed* of the next deal, whose commitment has been published."""

    seat: int
    nonce: str
    seed: str


class Committed(Entry, frozen=True, tag="committed"):
    """The seed of a new deal; secret until it is revealed."""

    deal: int
    seed: str
    nonces: list[str] = []
    """What the seats have added to the seed, empty if a seat added nothing; no list if none did."""


class Drew(Entry, frozen=True, tag="drew"):
    items: list[str]


class Acted(Entry, frozen=True, tag="acted"):
    seat: int
    actions: list[str]
    by: str = ""
    """Who chose: the seat itself, or ``bot``, ``clock``, ``fault``, ``absent``."""
    counted: bool = False
    """The seat's count of late or wrong answers went up."""


class Concluded(Entry, frozen=True, tag="concluded"):
    """The match ended early because only the player of *seat* was present."""

    seat: int


class Revealed(Entry, frozen=True, tag="revealed"):
    deal: int


class Rested(Entry, frozen=True, tag="rested"):
    """A game of the match has ended; the next one has not been started."""


class Ended(Entry, frozen=True, tag="ended"):
    """The match is over; without scores it was aborted."""

    match: str
    at: str
    scores: list[int] | None = None
    reason: str = ""
    places: list[int] = []
    """The rank of each seat, 1 for the best, equal for a tie; only if an account plays."""


class Closed(Entry, frozen=True, tag="closed"):
    reason: str


AnyEntry: TypeAlias = (
    Arranged
    | Sat
    | Rose
    | Left
    | Renamed
    | Started
    | Began
    | Contributed
    | Committed
    | Drew
    | Acted
    | Concluded
    | Revealed
    | Rested
    | Ended
    | Closed
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)
_list_decoder: msgspec.json.Decoder[list[AnyEntry]] = msgspec.json.Decoder(list[AnyEntry])


def encode(entry: AnyEntry) -> str:
    """Return *entry* as a line for the store."""
    return _encoder.encode(entry).decode()


def decode(line: str) -> AnyEntry:
    """Return the entry of a line of the store."""
    return _decoder.decode(line)


def decode_all(lines: Iterable[str]) -> list[AnyEntry]:
    """Return the entries of several lines of the store; faster than one by one."""
    return _list_decoder.decode(f"[{','.join(lines)}]")


def happened(entry: record.Drawn | record.Acted) -> Drew | Acted:
    """Return the entry of a record as an entry of the journal."""
    if isinstance(entry, record.Drawn):
        return Drew(list(entry.items))
    return Acted(entry.seat, list(entry.actions), entry.by)


def record_of(
    game: Game,
    options: Mapping[str, Value],
    seed: str | None,
    entries: Iterable[AnyEntry],
    given: bool = False,
) -> record.Record:
    """Return the record of the match whose journal, from `Began` on, is *entries*.

    It contains only seeds that have been revealed. *seed* is the seed of the table if it may be shown;
    *given* is True if a player could know the cards for another reason.
    """
    written = record.Record(game.name, game.rules, 0, record.spelt(options), seed=seed, given=given)
    seeds: dict[int, str] = {}
    state = None
    for entry in entries:
        match entry:
            case Began(_, players, at):
                written.given = written.given or bool(entry.undid)  # the player knows what came next
                written.players = [record.clean(name) for name in players]
                written.seats = len(players)
                written.started = at
                state = game.new(options, len(players))
            case Committed(deal, secret, nonces):
                seeds[deal] = secret
                written.entries.append(record.Commit(deal, commitment(bytes.fromhex(secret))))
                written.entries += [
                    record.Nonce(deal, seat, text) for seat, text in enumerate(nonces) if text
                ]
            case Drew(items):
                assert state is not None
                draw = state.awaiting()
                assert draw is not None
                outcome = [game.parse_draw(item) for item in items]
                written.entries += record.drawn(game, draw, outcome, written.entries)
                state.apply_draw(outcome)
            case Acted(seat, actions, by):
                assert state is not None
                written.entries.append(record.Acted(seat, tuple(actions), by))
                for action in actions:
                    state.apply(seat, game.actions.parse(action))
            case Revealed(deal):
                written.entries.append(record.Reveal(deal, seeds[deal]))
            case Ended(scores=list(scores)) if state is not None and state.over():
                written.entries.append(record.Result(tuple(scores)))
            case _:
                pass  # changes of seats are not part of a record
    return written
