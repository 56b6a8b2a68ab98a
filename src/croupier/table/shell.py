"""The shell of one table: the only place where its effects are carried out.

Requests wait in a mailbox. Their results are stored first and told when they are on disk; the store is a
parameter. Nothing here waits for a peer, and there is no task: the shell runs when a request arrives, the
store has finished, a timer ends or a searching bot answers, and does one thing at a time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Protocol, TypeAlias

import msgspec

from croupier.core.contract import PUBLIC, WATCHER
from croupier.core.histogram import Histogram
from croupier.core.refusal import Refusal, house_refusal
from croupier.store.api import MatchRow, PlayerRow, Store, StoreError, report
from croupier.table import journal
from croupier.table.alarm import Alarm
from croupier.table.bot_pool import BotRunner, Cancel
from croupier.table.complaint import Complaint
from croupier.table.effects import (
    WATCHERS,
    Bind,
    CancelSearch,
    Complain,
    Cut,
    Effect,
    Expel,
    Reply,
    Search,
    Tell,
    Write,
)
from croupier.table.table import Table
from croupier.wire import talk
from croupier.wire.talk import Conversation, Disconnect, Frame

log = logging.getLogger(__name__)

BROADCAST: Final = (
    talk.Told,
    talk.Shown,
    talk.TurnChanged,
    talk.PlacesChanged,
    talk.PhaseChanged,
    talk.Committed,
    talk.Revealed,
    talk.Said,
)
"""Notes for which watchers with the same `look` get the same frames."""


class Peer(Hashable, Protocol):
    """A connection: its conversation, and a bounded output queue that never blocks."""

    @property
    def conversation(self) -> Conversation: ...
    def note(self, note: talk.Note, now: float) -> None:
        """Convert *note* to frames with the conversation, and send them."""
        ...

    def deliver(self, frames: Sequence[Frame]) -> None:
        """Send frames that another conversation with the same `look` has made."""
        ...

    def replaced(self) -> None:
        """End the connection, because a newer one has taken over its seat."""
        ...

    def ousted(self, disconnect: Disconnect) -> None:
        """Leave the table, which no longer exists: return to the lobby if there is one, else end with
        *disconnect*.

        If its code is EXPELLED, the operator has removed the player, and the connection ends in any case.
        """
        ...


OnReport: TypeAlias = Callable[[Complaint, Peer, Callable[["Refusal | None"], None]], None]
"""Called with the complaint of a player, their connection, and a function that takes the answer."""


def no_report(complaint: Complaint, peer: Peer, answer: Callable[[Refusal | None], None]) -> None:
    """Refuse a report on a server without moderation."""
    answer(house_refusal("no_operator"))


class Shell:
    """One table with its connections."""

    def __init__(
        self,
        table: Table,
        store: Store,
        on_change: Callable[[], None],
        on_broken: Callable[[Shell], None],
        on_closed: Callable[[Shell], None],
        on_result: Callable[[], None] = lambda: None,
        bot_pool: BotRunner | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """*on_result* is called when a match with an account among its players has ended.

        Without *bot_pool* the heuristic decides for searching bots. *clock* returns the time; the default is
        the event loop's clock.
        """
        self.table = table
        self.peers: dict[Peer, int] = {}
        """The connections at the table, each with its seat or WATCHER."""
        self._store = store
        self._on_change = on_change
        self._on_broken = on_broken
        self._on_closed = on_closed
        self._on_result = on_result
        self._stored_lines = 0
        self._match: MatchRow | None = None
        self._who: list[str] = []
        """The accounts and bots of the current match: see `journal.Began.who`."""
        self._mail: list[tuple[Peer, talk.Request | None, float]] = []
        """Requests with their time of arrival; None: the connection has ended."""
        self._bot_pool = bot_pool
        self._searches: dict[int, Cancel] = {}
        self._answers: list[tuple[int, int | None]] = []
        """The answers of searching bots, each with the number of its `Search`."""
        self._loop = asyncio.get_running_loop()
        self.clock = clock or self._loop.time
        self._alarm = Alarm(self.clock, self._ring)
        self.on_report: OnReport = no_report
        self.told_times: Histogram | None = None
        """Counts how long it takes from a player's action to the first event that everyone is told."""
        self._acted = -1.0
        """The arrival time of the last action that has not been told; negative if there is none."""
        self._idle = False
        """True while no run is scheduled: the next request, answer or timer has to schedule one."""
        self._after: list[Effect] = []
        """Effects to be carried out when the store has finished."""
        self._closing: list[str] = []
        """The reason for closing the table, if it is to be closed."""
        self._ended = self._loop.create_future()
        self._stopped: Disconnect | None = None
        """How connections were ended when the shell stopped; later ones are ended in the same way."""

    @property
    def first_line(self) -> int:
        """Return the number of the journal's line with which the last match began; 0 before the first."""
        return self._match.first if self._match is not None else 0

    def start(self, first: Iterable[Effect] = ()) -> None:
        """Start the shell; *first* are the effects of restoring the table."""
        self._after = list(first)
        self._loop.call_soon(self._work)

    def attach(self, peer: Peer) -> None:
        """Add a connection, as a watcher."""
        if self._stopped is not None:
            peer.ousted(self._stopped)
            return
        self.peers[peer] = WATCHER
        self._on_change()

    def detach(self, peer: Peer) -> None:
        """Remove a connection that has ended."""
        self._post(peer, None)

    def post(self, peer: Peer, request: talk.Request) -> None:
        """Put a request into the mailbox; the answer goes to the peer's conversation."""
        self._post(peer, request)

    def _post(self, peer: Peer, request: talk.Request | None) -> None:
        self._mail.append((peer, request, self.clock()))
        self._ring()

    async def close(self, reason: str) -> None:
        """Close the table permanently; raise StoreError if that cannot be stored."""
        self._closing = [reason]
        self._ring()
        await asyncio.shield(self._ended)

    def resume(self, entries: Iterable[journal.AnyEntry], first: int = 0) -> None:
        """Continue a stored journal, of which *entries* are the lines from number *first* on."""
        self._stored_lines = first
        for entry in entries:
            if not isinstance(entry, journal.Acted):
                self._match_row(entry, self._stored_lines)
            self._stored_lines += 1

    def shut_down(self, reason: str) -> None:
        """Tell all connections that the server stops, and stop."""
        for peer in self.peers:
            peer.note(talk.Closed(reason), self.clock())
        self.stop(Disconnect(1001, reason))

    def stop(self, disconnect: Disconnect) -> None:
        """Stop the shell and end every connection; the table stays open and continues after a restart."""
        self._stopped = disconnect
        self._idle = False
        for cancel in self._searches.values():
            cancel()
        self._searches.clear()
        self._alarm.stop()
        peers = list(self.peers)
        self.peers.clear()
        self.table.disconnect()  # breaks the reference cycle between table and connections
        self._mail.clear()
        self._after = []
        for peer in peers:
            peer.ousted(disconnect)

    # Running.

    def _ring(self) -> None:
        if self._idle:
            self._idle = False
            self._loop.call_soon(self._work)

    def _work(self) -> None:
        """Carry out what has waited for the store, then everything that is due."""
        if self._stopped is not None:
            return
        try:
            if self._perform(self._after):
                self._settle()
        except Exception as error:
            self._break(error)

    def _settle(self) -> None:
        table = self.table
        while True:
            now = self.clock()
            effects = table.release(now)
            if not effects:
                effects = self._read_mail()
                effects += table.proceed(now)
                if not effects:
                    break
            if not self._perform(effects):
                return  # the store calls back when it has finished
        if table.phase == talk.CLOSED:
            self.stop(Disconnect(1000, self._closing[0] if self._closing else talk.MATCH_OVER))
            self._ended.set_result(None)
            self._on_closed(self)
            return
        self._alarm.set(table.wake())
        self._idle = True

    def _read_mail(self) -> list[Effect]:
        effects: list[Effect] = []
        table = self.table
        mail, self._mail = self._mail, []
        for peer, request, at in mail:
            if peer not in self.peers:
                continue
            seat = table.seat_of(peer)
            if request is None:
                effects += table.lost(peer, seat, at)
                self._forget(peer)
            else:
                if isinstance(request, talk.Act):
                    self._acted = at
                effects += table.handle(peer, seat, request, at)
        answers, self._answers = self._answers, []
        for number, action in answers:
            if self._searches.pop(number, None) is not None:
                table.answer(number, action)
        if self._closing:
            effects += table.close(self._closing[0])
        return effects

    def _perform(self, effects: list[Effect]) -> bool:
        """Carry out *effects*; return False if some of them have to be stored first."""
        entries = [effect.entry for effect in effects if isinstance(effect, Write)]
        if entries:
            self._after = [effect for effect in effects if not isinstance(effect, Write)]
            self._write(entries)
            return False
        self._after = []
        for effect in effects:
            self._do(effect)
        return True

    def _break(self, error: Exception) -> None:
        """Abandon this instance of the table after an error; its journal is intact. Other tables continue."""
        if isinstance(error, StoreError):
            report(log, error, "table %s is rebuilt from its journal", self.table.id)
        else:
            words = "table %s failed: %s; rebuilding it from its journal"
            log.error(words, self.table.id, error, exc_info=error)
        if not self._ended.done() and self._closing:
            self._ended.set_exception(error)
        self._on_broken(self)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Tell(note, audience, first):
                self._tell(note, audience, first)
            case Reply(key, note):
                peer = self._here(key)
                if peer is not None and type(note) not in peer.conversation.ignores:
                    peer.note(note, self.clock())
            case Bind(key, seat):
                if (peer := self._here(key)) is not None:
                    self.peers[peer] = seat
                    peer.conversation.take_seat(seat)
            case Cut(key):
                if (peer := self._here(key)) is not None:
                    self._forget(peer)
                    peer.replaced()
            case Expel(key, words):
                if (peer := self._here(key)) is not None:
                    self._forget(peer)
                    peer.ousted(Disconnect(talk.EXPELLED, words))
            case Complain(key, request, complaint):
                if (peer := self._here(key)) is not None:
                    self.on_report(complaint, peer, partial(self._reported, peer, request))
            case Search(number, task):
                answer = partial(self._searched, number)
                if self._bot_pool is not None:
                    self._searches[number] = self._bot_pool.ask(task, answer)
                else:
                    self._searches[number] = lambda: None
                    answer(None)
            case CancelSearch(number):
                cancel = self._searches.pop(number, None)
                if cancel is not None:
                    cancel()

    def _reported(self, peer: Peer, request: talk.Report, refusal: Refusal | None) -> None:
        """Answer a report: it is stored, or refused."""
        if peer not in self.peers:
            return
        if refusal is None:
            peer.note(talk.Accepted(request.id), self.clock())
        else:
            peer.note(talk.Refused(request, refusal.key, refusal.words, refusal.about), self.clock())

    def _tell(self, note: talk.Note, audience: int, first: int) -> None:
        now = self.clock()
        kind = type(note)
        if kind is talk.Told and self._acted >= 0.0:
            self._measure(audience, now)
        watching: list[Peer] = []
        if first >= 0 and audience >> first & 1:
            for peer, seat in self.peers.items():
                if seat == first and kind not in peer.conversation.ignores:
                    peer.note(note, now)
        for peer, seat in self.peers.items():
            if kind in peer.conversation.ignores:
                continue
            if seat < 0:
                watching.append(peer)
            elif seat != first and audience >> seat & 1:
                peer.note(note, now)
        if watching and audience & WATCHERS:
            self._tell_watchers(note, watching, now)
        if isinstance(note, talk.PlacesChanged | talk.PhaseChanged):
            self._on_change()

    def _measure(self, audience: int, now: float) -> None:
        """Count the time since the last action, unless its event is secret: figures must not reveal it."""
        if self.told_times is not None and audience == PUBLIC:
            self.told_times.add(now - self._acted)
        self._acted = -1.0

    def _tell_watchers(self, note: talk.Note, peers: Sequence[Peer], now: float) -> None:
        """Tell all watchers; those with the same `look` share the frames that are made for the first."""
        made: dict[object, Sequence[Frame]] = {}
        for peer in peers:
            look = peer.conversation.look() if isinstance(note, BROADCAST) else None
            if look is None:
                peer.note(note, now)
                continue
            frames = made.get(look)
            if frames is None:
                frames = made[look] = peer.conversation.note(note, now)
            peer.deliver(frames)

    def _searched(self, number: int, action: int | None) -> None:
        self._answers.append((number, action))
        self._ring()

    def _here(self, key: Hashable) -> Peer | None:
        """Return the peer with *key*, if it is still at the table."""
        return key if key in self.peers else None

    def _forget(self, peer: Peer) -> None:
        self.peers.pop(peer, None)
        self._on_change()

    # Storing.

    def _write(self, entries: list[journal.AnyEntry]) -> None:
        matches: list[MatchRow] = []
        players: list[PlayerRow] = []
        lines: list[str] = []
        for number, entry in enumerate(entries, self._stored_lines):
            lines.append(journal.encode(entry))
            if isinstance(entry, journal.Acted):
                continue
            row = self._match_row(entry, number)
            if row is not None:
                matches.append(row)
                players += self._player_rows(row, entry)
        first = self._stored_lines
        self._stored_lines += len(entries)
        result = any(row.place is not None for row in players)
        done = self._stored_result if result else self._stored
        self._store.append_soon(self.table.id, first, lines, matches, players, done=done)

    def _stored(self, error: StoreError | None) -> None:
        if error is None:
            self._work()
        elif self._stopped is None:
            self._break(error)

    def _stored_result(self, error: StoreError | None) -> None:
        if error is None:
            self._on_result()
        self._stored(error)

    def _match_row(self, entry: journal.AnyEntry, number: int) -> MatchRow | None:
        """Return the row of the match if *entry*, line *number* of the journal, begins or ends it."""
        if isinstance(entry, journal.Began):
            table = self.table
            self._who = list(entry.who)
            self._match = MatchRow(
                id=entry.match,
                table=table.id,
                game=table.game.name,
                players=msgspec.json.encode(entry.players).decode(),
                options=msgspec.json.encode(dict(table.rules_options)).decode(),
                started=entry.at,
                ended=None,
                result=None,
                first=number,
                last=None,
            )
            return self._match
        if isinstance(entry, journal.Ended) and self._match is not None:
            result = msgspec.json.encode(entry.scores).decode() if entry.scores is not None else None
            self._match = replace(self._match, ended=entry.at, result=result, last=number)
            return self._match
        return None

    def _player_rows(self, row: MatchRow, entry: journal.AnyEntry) -> list[PlayerRow]:
        """Return the players of the match of *row*, as they were when it began; empty without accounts."""
        places: list[int] | list[None] = entry.places if isinstance(entry, journal.Ended) else []
        return [
            PlayerRow(row.id, seat, who, row.game, row.ended, place)
            for seat, (who, place) in enumerate(
                zip(self._who, places or [None] * len(self._who), strict=True)
            )
        ]
