"""The messages of the house protocol in both directions, as structs (docs/house-protocol.md).

`ClientMessage` is the union of all messages of a client, `ServerMessage` of all messages of a server. The
member ``type`` is the tag of each struct. A member without a default is always present; one with a default
may be absent and then has that value. Unknown members are ignored, so that later servers may add some.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias, TypedDict

import msgspec
from msgspec import UNSET, Meta, UnsetType

from croupier.core.options import Value

Facts: TypeAlias = dict[str, Any]
"""Data with members that depend on the game: an event with its ``kind``, or a view with ``seat`` (None for a
watcher), ``to_act``, ``legal`` and the game's facts. The README in the game's folder lists them."""
Id: TypeAlias = int | float | str | None
"""Identifies a request; the answer has the same id."""
Views: TypeAlias = Literal["ask", "all"]
"""Which messages besides `View` contain a view: every `Ask`, or also every `Event`."""


Kind: TypeAlias = Literal["open", "person", "bot"]
Phase: TypeAlias = Literal["gathering", "playing", "resting", "closed"]

TOKEN_LIMIT: Final = 256
TEXT_LIMIT: Final = 500
LANGUAGE_LIMIT: Final = 16
ACTIONS_LIMIT: Final = 64
"""The maximum number of actions in one request, more than any decision needs."""


class Place(msgspec.Struct, frozen=True):
    """One seat of a table and who sits there."""

    seat: int
    kind: Kind
    bot: str
    """The strength of a bot, else empty."""
    name: str
    """The name of the player; empty if the seat is free."""
    account: str | None
    """The name of the player's account, which has a profile."""
    number: int
    person: bool
    connected: bool
    late: bool
    """The player did not answer a question in time and has not answered one since."""
    auto: bool
    """The server chose the last action."""
    timeouts: int
    errors: int
    next: str = ""
    """The name of the person who takes the seat of this bot when the next deal begins."""
    ready: bool = False
    """The player wants to play the next match."""


class Words(msgspec.Struct, frozen=True):
    """A view in words: the member ``words`` of a view, if the client requested it."""

    hand: list[list[str]]
    """The cards or dice, with a list for each suit."""
    table: list[str]
    """What all players see, line by line."""
    last: str
    """The last trick or similar."""
    scores: list[list[str]]
    """The rows of a table, beginning with its heading."""
    question: str | None
    """The question to this seat."""


class Known(msgspec.Struct, frozen=True):
    """The members of a view that are the same in every game; the others are the game's facts."""

    seat: int | None
    """None for a watcher."""
    to_act: list[int]
    """The seats to act, as far as this seat may know."""
    legal: list[str]
    """The legal actions, if this seat is to act."""
    open: list[Facts] | UnsetType = UNSET
    """The facts of every seat, for watchers of a table with `Table.watch_open`."""
    words: Words | UnsetType = UNSET
    """If the client requested it."""


