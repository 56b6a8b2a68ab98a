"""The language between a connection and its table, whatever bytes the connection speaks.

A `Conversation` is one connection's wire, without I/O: it turns what the peer sends into requests
and what the table notes into frames. The table hands it a `Face`, the part of a table that a
connection may look at. Nothing here knows a game's rules. Protocols whose connections begin at no
table wait at a desk (desk.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from croupier.core.contract import WATCHER, Event, Game, View
from croupier.core.options import Value

if TYPE_CHECKING:
    from croupier.wire.accounts import Register

OPEN: Final = "open"
PERSON: Final = "person"
BOT: Final = "bot"

GATHERING: Final = "gathering"
"""Seats are being filled, or the table waits to be started."""
PLAYING: Final = "playing"
RESTING: Final = "resting"
"""A game of the match has ended and the next one has not been started."""
CLOSED: Final = "closed"


def token_digest(token: str) -> str:
    """Return what is kept of a token: the SHA-256 of its UTF-8, in hexadecimal."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(slots=True)
class Place:
    """One seat of a table and who sits there. All of it but the token is public."""

    seat: int
    kind: str = OPEN
    """OPEN waits for a program (or anybody), PERSON for somebody at the page, BOT is filled."""
    bot: str = ""
    name: str = ""
    """Empty while nobody sits here."""
    former: str = ""
    """Who left this seat between two games of a match: whoever is called so gets it back if it is free."""
    number: int = 0
    """The number a player joined with, where a protocol has such a thing; else the seat from 1."""
    token: str = field(default="", repr=False)
    """SHA-256 of the token the player joined with, or the seal of his account; never sent."""
    person: bool = False
    connected: bool = False
    away: bool = False
    """Somebody else decides for this player, without waiting, until he shows up."""
    late: bool = False
    """A decision was not answered in time, and none has been answered since."""
    auto: bool = False
    """This seat's latest action, as far as it has been told, was chosen by the server."""
    timeouts: int = 0
    errors: int = 0
    helps: str = ""
    """The kind of place this is when the bot that sits here for one match has got up again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that a seat owes; *turn* names it."""

    turn: int
    deadline: float | None
    """In the table's own time, or no limit."""


class Face(Protocol):
    """What a conversation may see of its table."""

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
        """Return how many matches have begun here; the present one has this number."""
        ...

    @property
    def started(self) -> bool:
        """Say whether the table plays as soon as its seats are filled."""
        ...

    @property
    def rules_options(self) -> Mapping[str, Value]: ...
    @property
    def table_options(self) -> Mapping[str, Value]: ...
    @property
    def seed(self) -> str | None:
        """Return the seed that makes this table reproducible, if it has one."""
        ...

    @property
    def places(self) -> Sequence[Place]: ...
    @property
    def watch_open(self) -> bool:
        """Say whether watchers may see every hand (only where no person plays)."""
        ...

    @property
    def watch_delay(self) -> int:
        """Return how many seconds later than the players watchers hear of a match."""
        ...

    @property
    def gallery(self) -> Face:
        """Return the table as watchers see it now: itself, unless they hear of everything later."""
        ...

    def view(self, seat: int) -> View:
        """Return what *seat* (or WATCHER) has been told so far. Not to be changed or kept."""
        ...

    def asked(self, seat: int) -> Asked | None:
        """Return the decision *seat* owes now, if it has been asked."""
        ...

    def number(self, seat: int) -> int:
        """Return the number of the last event told to *seat*."""
        ...

    @property
    def register(self) -> Register:
        """Return who has which account."""
        ...

    @property
    def committed(self) -> Committed | None:
        """Return the commitment to the seed of the deal under way, if there is one."""
        ...

    def missed(self, seat: int, last: int) -> list[Told] | None:
        """Return what *seat* was told after number *last*, or None when that is no longer kept."""
        ...


class JoinRefused(Exception):
    """A join that cannot be: a key for wires, words for people."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(words)
        self.key = key


class Claim(Protocol):
    """A wish to sit down; which seat, if any, is the protocol's own rule."""

    @property
    def name(self) -> str: ...
    @property
    def number(self) -> int | None: ...
    @property
    def token(self) -> str: ...
    @property
    def person(self) -> bool: ...
    def seat(self, face: Face) -> int:
        """Return the seat to take (free, or this player's own: a takeover), or raise JoinRefused."""
        ...


