"""The line protocol of the dice game, without I/O (spec 2 to 12): the desk, and a client in a game.

A connection logs in, waits in the lobby, plays at a table and is out of a game again. Three ways lead here:
the seed port (fields separated by TABs, lines ended as the client ends them, by CR at first), the line port
(CR LF, and spaces separate as well) and a WebSocket, where a frame is a line.

A player's order is answered, and what follows from it told, before his next line is read: every line meets
the table as its sender has seen it. Between `your-turn` and the end of the turn a client without events gets
nothing but these answers.
"""

from __future__ import annotations

from typing import Final

from croupier.core.contract import WATCHER, Event
from croupier.games.sagrada import announcing, orders
from croupier.games.sagrada.announcing import line
from croupier.games.sagrada.entrance import OUT, TABLE, Entrance
from croupier.games.sagrada.events import (
    HandChanged,
    MatchEnded,
    MatchStarted,
    PoolRerolled,
    TurnEnded,
    TurnStarted,
)
from croupier.games.sagrada.fields import nick_of
from croupier.games.sagrada.front import Front
from croupier.games.sagrada.orders import BAD, HAND, POOL, Order
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import CANCEL, CHOOSING, EXTRACT, EXTRACTING, OVER, SEATING
from croupier.wire.talk import (
    AWAY,
    BACK,
    GATHERING,
    LOST,
    PRESENT,
    QUIT,
    Accepted,
    Act,
    AskedNow,
    Depart,
    Face,
    Hang,
    Join,
    Note,
    Output,
    PlacesChanged,
    Refused,
    Seated,
    Send,
    Stopped,
    TimedOut,
    Told,
    TurnChanged,
)

_BETWEEN_MOVES: Final = ("deactive_tool_card", "deactivate_tool_card", "pass")


