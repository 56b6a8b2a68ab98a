"""The dice game in a terminal: events and questions in words, typed text as actions.

The names of tools and objectives are our own; their numbers are those of the data files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from croupier.core.cards import cards_of
from croupier.core.contract import WATCHER, Event, Plain, RulesError, View
from croupier.core.words import Words, by_player, prompted
from croupier.games.sagrada.events import (
    HandChanged,
    MatchEnded,
    MatchStarted,
    Moved,
    ObjectiveDealt,
    ObjectivesShown,
    Placed,
    ToolUsed,
    TurnEnded,
    TurnStarted,
    WindowChosen,
    WindowsOffered,
    WindowsShown,
)
from croupier.games.sagrada.material import COLOURS, PATTERNS, PRIVATE_COLOURS, TOOLS
from croupier.games.sagrada.objectives import public_points
from croupier.games.sagrada.placement import PLAIN
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    BAG,
    CANCEL,
    CELL_NAMES,
    CHOOSING,
    DICE,
    DIE_CODES,
    DRAFT,
    EXTRACT,
    EXTRACTING,
    FLIP,
    FOR,
    KINDS,
    LIFT,
    LOWER,
    PASS,
    PAY,
    PUT,
    RAISE,
    REROLL,
    REROLL_ALL,
    SEATING,
    SLOT,
    SWAP,
    TOOL,
    TURN,
    TURNS,
    UNSET,
    VALUE,
    WINDOW,
    names,
)

Players: TypeAlias = Sequence[str]

_PAINT: Final = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "magenta"}
_SHORT: Final = {
    "p": "pass",
    "c": "cancel",
    "e": "extract",
    "t": "tool",
    "m": "move",
    "d": "place",
    "draft": "place",
    "put": "place",
}
_ONE_DIE: Final = {"flip": FLIP, "bag": BAG, "pay": PAY, "for": FOR, "reroll": REROLL}
_PLAIN: Final = {"pass": PASS, "cancel": CANCEL, "extract": EXTRACT}


FACES: Final = {name: (name, _PAINT[name[0]]) for name in DICE}
"""Each die's text and colour in a terminal."""


