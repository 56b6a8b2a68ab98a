"""The declared types of what the house protocol tells of a match: events, and the facts of a view."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.core.options import Value

Phase: TypeAlias = Literal["setup", "choosing", "extracting", "turn", "over"]
Turn: TypeAlias = Literal["first", "second", "extra"]
How: TypeAlias = Literal["rerolled", "flipped", "drawn", "named"]


class Pattern(msgspec.Struct, frozen=True):
    """A pattern of a window card."""

    pattern: int
    tokens: int
    grid: str
    """Twenty symbols, row by row: a colour, a value, or ``.`` for a free cell."""


class Window(Pattern, frozen=True):
    """A seat's window; *tokens* are those the seat has left."""

    dice: list[str | None]
    publics: list[int]
    """The current points for each public objective."""
    empty: int
    """The number of empty cells."""
    fine: int
    """What they cost."""


class Tool(msgspec.Struct, frozen=True):
    """A tool of this match."""

    tool: int
    cost: int | None
    """In tokens; None in the solo variant, where it is paid with a die of *colour*."""
    colour: str | None
    used: bool


class Score(msgspec.Struct, frozen=True):
    """The score of one window, line by line."""

    publics: list[int]
    private: int
    tokens: int
    empty: int
    fine: int
    """The cost of the empty cells."""
    total: int


# Events.


class MatchStarted(msgspec.Struct, frozen=True, tag="match_started", tag_field="kind"):
    """A match begins with these tools; *options* are those that everyone may know."""

    seats: int
    tools: list[int]
    options: dict[str, Value]


class ObjectiveDealt(msgspec.Struct, frozen=True, tag="objective_dealt", tag_field="kind"):
    """A seat's private objective; the solo variant has two, which are public."""

    seat: int
    privates: list[int]


class WindowsOffered(msgspec.Struct, frozen=True, tag="windows_offered", tag_field="kind"):
    """The four patterns on a seat's two window cards."""

    seat: int
    patterns: list[int]


class WindowPicked(msgspec.Struct, frozen=True, tag="window_picked", tag_field="kind"):
    """A seat's own choice of a pattern."""

    seat: int
    pattern: int


class WindowChosen(msgspec.Struct, frozen=True, tag="window_chosen", tag_field="kind"):
    """A seat has chosen its pattern; which one stays secret for now."""

    seat: int


class WindowsShown(msgspec.Struct, frozen=True, tag="windows_shown", tag_field="kind"):
    """All have chosen: the patterns and tokens of every seat."""

    patterns: list[int]
    tokens: list[int]


class ObjectivesShown(msgspec.Struct, frozen=True, tag="objectives_shown", tag_field="kind"):
    """The public objectives."""

    publics: list[int]


class RoundStarted(msgspec.Struct, frozen=True, tag="round_started", tag_field="kind"):
    """Round *round* (from 1) begins; seat *start* is to draw the dice."""

    round: int
    start: int


class Rolled(msgspec.Struct, frozen=True, tag="rolled", tag_field="kind"):
    """The draft pool of the round."""

    dice: list[str]


class TurnStarted(msgspec.Struct, frozen=True, tag="turn_started", tag_field="kind"):
    """A seat's first, second or extra turn begins."""

    seat: int
    turn: Turn


class ToolActivated(msgspec.Struct, frozen=True, tag="tool_activated", tag_field="kind"):
    """A seat has activated a tool and set its cost aside (solo: a die); only the seat knows."""

    seat: int
    tool: int
    paying: str | None
    """The die set aside in the solo variant."""


class ToolDropped(msgspec.Struct, frozen=True, tag="tool_dropped", tag_field="kind"):
    """A seat has put its tool back and kept its cost."""

    seat: int


class Picked(msgspec.Struct, frozen=True, tag="picked", tag_field="kind"):
    """A step inside a dialogue that its seat can still take back."""

    seat: int
    action: str


class PicksDropped(msgspec.Struct, frozen=True, tag="picks_dropped", tag_field="kind"):
    """A seat has taken its steps back; an active tool stays active."""

    seat: int


class ToolUsed(msgspec.Struct, frozen=True, tag="tool_used", tag_field="kind"):
    """A tool takes effect and its cost is paid: *cost* tokens, or the die *paid* in the solo variant."""

    seat: int
    tool: int
    cost: int
    paid: str | None
    tokens: int
    """What the seat has left."""


