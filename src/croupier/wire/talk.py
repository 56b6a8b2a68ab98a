"""The requests and notes between a connection and its table, the same for every protocol.

A `Conversation` is the protocol of one connection, without I/O: it converts frames of the peer to
requests, and notes of the table to frames. It sees the table through a `TableInfo`, the part of a table
that a connection may read. Nothing here depends on the rules of a game. In some protocols a
connection begins in a lobby instead of at a table (lobby.py, driver.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, TypeAlias

from mypy_extensions import mypyc_attr

from croupier.core.contract import WATCHER, Event, Game, Plain, View
from croupier.core.options import Value
from croupier.wire.table_spec import TableSpec

if TYPE_CHECKING:
    from croupier.wire.identity import Identities

Mark: TypeAlias = object
"""The peer's id of a request; the answer has the same id."""

OPEN: Final = "open"
PERSON: Final = "person"
BOT: Final = "bot"

GATHERING: Final = "gathering"
"""The table waits for players or for the start."""
PLAYING: Final = "playing"
RESTING: Final = "resting"
"""A game of the match has ended and the next one has not been started."""
CLOSED: Final = "closed"
SESSION_ENDED: Final = 4003
"""The close code of connections whose session has ended."""
EXPELLED: Final = 4004
"""The close code of connections that the operator has ended: a ban, or the removal from a table."""


def token_digest(token: str) -> str:
    """Return the digest under which a token is stored: the SHA-256 of its UTF-8, in hexadecimal."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(slots=True)
class Place:
    """One seat of a table and who sits there. Everything except the token is public."""

    seat: int
    kind: str = OPEN
    """OPEN: for a program or a person; PERSON: for a person at the page; BOT: taken by a bot."""
    bot: str = ""
    name: str = ""
    """The name of the player; empty if the seat is free."""
    former: str = ""
    """The name of the player who left between two games of a match: they get the seat back if it is free."""
    number: int = 0
    """The number with which a player joined, if the protocol has one; else the seat, counted from 1."""
    token: str = field(default="", repr=False)
    """The SHA-256 of the token with which the player joined, or the id of their account; never sent."""
    address: str = field(default="", repr=False)
    """The keyed digest of the address of a player who joined without a token (`Identities.address_mark`);
    never sent."""
    person: bool = False
    connected: bool = False
    away: bool = False
    """The stand-in decides for this player, without waiting, until they are back."""
    late: bool = False
    """The player did not answer a question in time and has not answered one since."""
    auto: bool = False
    """The server chose this seat's last action, as far as it has been told."""
    timeouts: int = 0
    errors: int = 0
    helps: str = ""
    """The kind of this place when the replacement bot that plays in it for one match has left."""
    next: str = ""
    """The name of the person who takes the seat of this bot when the next deal begins."""
    next_token: str = field(default="", repr=False)
    """Their `token`; never sent."""
    answers: bool = False
    """The player is asked whether they want to play another match."""
    ready: bool = False
    """They want to."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question to a seat, with the number *turn*."""

    turn: int
    deadline: float | None
    """In the table's time; None if there is no limit."""


