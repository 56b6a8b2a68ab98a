"""The position of a match of the dice game: its data, and the basic changes made by turns and tools.

Everything that playouts use is an integer: the pool and the slots of the round track hold up to nine dice
of five bits each (dice count from 1, and 0 ends the row), the bag five counts, the tokens four. The legal
actions of the seat to act are kept up to date: `simple` is a set of the actions below `WINDOW`; `one` and
`two` are sets with the verbs they belong to, the lower verb first.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count, nth
from croupier.core.contract import State
from croupier.games.sagrada.events import Moved, Picked, Placed, Returned, TakenInHand, ToolUsed
from croupier.games.sagrada.material import TOOLS
from croupier.games.sagrada.placement import PLAIN, Window
from croupier.games.sagrada.vocabulary import (
    FIRST,
    HOLDING,
    PUT,
    SEATING,
    TURN,
    GlassRules,
)

NOTHING: Final = -1
FULL_BAG: Final[i64] = 0x1294A52
"""Eighteen dice of each of five colours, five bits per colour."""


def unpack(packed: i64) -> list[int]:
    """Return the dice of a packed row in their order."""
    dice: list[int] = []
    while packed:
        dice.append(int(packed & 31) - 1)
        packed >>= 5
    return dice


def pack(dice: list[int]) -> i64:
    """Return *dice* as a packed row."""
    packed: i64 = 0
    shift: i64 = 0
    for die in dice:
        one: i64 = die + 1
        packed |= one << shift
        shift += 5
    return packed


def kinds(packed: i64) -> i64:
    """Return the kinds of dice in a packed row, as a set."""
    found: i64 = 0
    while packed:
        found |= bit((packed & 31) - 1)
        packed >>= 5
    return found


def appended(packed: i64, die: i64) -> i64:
    """Return a packed row with *die* at its end."""
    shift: i64 = 0
    rest = packed
    while rest:
        rest >>= 5
        shift += 5
    return packed | (die + 1) << shift


def without(packed: i64, die: i64) -> i64:
    """Return a packed row without the first *die* in it, which must be there."""
    shift: i64 = 0
    wanted = die + 1
    while (packed >> shift & 31) != wanted:
        shift += 5
    low = packed & ((bit(shift)) - 1)
    return low | packed >> (shift + 5) << shift


def exchanged(packed: i64, die: i64, other: i64) -> i64:
    """Return a packed row with *other* in the place of the first *die*, which must be there."""
    shift: i64 = 0
    wanted = die + 1
    while (packed >> shift & 31) != wanted:
        shift += 5
    return packed ^ (wanted ^ (other + 1)) << shift


class GlassPosition(State):
    """The data of a match and its basic changes; `state.GlassState` adds the rules."""

    def __init__(self, rules: GlassRules) -> None:
        super().__init__()
        self.rules = rules
        self.seats: i64 = rules.seats
        self.phase: i64 = SEATING
        self.waiting: i64 = 0
        """The seats that owe a decision."""
        # Dealt once and shared by clones.
        self.privates: list[list[int]] = []
        self.offers: list[list[int]] = []
        self.tools: list[int] = []
        self.publics: list[int] = []
        # The match.
        self.start: i64 = rules.start
        """The start seat of the first round."""
        self.chosen: list[int] = []
        """The pattern each seat has chosen, 0 for none yet."""
        self.windows: list[Window] = []
        self.tokens: i64 = 0
        """Eight bits per seat."""
        self.spent: i64 = 0
        """The tools that were used before, as a set."""
        self.bag: i64 = FULL_BAG
        self.track: list[int] = []
        """The slots of the finished rounds, each a packed row. Replaced, never changed: clones share it."""
        self.paid: list[int] = []
        """The dice that left the game to pay for tools (solo). Replaced, never changed."""
        self.chance_at: i64 = 0
        """How many of a fixed deal's chance items have been used."""
        self.alone: i64 = NOTHING
        """The only seat left, if the match was ended for that."""
        # The round.
        self.round: i64 = 0
        self.at: i64 = 0
        """The number of the current turn in the round's order of turns."""
        self.dropped: i64 = 0
        """The seats whose second turn is dropped."""
        self.pool: i64 = 0
        # The turn.
        self.seat: i64 = NOTHING
        self.turn: i64 = FIRST
        self.turns: i64 = 0
        """How many turns have begun in this match."""
        self.drafted = False
        self.used: i64 = 0
        """The tool that has taken effect in this turn."""
        self.active: i64 = 0
        self.paying: i64 = NOTHING
        self.activations: i64 = 0
        self.hand: i64 = NOTHING
        # The current dialogue: a picked die and what it becomes, or lifted cells.
        self.taken: i64 = NOTHING
        self.becomes: i64 = NOTHING
        self.source: i64 = NOTHING
        self.source2: i64 = NOTHING
        self.target: i64 = NOTHING
        self.moved: i64 = 0
        """The cells that dice have been moved to in this turn, as a set."""
        # The legal actions of the seat to act.
        self.simple: i64 = 0
        self.verb_one: i64 = 0
        self.one: i64 = 0
        self.verb_two: i64 = 0
        self.two: i64 = 0
        self.tools_due = False
        """True while the tools that may be used now have yet to be added to the simple actions."""

    def copy_from(self, other: GlassPosition) -> None:
        """Copy *other*, except its events."""
        self.phase = other.phase
        self.waiting = other.waiting
        self.privates = other.privates
        self.offers = other.offers
        self.tools = other.tools
        self.publics = other.publics
        self.start = other.start
        self.chosen = other.chosen
        self.windows = [window.clone() for window in other.windows]
        self.tokens = other.tokens
        self.spent = other.spent
        self.bag = other.bag
        self.track = other.track
        self.paid = other.paid
        self.chance_at = other.chance_at
        self.alone = other.alone
        self.round = other.round
        self.at = other.at
        self.dropped = other.dropped
        self.pool = other.pool
        self.seat = other.seat
        self.turn = other.turn
        self.turns = other.turns
        self.drafted = other.drafted
        self.used = other.used
        self.active = other.active
        self.paying = other.paying
        self.activations = other.activations
        self.hand = other.hand
        self.taken = other.taken
        self.becomes = other.becomes
        self.source = other.source
        self.source2 = other.source2
        self.target = other.target
        self.moved = other.moved
        self.simple = other.simple
        self.verb_one = other.verb_one
        self.one = other.one
        self.verb_two = other.verb_two
        self.two = other.two
        self.tools_due = other.tools_due

    # Legal actions.

    def offer(self, simple: i64, verb_one: i64, one: i64, verb_two: i64, two: i64) -> None:
        """Set the legal actions of the seat to act; *verb_one* is the lower verb."""
        self.simple = simple
        self.verb_one = verb_one
        self.one = one
        self.verb_two = verb_two
        self.two = two
        self.tools_due = False

    def offered(self) -> i64:
        """Return the number of legal actions."""
        return count(self.simple) + count(self.one) + count(self.two)

    def offered_at(self, k: i64) -> i64:
        """Return the *k*-th legal action."""
        many = count(self.simple)
        if k < many:
            return nth(self.simple, k)
        k -= many
        many = count(self.one)
        if k < many:
            return self.verb_one + nth(self.one, k)
        return self.verb_two + nth(self.two, k - many)

    # Queries.

    def window(self) -> Window:
        """Return the window of the seat whose turn it is."""
        return self.windows[int(self.seat)]

    def start_seat(self) -> i64:
        """Return the start seat of this round."""
        return (self.start + self.round - 1) % self.seats

    def free_pool(self) -> i64:
        """Return the pool as a packed row, without a die that is set aside."""
        return self.pool if self.paying < 0 else without(self.pool, self.paying)

    def free_kinds(self) -> i64:
        """Return the kinds of dice in the pool that are not set aside."""
        return kinds(self.free_pool())

    def placeable(self, dice: i64, rule: i64) -> i64:
        """Return the kinds in *dice* that have a cell in the window."""
        window = self.window()
        found: i64 = 0
        while dice:
            low = dice & -dice
            dice ^= low
            if window.cells(count(low - 1), rule, 0):
                found |= low
        return found

    def track_kinds(self) -> i64:
        """Return the kinds of dice on the round track."""
        found: i64 = 0
        for slot in self.track:
            found |= kinds(slot)
        return found

    def slots_with(self, die: i64) -> i64:
        """Return the slots (from 0) of the round track that hold *die*, as a set."""
        found: i64 = 0
        one = bit(die)
        for at, slot in enumerate(self.track):
            if kinds(slot) & one:
                found |= bit(at)
        return found

    def tokens_of(self, seat: i64) -> i64:
        """Return how many tokens *seat* has left."""
        return self.tokens >> 8 * seat & 255

    def cost(self, tool: i64) -> i64:
        """Return how many tokens the next use of *tool* costs (R6.2)."""
        return 2 if self.spent & bit(tool) else 1

    def hand_cells(self) -> i64:
        """Return where the die in hand may go."""
        return self.window().cells(self.hand, PLAIN, 0)

    # Basic changes.

    def forget(self) -> None:
        """Drop what the current dialogue has picked."""
        self.taken = NOTHING
        self.becomes = NOTHING
        self.source = NOTHING
        self.source2 = NOTHING
        self.target = NOTHING

    def pick(self, action: i64, phase: i64) -> None:
        """Enter *phase* of a dialogue by a step that can be taken back."""
        self.phase = phase
        if self.events is not None:
            self.events.append(Picked(int(self.seat), int(action)))

    def spend(self) -> None:
        """Let the active tool take effect and pay its cost (R6.2, R10)."""
        tool = self.active
        cost: i64 = 0
        paid = self.paying
        if self.rules.solo:
            self.pool = without(self.pool, paid)
            self.paid = [*self.paid, int(paid)]
            self.paying = NOTHING
        else:
            cost = self.cost(tool)
            self.tokens -= cost << 8 * self.seat
        self.spent |= bit(tool)
        self.used = tool
        if tool != 12:
            self.active = 0
        if self.events is not None:
            left = int(self.tokens_of(self.seat))
            self.events.append(ToolUsed(int(self.seat), int(tool), int(cost), int(paid), left))

    def take_in_hand(self, die: i64) -> None:
        """Take *die* out of the pool."""
        self.pool = without(self.pool, die)
        self.hand = die
        if self.events is not None:
            self.events.append(TakenInHand(int(self.seat), int(die)))

    def place(self, cell: i64) -> None:
        """Place the picked die, or the one in hand, on *cell*: the draft of this turn."""
        if self.active == 1 or self.active == 9:
            self.spend()
        taken = self.taken
        if self.hand >= 0:
            die = self.hand
            self.hand = NOTHING
        else:
            die = self.becomes
            self.pool = without(self.pool, taken)
        self.window().put(cell, die)
        self.drafted = True
        self.phase = TURN
        self.forget()
        if self.events is not None:
            self.events.append(Placed(int(self.seat), int(die), int(cell), int(taken)))

    def move(self, cell: i64) -> None:
        """Move the lifted die to *cell* (tools 2, 3, 12)."""
        if self.used == 0:
            self.spend()
        source = self.source
        window = self.window()
        window.put(cell, window.lift(source))
        self.moved |= bit(cell)
        if count(self.moved) == 2:
            self.active = 0
        self.phase = TURN
        self.forget()
        if self.events is not None:
            self.events.append(Moved(int(self.seat), [int(source)], [int(cell)]))

    def move_both(self, cell: i64) -> None:
        """Move the two lifted dice of tool 4, the second one to *cell*."""
        self.spend()
        window = self.window()
        first = window.lift(self.source)
        second = window.lift(self.source2)
        window.put(self.target, first)
        window.put(cell, second)
        self.moved = bit(self.target) | bit(cell)
        sources = [int(self.source), int(self.source2)]
        targets = [int(self.target), int(cell)]
        self.phase = TURN
        self.forget()
        if self.events is not None:
            self.events.append(Moved(int(self.seat), sources, targets))

    def give_back(self) -> None:
        """Put the die in hand at the end of the pool, with its current value."""
        die = self.hand
        self.pool = appended(self.pool, die)
        self.hand = NOTHING
        if self.events is not None:
            self.events.append(Returned(int(self.seat), int(die)))

    def hold(self, die: i64) -> None:
        """Take *die* in hand, to be placed if it can be."""
        self.hand = die
        self.phase = HOLDING

    def solo_colour(self, tool: i64) -> i64:
        """Return the colour that pays for *tool* in the solo variant."""
        return TOOLS[int(tool) - 1].solo_colour

    def put_cells(self, cells: i64, simple: i64) -> None:
        """Make *cells* the legal places for the die."""
        self.offer(simple, PUT, cells, 0, 0)