class Placed(msgspec.Struct, frozen=True, tag="placed", tag_field="kind"):
    """A seat has placed a die; *taken* is the die as it was in the pool, None if it came from the hand."""

    seat: int
    die: str
    cell: str
    taken: str | None


class Moved(msgspec.Struct, frozen=True, tag="moved", tag_field="kind"):
    """A seat has moved dice of its window, in this order; the two of tool 4 together."""

    seat: int
    from_: list[str] = msgspec.field(name="from")
    to: list[str]


class TakenInHand(msgspec.Struct, frozen=True, tag="taken_in_hand", tag_field="kind"):
    """A seat has taken a die from the pool into its hand."""

    seat: int
    die: str


class HandChanged(msgspec.Struct, frozen=True, tag="hand_changed", tag_field="kind"):
    """The die in hand has changed."""

    seat: int
    die: str
    how: How


class Swapped(msgspec.Struct, frozen=True, tag="swapped", tag_field="kind"):
    """A pool die went to the slot of *round* and the *die* from there is in hand."""

    seat: int
    given: str
    die: str
    round: int


class Bagged(msgspec.Struct, frozen=True, tag="bagged", tag_field="kind"):
    """The die in hand went back into the bag."""

    seat: int
    die: str


class PoolRerolled(msgspec.Struct, frozen=True, tag="pool_rerolled", tag_field="kind"):
    """The whole pool was rolled again."""

    seat: int
    dice: list[str]


class Returned(msgspec.Struct, frozen=True, tag="returned", tag_field="kind"):
    """The die in hand went back to the pool."""

    seat: int
    die: str


class TurnEnded(msgspec.Struct, frozen=True, tag="turn_ended", tag_field="kind"):
    """A seat's turn is over."""

    seat: int
    turn: Turn


class RoundEnded(msgspec.Struct, frozen=True, tag="round_ended", tag_field="kind"):
    """The round is over; the rest of the pool is on the round track."""

    round: int
    dice: list[str]


class MatchEnded(msgspec.Struct, frozen=True, tag="match_ended", tag_field="kind"):
    """Every seat's score and private objectives; *ranking* has the seats, best first."""

    scores: list[Score]
    privates: list[list[int]]
    ranking: list[int]
    target: int | None
    """The points to beat in the solo variant."""


EVENTS: Final = (
    MatchStarted,
    ObjectiveDealt,
    WindowsOffered,
    WindowPicked,
    WindowChosen,
    WindowsShown,
    ObjectivesShown,
    RoundStarted,
    Rolled,
    TurnStarted,
    ToolActivated,
    ToolDropped,
    Picked,
    PicksDropped,
    ToolUsed,
    Placed,
    Moved,
    TakenInHand,
    HandChanged,
    Swapped,
    Bagged,
    PoolRerolled,
    Returned,
    TurnEnded,
    RoundEnded,
    MatchEnded,
)


class Facts(msgspec.Struct, frozen=True):
    """What a seat knows. Printed material is given by number."""

    phase: Phase
    seats: int
    options: dict[str, Value]
    """The rules of the match, without a fixed deal."""
    privates: list[int]
    offered: list[Pattern]
    window: int | None
    """The pattern this seat has chosen."""
    tools: list[Tool]
    publics: list[int]
    chosen: list[int]
    windows: list[Window]
    round: int
    start: int | None
    """The start seat of this round."""
    pool: list[str]
    track: list[list[str]]
    """The dice of each finished round's slot."""
    paid: list[str]
    """The dice that have left the game to pay for tools (solo)."""
    turn_seat: int | None
    turn: Turn | None
    dropped: list[int]
    drafted: bool
    used: int | None
    """The tool that has taken effect in this turn."""
    hand: str | None
    """The die in the hand of the seat whose turn it is."""
    moved: list[str]
    """The cells that dice have been moved to in this turn."""
    active: int | None
    """The tool this seat has activated."""
    paying: str | None
    """The die set aside to pay for it, in the solo variant."""
    picks: list[str]
    """The actions of a dialogue that can still be taken back."""
    activations: int
    private_points: int | None
    scores: list[Score]
    all_privates: list[list[int]]
    ranking: list[int]
    target: int | None
