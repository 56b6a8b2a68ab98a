"""The rules of the dice game: set-up, rounds, turns and their end (R1-R12).

    SEATING, AIMING, DEALING, TOOLING, PUBLISHING -draws-> CHOOSING -all have chosen->
    EXTRACTING -start seat-> DRAWING, ROLLING -draws-> TURN ... TURN -after the last-> EXTRACTING ... OVER

While CHOOSING every seat that has not chosen a window owes a decision, and its choice is secret. A turn
consists of the phase TURN and the dialogues that start and end there (tools.py); `pass` ends it. Draws may
come in the middle of a turn (REROLLING, REROLLING_ALL, BAGGING); steps before a draw cannot be taken back.

For the contract (core/contract.py) the whole match is one deal: its private objectives stay secret to the
end, and so must the seed they were drawn from.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, cards_of
from croupier.core.contract import BadDraw, Draw, IllegalAction
from croupier.core.dice import Dice
from croupier.core.layout import Writer
from croupier.games.sagrada import draws, refusals, tools
from croupier.games.sagrada.ending import GlassEnding
from croupier.games.sagrada.events import (
    Bagged,
    MatchStarted,
    ObjectiveDealt,
    ObjectivesShown,
    PicksDropped,
    PoolRerolled,
    Rolled,
    RoundEnded,
    RoundStarted,
    ToolActivated,
    ToolDropped,
    TurnEnded,
    TurnStarted,
    WindowChosen,
    WindowPicked,
    WindowsOffered,
    WindowsShown,
)
from croupier.games.sagrada.material import PATTERNS, faces_of
from croupier.games.sagrada.observing import observe
from croupier.games.sagrada.placement import APART, PLAIN, Window
from croupier.games.sagrada.playout import policy
from croupier.games.sagrada.position import NOTHING, pack, unpack
from croupier.games.sagrada.showing import show
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    AIMING,
    BAG,
    BAGGING,
    CANCEL,
    CHOOSING,
    DEALING,
    DRAFT,
    DRAWING,
    END,
    EXTRA,
    EXTRACT,
    EXTRACTING,
    FIRST,
    FLIP,
    FOR,
    FORFEIT,
    FORFEITING,
    HOLDING,
    ITEM_CARD,
    ITEM_COLOUR,
    ITEM_PRIVATE,
    ITEM_PUBLIC,
    ITEM_SEAT,
    ITEM_TOOL,
    KINDS,
    LIFT,
    LOWER,
    NAMING,
    OVER,
    PASS,
    PAY,
    PAYING,
    PLACING,
    PUBLISHING,
    PUT,
    RAISE,
    REROLL,
    REROLL_ALL,
    REROLLING,
    REROLLING_ALL,
    ROLLING,
    SEATING,
    SECOND,
    SLOT,
    SWAP,
    TOOL,
    TOOLING,
    TURN,
    UNSET,
    VALUE,
    WINDOW,
    GlassRules,
)


class GlassState(GlassEnding):
    """One match of the dice game."""

    def __init__(self, rules: GlassRules) -> None:
        super().__init__(rules)
        if self.start >= 0:
            self.phase = AIMING

    def clone(self) -> GlassState:
        twin = GlassState(self.rules)
        twin.copy_from(self)
        return twin

    # Decisions and legal actions.

    def to_act(self) -> int:
        return int(self.waiting)

    def question(self, seat: int) -> int:
        """Return the number of the turn: a whole turn is one decision."""
        return int(self.turns) if TURN <= self.phase < OVER else -1

    def over(self) -> bool:
        return self.phase == OVER

    def deal(self) -> int:
        return 1 if self.phase == OVER else 0

    def choices(self, seat: i64) -> i64:
        if seat < 0 or not self.waiting >> seat & 1:
            return 0
        if self.phase == CHOOSING:
            return 4
        self._add_tools()
        return self.offered()

    def choice(self, seat: i64, k: i64) -> i64:
        if self.phase == CHOOSING:
            return WINDOW + sorted(self.offers[int(seat)])[int(k)] - 1
        self._add_tools()
        return self.offered_at(k)

    def policy(self, seat: i64, dice: Dice) -> i64:
        if self.phase == CHOOSING:
            return self.choice(seat, dice.below(4))
        return policy(self, dice)

    def hidden(self, seat: i64) -> bool:
        return self.phase == CHOOSING

    def write_legal(self, seat: i64, out: Writer) -> None:
        if self.phase == CHOOSING or not self.waiting >> seat & 1:
            super().write_legal(seat, out)
            return
        self._add_tools()
        out.put(self.simple, WINDOW)
        if self.two:
            out.skip(self.verb_one - WINDOW)
            out.put(self.one, self.verb_two - self.verb_one)
            out.put(self.two, KINDS)
        elif self.one:
            out.skip(self.verb_one - WINDOW)
            out.put(self.one, KINDS)

    def observe(self, seat: i64, out: Writer) -> bool:
        if self.waiting == 0:
            return False
        observe(self, seat, out)
        return True

    def legal_actions(self, seat: int) -> list[int]:
        if seat < 0 or not self.waiting >> seat & 1:
            return []
        if self.phase == CHOOSING:
            return [WINDOW + pattern - 1 for pattern in sorted(self.offers[seat])]
        self._add_tools()
        legal = cards_of(self.simple)
        for item in cards_of(self.one):
            legal.append(int(self.verb_one) + item)
        for item in cards_of(self.two):
            legal.append(int(self.verb_two) + item)
        return legal

    def may(self, seat: i64, action: i64) -> bool:
        """Return True if *seat* may do *action* now."""
        if not self.waiting >> seat & 1:
            return False
        if self.phase == CHOOSING:
            return WINDOW <= action < PUT and int(action) - WINDOW + 1 in self.offers[int(seat)]
        if action < WINDOW:
            if action != PASS:
                self._add_tools()
            return self.simple & bit(action) != 0
        if self.verb_one <= action < self.verb_one + 30 and self.one & bit(action - self.verb_one):
            return True
        return self.verb_two <= action < self.verb_two + 30 and self.two & bit(action - self.verb_two) != 0

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return refusals.why_not(self, seat, action)

    def _ready(self) -> None:
        """Compute the legal actions of the seat to act."""
        phase = self.phase
        if phase == TURN:
            if self.active == 0:
                self.offer(bit(PASS), DRAFT, tools.drafts(self), 0, 0)
                self.tools_due = self.used == 0 and self.turn != EXTRA
            else:
                ways = bit(PASS)
                if self.used == 0:
                    ways |= bit(CANCEL)
                tools.offer_tool(self, ways)
        elif phase == PLACING:
            rule = APART if self.active == 9 else PLAIN
            self.put_cells(self.window().cells(self.becomes, rule, 0), bit(CANCEL))
        elif phase == HOLDING:
            cells = self.hand_cells()
            self.put_cells(cells, bit(FORFEIT) if cells else bit(PASS))
        elif phase == NAMING:
            self.offer(bit(FORFEIT) | tools.values(self) << VALUE, 0, 0, 0, 0)
        elif phase == PAYING:
            self.offer(bit(CANCEL), PAY, tools.paying_dice(self, self.active), 0, 0)
        elif phase == EXTRACTING:
            self.offer(bit(EXTRACT), 0, 0, 0, 0)
        elif TURN < phase < REROLLING:
            tools.offer_tool(self, bit(CANCEL))

    def _add_tools(self) -> None:
        """Add the tools to the legal actions; done on demand because playouts do not need them."""
        if self.tools_due:
            self.tools_due = False
            for tool in self.tools:
                if not tools.objection(self, tool):
                    self.simple |= bit(TOOL + tool - 1)

    # Applying actions.

    def apply(self, seat: int, action: int) -> None:
        if not 0 <= seat < self.rules.seats or not 0 <= action < END or not self.may(seat, action):
            raise self.why_not(seat, action)
        code: i64 = action
        if self.phase == CHOOSING:
            self._choose(seat, action - WINDOW + 1)
            return
        if code < WINDOW:
            self._do_simple(code)
        elif code < LIFT:
            tools.put(self, code - PUT)
        elif code < DRAFT:
            tools.lift(self, code - LIFT)
        elif code < SWAP:
            self._draft(code)
        elif code < FOR:
            tools.swap(self, code - SWAP)
        elif code < REROLL:
            tools.swap_for(self, code - FOR)
        elif code < FLIP:
            tools.reroll(self, code - REROLL)
        elif code < BAG:
            tools.flip(self, code - FLIP)
        elif code < PAY:
            tools.put_in_bag(self, code - BAG)
        else:
            self._pay(code - PAY)
        if self.waiting:
            self._ready()

    def _do_simple(self, code: i64) -> None:
        if code == PASS:
            self._pass()
        elif code == EXTRACT:
            self.phase = DRAWING
            self.waiting = 0
        elif code == CANCEL:
            self._cancel()
        elif code == FORFEIT:
            self._forfeit()
        elif code == REROLL_ALL:
            tools.reroll_all(self)
        elif code < VALUE:
            self._activate(code - TOOL + 1)
        elif code < SLOT:
            tools.name_value(self, code - VALUE)
        else:
            tools.swap_slot(self, code - SLOT)

    def _draft(self, code: i64) -> None:
        """Pick a die of the pool, as it is or changed by tool 1."""
        self.taken = (code - DRAFT) % 30
        change = 0 if code < RAISE else 1 if code < LOWER else -1
        self.becomes = self.taken + change
        self.pick(code, PLACING)

    def _activate(self, tool: i64) -> None:
        self.active = tool
        self.activations += 1
        if self.rules.solo:
            self.pick(TOOL + tool - 1, PAYING)
        elif self.events is not None:
            self.events.append(ToolActivated(int(self.seat), int(tool), NOTHING))

    def _pay(self, die: i64) -> None:
        self.paying = die
        self.phase = TURN
        if self.events is not None:
            self.events.append(ToolActivated(int(self.seat), int(self.active), int(die)))

    def _cancel(self) -> None:
        """Drop what is picked; if nothing is, put the tool back (R6.4)."""
        if self.phase == TURN or self.phase == PAYING:
            self.active = 0
            self.paying = NOTHING
            self.phase = TURN
            if self.events is not None:
                self.events.append(ToolDropped(int(self.seat)))
            return
        self.forget()
        self.phase = TURN
        if self.events is not None:
            self.events.append(PicksDropped(int(self.seat)))

    # Set-up (R2). Draws come in this order with all options; nothing is told before the last one.

    def awaiting(self) -> Draw | None:
        return None if self.waiting or self.phase == OVER else draws.due(self)

    def apply_draw(self, outcome: list[int]) -> None:
        draw = self.awaiting()
        if draw is None:
            raise BadDraw("a draw came: none is due")
        draw.check(outcome)
        phase = self.phase
        found = outcome
        if draw.take == 0:
            found = draws.scripted(self)
            if phase >= REROLLING:
                self.chance_at += len(found)
        if phase == SEATING:
            self.start = found[0] - ITEM_SEAT
            self.phase = AIMING
        elif phase <= PUBLISHING:
            self._deal(found)
        elif phase == DRAWING:
            self._drawn([item - ITEM_COLOUR for item in found])
        elif phase == BAGGING:
            tools.from_bag(self, found[0] - ITEM_COLOUR)
        elif phase == REROLLING:
            tools.rerolled(self, found[0] - 1)
        elif phase == FORFEITING:
            self._forfeited(found[0] - 1)
        else:
            self._rolled([value - 1 for value in found])
        if self.waiting:
            self._ready()

    def _deal(self, items: list[int]) -> None:
        """Apply the outcome of the next draw of the set-up."""
        phase = self.phase
        seats = range(self.rules.seats)
        if phase == AIMING:
            each = self.rules.privates
            numbers = [item - ITEM_PRIVATE for item in items]
            self.privates = [numbers[each * seat : each * seat + each] for seat in seats]
        elif phase == DEALING:
            self.offers = [
                faces_of(items[2 * seat] - ITEM_CARD) + faces_of(items[2 * seat + 1] - ITEM_CARD)
                for seat in seats
            ]
        elif phase == TOOLING:
            self.tools = [item - ITEM_TOOL for item in items]
        else:
            self.publics = [item - ITEM_PUBLIC for item in items]
            self._start_choosing()
            return
        self.phase += 1

    def _start_choosing(self) -> None:
        seats = self.rules.seats
        self.phase = CHOOSING
        self.chosen = [0] * seats
        self.waiting = bit(self.seats) - 1
        if self.events is not None:
            self.events.append(MatchStarted(seats, self.tools, self.rules.options))
            for seat in range(seats):
                self.events.append(ObjectiveDealt(seat, self.privates[seat], self.rules.solo))
                self.events.append(WindowsOffered(seat, self.offers[seat]))

    def _choose(self, seat: int, pattern: int) -> None:
        chosen = self.chosen[:]  # clones share it
        chosen[seat] = pattern
        self.chosen = chosen
        self.waiting &= ~bit(seat)
        if self.events is not None:
            self.events.append(WindowPicked(seat, pattern))
            self.events.append(WindowChosen(seat))
        if self.waiting:
            return
        self.windows = [Window(PATTERNS[number - 1]) for number in self.chosen]
        if not self.rules.solo:
            for at in range(self.rules.seats):
                tokens: i64 = PATTERNS[self.chosen[at] - 1].tokens
                self.tokens |= tokens << 8 * at
        if self.events is not None:
            left = [int(self.tokens_of(at)) for at in range(self.rules.seats)]
            self.events.append(WindowsShown(self.chosen, left))
            self.events.append(ObjectivesShown(self.publics))
        self._start_round()

    # Fast random draws, for playouts.

    def roll(self, dice: Dice) -> None:
        phase = self.phase
        if self.rules.script is not None or phase <= PUBLISHING:
            super().roll(dice)
            return
        if phase == DRAWING:
            self.pool = draws.grabbed(self, dice)
            self.phase = ROLLING
            return
        if phase == BAGGING:
            tools.from_bag(self, draws.felt(self, dice))
        elif phase == REROLLING:
            tools.rerolled(self, dice.below(6))
        elif phase == FORFEITING:
            self._forfeited(dice.below(6))
        else:
            self._new_pool(draws.rolled(self.pool, dice))
        if self.waiting:
            self._ready()

    # Rounds (R3).

    def _start_round(self) -> None:
        self.round += 1
        self.dropped = 0
        self.at = 0
        self.seat = self.start_seat()
        self.phase = EXTRACTING
        self.waiting = 1 << self.seat
        self._ready()
        if self.events is not None:
            self.events.append(RoundStarted(int(self.round), int(self.seat)))

    def _drawn(self, colours: list[int]) -> None:
        """Apply a draw of dice from the bag; until they are rolled they show 1 and nobody sees them."""
        self.pool = pack([6 * colour for colour in colours])
        for colour in colours:
            self.bag -= bit(5 * colour)
        self.phase = ROLLING

    def _rolled(self, values: list[int]) -> None:
        dice = unpack(self.pool)
        self._new_pool(pack([die - die % 6 + value for die, value in zip(dice, values, strict=True)]))

    def _new_pool(self, pool: i64) -> None:
        """Apply a roll of the dice of the round, or of the pool rolled again by tool 7."""
        self.pool = pool
        if self.phase == REROLLING_ALL:
            self.phase = TURN
            self.waiting = 1 << self.seat
            if self.events is not None:
                self.events.append(PoolRerolled(int(self.seat), unpack(pool)))
            return
        if self.events is not None:
            self.events.append(Rolled(unpack(pool)))
        self._start_turn(FIRST)

    # Turns (R4).

    def _start_turn(self, turn: i64) -> None:
        """Begin the turn number `at` of the round, or the extra turn of the same seat."""
        seats = self.seats
        place = self.at if self.at < seats else 2 * seats - 1 - self.at
        self.seat = (self.start_seat() + place) % seats
        self.turn = turn
        self.turns += 1
        self.phase = TURN
        self.waiting = 1 << self.seat
        if self.events is not None:
            self.events.append(TurnStarted(int(self.seat), int(turn)))

    def _pass(self) -> None:
        if self.hand >= 0:
            self.give_back()
        if self.active == 8:
            self.spend()
            self.dropped |= bit(self.seat)
            self._end_turn(True)
        else:
            self._end_turn(False)

    def _end_turn(self, again: bool) -> None:
        """End the turn; *again* if tool 8 gives the seat another one at once."""
        if self.events is not None:
            self.events.append(TurnEnded(int(self.seat), int(self.turn)))
        self.drafted = False
        self.used = 0
        self.active = 0
        self.paying = NOTHING
        self.activations = 0
        self.moved = 0
        self.forget()
        if again:
            self._start_turn(EXTRA)
            return
        self.at += 1
        seats = self.seats
        while self.at >= seats and self.at < 2 * seats:
            if not self.dropped & bit((self.start_seat() + 2 * seats - 1 - self.at) % seats):
                break
            self.at += 1
        if self.at < 2 * seats:
            self._start_turn(FIRST if self.at < seats else SECOND)
        else:
            self._end_round()

    def _forfeit(self) -> None:
        """Return the die in hand to the pool because the time is up (R11)."""
        if self.phase == NAMING:
            self.phase = FORFEITING
            self.waiting = 0
            return
        self.give_back()
        self._end_turn(False)

    def _forfeited(self, value: i64) -> None:
        """Apply the roll of a die from the bag that got no value; *value* counts from 0."""
        self.hand = (self.hand - UNSET) * 6 + value
        self.give_back()
        self._end_turn(False)

    def _end_round(self) -> None:
        if self.events is not None:
            self.events.append(RoundEnded(int(self.round), unpack(self.pool)))
        self.track = [*self.track, int(self.pool)]
        self.pool = 0
        if self.round < self.rules.rounds:
            self._start_round()
        else:
            self.end_match()

    # Ending a match early (R10).

    def conclude(self, present: int) -> None:
        """End the match with *present* first, regardless of the points; a seat must owe a decision.

        Unfinished steps end as they would when the time is up, but nothing is drawn any more.
        """
        assert self.waiting, "chance is due"
        while self.phase == CHOOSING:
            seat = cards_of(self.waiting)[0]
            self._choose(seat, self.offers[seat][0])
        if self.phase >= TURN:
            self._break_off_turn()
        self.alone = present
        self.end_match()

    def _break_off_turn(self) -> None:
        while self.simple & bit(CANCEL):
            self._cancel()
            self._ready()
        if self.hand >= UNSET:
            self.bag += bit(5 * (self.hand - UNSET))
            if self.events is not None:
                self.events.append(Bagged(int(self.seat), int(self.hand)))
            self.hand = NOTHING
        elif self.hand >= 0:
            self.give_back()
        if self.events is not None:
            self.events.append(TurnEnded(int(self.seat), int(self.turn)))

    # Views.

    def view(self, seat: int) -> GlassView:
        view = GlassView(seat, self.rules.seats, dict(self.rules.options))
        if self.phase < CHOOSING:
            return view
        show(self, view)
        view.legal = self.legal_actions(seat)
        if self.phase == OVER:
            view.scores = self.score_lines()
            view.all_privates = [numbers[:] for numbers in self.privates]
            view.ranking = self.ranked(view.scores)
            view.target = self.track_sum()
        return view

    # For sampling and tests.

    def resume(self, seat: int, extracting: bool, asked: bool) -> None:
        """Continue from the data set before: with *seat*'s turn, or its drawing of the round's dice.

        Unless the seat is *asked*, a draw is due.
        """
        self.seat = seat
        self.waiting = bit(seat) if asked else 0
        if extracting:
            self.phase = EXTRACTING if asked else DRAWING
        elif asked:
            self.phase = NAMING if self.hand >= UNSET else HOLDING if self.hand >= 0 else TURN
        elif self.used == 6:
            self.phase = REROLLING
        elif self.used == 7:
            self.phase = REROLLING_ALL
        else:
            self.phase = FORFEITING if self.hand >= UNSET else BAGGING
        if asked:
            self._ready()
