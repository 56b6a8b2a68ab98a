"""A bot that looks one turn ahead for the best die, cell and tool (evaluation.py).

Each time it is asked it plans the rest of its turn, up to the next draw of chance, and takes the first step
of the plan. A plan depends on the view alone, so the next time it arrives at the same plan.
"""

from __future__ import annotations

from random import Random
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import cards_of, lowest
from croupier.core.contract import Bot, View
from croupier.games.sagrada.evaluation import Evaluator, ease_of
from croupier.games.sagrada.material import PATTERNS, PRIVATE_COLOURS, TOOLS
from croupier.games.sagrada.placement import ANY_COLOUR, ANY_VALUE, APART, PLAIN
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    BAG,
    CANCEL,
    CHOOSING,
    DRAFT,
    EXTRA,
    FLIP,
    FOR,
    LIFT,
    LOWER,
    PASS,
    PAY,
    PUT,
    RAISE,
    REROLL,
    REROLL_ALL,
    SLOT,
    SWAP,
    TOOL,
    TURN,
    UNSET,
    VALUE,
    WINDOW,
)

MARGIN: Final = 0.4
"""How much more than its cost a tool must be worth."""
MOVES: Final = (2, 3, 4, 12)
RULES: Final = {2: ANY_COLOUR, 3: ANY_VALUE}
DICE: Final = 30
"""The kinds of dice: a colour and a value."""
UNSEEN: Final = -2


class Plan:
    """A plan for the rest of a turn: its value, and its steps up to the next draw."""

    def __init__(self, worth: float = 0.0, steps: list[int] | None = None) -> None:
        self.worth = worth
        self.steps: list[int] = steps or []


class Heuristic(Bot):
    """Chooses an easy window, then plans turn by turn."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, GlassView)
        if len(view.legal) == 1:
            return view.legal[0]
        if view.phase == CHOOSING:
            return WINDOW - 1 + max(view.offered, key=lambda pattern: _promise(view, pattern))
        assert view.phase == TURN
        return self._step(view)

    def _step(self, view: GlassView) -> int:
        """Return the next step of the plan, or CANCEL if the steps so far belong to no plan."""
        plan = Planner(view).plan()
        done = len(view.picks)
        if plan.steps[:done] == view.picks and len(plan.steps) > done and plan.steps[done] in view.legal:
            return plan.steps[done]
        for action in (CANCEL, PASS):
            if action in view.legal:
                return action
        return view.legal[-1]


def _promise(view: GlassView, pattern: int) -> float:
    """Return the value of a window: easy cells, tokens, cells of the seat's own colour."""
    grid = PATTERNS[pattern - 1].grid
    own = "".join("RGBYP"[PRIVATE_COLOURS[number - 1]] for number in view.privates)
    tokens = 0.0 if view.seats == 1 else 0.5 * PATTERNS[pattern - 1].tokens
    return 1.5 * ease_of(pattern) + tokens + 0.8 * sum(grid.count(colour) for colour in own)