class GameWords(Words):
    faces = FACES

    @property
    def held(self) -> str:
        return self.texts("pool")

    @property
    def recent(self) -> str:
        return self.texts("track")

    # Events.

    def describe(self, event: Event, players: Players, /) -> str:
        return self._said(event, players, WATCHER)

    def _said(self, event: Event, players: Players, me: int) -> str:
        words: dict[str, object] = {}
        match event:
            case MatchStarted():
                words = {"tools": ", ".join(f"{tool} {self._tool(tool)}" for tool in event.tools)}
            case ObjectiveDealt():
                words = {"colours": self._colours(event.privates)}
            case WindowsOffered():
                return f"{players[event.seat]}: {self.texts.one_of([*map(self._window, event.patterns)])}"
            case WindowsShown():
                chosen = zip(players, event.patterns, event.tokens, strict=True)
                return ", ".join(f"{name}: {self._window(p)} ({self._tokens(n)})" for name, p, n in chosen)
            case ObjectivesShown():
                words = {"publics": self._goals(event.publics)}
            case TurnStarted():
                turn = self.texts(f"turn.kind.{TURNS[event.turn]}")
                return self.texts("turn.wait", name=players[event.seat], turn=turn)
            case ToolUsed():
                price = DICE[event.paid] if event.paid >= 0 else self._tokens(event.cost)
                words = {"tool": self._tool(event.tool), "price": price}
            case Placed():
                changed = event.taken not in (-1, event.die)
                return self.texts.told({**event.plain(), "changed": changed}, players, me)
            case Moved():
                pairs = zip(event.sources, event.targets, strict=True)
                moves = [
                    self.texts("event.move", **{"from": CELL_NAMES[a], "to": CELL_NAMES[b]}) for a, b in pairs
                ]
                words = {"moves": self.texts.all_of(moves)}
            case HandChanged() if event.die >= UNSET:
                words = {"colour": self._colour(event.die - UNSET)}
            case MatchEnded() if event.target >= 0:
                total = event.scores[0].total
                key = "solo.won" if total > event.target else "solo.lost"
                return self.texts(key, total=total, target=event.target)
            case MatchEnded():
                ranked = [players[seat] for seat in event.ranking]
                scores = by_player(ranked, [event.scores[seat].total for seat in event.ranking])
                return self.texts.said(event, players, me, scores=scores)
        return self.texts.said(event, players, me, **words)

    def tell(self, event: Event, view: View, players: Players, /) -> str:
        assert isinstance(view, GlassView)
        match event:
            case TurnStarted() | WindowChosen() | ObjectiveDealt() | WindowsOffered():
                return ""  # the table shows it
            case Placed() | TurnEnded() if event.seat == view.seat:
                return ""
        return self._said(event, players, view.seat)

    # The table.

    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        """Return the pool, and the die in hand."""
        assert isinstance(view, GlassView)
        takers = (DRAFT, RAISE, LOWER, SWAP, REROLL, FLIP, BAG, PAY)
        free = {a - verb for a in view.legal for verb in takers if verb <= a < verb + KINDS}
        rows = [[(DICE[die], die in free) for die in view.pool]]
        if view.hand >= 0:
            rows.append([(DICE[view.hand], True)])
        return [row for row in rows if row]

    def table(self, view: View, players: Players, /) -> list[str]:
        """Return what everyone sees, and what this seat alone knows."""
        assert isinstance(view, GlassView)
        if view.phase == SEATING:
            return []
        if view.phase == CHOOSING:
            grids = [[str(n), *_grid(PATTERNS[n - 1].grid)] for n in view.offered]
            return [*self._collects(view, players), *(_beside(grids) if grids else [])]
        grids = []
        for seat, window in enumerate(view.windows):
            cells = [
                DICE[die] if die >= 0 else symbol + " "
                for die, symbol in zip(window.dice(), window.pattern.grid, strict=True)
            ]
            rows = [" ".join(cells[5 * row : 5 * row + 5]) for row in range(4)]
            tokens = "" if view.seats == 1 else f" {self._tokens(view.tokens[seat])}"
            grids.append([f"{players[seat][:12]}{tokens}", *rows])
        lines = _beside(grids)
        tools = [f"{tool} {self._tool(tool)} ({self._price(view, tool)})" for tool in view.tools]
        lines.append(f"{self.texts('tools')}: {', '.join(tools)}")
        lines.append(f"{self.texts('goals')}: {self._goals(view.publics)}")
        lines += self._collects(view, players)
        if view.track:
            lines.append(f"{self.texts('track')}: {self.last(view, players)}")
        return lines

    def _collects(self, view: GlassView, players: Players) -> list[str]:
        if not view.privates:
            return []
        whose = max(view.seat, 0)  # a watcher knows the colours of a lone player
        dealt: Plain = {"kind": "objective_dealt", "seat": whose}
        return [self.texts.told(dealt, players, view.seat, colours=self._colours(view.privates))]

    def last(self, view: View, players: Players, /) -> str:
        """Return the round track."""
        assert isinstance(view, GlassView)
        slots = [f"{number}: {_row(slot) or '-'}" for number, slot in enumerate(view.track, 1)]
        return "   ".join(slots) or self.texts("terminal.track.empty")

    def scores(self, view: View, players: Players, /) -> list[list[str]]:
        """Return the scores; secret points are added at the end of the match."""
        assert isinstance(view, GlassView)
        texts = self.texts
        lines = [texts(f"sheet.{line}") for line in ("private", "tokens", "empty", "total")]
        publics = [f"{number} {self._goal(number)}" for number in view.publics]
        rows = [[texts("terminal.player"), *publics, *lines]]
        for seat, score in enumerate(view.scores):
            parts = [*score.publics, score.private, score.tokens, -score.fine * score.empty, score.total]
            rows.append([players[seat], *(str(part) for part in parts)])
        for seat, window in enumerate(view.windows if not view.scores else []):
            points = [str(public_points(number, window)) for number in view.publics]
            private = view.private_points() if seat == view.seat or view.seats == 1 else None
            secret = "?" if private is None else str(private)
            rows.append(
                [players[seat], *points, secret, str(view.tokens[seat]), f"-{int(window.empty())}", "?"]
            )
        return rows

    # Questions and answers.

    def question(self, view: View, players: Players, /) -> str:
        assert isinstance(view, GlassView)
        texts = self.texts
        if view.phase == CHOOSING:
            return prompted(texts("choose"), [str(number) for number in view.offered])
        if view.phase == EXTRACTING:
            return prompted(texts("extract", n=view.round), ["Enter"])
        assert view.phase == TURN
        if view.hand >= UNSET:
            return prompted(texts("step.value"), [f"value {value}" for value in range(1, 7)])
        if view.hand >= 0:
            cells = _free_cells(view)
            die = DICE[view.hand]
            return prompted(texts("place", die=die), cells) if cells else texts("place.none", die=die)
        if view.picks:
            return self._next_step(view)
        if view.active:
            return f"{self._tool(view.active)}: {texts(f'effect.{view.active}')}"
        return self._turn(view)

    def _next_step(self, view: GlassView) -> str:
        texts, pick = self.texts, view.picks[-1]
        if TOOL <= pick < VALUE:
            colour = self._colour(TOOLS[pick - TOOL].solo_colour)
            return f"{texts('step.pay')} ({texts('tool.pay', colour=colour)})"
        if any(SLOT <= action < SLOT + 10 for action in view.legal):
            slots = [action - SLOT + 1 for action in view.legal if SLOT <= action < SLOT + 10]
            return prompted(texts("terminal.slot"), [f"slot {slot}" for slot in slots])
        if any(FOR <= action < REROLL for action in view.legal):
            return texts("step.for")
        if any(LIFT <= action < DRAFT for action in view.legal):
            return texts("step.lift.second")
        placing = not LIFT <= pick < DRAFT
        return prompted(texts("step.place" if placing else "step.put"), _free_cells(view))

    def _turn(self, view: GlassView) -> str:
        """Return the prompt of a turn, with a die and a cell that takes it, the tools, and pass."""
        texts = self.texts
        tools = [f"tool {action - TOOL + 1}" for action in view.legal if TOOL <= action < VALUE]
        drafts = [die for die in view.pool if DRAFT + die in view.legal]
        example = [
            f"place {DICE[die]} {CELL_NAMES[cells[0]].replace(',', ' ')}"
            for die in drafts
            if (cells := cards_of(view.windows[view.seat].cells(die, PLAIN, 0)))
        ][:1]
        if view.drafted:
            asked = texts("turn.done" if tools else "turn.over")
        elif not drafts:
            asked = texts("turn.none" if tools else "turn.nothing")
        else:
            asked = texts(f"turn.{TURNS[view.turn]}")
        return prompted(asked, [*example, *tools, "pass"])

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        assert isinstance(view, GlassView)
        words = text.replace(",", " ").replace("@", " ").split()
        if not words:
            raise self._unread(text)
        verb = _SHORT.get(words[0].lower(), words[0].lower())
        rest = words[1:]
        if view.phase == CHOOSING:
            return (WINDOW - 1 + self._number(rest[0] if verb == "window" and rest else words[0], 24),)
        if view.phase == EXTRACTING and verb != "extract":
            raise self.texts.expected(text, "extract")
        if verb in _PLAIN and not rest:
            return (_PLAIN[verb],)
        if [verb, *rest] == ["reroll", "all"]:
            return (REROLL_ALL,)
        if verb in _ONE_DIE and len(rest) == 1:
            return (_ONE_DIE[verb] + self._die(rest[0]),)
        if verb == "tool" and rest:
            return (TOOL - 1 + self._number(rest[0], 12), *(PAY + self._die(word) for word in rest[1:2]))
        if verb == "value" and len(rest) == 1:
            return (VALUE - 1 + self._number(rest[0], 6),)
        if verb == "slot" and len(rest) == 1:
            return (SLOT - 1 + self._number(rest[0], 10),)
        if verb == "place":
            return self._place(view, rest)
        if verb == "move" and len(rest) in (4, 8):
            return self._move(rest)
        if verb == "swap" and len(rest) in (2, 3):
            return self._swap(view, rest)
        if len(words) == 2 and words[0].isdigit() and words[1].isdigit():
            return (PUT + self._cell(words),)
        raise self._unread(text)

    def _unread(self, text: str) -> RulesError:
        return self.texts.expected(text, self.texts("terminal.type.command", example="place R5 2 3"))

    def _place(self, view: GlassView, words: list[str]) -> tuple[int, ...]:
        change = words[3] if len(words) == 4 else ""
        if len(words) not in (3, 4) or (change and change not in ("+1", "-1", "+", "-")):
            raise self._unread(" ".join(["place", *words]))
        die = self._die(words[0])
        cell = PUT + self._cell(words[1:3])
        if view.hand >= 0:
            if die != view.hand:
                raise self.texts.expected(words[0], DICE[view.hand])
            return (cell,)
        verb = DRAFT if not change else RAISE if change[0] == "+" else LOWER
        return (verb + die, cell)

    def _move(self, words: list[str]) -> tuple[int, ...]:
        cells = [self._cell(words[at : at + 2]) for at in range(0, len(words), 2)]
        lifts = [LIFT + cell for cell in cells[::2]]
        return (*lifts, *(PUT + cell for cell in cells[1::2]))

    def _swap(self, view: GlassView, words: list[str]) -> tuple[int, ...]:
        given, wanted = self._die(words[0]), self._die(words[1])
        if len(words) == 3:
            slot = self._number(words[2], 10) - 1
        else:
            slot = next((at for at, dice in enumerate(view.track) if wanted in dice), 0)
        return (SWAP + given, FOR + wanted, SLOT + slot)

    def _number(self, word: str, high: int) -> int:
        if not word.isascii() or not word.isdigit() or len(word) > 2 or not 1 <= int(word) <= high:
            raise self.texts.expected(word, self.texts("terminal.type.number", low=1, high=high))
        return int(word)

    def _die(self, word: str) -> int:
        die = DIE_CODES.get(word.upper(), KINDS)
        if die >= KINDS:
            raise self.texts.expected(word, self.texts("terminal.type.die", example="R5"))
        return die

    def _cell(self, words: list[str]) -> int:
        return 5 * (self._number(words[0], 4) - 1) + self._number(words[1], 5) - 1

    # Names.

    def _tool(self, tool: int) -> str:
        return self.texts(f"tool.{tool}")

    def _goal(self, objective: int) -> str:
        return self.texts(f"public.{objective}")

    def _goals(self, objectives: Sequence[int]) -> str:
        return ", ".join(f"{number} {self._goal(number)}" for number in objectives)

    def _window(self, number: int) -> str:
        return self.texts("choose.number", n=number)

    def _colour(self, colour: int) -> str:
        return self.texts(f"colour.{COLOURS[colour]}")

    def _price(self, view: GlassView, tool: int) -> str:
        if view.seats > 1:
            return self.texts("tool.cost", n=view.cost(tool))
        if tool in view.used_tools:
            return self.texts("tool.gone")
        return self.texts("tool.pay", colour=self._colour(TOOLS[tool - 1].solo_colour))

    def _colours(self, privates: Sequence[int]) -> str:
        names = [self._colour(PRIVATE_COLOURS[number - 1]) for number in privates]
        return self.texts("or", a=names[0], b=names[1]) if len(names) == 2 else ", ".join(names)

    def _tokens(self, many: int) -> str:
        return self.texts("tokens", n=many)


def _free_cells(view: GlassView) -> list[str]:
    return [CELL_NAMES[action - PUT].replace(",", " ") for action in view.legal if PUT <= action < LIFT]


def _row(dice: Sequence[int]) -> str:
    return " ".join(names(dice))


def _grid(grid: str) -> list[str]:
    return [" ".join(grid[5 * row : 5 * row + 5]) for row in range(4)]


def _beside(blocks: list[list[str]]) -> list[str]:
    """Return *blocks* of lines side by side."""
    widths = [max(len(line) for line in block) for block in blocks]
    return [
        "   ".join(block[row].ljust(width) for block, width in zip(blocks, widths, strict=True)).rstrip()
        for row in range(len(blocks[0]))
    ]