class GlassConversation(Entrance):
    """One client, from its welcome to its last line."""

    def __init__(self, desk: Front, spaced: bool = False) -> None:
        super().__init__(desk, spaced)
        self._order: Order | None = None
        """What has not been answered yet, or not been told to its end."""
        self._awaits = ""
        """What has to change before the order is answered."""
        self._behind: list[str] = []
        """Events that wait for that answer."""
        self._first_move: tuple[int, int] | None = None
        """The first `move` of tool 4."""
        self._announced = True
        """The player has been told that it is his turn, if it is."""
        self._late = -1
        """The seat whose time has run out in this turn."""
        self._returned = -1
        """The seat that was connected again just now."""

    # Orders (spec 6 to 8).

    def _game(self) -> tuple[Face, GlassView] | None:
        """Return the table, and what the player knows, while a game is being played."""
        if self._where != TABLE or self.table is None or self.seat == WATCHER:
            return None
        view = _told_view(self.table, self.seat)
        return None if view.phase in (SEATING, OVER) else (self.table, view)

    def _is_away(self) -> bool:
        return self.table is not None and self.seat >= 0 and self.table.places[self.seat].away

    def _play(self, verb: str, fields: list[str]) -> list[Output]:
        game = self._game()
        if verb == "extract":
            return self._extract(fields, game[1]) if game is not None else [Send(BAD)]
        if verb not in orders.READERS:
            return [Send(BAD)]
        if game is None:
            return [Send(orders.OUT_OF_GAME.get(verb, BAD))]
        view = game[1]
        if verb == "move" and view.active == 4:
            return self._move_of_two(fields, view)
        if self._first_move is not None and verb not in _BETWEEN_MOVES:
            return [Send(orders.OUT_OF_GAME.get(verb, BAD))]
        order = orders.read(verb, fields, view)
        return [Send(order)] if isinstance(order, str) else self._submit(order, view)

    def _move_of_two(self, fields: list[str], view: GlassView) -> list[Output]:
        """Take one of tool 4's moves: the first gets no answer, the second one for both."""
        cells = orders.cells_of(fields)
        first, self._first_move = self._first_move, None
        if cells is None:
            return [Send(BAD)]
        if first is None:
            self._first_move = cells
            return []
        return self._submit(orders.moves([first, cells]), view)

    def _extract(self, fields: list[str], view: GlassView) -> list[Output]:
        if fields or view.phase == CHOOSING or self._first_move is not None:
            return [Send(BAD)]
        if view.phase != EXTRACTING:
            return [Send(announcing.dice_line("dice", view.pool))]
        if view.start != self.seat:
            return []  # the dice that come are the answer
        return self._submit(Order((EXTRACT,), {}, otherwise="", reply=""), view)

    def _submit(self, order: Order, view: GlassView) -> list[Output]:
        self._order = order
        # Something may have been picked up at the page before this client came.
        dropped = (CANCEL,) if view.picks else ()
        return [Act(-1, (*dropped, *order.actions))]

    # What the table says.

    def note(self, note: Note, now: float) -> list[str]:
        frames = super().note(note, now)
        if self._order is not None or self._opening:
            self.hold()
        return frames

    def tell(self, note: Note, now: float) -> list[str]:
        returned, self._returned = self._returned, -1
        match note:
            case Told():
                return self._told(note.event, now)
            case Accepted():
                return self._accepted()
            case Refused():
                return self._refusal(note)
            case AskedNow():
                return [*self._settle(), *self._your_turn()]
            case TurnChanged():
                return [] if self._owes() or self._opening else self._settle()
            case TimedOut():
                self._late = note.seat
            case Seated():
                return self._seated(now)
            case Stopped():
                self._game_over(now)
            case PlacesChanged() if note.seat >= 0:
                return self._places_changed(note, returned)
        if self.table is not None and self.table.phase == GATHERING and self._where == OUT:
            self._todo.append(self._depart)  # a table that goes on without this game
        return []

    def _accepted(self) -> list[str]:
        if self._order is None:
            return []
        self._first_move = None
        self._awaits = self._order.awaits
        self._count(False)
        return [self._order.reply] if self._order.reply else []

    def _refusal(self, note: Refused) -> list[str]:
        if isinstance(note.request, Join):
            table, words = note.request.id, note.words
            self._settle()
            self._todo.append(lambda now: self._turned_back(table, words, now))
            return []
        order, self._order = self._order, None
        if order is None or self.table is None:
            return []
        word = order.refusal(note.key, _told_view(self.table, self.seat))
        ended = self._count(word == BAD)
        self._todo.append(lambda now: ended)
        return [word] if word else []

    def _settle(self) -> list[str]:
        """Nothing more follows from the last order: the next line may be read."""
        if self._order is not None or self._opening:
            self._order = None
            self._opening = False
            self.free()
        self._awaits = ""
        behind, self._behind = self._behind, []
        return behind

    def _owes(self) -> bool:
        """Say whether this player is to decide next."""
        return self.table is not None and bool(self.table.view(self.seat).to_act >> self.seat & 1)

    def _your_turn(self) -> list[str]:
        game = self._game()
        if self._announced or game is None or game[1].turn_seat != self.seat:
            return []
        self._announced = True
        hand = game[1].hand
        return ["your-turn", *([announcing.hand_line(hand)] if hand >= 0 else [])]

    def _seated(self, now: float) -> list[str]:
        """Tell somebody who has come back how things stand (spec 12.4)."""
        if self._where != TABLE:  # the lobby has called him back on the way
            self._todo.append(self._depart)
            return []
        game = self._game()
        self._opening = game is None
        if game is None:
            return []
        table, view = game
        frames = announcing.rejoin_block(table, self.seat, view, _nicks(table))
        self._announced = view.turn_seat != self.seat
        if table.asked(self.seat) is not None:
            frames += self._your_turn()
        return [*frames, *self._picture(now)] if self._events else frames

    def _picture(self, now: float) -> list[str]:
        game = self._game()
        if game is None:
            return []
        return announcing.state_block(game[0], self.seat, game[1], _nicks(game[0]), now)

    def _places_changed(self, note: PlacesChanged, returned: int) -> list[str]:
        table = self.table
        assert table is not None
        if table.phase == GATHERING and note.what in (LOST, QUIT) and self._where == TABLE:
            self._settle()
            self._todo.append(lambda now: self._desk.lobby.dissolve(table.id, now))
        if not self._events or self._game() is None:
            return []
        nick = nick_of(note.name)
        if note.what in (LOST, QUIT):
            return [line("quit", nick)]
        if note.what == AWAY:
            return [line("suspended", nick)] if table.places[note.seat].connected else []
        if note.what == BACK:
            self._returned = note.seat
        elif note.what != PRESENT or note.seat == returned:
            return []
        return [] if note.seat == self.seat else [line("rejoin", nick)]

    # What happens in a game.

    def _told(self, event: Event, now: float) -> list[str]:
        table = self.table
        assert table is not None
        view, nicks = _told_view(table, self.seat), _nicks(table)
        seed = announcing.seed_lines(event, table, view, nicks)
        more: list[str] = []
        if self._events:
            if isinstance(event, TurnEnded):
                more = [line("timeout" if self._late == event.seat else "passed", nicks[event.seat])]
            more += announcing.event_lines(event, table, view, nicks)
        self._follow(event, now)
        if isinstance(event, MatchEnded):
            return [*more, *seed]
        if not self._awaits:
            return [*seed, *more]
        self._behind += more
        reply = self._reply(event)
        if not reply:
            return []
        self._awaits = ""
        behind, self._behind = self._behind, []
        return [reply, *behind]

    def _reply(self, event: Event) -> str:
        """Return the answer that was awaited, if *event* is it."""
        if self._awaits == HAND and isinstance(event, HandChanged):
            return announcing.hand_line(event.die)
        if self._awaits == POOL and isinstance(event, PoolRerolled):
            return announcing.dice_line("dice_list", event.dice)
        return ""

    def _follow(self, event: Event, now: float) -> None:
        if isinstance(event, MatchStarted):
            assert self._user is not None
            self._desk.lobby.begun(self._user)
        elif isinstance(event, TurnStarted):
            self._late = -1
            self._announced = event.seat != self.seat
        elif isinstance(event, TurnEnded):
            self._first_move = None
            self._announced = True
        elif isinstance(event, MatchEnded):
            self._game_over(now)

    # The end.

    def _game_over(self, now: float) -> None:
        """The player is out of the game; he may wait for another."""
        if self._where == TABLE and self.table is not None:
            self._where = OUT
            self._last_game = self.table.id
            self._closes = now + self._desk.settings.idle_time
        self._first_move = None
        self._behind = []
        self._settle()

    def _depart(self, now: float) -> list[Output]:
        return [Depart()] if self.table is not None and self._where != TABLE else []

    def ousted(self, reason: str, now: float) -> list[Output]:
        self._settle()
        # Nothing in the protocol says that a game is no more: whoever is in one must see it.
        return [Hang(1000, reason)] if self._where == TABLE else []


def _told_view(table: Face, seat: int) -> GlassView:
    view = table.view(seat)
    assert isinstance(view, GlassView)
    return view


def _nicks(table: Face) -> list[str]:
    return [nick_of(place.name) for place in table.places]


class GlassDesk(Front):
    """The desk of the dice game."""

    def conversation(self, token: str = "", line: bool = False) -> GlassConversation:
        return GlassConversation(self, spaced=line)


DESK: Final = GlassDesk