class TableInfo(Protocol):
    """The part of a table that a conversation may read."""

    @property
    def id(self) -> str: ...
    @property
    def game(self) -> Game: ...
    @property
    def phase(self) -> str:
        """Return GATHERING, PLAYING, RESTING or CLOSED."""
        ...

    @property
    def match(self) -> int:
        """Return the number of matches that have begun here, including the current one."""
        ...

    @property
    def started(self) -> bool:
        """Return True if the match begins as soon as all seats are taken."""
        ...

    @property
    def rules_options(self) -> Mapping[str, Value]: ...
    @property
    def table_options(self) -> Mapping[str, Value]: ...
    @property
    def seed(self) -> str | None:
        """Return the seed that makes this table reproducible, or None."""
        ...

    @property
    def fixed_deal(self) -> bool:
        """Return True if a player could know the cards in advance: a seed, draws or a position was given."""
        ...

    @property
    def private(self) -> bool:
        """Return True if the table is in no list and only invited players may come to it."""
        ...

    @property
    def places(self) -> Sequence[Place]: ...
    @property
    def watch_open(self) -> bool:
        """Return True if watchers may see every hand: only if no person plays."""
        ...

    @property
    def watch_delay(self) -> int:
        """Return the number of seconds by which watchers see a match later than its players."""
        ...

    @property
    def for_watchers(self) -> TableInfo:
        """Return the table as watchers see it now: this object, unless they see it with a delay."""
        ...

    def view(self, seat: int) -> View:
        """Return the told view of *seat* (or WATCHER). Do not change or keep it."""
        ...

    def asked(self, seat: int) -> Asked | None:
        """Return the open question to *seat*, or None."""
        ...

    def number(self, seat: int) -> int:
        """Return the number of the last event told to *seat*."""
        ...

    @property
    def identities(self) -> Identities:
        """Return the accounts of the server."""
        ...

    @property
    def waits_for_players(self) -> bool:
        """Return True while the table waits for its players after a restart."""
        ...

    @property
    def committed(self) -> Committed | None:
        """Return the commitment to the seed of the current deal, or None."""
        ...

    @property
    def next_deal(self) -> str | None:
        """Return the commitment to the server's part of the next deal's seed, or None if cards are given."""
        ...

    @property
    def quick_match(self) -> bool:
        """Return True if people replace bots between deals."""
        ...

    @property
    def bots_at(self) -> float | None:
        """Return when bots take the free seats, or None."""
        ...

    @property
    def answers_until(self) -> float | None:
        """Return until when players may answer that they want to play again, or None if nobody has asked."""
        ...

    @property
    def rendered(self) -> dict[str, object]:
        """Return a cache in which wires keep what they have rendered for all connections, by name."""
        ...

    def missed(self, seat: int, last: int) -> list[tuple[int, Told]] | None:
        """Return what *seat* was told after number *last*, with the numbers, or None if some of it is no
        longer kept."""
        ...


class Claim(Protocol):
    """A request for a seat; the rules of the protocol choose the seat."""

    @property
    def name(self) -> str: ...
    @property
    def number(self) -> int | None: ...
    @property
    def token(self) -> str: ...
    @property
    def address(self) -> str:
        """Return the address of the connection if the seat is claimed without a token, else nothing."""
        ...

    @property
    def person(self) -> bool: ...
    def seat(self, info: TableInfo) -> int:
        """Return the seat, which is free or already this player's, or raise Refusal."""
        ...


# Requests of a conversation to the table.


@dataclass(frozen=True, slots=True)
class Contribute:
    """Add *nonce* to the seed of the next deal, whose commitment is *digest*."""

    digest: str
    nonce: str
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Join:
    claim: Claim
    id: Mark = None
    nonce: Contribute | None = None
    """What the player adds to the seed of the next deal; ignored if its digest is no longer right."""
    answers: bool = False
    """The player is a person whose protocol can ask them whether they want to play another match."""


@dataclass(frozen=True, slots=True)
class Act:
    """Carry out all of *actions* or none: passing three cards is one request."""

    turn: int
    """The number of the question; an answer to an old question is refused."""
    actions: tuple[int, ...]
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """The answer to question *turn* had invalid values, and the protocol counts that as an error of the
    seat: the server decides for it at once."""

    turn: int


@dataclass(frozen=True, slots=True)
class Start:
    """Start the table, or its next game; after a match: agree to play another one."""

    id: Mark = None


@dataclass(frozen=True, slots=True)
class Arrange:
    """Set who may take which seat: for each seat ``open``, ``person`` or ``bot <strength>``."""

    seats: tuple[str, ...]
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Fill:
    """Let a bot take the free seat *seat* until the end of the next match."""

    seat: int
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the seat permanently."""

    id: Mark = None


@dataclass(frozen=True, slots=True)
class Say:
    text: str
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Report:
    """Report the player of *seat* to the operator, with the last chat messages."""

    seat: int
    text: str
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Continue:
    """End the current pause, if all other players are bots."""

    id: Mark = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the seat's last decision of this deal, if the match is not rated and all others are bots."""

    id: Mark = None