# Messages of a client.


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The common members of all messages of a client."""

    id: Id = None
    """Returned in the answer to this message."""


class Join(Request, frozen=True, tag="join", tag_field="type"):
    """Take a seat, or, with the name and token of your own seat, return to it.

    A person who joins a quick match in progress takes the seat of a bot when the next deal begins: the answer
    is `Accepted`, and `Joined` without an id follows then.
    """

    name: str
    """1 to 64 characters; ignored with the token of a session, which joins with its account."""
    token: Annotated[str, Meta(max_length=TOKEN_LIMIT)] = ""
    """Your secret, with which you return to your seat; stored only as a hash."""
    seat: int | None = None
    """The seat; None: the first free one."""
    person: bool = False
    """A person decides, so time limits are longer."""
    views: Views = "ask"
    """``all``: every event contains the view after it; ``ask``: only questions contain one."""
    words: bool = False
    """Send events and views also in words, for programs that read text."""
    language: Annotated[str, Meta(max_length=LANGUAGE_LIMIT)] = "en"
    """The language of the words: ``de``; English if the server does not have it."""
    last: int | None = None
    """The number of the last event received, when returning."""
    digest: str | None = None
    """This and *nonce* as in `Nonce`; ignored if the next deal has another digest."""
    nonce: str | None = None


class Nonce(Request, frozen=True, tag="nonce", tag_field="type"):
    """Add randomness to the next deal, before it begins."""

    digest: str
    """The commitment of the next deal: `Table.next_deal` or `Commit.next`."""
    nonce: str
    """1 to 64 letters, digits, ``-`` and ``_``, which nobody could foresee."""


class Watch(Request, frozen=True, tag="watch", tag_field="type"):
    """Stay a watcher, with views and words as in `Join`."""

    views: Views = "ask"
    words: bool = False
    language: Annotated[str, Meta(max_length=LANGUAGE_LIMIT)] = "en"


class Act(Request, frozen=True, tag="act", tag_field="type"):
    """Answer the question *turn* with actions (all or none are carried out) or with a text."""

    turn: Annotated[int, Meta(ge=0)]
    """The number of the question, from `Ask`."""
    actions: Annotated[list[str], Meta(min_length=1, max_length=ACTIONS_LIMIT)] | None = None
    text: Annotated[str, Meta(max_length=TEXT_LIMIT)] | None = None
    """What a person would type in a terminal; ignored if there are actions."""


class Start(Request, frozen=True, tag="start", tag_field="type"):
    """Start the table, or its next game. After a match: agree to play another one.

    The next match begins when all people at the table have agreed. Those who do not answer in time
    (`Table.answer_in`) lose their seats.
    """


class Fill(Request, frozen=True, tag="fill", tag_field="type"):
    """Let a bot take a free seat until the end of the next match, while no game is running."""

    seat: int


class Arrange(Request, frozen=True, tag="arrange", tag_field="type"):
    """Set who may take which seat, while no game is running."""

    seats: list[str]
    """For each seat ``open``, ``person`` or ``bot <name>``."""


class Say(Request, frozen=True, tag="say", tag_field="type"):
    """Send a chat message of up to 500 characters to all connections at the table."""

    text: Annotated[str, Meta(max_length=TEXT_LIMIT)]


class Report(Request, frozen=True, tag="report", tag_field="type"):
    """Report another player to the operator of the server, who also gets the last 30 chat messages.

    Answered by `Accepted` when the report is stored. At most 5 reports within 10 minutes. To mute a player, a
    client ignores their `Said`.
    """

    seat: int
    """The seat of the player."""
    text: Annotated[str, Meta(max_length=TEXT_LIMIT)] = ""
    """What is wrong, in your own words."""


class Leave(Request, frozen=True, tag="leave", tag_field="type"):
    """Leave the seat permanently; during a game a bot takes it over."""


class Continue(Request, frozen=True, tag="continue", tag_field="type"):
    """End the current pause of the table; only if all other players are bots."""


class Undo(Request, frozen=True, tag="undo", tag_field="type"):
    """Take back your last decision of this deal, with everything after it.

    Only in a match that is not rated, against bots, without a delay for watchers. The match ends as aborted,
    and a new match begins with the same cards and the same decisions before this one; `Table` and `View`
    follow. The record of the new match has the line ``cards given``.
    """


class Ping(Request, frozen=True, tag="ping", tag_field="type"):
    """Ask for a `Pong`."""


ClientMessage: TypeAlias = (
    Join | Nonce | Watch | Act | Start | Fill | Arrange | Say | Report | Leave | Continue | Undo | Ping
)
CLIENT_MESSAGES: Final = (
    Join,
    Watch,
    Act,
    Start,
    Fill,
    Arrange,
    Say,
    Report,
    Leave,
    Continue,
    Undo,
    Nonce,
    Ping,
)


# Messages of a server.


class About(TypedDict, total=False):
    """What a refusal is about: an action, a name or a seat."""

    action: str
    name: str
    seat: int
    reason: str
    """``KEY.CASE``, if the key has several cases: texts in other languages are found by it."""
    arguments: dict[str, str | int]
    """What the words of the game's rules mention, by name."""