# What a conversation asks of the table.


@dataclass(frozen=True, slots=True)
class Join:
    claim: Claim
    id: object = None


@dataclass(frozen=True, slots=True)
class Act:
    """Do all of *actions* or none: three cards to pass are one wish."""

    turn: int
    """The decision that is being answered; an old one is refused, not guessed."""
    actions: tuple[int, ...]
    id: object = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """The answer to decision *turn* had wrong values, and the protocol makes that an error of the
    seat: it is counted, and the server decides for it at once."""

    turn: int


@dataclass(frozen=True, slots=True)
class Start:
    """Start the table, or its next game."""

    id: object = None


@dataclass(frozen=True, slots=True)
class Arrange:
    """Say who is to sit where: for each seat ``open``, ``person`` or ``bot <strength>``."""

    seats: tuple[str, ...]
    id: object = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Get up for good."""

    id: object = None


@dataclass(frozen=True, slots=True)
class Say:
    text: str
    id: object = None


@dataclass(frozen=True, slots=True)
class Rename:
    """Be called otherwise from now on; that nobody else is called so is the protocol's care."""

    name: str
    id: object = None


@dataclass(frozen=True, slots=True)
class Here:
    """The player shows up: whoever decided for him while he was away stops. Never answered."""


Request: TypeAlias = Join | Act | Wrong | Start | Arrange | Leave | Say | Rename | Here


# What a conversation asks of its own connection.


@dataclass(frozen=True, slots=True)
class Send:
    frame: str


@dataclass(frozen=True, slots=True)
class Hang:
    """Send what is due, then close."""

    code: int
    reason: str


# What a conversation asks of the house, where its protocol begins at a desk (desk.py).


@dataclass(frozen=True, slots=True)
class Wish:
    """A table to be opened; what is left out has its default."""

    seats: tuple[str, ...]
    """For each seat ``open``, ``person`` or ``bot <strength>``."""
    options: Mapping[str, Value] = field(default_factory=dict)
    table_options: Mapping[str, Value] = field(default_factory=dict)
    seed: str | None = None
    draws: tuple[tuple[str, ...], ...] = ()
    """What chance gives first, draw by draw, in the words of `Game.draw_name`; a secret of the table's."""
    opening: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """What has happened already when the match begins, in words: draws (seat CHANCE) and actions by seat."""
    seat_tokens: tuple[str, ...] = ()
    """Digests of the tokens that seats are reserved for."""
    auto_cycle: bool = False
    single: bool = False
    """The table closes when its first match has ended."""
    private: bool = False
    """The table is in no list."""
    filler: str = ""
    """The bot that takes a seat which nobody does; empty: the usual one."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open a table; the desk hears of it in `opened`, with the same *mark*."""

    wish: Wish
    mark: object = None


@dataclass(frozen=True, slots=True)
class Enter:
    """Go to the table called *table* and join there; answered like a `Join`."""

    table: str
    claim: Claim
    id: object = None


@dataclass(frozen=True, slots=True)
class Depart:
    """Go back from the table to the desk. A seat that is still held counts as lost, not as left."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Store *data* under *name* for this desk (None: forget it); *then* follows when it is on disk."""

    name: str
    data: str | None
    then: tuple[Output, ...] = ()


@dataclass(frozen=True, slots=True)
class Prove:
    """Ask for a session of the account *name*, whose password this is said to be; `DeskConversation.proved`
    hears what comes of it."""

    name: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Via:
    """Let another conversation of the same desk do *output*."""

    conversation: Conversation
    output: Output


Output: TypeAlias = "Request | Send | Hang | Open | Enter | Depart | Keep | Prove | Via"


# What the table notes to a conversation.


@dataclass(frozen=True, slots=True)
class Seated:
    """The join succeeded; *back* when the player took over a seat he already had."""

    seat: int
    back: bool
    id: object = None


@dataclass(frozen=True, slots=True)
class Accepted:
    id: object = None


