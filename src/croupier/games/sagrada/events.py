"""The facts of a match of the dice game, in the order they happen, each with its audience.

The private objectives (except in the solo variant), the window cards, the choice among them, and the steps
that a seat may still take back are secret: the tool it has activated and what it has picked (R6.4). Only the
seat itself is told of such steps; the others learn of them when they take effect.
"""

from __future__ import annotations

from croupier.core.contract import PUBLIC, Event
from croupier.core.options import Value
from croupier.games.sagrada import facts
from croupier.games.sagrada.scoring import Score
from croupier.games.sagrada.vocabulary import ACTIONS, CELL_NAMES, DICE, TURNS, names


class MatchStarted(Event):
    """A match begins with these tools; *options* are those that everyone may know."""

    def __init__(self, seats: int, tools: list[int], options: dict[str, Value]) -> None:
        super().__init__(PUBLIC)
        self.opens = True
        self.seats = seats
        self.tools = tools
        self.options = options

    def fact(self) -> facts.MatchStarted:
        return facts.MatchStarted(seats=self.seats, tools=self.tools[:], options=dict(self.options))


class ObjectiveDealt(Event):
    """A seat's private objective; the solo variant has two, which are public."""

    def __init__(self, seat: int, privates: list[int], solo: bool) -> None:
        super().__init__(PUBLIC if solo else 1 << seat)
        self.seat = seat
        self.privates = privates

    def fact(self) -> facts.ObjectiveDealt:
        return facts.ObjectiveDealt(seat=self.seat, privates=self.privates[:])


class WindowsOffered(Event):
    """The four patterns on a seat's two window cards."""

    def __init__(self, seat: int, patterns: list[int]) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.patterns = patterns

    def fact(self) -> facts.WindowsOffered:
        return facts.WindowsOffered(seat=self.seat, patterns=self.patterns[:])