class Table(msgspec.Struct, frozen=True, tag="table", tag_field="type"):
    """The table and its players: sent on connecting, after joining, and after every change."""

    id: str
    game: str
    title: str
    phase: Phase
    started: bool
    """The match begins as soon as all seats are taken."""
    options: dict[str, Any]
    table_options: dict[str, Any]
    seed: str | None
    """Not None if the deals are reproducible."""
    you: int | None
    watch_open: bool
    watch_delay: int
    seats: list[Place]
    fixed_deal: bool = False
    """A seed, cards or a position was given, so a player could know the cards; the match is not rated."""
    next_deal: str | None = None
    """The commitment of the next deal, to which players may add a nonce; None if cards are given."""
    match: str | None = None
    """The id of the current or last match."""
    quick_match: bool = False
    """Anyone may join, and people replace bots between deals."""
    bots_in: float | None = None
    """The seconds until bots take the free seats; None: they do not."""
    answer_in: float | None = None
    """After a match that someone wants to follow by another: the seconds left to agree."""


class View(msgspec.Struct, frozen=True, tag="view", tag_field="type"):
    """Everything the seat may know: after joining, and on returning if missed events are no longer kept."""

    number: int
    """The number of the last event included."""
    view: Facts
    turn: int | None
    """The number of the open question to the seat."""
    seconds: float | None
    """The time left for it; None if there is no limit."""


class Event(msgspec.Struct, frozen=True, omit_defaults=True, tag="event", tag_field="type"):
    """Something has happened."""

    number: int
    """Increases by 1 with every event to this seat."""
    event: Facts
    auto: bool
    """The server chose the action for the seat."""
    words: str | None = None
    view: Facts | None = None

    @property
    def kind(self) -> str:
        """Return the kind of the event, such as ``match_ended``."""
        return str(self.event["kind"])


class Ask(msgspec.Struct, frozen=True, tag="ask", tag_field="type"):
    """A question to the seat."""

    turn: int
    """The number of the question, to be given in the answer."""
    seconds: float | None
    """The time left; None if there is no limit."""
    legal: list[str]
    """The legal actions."""
    view: Facts


class Turn(msgspec.Struct, frozen=True, tag="turn", tag_field="type"):
    """The seats to act now, as far as this seat may know."""

    seats: list[int]
    seconds: float | None


class Commit(msgspec.Struct, frozen=True, omit_defaults=True, tag="commit", tag_field="type"):
    """The SHA-256 of the seed of a deal, sent before the cards are dealt."""

    deal: int
    digest: str
    nonces: list[str] = []
    """What players have added to the seed, by seat, empty for none; empty if nobody did."""
    next: str | None = None
    """The commitment of the deal after this one, as `Table.next_deal`."""


class Reveal(msgspec.Struct, frozen=True, tag="reveal", tag_field="type"):
    """The seed of a deal, sent after the deal has ended."""

    deal: int
    seed: str


class Said(msgspec.Struct, frozen=True, tag="said", tag_field="type"):
    """A chat message of a player."""

    seat: int
    name: str
    text: str


class Joined(msgspec.Struct, frozen=True, tag="joined", tag_field="type"):
    """The answer to `Join`."""

    seat: int
    back: bool
    """The player already had this seat."""
    id: Id


class Accepted(msgspec.Struct, frozen=True, tag="accepted", tag_field="type"):
    """The request was carried out."""

    id: Id


class Refused(msgspec.Struct, frozen=True, omit_defaults=True, tag="refused", tag_field="type"):
    """The request was not carried out; nothing has changed."""

    id: Id
    key: str
    """The reason, for programs: one of the protocol's, or one of the game's rules."""
    words: str
    """The reason in English, for people."""
    about: About = {}
    """What it is about; absent if there is nothing to add."""


class Pong(msgspec.Struct, frozen=True, tag="pong", tag_field="type"):
    """The answer to `Ping`."""

    id: Id


class Closed(msgspec.Struct, frozen=True, tag="closed", tag_field="type"):
    """The table is closed or the server stops; the connection ends."""

    reason: str
    """In English, for people."""
    key: str = "closed"
    """``match_over``, ``abandoned`` (all players have left), ``deserted`` (it was unused for a while),
    ``stopping`` (the game continues when the server is back), ``banned``, ``removed`` (by the operator), else
    ``closed``."""


class Notice(msgspec.Struct, frozen=True, tag="notice", tag_field="type"):
    """The operator announces a restart: when that happens, and on connecting while it is announced."""

    seconds: float | None
    """The time left; None if the restart will not take place."""
    text: str = ""
    """What the operator adds, in any language."""


ServerMessage: TypeAlias = (
    Table
    | View
    | Event
    | Ask
    | Turn
    | Commit
    | Reveal
    | Said
    | Joined
    | Accepted
    | Refused
    | Pong
    | Closed
    | Notice
)