@dataclass(frozen=True, slots=True)
class Refused:
    request: Request
    key: str
    words: str


CAME: Final = "came"
BACK: Final = "back"
QUIT: Final = "quit"
LOST: Final = "lost"
AWAY: Final = "away"
PRESENT: Final = "present"
RENAMED: Final = "renamed"


@dataclass(frozen=True, slots=True)
class PlacesChanged:
    """Somebody came, went, or is connected or not; *face.places* tells the outcome."""

    what: str = ""
    """CAME (sat down), BACK (connected again), QUIT (left for good), LOST (the connection), AWAY (somebody
    else decides from now on), PRESENT (he decides himself again), RENAMED; or nothing in particular."""
    seat: int = -1
    name: str = ""
    """What the player was called before, for his name may be gone with him."""
    renamed: str = ""
    """What he is called from now on, if he was RENAMED."""


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The table was started, a game began or ended; *face.phase* tells."""


@dataclass(frozen=True, slots=True)
class Warned:
    """The time of *seat* is running out: *seconds* are left."""

    seat: int
    seconds: float


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The time of *seat* is up: what it does next is the server's choice."""

    seat: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match was broken off: ``quit``, ``abandoned``, ``other players`` …"""

    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The match begins with a position that is played on: *face.view* has it, and no event tells it."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event this seat (or watcher) may hear; *face.view* has already taken it in."""

    number: int
    event: Event
    auto: bool
    """The action behind it was chosen by the server."""


@dataclass(frozen=True, slots=True)
class Shown:
    """To watchers of an open table: an event for some seats alone, which their views have taken in."""

    event: Event


@dataclass(frozen=True, slots=True)
class AskedNow:
    """The seat is asked: *face.view(seat).legal* holds the choices."""

    asked: Asked


@dataclass(frozen=True, slots=True)
class TurnChanged:
    """Who is to act has changed, as far as *face.view(seat).to_act* shows it; *deadline* likewise."""

    deadline: float | None


@dataclass(frozen=True, slots=True)
class Committed:
    """The digest of the seed of deal *deal* of this match (from 1)."""

    deal: int
    digest: str


@dataclass(frozen=True, slots=True)
class Revealed:
    deal: int
    seed: str


@dataclass(frozen=True, slots=True)
class Said:
    seat: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is closed."""

    reason: str


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


class Conversation:
    """One connection's wire, without I/O. `seat` is set by the table when a join succeeds."""

    patience: float | None = None
    """Close the connection when nobody has joined on it after this many seconds."""

    outbox_limit: int = 256 * 1024
    """Cut the connection when this many bytes wait for a peer that does not read."""

    def __init__(self) -> None:
        self.seat = WATCHER

    def greet(self, now: float) -> list[Output]:
        """Return what to say when the connection opens."""
        return []

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        """Turn one frame of the peer into requests and answers. Never raises."""
        raise NotImplementedError

    def note(self, note: Note, now: float) -> list[str]:
        """Turn what the table notes into frames."""
        raise NotImplementedError

    def flooded(self) -> list[Output]:
        """Return what to say when the peer's frames of this second are ignored from here on."""
        return []

    def replaced(self) -> list[Output]:
        """Return how to end when a newer connection has taken this seat."""
        return [Hang(4001, "replaced by a newer connection")]

    # A conversation may have more to do than it is asked: answers that waited, time that has passed.

    def pending(self) -> bool:
        """Say whether `resume` has something to do now that a note has come."""
        return False

    def resume(self, now: float) -> list[Output]:
        """Go on with what waited for a note of the table."""
        return []

    def wake(self) -> float | None:
        """Return when `tick` is due, if it is."""
        return None

    def tick(self, now: float) -> list[Output]:
        """Do what was due at `wake`."""
        return []

    def gone(self, now: float) -> list[Output]:
        """Return what the end of this connection means to others."""
        return []


class TableConversation(Conversation):
    """A conversation whose address names its table: it is there from the start to the end."""

    def __init__(self, face: Face) -> None:
        super().__init__()
        self._live = face

    @property
    def face(self) -> Face:
        """Return the table as this connection may see it: a player's, or that of the watchers."""
        return self._live if self.seat >= 0 else self._live.gallery