class Planner:
    """Makes plans for the rest of a turn."""

    def __init__(self, view: GlassView) -> None:
        self.view = view
        self.window = view.windows[view.seat]
        self.evaluator = Evaluator(view, self.window)
        self.solo = view.seats == 1
        self.pool = view.pool[:]
        if view.paying >= 0:
            self.pool.remove(view.paying)
        self.kinds = sorted(set(self.pool))
        self.worths: vec[float] = vec[float]([0.0] * (2 * DICE))
        """The value of each die on its best cell, by the rule for placing it, and ..."""
        self.cells: vec[i64] = vec[i64]([UNSEEN] * (2 * DICE))
        """... that cell, -1 if there is none."""

    def plan(self) -> Plan:
        """Return the best plan for the rest of the turn."""
        view = self.view
        if view.hand >= UNSET:
            return self._name()
        if view.hand >= 0:
            cell = self._cell(view.hand, PLAIN)
            return Plan(self._best(view.hand, PLAIN), [PUT + cell] if cell >= 0 else [PASS])
        if view.active and not view.used:
            return self._with_tool(view.active)
        picked = [pick for pick in view.picks if TOOL <= pick < VALUE]
        if picked:  # solo: the tool has to be paid
            tool = picked[0] - TOOL + 1
            return Plan(0.0, [picked[0], PAY + self._payment(tool)])
        plan = self.draft()
        if view.active == 12:
            second = self._moves(12)
            if second.steps and second.worth > MARGIN:
                return second
        if not view.used and view.turn != EXTRA:
            plan = self._better_with_tool(plan)
        return plan if plan.steps else Plan(0.0, [PASS])

    def _with_tool(self, tool: int) -> Plan:
        """Return the plan for the active *tool*; cancelling it if there is none."""
        plan = self._tool(tool)
        if tool == 8:
            return plan if plan.steps else Plan(0.0, [PASS])
        return plan if plan.steps else Plan(0.0, [CANCEL])

    def _better_with_tool(self, plain: Plan) -> Plan:
        """Return *plain*, or a plan that begins with a tool if that is worth more."""
        best = plain
        bar = plain.worth
        for tool in self.view.tools:
            if TOOL + tool - 1 not in self.view.legal:
                continue
            plan = self._tool(tool)
            if not plan.steps:
                continue
            worth = plan.worth - self._price(tool)
            if tool in MOVES or tool == 8:
                worth += plain.worth  # the draft follows
            if worth > bar + MARGIN:
                bar = worth
                best = Plan(worth, [TOOL + tool - 1])
        return best

    def _price(self, tool: int) -> float:
        if not self.solo:
            return float(self.view.cost(tool))
        die = self._payment(tool)
        return 1.5 - 0.7 * (die % 6 + 1) + max(0.0, 0.5 * self._best(die, PLAIN))

    def _payment(self, tool: int) -> int:
        """Return the die of the pool that is worth least to this seat."""
        colour = TOOLS[tool - 1].solo_colour
        dice = [die for die in self.pool if die // 6 == colour]
        return min(dice, key=lambda die: self._best(die, PLAIN) - 0.7 * (die % 6 + 1))

    # Drafting.

    def _best(self, die: i64, rule: i64) -> float:
        """Return the value of *die* on its best cell, 0 if it has none."""
        at = die if rule == PLAIN else DICE + die
        if self.cells[at] == UNSEEN:
            best: i64 = -1
            most: float = 0.0
            left = self.window.cells(die, rule, 0)
            while left:
                cell = lowest(left)
                left &= left - 1
                worth: float = self.evaluator.gain(die, cell)
                if best < 0 or worth > most:
                    best = cell
                    most = worth
            self.cells[at] = best
            self.worths[at] = most
        return self.worths[at]

    def _cell(self, die: i64, rule: i64) -> int:
        """Return the best cell for *die*, -1 if it has none."""
        self._best(die, rule)
        return int(self.cells[die if rule == PLAIN else DICE + die])

    def draft(self) -> Plan:
        """Return the best ordinary draft; no steps if none is worth a die."""
        best = Plan()
        if self.view.drafted:
            return best
        for die in self.kinds:
            worth = self._best(die, PLAIN)
            if worth > best.worth:
                best = Plan(worth, [DRAFT + die, PUT + self._cell(die, PLAIN)])
        return best

    def _name(self) -> Plan:
        colour = self.view.hand - UNSET
        values = [action - VALUE for action in self.view.legal if VALUE <= action < SLOT]
        value = max(values, key=lambda value: self._best(colour * 6 + value, PLAIN))
        return Plan(0.0, [VALUE + value])

    # Tools.

    def _tool(self, tool: int) -> Plan:
        """Return the plan for *tool* after its activation; no steps if it is of no use."""
        if tool == 1:
            return self._up_or_down()
        if tool in MOVES:
            return self._pair() if tool == 4 else self._moves(tool)
        if tool == 5:
            return self._swap()
        if tool == 6:
            return self._reroll()
        if tool == 7:
            return self._reroll_all()
        if tool == 8:
            return self._at_once()
        if tool == 9:
            return self._apart()
        if tool == 10:
            return self._flip()
        return self._from_bag()

    def _up_or_down(self) -> Plan:
        best = Plan()
        for die in self.kinds:
            for verb, step, end in ((RAISE, 1, 5), (LOWER, -1, 0)):
                if die % 6 != end:
                    worth = self._best(die + step, PLAIN)
                    if worth > best.worth:
                        best = Plan(worth, [verb + die, PUT + self._cell(die + step, PLAIN)])
        return best

    def _apart(self) -> Plan:
        best = Plan()
        for die in self.kinds:
            worth = self._best(die, APART)
            if worth > best.worth:
                best = Plan(worth, [DRAFT + die, PUT + self._cell(die, APART)])
        return best

    def _flip(self) -> Plan:
        best = Plan()
        for die in self.kinds:
            worth = self._best(die - die % 6 + 5 - die % 6, PLAIN)
            if worth > best.worth:
                best = Plan(worth, [FLIP + die])
        return best

    def _swap(self) -> Plan:
        best = Plan()
        given = self._least()
        if given < 0:
            return best
        for slot, dice in enumerate(self.view.track):
            for die in dice:
                worth = self._best(die, PLAIN)
                if worth > best.worth:
                    best = Plan(worth, [SWAP + given, FOR + die, SLOT + slot])
        return best

    def _least(self) -> int:
        """Return the die of the pool with the least value in this window."""
        return min(self.kinds, key=lambda die: self._best(die, PLAIN), default=-1)

    def _reroll(self) -> Plan:
        best = Plan()
        for colour in sorted({die // 6 for die in self.kinds}):
            worth = self._rolled(colour)
            if worth > best.worth:
                same = [die for die in self.kinds if die // 6 == colour]
                die = min(same, key=lambda die: self._best(die, PLAIN))
                best = Plan(worth, [REROLL + die])
        return best

    def _reroll_all(self) -> Plan:
        if not self.pool:
            return Plan()
        best = max([self._rolled(die // 6) for die in self.kinds])
        # The seat takes the best of several rolls: somewhat more than the best single expectation.
        return Plan(best * (1.0 + 0.1 * len(self.pool)), [REROLL_ALL])

    def _rolled(self, colour: i64) -> float:
        """Return the expected value of a die of *colour* after rolling it."""
        total: float = 0.0
        value: i64 = 0
        while value < 6:
            total += max(0.0, self._best(colour * 6 + value, PLAIN))
            value += 1
        return total / 6.0

    def _from_bag(self) -> Plan:
        given = self._least()
        bag = self.view.bag()
        if given < 0:
            return Plan()
        bag[given // 6] += 1
        worth = 0.0
        for colour in range(5):
            if bag[colour]:
                best = max([self._best(colour * 6 + value, PLAIN) for value in range(6)])
                worth += bag[colour] / sum(bag) * max(0.0, best)
        return Plan(worth, [BAG + given])

    def _at_once(self) -> Plan:
        """Plan tool 8: its value is what the second best die would lose until the second turn."""
        view = self.view
        if view.active == 8:
            return self.draft()
        place = (view.turn_seat - view.start) % view.seats
        others = 2 * (view.seats - 1 - place)
        first = self.draft()
        if others == 0 or view.drafted or not first.steps:
            return Plan()
        rest = self.pool[:]
        rest.remove(first.steps[0] - DRAFT)
        die, cell = first.steps[0] - DRAFT, first.steps[1] - PUT
        window = self.window.clone()
        window.put(cell, die)
        after = Evaluator(view, window)
        worths = sorted(
            max([after.gain(other, spot) for spot in cards_of(window.cells(other, PLAIN, 0))], default=0.0)
            for other in rest
        )
        if len(worths) < 2 or others >= len(worths):
            waiting = 0.0 if others >= len(worths) else worths[0]
        else:
            waiting = worths[len(worths) - 1 - others]
        return Plan(0.7 * (worths[-1] - waiting), first.steps)

    # Moves.

    def _cells_for(self, tool: int) -> list[int]:
        """Return the cells whose dice *tool* may lift."""
        cells = cards_of(self.evaluator.filled)
        if tool != 12:
            return cells
        if self.view.moved:
            colour = self.evaluator.dice[self.view.moved[0]] // 6
            return [c for c in cells if self.evaluator.dice[c] // 6 == colour and c not in self.view.moved]
        colours = {die // 6 for slot in self.view.track for die in slot}
        return [cell for cell in cells if self.evaluator.dice[cell] // 6 in colours]

    def _moves(self, tool: int) -> Plan:
        """Return the best move of one die."""
        best = Plan()
        evaluator = self.evaluator
        for source in self._cells_for(tool):
            die = evaluator.dice[source]
            lifted = 1 << source
            goals = cards_of(self.window.cells(die, RULES.get(tool, PLAIN), lifted) & ~lifted)
            if not goals:
                continue
            evaluator.lift(source)
            stays = evaluator.gain(die, source)
            for goal in goals:
                worth = evaluator.gain(die, goal) - stays
                if worth > best.worth:
                    best = Plan(worth, [LIFT + source, PUT + goal])
            evaluator.put(source, die)
        return best

    def _pair(self) -> Plan:
        """Return the best moves of two of the three dice with the worst cells."""
        evaluator = self.evaluator
        stays: list[tuple[float, int]] = []
        for source in self._cells_for(4):
            die = evaluator.lift(source)
            stays.append((evaluator.gain(die, source), source))
            evaluator.put(source, die)
        best = Plan()
        worst = sorted(stays)[:3]
        for stay, first in worst:
            for stay2, second in worst:
                if first != second:
                    plan = self._two_moves(first, second, stay + stay2)
                    if plan.worth > best.worth:
                        best = plan
        return best

    def _two_moves(self, first: int, second: int, stays: float) -> Plan:
        evaluator = self.evaluator
        die, die2 = evaluator.lift(first), evaluator.lift(second)
        best = Plan()
        lifted = 1 << first | 1 << second
        for goal in cards_of(self.window.cells(die, PLAIN, lifted) & ~(1 << first)):
            window = self.window.clone()
            window.lift(first)
            window.lift(second)
            window.put(goal, die)
            worth = evaluator.gain(die, goal) - stays
            evaluator.put(goal, die)
            for goal2 in cards_of(window.cells(die2, PLAIN, 0) & ~(1 << second)):
                both = worth + evaluator.gain(die2, goal2)
                if both > best.worth:
                    best = Plan(both, [LIFT + first, LIFT + second, PUT + goal, PUT + goal2])
            evaluator.lift(goal)
        evaluator.put(first, die)
        evaluator.put(second, die2)
        return best