SERVER_MESSAGES: Final = (
    Table,
    View,
    Event,
    Ask,
    Turn,
    Commit,
    Reveal,
    Said,
    Joined,
    Accepted,
    Refused,
    Pong,
    Closed,
    Notice,
)


# The part of the HTTP API that clients need to find or open a table.


class NewTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The body of POST /api/tables."""

    game: str
    seats: list[str]
    """For each seat ``open``, ``person`` or ``bot <name>``."""
    options: dict[str, Value] = {}
    table_options: dict[str, Value] = {}
    seed: str | int | None = None
    auto_cycle: bool = False
    start: bool = True
    watch_open: bool = False
    watch_delay: int = 0
    seat_tokens: list[str] = []
    """The tokens for which seats are reserved, one per seat; an empty one reserves nothing."""


class Opened(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to POST /api/tables: the addresses of the table."""

    id: str
    page: str
    """The path of the table's page."""
    house: str
    """The address of the table in this protocol."""
    protocol: str | None = None
    """The address in the game's published protocol, of the table or of its lobby; absent if there is none."""


class QuickMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of POST /api/quick-match."""

    game: str


class OptionRow(msgspec.Struct, frozen=True):
    """An option of a game or of its tables."""

    name: str
    kind: Literal["switch", "number", "choice", "list", "text"]
    default: Value
    choices: list[str]
    low: int
    high: int
    or_zero: bool
    """0 is also allowed, below the range."""
    technical: bool
    """For protocols, lobbies and tests: not shown to people."""
    unit: str
    words: str


class PresetRow(msgspec.Struct, frozen=True):
    """A named set of options for people."""

    key: str
    options: dict[str, Value]
    seats: int | None
    """The number of seats; None: the largest possible number."""


class GameRow(msgspec.Struct, frozen=True):
    """A game, as GET /api/games lists it."""

    name: str
    title: str
    seats: list[int]
    """The possible numbers of seats."""
    bots: list[str]
    """All bots, weakest first."""
    strengths: list[str]
    """The named strengths among them."""
    usual: str
    """The bot for seats without a chosen bot: one that answers quickly."""
    options: list[OptionRow]
    table_options: list[OptionRow]
    presets: list[PresetRow] = []
    """The first one is the default for people."""
    for_people: dict[str, Value] = {}
    """Table options at tables with people: pauses that let them follow."""
    clocks: list[str] = []
    """The table options with the time limits of a decision by a person."""
    penalties: bool = False
    """Scores are penalty points: the fewest win."""
    sides: list[list[int]] = []
    """The seats that win and lose together."""
    page: dict[str, str] = {}
    """How pages find the parts of the table in the facts of a view: role to name, if they differ."""
    languages: list[str] = []
    """The languages of the game's texts."""
    protocol: Literal["lobby", "table"] | None = None
    """Where connections of its published protocol begin, if it has one."""
    pages: list[str] = []
    """Paths of its further pages in the browser."""
    material: str | None = None
    """The address of the list of the game's printed material, if it has any."""


class TableRow(msgspec.Struct, frozen=True):
    """An open table, as GET /api/tables lists it."""

    id: str
    game: str
    title: str
    phase: Phase
    seats: list[Place]
    watch_delay: int
    watchers: int
    created: str
    page: str
    number: int = 0
    """Counts the tables since the start of the server; the list is ordered by it."""
    watch_open: bool = False
    """Watchers see every hand, as long as no person plays."""
    fixed_deal: bool = False
    """As in `Table`."""
    deserted: bool = False
    """Everyone has left it; a quick match also before the first player has come."""
    quick_match: bool = False
    """As in `Table`."""


class OpenTables(msgspec.Struct, frozen=True, tag="tables", tag_field="type"):
    """A part of the open tables, sent over the WebSocket /api/lobby before what changes; newest first."""

    first: bool
    """The reader forgets what it knew."""
    more: bool
    """Other parts follow."""
    tables: list[TableRow]


class ChangedTables(msgspec.Struct, frozen=True, tag="changed", tag_field="type"):
    """What has changed, sent over the WebSocket /api/lobby."""

    tables: list[TableRow]
    """The new and changed ones."""
    closed: list[str]
    """The ids of those that were closed."""