@dataclass(frozen=True, slots=True)
class Rename:
    """Change the player's name; the protocol has to check that it is not taken."""

    name: str
    id: Mark = None
    seat: int = WATCHER
    """The seat of another player, whom the operator renames."""


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the player of *seat*, by order of the operator; *words* tell them why."""

    seat: int
    words: str
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Here:
    """The player is back and decides themselves again. There is no answer."""


Request: TypeAlias = (
    Join
    | Act
    | Wrong
    | Start
    | Arrange
    | Fill
    | Leave
    | Say
    | Report
    | Continue
    | Undo
    | Rename
    | Remove
    | Here
    | Contribute
)


# Outputs of a conversation to its own connection.


Frame: TypeAlias = "str | bytes"
"""One frame or line to be sent; bytes are UTF-8."""


@dataclass(frozen=True, slots=True)
class Send:
    frame: Frame


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Close the connection after everything has been sent."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Uses:
    """The peer has sent the token with this digest: if it belongs to a session that ends, the connection ends
    too.
    """

    digest: str = field(repr=False)


# Requests of a conversation to the server, if its protocol begins in a lobby (driver.py).


@dataclass(frozen=True, slots=True, eq=False)
class Open:
    """Open a table; answered by `Opened`. Several conversations may yield the same object."""

    spec: TableSpec
    mark: Mark = None


@dataclass(frozen=True, slots=True)
class Enter:
    """Go to the table with the id *table* and join; answered like a `Join`."""

    table: str
    claim: Claim
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Depart:
    """Return from the table to the lobby. A seat that was not left counts as a lost connection."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Store *data* under *name* for this lobby (None: delete it); answered by `Kept` when it is on disk."""

    name: str
    data: str | None


@dataclass(frozen=True, slots=True)
class Prove:
    """Log in to the account *name* with its password; answered by `Proved`."""

    name: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Close:
    """Close the table with the id *table*; only a lobby requests this (`Lobby.wanted`)."""

    table: str
    reason: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until the lobby or a conversation calls `go_on` with *what*."""

    what: str = ""


# Answers of the server.


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to `Open`: the table, or None and the reason in *words*."""

    table: TableInfo | None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """The answer to `Keep`: the data is on disk."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The answer to `Prove`: the token of a new session, or an empty one and the reason in *words*."""

    token: str = field(repr=False)
    words: str = ""


Output: TypeAlias = "Request | Send | Disconnect | Uses | Open | Enter | Depart | Keep | Prove"


# Notes of the table to a conversation.


@dataclass(frozen=True, slots=True)
class Seated:
    """The join succeeded; *back* is True if the player already had the seat."""

    seat: int
    back: bool
    id: Mark = None
    promised: bool = False
    """The join was accepted earlier: the player has waited for the next deal."""


@dataclass(frozen=True, slots=True)
class Accepted:
    id: Mark = None


@dataclass(frozen=True, slots=True)
class Refused:
    request: Request
    key: str
    words: str
    about: Plain = field(default_factory=dict)


CAME: Final = "came"
BACK: Final = "back"
QUIT: Final = "quit"
LOST: Final = "lost"
AWAY: Final = "away"
PRESENT: Final = "present"
RENAMED: Final = "renamed"


@dataclass(frozen=True, slots=True)
class PlacesChanged:
    """A place has changed; *info.places* has the new state."""

    what: str = ""
    """CAME (took a seat), BACK (reconnected), QUIT (left permanently), LOST (lost the connection), AWAY (the
    stand-in decides from now on), PRESENT (the player decides again), RENAMED; or empty for other changes."""
    seat: int = -1
    name: str = ""
    """The name of the player before the change, which the place may no longer have."""
    renamed: str = ""
    """The new name, if the player was RENAMED."""


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The table was started, or a game began or ended; *info.phase* has the new phase."""


@dataclass(frozen=True, slots=True)
class Warned:
    """The time of *seat* is running out: *seconds* are left."""

    seat: int
    seconds: float


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The time of *seat* is up: the server decides for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match was aborted: ``quit``, ``abandoned``, ``other players`` …"""

    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The match begins with a given position: it is in *info.view* and was not told as events."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event that this seat (or watcher) may know; *info.view* and *info.number* already include it."""

    event: Event
    auto: bool
    """The server chose the action that caused it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Sent to watchers who may see the hands: a secret event; the views of the seats already include it."""

    event: Event


@dataclass(frozen=True, slots=True)
class AskedNow:
    """A question to the seat; *info.view(seat).legal* has the legal actions."""

    asked: Asked


@dataclass(frozen=True, slots=True)
class TurnChanged:
    """The seats to act have changed; *info.view(seat).to_act* and *deadline* show what the seat may know."""

    deadline: float | None


@dataclass(frozen=True, slots=True)
class Committed:
    """The digest of the server's seed of deal *deal* of this match (from 1), and what players added to it."""

    deal: int
    digest: str
    nonces: Sequence[str] = ()
    """By seat, empty for none; empty if no seat added anything."""


@dataclass(frozen=True, slots=True)
class Revealed:
    deal: int
    seed: str


@dataclass(frozen=True, slots=True)
class Said:
    seat: int
    name: str
    text: str


