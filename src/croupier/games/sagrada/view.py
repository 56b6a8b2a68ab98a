"""What one seat or a watcher knows of a match of the dice game: a fold of the events it has heard."""

from __future__ import annotations

from croupier.core.cards import count
from croupier.core.contract import Event, View
from croupier.core.options import Value
from croupier.games.sagrada import facts
from croupier.games.sagrada.events import (
    Bagged,
    HandChanged,
    MatchEnded,
    MatchStarted,
    Moved,
    ObjectiveDealt,
    ObjectivesShown,
    Picked,
    PicksDropped,
    Placed,
    PoolRerolled,
    Returned,
    Rolled,
    RoundEnded,
    RoundStarted,
    Swapped,
    TakenInHand,
    ToolActivated,
    ToolDropped,
    ToolUsed,
    TurnEnded,
    TurnStarted,
    WindowChosen,
    WindowPicked,
    WindowsOffered,
    WindowsShown,
)
from croupier.games.sagrada.material import COLOURS, PATTERNS, TOOLS
from croupier.games.sagrada.objectives import private_points, public_points
from croupier.games.sagrada.placement import Window
from croupier.games.sagrada.scoring import SOLO_EMPTY, Score
from croupier.games.sagrada.vocabulary import (
    ACTIONS,
    CELL_NAMES,
    CHOOSING,
    DICE,
    EACH,
    EXTRACTING,
    OVER,
    PHASES,
    SEATING,
    TOOL,
    TURN,
    TURNS,
    VALUE,
    names,
)