LOBBY_MESSAGES: Final = (OpenTables, ChangedTables, Notice)
"""The frames of the WebSocket /api/lobby."""


class MatchRow(msgspec.Struct, frozen=True):
    """A finished match, as GET /api/matches lists it."""

    id: str
    game: str
    table: str
    players: list[str]
    profiles: list[str | None]
    """The account names of the players, by seat."""
    started: str
    ended: str | None
    result: list[int]
    """The scores by seat."""


class DealCommitment(msgspec.Struct, frozen=True):
    """The commitment of a deal, and its seed once the deal is over."""

    deal: int
    digest: str
    nonces: list[str]
    """What the seats have added to the seed, by seat; empty strings for nothing."""
    seed: str | None


class MatchInfo(MatchRow, frozen=True, kw_only=True):
    """The answer to GET /api/matches/<id>."""

    options: dict[str, str]
    """As in the record."""
    seed: str | None
    fixed_deal: bool
    """As in `Table`."""
    deals: int
    """Their number."""
    commitments: list[DealCommitment]


class TableDeals(msgspec.Struct, frozen=True):
    """The answer to GET /api/tables/<id>/deals."""

    match: str | None
    fixed_deal: bool
    deals: list[DealCommitment]
    next_deal: str | None


class MatchStep(msgspec.Struct, frozen=True):
    """A draw or a decision of a finished match."""

    entry: str
    """As in the record."""
    events: list[Any]
    heard: list[list[int]]
    """For each event the seats that received it."""
    views: list[Any]
    """The facts of every seat."""


class KeptMatch(msgspec.Struct, frozen=True):
    """The answer to a request that stores a match."""

    id: str
    page: str
    """The path of its replay."""


class DealSteps(msgspec.Struct, frozen=True):
    """The answer to GET /api/matches/<id>/steps."""

    deal: int
    deals: int
    steps: list[MatchStep]


class Hint(msgspec.Struct, frozen=True):
    """The answer to POST /api/tables/<id>/hint: what expert would do."""

    actions: list[str]
    events: list[Any]
    """The first event that each action would cause."""
    gain: float
    """How many points more than the next best choice it is expected to bring."""
    simulations: int
    reasons: list[Any]
    """What the seat knows that matters here: `{kind: "stake" or "trumps", number}` or
    `{kind: "void", seat, suit}`."""


class ReviewLine(msgspec.Struct, frozen=True):
    """One way to decide."""

    actions: list[str]
    events: list[Any]
    """The first event that each action would cause, for seats that may hear it."""
    value: float | None
    """The expected payoff of the deal for the seat from there on, in points; null if it was not tried."""
    visits: int
    """The number of simulations: the more, the more reliable."""


class ReviewOption(msgspec.Struct, frozen=True):
    """An alternative at the last step of expert's decision."""

    action: str
    value: float
    visits: int


class ReviewBegun(msgspec.Struct, frozen=True):
    """The first line of GET /api/matches/<id>/review."""

    decisions: int
    """How many findings follow."""


class ReviewEnded(msgspec.Struct, frozen=True):
    """The last line of a complete review."""

    done: Literal[True]
    costly: float
    """A decision with at least this difference is costly."""


class Finding(msgspec.Struct, frozen=True):
    """The review of one decision, a line of GET /api/matches/<id>/review."""

    deal: int
    step: int
    """The index among the draws and decisions of the deal, from 0."""
    seat: int
    by: str
    """Who decided, if not the seat itself."""
    played: ReviewLine
    best: ReviewLine
    difference: float
    """The points that expert expects to gain compared with the action played; at least 0."""
    options: list[ReviewOption]
    """Best first."""
    reasons: list[Any]
    """As in `Hint`."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of every error response."""

    key: str
    words: str
    about: About = {}
    """What it is about; absent if there is nothing to add."""


PARTS: Final = (
    Known,
    NewTable,
    Opened,
    GameRow,
    TableRow,
    OpenTables,
    ChangedTables,
    MatchRow,
    KeptMatch,
    MatchInfo,
    TableDeals,
    DealSteps,
    Hint,
    ReviewBegun,
    Finding,
    ReviewEnded,
    Problem,
)
"""The types besides messages: parts of them, and bodies of the HTTP API about tables and matches."""
