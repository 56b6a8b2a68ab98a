"""Frames of the Trend protocol as bytes (spec section 3).

Most of a frame is the same for all receivers of an event. That part is built once (`Frame`), and each
receiver's own cards are inserted. The entry of a player is rendered again only when it has changed
(`Rendered`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from croupier.games.hearts.vocabulary import ACE_OF_HEARTS, CARDS, PENALTY, shown
from croupier.wire.frames import encode

Cards: TypeAlias = Sequence[str]

NONE: Final[Cards] = ()
EXPOSED: Final[Cards] = (CARDS[ACE_OF_HEARTS],)
_TRUTH: Final = (b"false", b"true")


class Public(NamedTuple):
    """The fields of a player that everyone may see."""

    number: int
    name: str
    total: int
    errors: int
    timeouts: int
    score: int
    taken: int
    held: int
    giver: str
    exposed: bool
    auto: bool
    card: int
    """The card they have played in this round, or -1."""
    status: int
    person: bool
    brief: bool
    """Whether to omit `roundCard` until a card has been played (profile doc)."""


class Private(NamedTuple):
    """The fields of a player that only they may see, and everyone once the deal has ended."""

    cards: bytes
    picked: Cards
    received: Cards
    candidates: Cards
    initial: Cards | None = None


class Entry:
    """The player object of 3.3, keys in the spec's order, split where private keys are inserted."""

    def __init__(self, public: Public) -> None:
        silent = public.brief and public.card < 0
        card = CARDS[public.card] if public.card >= 0 else ""
        self.upto_score_cards = (
            b'{"playerNumber":%d,"playerName":%b,"gameScore":%d,"errorCount":%d,"timeoutCount":%d,"dealScore":%d,'
            b'"scoreCards":%b'
            % (
                public.number,
                string(public.name),
                public.total,
                public.errors,
                public.timeouts,
                public.score,
                shown_cards(public.taken),
            )
        )
        self.count = b',"cardsCount":%d' % public.held
        self.received_from = b',"receivedFrom":%b,"exposedCards":%b,"shootingTheMoon":%b' % (
            string(public.giver),
            encode(EXPOSED if public.exposed else NONE),
            _TRUTH[public.taken & PENALTY == PENALTY],
        )
        if not silent:
            self.received_from += b',"serverRandom":%b' % _TRUTH[public.auto]
        self.round_card = b"" if silent else b',"roundCard":"%b"' % card.encode()
        self.status = b',"status":%d,"isHuman":%b}' % (public.status, _TRUTH[public.person])
        self.public = public
        self.closed = b"".join(
            (self.upto_score_cards, self.count, self.received_from, self.round_card, self.status)
        )

    def opened(self, private: Private) -> bytes:
        """Return the object with the private keys."""
        initial = b"" if private.initial is None else b',"initialCards":%b' % encode(private.initial)
        return b"".join(
            (
                self.upto_score_cards,
                b',"cards":',
                private.cards,
                self.count,
                b',"pickedCards":',
                card_list(private.picked),
                b',"receivedCards":',
                card_list(private.received),
                self.received_from,
                initial,
                self.round_card,
                b',"candidateCards":',
                card_list(private.candidates),
                self.status,
            )
        )


@lru_cache(maxsize=1024)
def string(text: str) -> bytes:
    """Return *text* as JSON."""
    return encode(text)


def shown_cards(cards: int) -> bytes:
    """Return a set of cards as JSON, in display order."""
    return encode(shown(cards))


def card_list(cards: Cards) -> bytes:
    """Return *cards* as JSON, in the order given."""
    return encode(cards) if cards else b"[]"


class Frame:
    """A frame for several receivers: the shared bytes and the entries of the players."""

    def __init__(
        self,
        name: bytes,
        deal: int,
        round: int,
        game: int,
        entries: Sequence[tuple[int, Entry]],
        extra: bytes,
        after: bytes = b"",
        own: bool = False,
    ) -> None:
        """*extra* and *after* are further members, each preceded by a comma; if *own* is set, the receiver's
        entry is repeated between them as `self`."""
        self._head = (
            b'{"eventName":"%b","data":{"dealNumber":%d,"roundNumber":%d,"gameNumber":%d,"players":['
            % (name, deal, round, game)
        )
        self.entries = entries
        self._extra = extra
        self._after = after
        self._own = own
        self._whole = b""

    def closed(self) -> bytes:
        """Return the frame without private cards."""
        if not self._whole:
            self._whole = self._join([entry.closed for _, entry in self.entries], b"")
        return self._whole

    def opened(self, privates: dict[int, Private], receiver: int) -> bytes:
        """Return the frame for *receiver*, with the private keys of the seats in *privates*."""
        players: list[bytes] = []
        me = b""
        for seat, one in self.entries:
            private = privates.get(seat)
            player = one.closed if private is None else one.opened(private)
            players.append(player)
            if seat == receiver:
                me = player
        return self._join(players, me)

    def _join(self, players: list[bytes], me: bytes) -> bytes:
        own = b',"self":' + me if self._own and me else b""
        return b"".join((self._head, b",".join(players), b"]", self._extra, own, self._after, b"}}"))


class Rendered:
    """A table's cache of rendered bytes: the players' entries and the frame being sent."""

    def __init__(self, seats: int) -> None:
        self._entries: list[Entry | None] = [None] * seats
        self.told: object = None
        """Identifies the event in `frame`."""
        self.frame: Frame | None = None

    def entry(self, seat: int, public: Public) -> Entry:
        """Return the entry of a player; the cached one if nothing has changed."""
        known = self._entries[seat]
        if known is None or known.public != public:
            known = self._entries[seat] = Entry(public)
        return known