class WindowPicked(Event):
    """A seat's own choice of a pattern."""

    def __init__(self, seat: int, pattern: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.pattern = pattern

    def fact(self) -> facts.WindowPicked:
        return facts.WindowPicked(seat=self.seat, pattern=self.pattern)


class WindowChosen(Event):
    """A seat has chosen its pattern; which one stays secret for now."""

    def __init__(self, seat: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat

    def fact(self) -> facts.WindowChosen:
        return facts.WindowChosen(seat=self.seat)


class WindowsShown(Event):
    """All have chosen: the patterns and tokens of every seat."""

    def __init__(self, patterns: list[int], tokens: list[int]) -> None:
        super().__init__(PUBLIC)
        self.patterns = patterns
        self.tokens = tokens

    def fact(self) -> facts.WindowsShown:
        return facts.WindowsShown(patterns=self.patterns[:], tokens=self.tokens[:])


class ObjectivesShown(Event):
    """The public objectives."""

    def __init__(self, publics: list[int]) -> None:
        super().__init__(PUBLIC)
        self.publics = publics

    def fact(self) -> facts.ObjectivesShown:
        return facts.ObjectivesShown(publics=self.publics[:])


class RoundStarted(Event):
    """Round *number* (from 1) begins; seat *start* is to draw the dice."""

    def __init__(self, number: int, start: int) -> None:
        super().__init__(PUBLIC)
        self.starts_deal = True
        self.number = number
        self.start = start

    def fact(self) -> facts.RoundStarted:
        return facts.RoundStarted(round=self.number, start=self.start)


class Rolled(Event):
    """The draft pool of the round."""

    def __init__(self, dice: list[int]) -> None:
        super().__init__(PUBLIC)
        self.dice = dice

    def fact(self) -> facts.Rolled:
        return facts.Rolled(dice=names(self.dice))


class TurnStarted(Event):
    """A seat's first, second or extra turn begins."""

    def __init__(self, seat: int, turn: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.turn = turn

    def fact(self) -> facts.TurnStarted:
        return facts.TurnStarted(seat=self.seat, turn=TURNS[self.turn])


class ToolActivated(Event):
    """A seat has activated a tool and set its cost aside (solo: a die); only the seat knows."""

    def __init__(self, seat: int, tool: int, paying: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.tool = tool
        self.paying = paying
        """The die set aside in the solo variant, or -1."""

    def fact(self) -> facts.ToolActivated:
        return facts.ToolActivated(
            seat=self.seat, tool=self.tool, paying=DICE[self.paying] if self.paying >= 0 else None
        )


class ToolDropped(Event):
    """A seat has put its tool back and kept its cost."""

    def __init__(self, seat: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat

    def fact(self) -> facts.ToolDropped:
        return facts.ToolDropped(seat=self.seat)


class Picked(Event):
    """A step inside a dialogue that its seat can still take back."""

    def __init__(self, seat: int, action: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.action = action

    def fact(self) -> facts.Picked:
        return facts.Picked(seat=self.seat, action=ACTIONS.name(self.action))


class PicksDropped(Event):
    """A seat has taken its steps back; an active tool stays active."""

    def __init__(self, seat: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat

    def fact(self) -> facts.PicksDropped:
        return facts.PicksDropped(seat=self.seat)


class ToolUsed(Event):
    """A tool takes effect and its cost is paid: *cost* tokens, or the die *paid* in the solo variant."""

    def __init__(self, seat: int, tool: int, cost: int, paid: int, tokens: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.tool = tool
        self.cost = cost
        self.paid = paid
        self.tokens = tokens
        """What the seat has left."""

    def fact(self) -> facts.ToolUsed:
        return facts.ToolUsed(
            seat=self.seat,
            tool=self.tool,
            cost=self.cost,
            paid=DICE[self.paid] if self.paid >= 0 else None,
            tokens=self.tokens,
        )


class Placed(Event):
    """A seat has placed a die; *taken* is the die as it was in the pool, or -1 if it came from the hand."""

    def __init__(self, seat: int, die: int, cell: int, taken: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.die = die
        self.cell = cell
        self.taken = taken

    def fact(self) -> facts.Placed:
        return facts.Placed(
            seat=self.seat,
            die=DICE[self.die],
            cell=CELL_NAMES[self.cell],
            taken=DICE[self.taken] if self.taken >= 0 else None,
        )


class Moved(Event):
    """A seat has moved dice of its window, in this order; the two of tool 4 together."""

    def __init__(self, seat: int, sources: list[int], targets: list[int]) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.sources = sources
        self.targets = targets

    def fact(self) -> facts.Moved:
        return facts.Moved(
            seat=self.seat,
            from_=[CELL_NAMES[cell] for cell in self.sources],
            to=[CELL_NAMES[cell] for cell in self.targets],
        )


class TakenInHand(Event):
    """A seat has taken a die from the pool into its hand."""

    def __init__(self, seat: int, die: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.die = die

    def fact(self) -> facts.TakenInHand:
        return facts.TakenInHand(seat=self.seat, die=DICE[self.die])


class HandChanged(Event):
    """The die in hand has changed: *how* is ``rerolled``, ``flipped``, ``drawn`` or ``named``."""

    def __init__(self, seat: int, die: int, how: facts.How) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.die = die
        self.how = how

    def fact(self) -> facts.HandChanged:
        return facts.HandChanged(seat=self.seat, die=DICE[self.die], how=self.how)


class Swapped(Event):
    """A pool die went to the slot of *round* and the *die* from there is in hand."""

    def __init__(self, seat: int, given: int, die: int, round_: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.given = given
        self.die = die
        self.round = round_

    def fact(self) -> facts.Swapped:
        return facts.Swapped(seat=self.seat, given=DICE[self.given], die=DICE[self.die], round=self.round)


class Bagged(Event):
    """The die in hand went back into the bag."""

    def __init__(self, seat: int, die: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.die = die

    def fact(self) -> facts.Bagged:
        return facts.Bagged(seat=self.seat, die=DICE[self.die])


class PoolRerolled(Event):
    """The whole pool was rolled again."""

    def __init__(self, seat: int, dice: list[int]) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.dice = dice

    def fact(self) -> facts.PoolRerolled:
        return facts.PoolRerolled(seat=self.seat, dice=names(self.dice))


class Returned(Event):
    """The die in hand went back to the pool."""

    def __init__(self, seat: int, die: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.die = die

    def fact(self) -> facts.Returned:
        return facts.Returned(seat=self.seat, die=DICE[self.die])


class TurnEnded(Event):
    """A seat's turn is over."""

    def __init__(self, seat: int, turn: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.turn = turn

    def fact(self) -> facts.TurnEnded:
        return facts.TurnEnded(seat=self.seat, turn=TURNS[self.turn])


class RoundEnded(Event):
    """The round is over; the rest of the pool is on the round track."""

    def __init__(self, number: int, dice: list[int]) -> None:
        super().__init__(PUBLIC)
        self.number = number
        self.dice = dice

    def fact(self) -> facts.RoundEnded:
        return facts.RoundEnded(round=self.number, dice=names(self.dice))


class MatchEnded(Event):
    """Every seat's score and private objectives; *ranking* has the seats, best first."""

    def __init__(
        self, scores: list[Score], privates: list[list[int]], ranking: list[int], target: int
    ) -> None:
        super().__init__(PUBLIC)
        self.rests = True
        self.scores = scores
        self.privates = privates
        self.ranking = ranking
        self.target = target
        """The points to beat in the solo variant, otherwise -1."""

    def fact(self) -> facts.MatchEnded:
        return facts.MatchEnded(
            scores=[score.fact() for score in self.scores],
            privates=[numbers[:] for numbers in self.privates],
            ranking=self.ranking[:],
            target=self.target if self.target >= 0 else None,
        )