class GlassView(View):
    """What a seat knows. Dice, cells and actions as in vocabulary.py, printed material by number."""

    def __init__(self, seat: int, seats: int, options: dict[str, Value]) -> None:
        super().__init__(seat)
        self.seats = seats
        self.options = options
        """The rules of the match, without a fixed deal."""
        self.phase = SEATING
        """SEATING, CHOOSING, EXTRACTING, TURN or OVER: the phases in between are not public."""
        # Known to this seat alone.
        self.privates: list[int] = []
        self.offered: list[int] = []
        self.window = 0
        """The pattern this seat has chosen."""
        self.active = 0
        """The tool this seat has activated."""
        self.paying = -1
        """The die set aside to pay for it, in the solo variant."""
        self.picks: list[int] = []
        """The actions of a dialogue that can still be taken back."""
        self.activations = 0
        # Known to everyone.
        self.tools: list[int] = []
        self.used_tools: list[int] = []
        """The tools used before: they cost 2 (solo: they have left the game)."""
        self.publics: list[int] = []
        self.chosen = 0
        """The seats that have chosen their pattern, as a mask."""
        self.windows: list[Window] = []
        self.tokens: list[int] = []
        self.round = 0
        self.start = -1
        """The start seat of this round."""
        self.pool: list[int] = []
        self.track: list[list[int]] = []
        """The dice of each finished round's slot."""
        self.paid: list[int] = []
        """The dice that have left the game to pay for tools (solo)."""
        # The turn.
        self.turn_seat = -1
        self.turn = -1
        self.dropped = 0
        """The seats whose second turn of this round is dropped, as a mask."""
        self.drafted = False
        self.used = 0
        """The tool that has taken effect in this turn."""
        self.hand = -1
        """The die in the hand of the seat whose turn it is."""
        self.moved: list[int] = []
        """The cells that dice have been moved to in this turn."""
        # The end.
        self.scores: list[Score] = []
        self.all_privates: list[list[int]] = []
        self.ranking: list[int] = []
        self.target = -1

    def cost(self, tool: int) -> int:
        """Return how many tokens the next use of *tool* costs (R6.2)."""
        return 2 if tool in self.used_tools else 1

    def bag(self) -> list[int]:
        """Return how many dice of each colour are in the bag: those that are not visible."""
        left = [EACH] * 5
        for window in self.windows:
            for colour in range(5):
                left[colour] -= int(count(window.colour(colour)))
        for dice in [self.pool, self.paid, *self.track]:
            for die in dice:
                left[die // 6] -= 1
        if self.hand >= 0:
            left[self.hand // 6 if self.hand < 30 else self.hand - 30] -= 1
        return left

    # Folding events.

    def hear(self, event: Event) -> None:
        if isinstance(event, TurnStarted):
            self.phase = TURN
            self.turn_seat = event.seat
            self.turn = event.turn
            self._clear_turn()
        elif isinstance(event, TurnEnded):
            self.turn_seat = -1
            self.turn = -1
            self._clear_turn()
        elif isinstance(event, Placed):
            if event.taken >= 0:
                self.pool.remove(event.taken)
            else:
                self.hand = -1
            self.windows[event.seat].put(event.cell, event.die)
            self.drafted = True
            self.picks = []
        elif isinstance(event, Picked):
            self.picks.append(event.action)
            if TOOL <= event.action < VALUE:
                self.activations += 1
        elif isinstance(event, PicksDropped):
            self.picks = []
        elif isinstance(event, Rolled | PoolRerolled):
            self.pool = event.dice[:]
        elif isinstance(event, RoundStarted):
            self.phase = EXTRACTING
            self.round = event.number
            self.start = event.start
            self.dropped = 0
        elif isinstance(event, RoundEnded):
            self.track.append(event.dice[:])
            self.pool = []
        elif isinstance(event, ToolActivated | ToolDropped | ToolUsed):
            self._hear_tool(event)
        elif isinstance(event, Moved):
            self._moved(event)
        elif isinstance(event, TakenInHand | HandChanged | Swapped | Bagged | Returned):
            self._hear_hand(event)
        elif isinstance(event, MatchEnded):
            self.phase = OVER
            self.scores = event.scores[:]
            self.all_privates = [numbers[:] for numbers in event.privates]
            self.ranking = event.ranking[:]
            self.target = event.target
        else:
            self._hear_setup(event)

    def _clear_turn(self) -> None:
        self.active = 0
        self.paying = -1
        self.picks = []
        self.activations = 0
        self.drafted = False
        self.used = 0
        self.hand = -1
        self.moved = []

    def _hear_setup(self, event: Event) -> None:
        if isinstance(event, MatchStarted):
            self.phase = CHOOSING
            self.tools = event.tools[:]
        elif isinstance(event, ObjectiveDealt):
            self.privates = event.privates[:]
        elif isinstance(event, WindowsOffered):
            self.offered = event.patterns[:]
        elif isinstance(event, WindowPicked):
            self.window = event.pattern
        elif isinstance(event, WindowChosen):
            self.chosen |= 1 << event.seat
        elif isinstance(event, WindowsShown):
            self.windows = [Window(PATTERNS[pattern - 1]) for pattern in event.patterns]
            self.tokens = event.tokens[:]
        elif isinstance(event, ObjectivesShown):
            self.publics = event.publics[:]

    def _hear_tool(self, event: Event) -> None:
        if isinstance(event, ToolActivated):
            self.active = event.tool
            self.paying = event.paying
            if event.paying < 0:
                self.activations += 1  # solo: it was counted when the tool was picked
            self.picks = []
        elif isinstance(event, ToolDropped):
            self.active = 0
            self.paying = -1
            self.picks = []
        elif isinstance(event, ToolUsed):
            self.used = event.tool
            self.tokens[event.seat] = event.tokens
            if event.tool not in self.used_tools:
                self.used_tools.append(event.tool)
            if event.paid >= 0:
                self.pool.remove(event.paid)
                self.paid.append(event.paid)
            if event.tool == 8:
                self.dropped |= 1 << event.seat
            if self.active != 12:
                self.active = 0
            self.paying = -1
            self.picks = []

    def _moved(self, event: Moved) -> None:
        window = self.windows[event.seat]
        dice = [int(window.lift(cell)) for cell in event.sources]
        for die, cell in zip(dice, event.targets, strict=True):
            window.put(cell, die)
        self.moved += event.targets
        self.picks = []
        if len(self.moved) == 2:
            self.active = 0

    def _hear_hand(self, event: Event) -> None:
        if isinstance(event, TakenInHand):
            self.pool.remove(event.die)
            self.hand = event.die
        elif isinstance(event, HandChanged):
            self.hand = event.die
        elif isinstance(event, Swapped):
            slot = self.track[event.round - 1]
            slot[slot.index(event.die)] = event.given
            self.hand = event.die
        elif isinstance(event, Bagged):
            self.hand = -1
        elif isinstance(event, Returned):
            self.hand = -1
            self.pool.append(event.die)

    # Facts.

    def typed_facts(self) -> facts.Facts:
        solo = self.seats == 1
        return facts.Facts(
            phase=PHASES[self.phase],
            seats=self.seats,
            options=dict(self.options),
            privates=self.privates[:],
            offered=[_pattern(number) for number in self.offered],
            window=self.window or None,
            tools=[
                facts.Tool(
                    tool=tool,
                    cost=None if solo else self.cost(tool),
                    colour=COLOURS[TOOLS[tool - 1].solo_colour] if solo else None,
                    used=tool in self.used_tools,
                )
                for tool in self.tools
            ],
            publics=self.publics[:],
            chosen=[seat for seat in range(self.seats) if self.chosen >> seat & 1],
            windows=[self._window(seat) for seat in range(len(self.windows))],
            round=self.round,
            start=self.start if self.start >= 0 else None,
            pool=names(self.pool),
            track=[names(slot) for slot in self.track],
            paid=names(self.paid),
            turn_seat=self.turn_seat if self.turn_seat >= 0 else None,
            turn=TURNS[self.turn] if self.turn >= 0 else None,
            dropped=[seat for seat in range(self.seats) if self.dropped >> seat & 1],
            drafted=self.drafted,
            used=self.used or None,
            hand=DICE[self.hand] if self.hand >= 0 else None,
            moved=[CELL_NAMES[cell] for cell in sorted(self.moved)],
            active=self.active or None,
            paying=DICE[self.paying] if self.paying >= 0 else None,
            picks=[ACTIONS.name(action) for action in self.picks],
            activations=self.activations,
            private_points=self.private_points(),
            scores=[score.fact() for score in self.scores],
            all_privates=[numbers[:] for numbers in self.all_privates],
            ranking=self.ranking[:],
            target=self.target if self.target >= 0 else None,
        )

    def private_points(self) -> int | None:
        """Return the points of this seat's private objective now; the better of two counts (R10)."""
        own = 0 if self.seats == 1 else self.seat
        if not self.privates or not self.windows or own < 0:
            return None
        return max([private_points(number, self.windows[own]) for number in self.privates])

    def _window(self, seat: int) -> facts.Window:
        window = self.windows[seat]
        return facts.Window(
            pattern=window.pattern.number,
            tokens=self.tokens[seat],
            grid=window.pattern.grid,
            dice=[DICE[die] if die >= 0 else None for die in window.dice()],
            publics=[public_points(number, window) for number in self.publics],
            empty=int(window.empty()),
            fine=int(window.empty()) * (SOLO_EMPTY if self.seats == 1 else 1),
        )


def _pattern(number: int) -> facts.Pattern:
    pattern = PATTERNS[number - 1]
    return facts.Pattern(pattern=number, tokens=pattern.tokens, grid=pattern.grid)