MATCH_OVER: Final = "the match is over"
ABANDONED: Final = "all players have left"
DESERTED: Final = "the table was unused for a while"
STOPPING: Final = "the server is stopping; your game continues when it is back"
CLOSINGS: Final = {
    MATCH_OVER: "match_over",
    ABANDONED: "abandoned",
    DESERTED: "deserted",
    STOPPING: "stopping",
}
"""Why the server closes tables and connections, for people and for programs; other reasons have no key."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed."""

    reason: str

    @property
    def key(self) -> str:
        """Return the reason for programs."""
        return CLOSINGS.get(self.reason, "closed")


Note: TypeAlias = (
    Seated
    | Accepted
    | Refused
    | PlacesChanged
    | PhaseChanged
    | Resumed
    | Warned
    | TimedOut
    | Stopped
    | Told
    | Shown
    | AskedNow
    | TurnChanged
    | Committed
    | Revealed
    | Said
    | Closed
)


@mypyc_attr(allow_interpreted_subclasses=True)
class Conversation:
    """The protocol of one connection, without I/O. The table sets `seat` when a join succeeds."""

    ignores: ClassVar[frozenset[type]] = frozenset()
    """The kinds of notes that this protocol does not use: the table does not send them."""

    def __init__(self) -> None:
        self.seat = WATCHER
        self.address = ""
        """The address of the peer; set by the server."""
        self.join_seconds: float | None = None
        """The seconds after which a connection that has not joined is closed; None: no limit."""
        self.outbox_limit = 256 * 1024
        """The maximum number of unread bytes; a connection with more is closed."""

    def take_seat(self, seat: int) -> None:
        """Play *seat* from now on, or watch (WATCHER)."""
        self.seat = seat

    def greet(self, now: float) -> list[Output]:
        """Return what to send when the connection opens."""
        return []

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        """Convert one frame of the peer to requests and replies. Never raises."""
        raise NotImplementedError

    def note(self, note: Note, now: float) -> Sequence[Frame]:
        """Convert a note of the table to frames."""
        raise NotImplementedError

    def look(self) -> object:
        """Return everything on which the frames of a watcher depend, or None if they depend on the connection
        itself.

        Watchers of a table with equal values share the frames of an event.
        """
        return None

    def flooded(self) -> list[Output]:
        """Return what to send when further frames of the peer are ignored in this second."""
        return []

    def replaced(self) -> list[Output]:
        """Return what to send when a newer connection has taken over the seat."""
        return [Disconnect(4001, "replaced by a newer connection")]

    def revoked(self) -> list[Output]:
        """Return what to send when the session of the peer has ended, for example by a logout."""
        return [Disconnect(SESSION_ENDED, "your session has ended: log in again")]

    def expelled(self, key: str, words: str) -> list[Output]:
        """Return what to send when the operator ends the connection; *key* is ``banned`` or ``removed``."""
        return [Disconnect(EXPELLED, words)]

    def announced(self, seconds: float | None, text: str, now: float) -> Sequence[Frame]:
        """Return how to tell people about a restart in *seconds*, or that there will be none (None)."""
        return []

    # For conversations with queued messages or deadlines.

    def pending(self) -> bool:
        """Return True if `resume` has to be called after a note."""
        return False

    def resume(self, now: float) -> list[Output]:
        """Continue with what waited for a note of the table."""
        return []

    def wake(self) -> float | None:
        """Return when to call `tick`, or None."""
        return None

    def tick(self, now: float) -> list[Output]:
        """Handle deadlines that have passed."""
        return []


@mypyc_attr(allow_interpreted_subclasses=True)
class TableConversation(Conversation):
    """A conversation at the table that its address names, from its start to its end.

    While the table owes an answer, later messages wait: their meaning may depend on it, and answers come in
    order.
    """

    def __init__(self, info: TableInfo) -> None:
        super().__init__()
        self._live = info
        self.owed = False
        """True while the table owes an answer; set by subclasses."""
        self.waiting: list[str | bytes | None] = []
        """Messages that wait for that answer; None stands for messages that were ignored."""

    @property
    def info(self) -> TableInfo:
        """Return the table as this connection may see it: as a player or as a watcher."""
        return self._live if self.seat >= 0 else self._live.for_watchers

    def answer(self, data: str | bytes | None, now: float) -> list[Output]:
        """Answer one item of `waiting`. Never raises."""
        raise NotImplementedError

    def pending(self) -> bool:
        return bool(self.waiting) and not self.owed

    def resume(self, now: float) -> list[Output]:
        outputs: list[Output] = []
        while self.waiting and not self.owed:
            outputs += self.answer(self.waiting.pop(0), now)
        return outputs
