"""The task of one table: takes requests from its mailbox, stores, then tells. Nothing here awaits a peer."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from functools import partial
from typing import Protocol

import msgspec

from croupier.core.contract import WATCHER
from croupier.store.api import MatchRow, Store
from croupier.store.people import PlayerRow
from croupier.table import journal
from croupier.table.effects import Bind, Cut, Drop, Effect, Ponder, Reply, Tell, Write
from croupier.table.table import Table
from croupier.table.thinkers import Cancel, Thinks
from croupier.wire import talk
from croupier.wire.talk import Conversation, Hang

log = logging.getLogger(__name__)


class Peer(Hashable, Protocol):
    """A connection: its conversation, and a bounded way out that never blocks."""

    @property
    def conversation(self) -> Conversation: ...
    def note(self, note: talk.Note, now: float) -> None:
        """Let the conversation turn *note* into frames, and send them."""
        ...

    def replaced(self) -> None:
        """A newer connection has taken this one's seat."""
        ...

    def ousted(self, hang: Hang) -> None:
        """The table is gone: the connection ends so, unless it can be somewhere else."""
        ...


class Runner:
    """One table with its peers. All its work happens in one task."""

    def __init__(
        self,
        table: Table,
        store: Store,
        on_change: Callable[[], None],
        on_broken: Callable[[Runner], None],
        on_closed: Callable[[Runner], None],
        on_result: Callable[[], None] = lambda: None,
        thinkers: Thinks | None = None,
    ) -> None:
        """*on_result* is called when a match has ended in which somebody with an account played.

        Without *thinkers* the heuristic decides for searching bots.
        """
        self.table = table
        self.peers: dict[Hashable, Peer] = {}
        self.actions = 0
        """How many actions have been stored since the start."""
        self._store = store
        self._on_change = on_change
        self._on_broken = on_broken
        self._on_closed = on_closed
        self._on_result = on_result
        self._stored = 0
        self._match: MatchRow | None = None
        self._who: list[str] = []
        """Who plays in it: see `journal.Began`."""
        self._mail: deque[tuple[Peer | None, talk.Request | None, float]] = deque()
        self._thinkers = thinkers
        self._thoughts: dict[int, Cancel] = {}
        self._answers: deque[tuple[int, int | None]] = deque()
        """What searching bots have answered, by the number of the question."""
        self._bell = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._seats: dict[int, Peer] = {}
        self._stopped: Hang | None = None
        """How connections were ended when this runner was; one that comes later ends the same way."""
        self.task: asyncio.Task[None] | None = None

    def start(self, first: Iterable[Effect] = ()) -> None:
        """Begin to work; *first* is what restoring the table left to do."""
        self.task = self._loop.create_task(self._run(list(first)), name=f"table {self.table.id}")

    def attach(self, peer: Peer) -> None:
        """Let a connection in, as a watcher."""
        if self._stopped is not None:
            peer.ousted(self._stopped)
            return
        self.peers[peer] = peer
        self._on_change()

    def detach(self, peer: Peer) -> None:
        """The connection has ended."""
        self._post(peer, None)

    def post(self, peer: Peer, request: talk.Request) -> None:
        """Put a request into the mailbox; its answer comes through the peer's conversation."""
        self._post(peer, request)

    def _post(self, peer: Peer | None, request: talk.Request | None) -> None:
        self._mail.append((peer, request, self._loop.time()))
        self._bell.set()

    async def close(self, reason: str) -> None:
        """End the table for good."""
        try:
            await self._carry_out(self.table.close(reason, self._loop.time()))
        finally:
            self.stop(Hang(1000, reason))

    def resume(self, entries: Iterable[journal.AnyEntry]) -> None:
        """Take over from a journal that has already been stored."""
        for entry in entries:
            self._match_row(entry, self._stored)
            self._stored += 1

    def say_goodbye(self, reason: str) -> None:
        """Tell everybody that the server stops, and stop."""
        for peer in self.peers.values():
            peer.note(talk.Closed(reason), self._loop.time())
        self.stop(Hang(1001, reason))

    def stop(self, hang: Hang) -> None:
        """End the task and every connection, but not the table: it goes on after a restart."""
        self._stopped = hang
        for cancel in self._thoughts.values():
            cancel()
        self._thoughts.clear()
        if self._timer is not None:
            self._timer.cancel()
        if self.task is not None and self.task is not asyncio.current_task():
            self.task.cancel()
        peers = list(self.peers.values())
        self.peers.clear()
        self._seats.clear()
        for peer in peers:
            peer.ousted(hang)

    # The task.

    async def _run(self, effects: list[Effect]) -> None:
        try:
            while True:
                await self._settle(effects)
                if self.table.phase == talk.CLOSED:
                    self._on_closed(self)
                    return
                self._arm()
                await self._bell.wait()
                self._bell.clear()
                effects = self._read_mail()
        except Exception:
            # Whatever it was, this table is not to be trusted now: the journal is. The others play on.
            log.exception("table %s broke", self.table.id)
            self._on_broken(self)

    def _read_mail(self) -> list[Effect]:
        effects: list[Effect] = []
        while self._mail:
            peer, request, at = self._mail.popleft()
            if peer is None or peer not in self.peers:
                continue
            seat = self.table.seat_of(peer)
            if request is None:
                effects += self.table.lost(peer, seat, at)
                self._forget(peer)
            else:
                effects += self.table.handle(peer, seat, request, at)
        while self._answers:
            number, action = self._answers.popleft()
            if self._thoughts.pop(number, None) is not None:
                effects += self.table.thought(number, action, self._loop.time())
        return effects

    async def _settle(self, effects: list[Effect]) -> None:
        """Carry out *effects* and everything that follows without waiting for anybody."""
        while True:
            await self._carry_out(effects)
            await self._release()
            effects = self._read_mail() + self.table.proceed(self._loop.time())
            if not effects:
                return
            await asyncio.sleep(0)  # a table of bots must let the others have a turn

    async def _carry_out(self, effects: list[Effect]) -> None:
        await self._write([effect.entry for effect in effects if isinstance(effect, Write)])
        for effect in effects:
            if not isinstance(effect, Write):
                self._do(effect)

    async def _release(self) -> None:
        entries: list[journal.AnyEntry] = []
        for effect in self.table.release(self._loop.time()):
            if isinstance(effect, Write):
                entries.append(effect.entry)
                continue
            if entries:
                await self._write(entries)
                entries = []
            self._do(effect)
        await self._write(entries)

    def _do(self, effect: Effect) -> None:
        now = self._loop.time()
        match effect:
            case Tell(seat, note):
                if seat >= 0:
                    peer = self._seats.get(seat)
                    if peer is not None:
                        peer.note(note, now)
                else:
                    for peer in self.peers.values():
                        if peer.conversation.seat == WATCHER:
                            peer.note(note, now)
                if isinstance(note, talk.PlacesChanged | talk.PhaseChanged):
                    self._on_change()
            case Ponder(number, task):
                answer = partial(self._thought, number)
                if self._thinkers is not None:
                    self._thoughts[number] = self._thinkers.ask(task, answer)
                else:
                    self._thoughts[number] = lambda: None
                    answer(None)
            case Drop(number):
                cancel = self._thoughts.pop(number, None)
                if cancel is not None:
                    cancel()
            case Reply(key, note):
                peer = self.peers.get(key)
                if peer is not None:
                    peer.note(note, now)
            case Bind(key, seat):
                peer = self.peers.get(key)
                if peer is not None:
                    self._unseat(peer)
                    peer.conversation.seat = seat
                    if seat >= 0:
                        self._seats[seat] = peer
            case Cut(key):
                peer = self.peers.get(key)
                if peer is not None:
                    self._forget(peer)
                    peer.replaced()

    def _thought(self, number: int, action: int | None) -> None:
        self._answers.append((number, action))
        self._bell.set()

    def _forget(self, peer: Peer) -> None:
        self.peers.pop(peer, None)
        self._unseat(peer)
        self._on_change()

    def _unseat(self, peer: Peer) -> None:
        self._seats = {seat: other for seat, other in self._seats.items() if other is not peer}

    # Storing and waking.

    async def _write(self, entries: list[journal.AnyEntry]) -> None:
        if not entries:
            return
        matches: list[MatchRow] = []
        players: list[PlayerRow] = []
        for number, entry in enumerate(entries, self._stored):
            row = self._match_row(entry, number)
            if row is not None:
                matches.append(row)
                players += self._player_rows(row, entry)
            self.actions += isinstance(entry, journal.Acted)
        first = self._stored
        self._stored += len(entries)
        lines = [journal.encode(entry) for entry in entries]
        await self._store.append(self.table.id, first, lines, matches, players)
        if any(row.place is not None for row in players):
            self._on_result()

    def _match_row(self, entry: journal.AnyEntry, number: int) -> MatchRow | None:
        """Return how the list of matches changes with line *number* of the journal."""
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
        """Return who plays in the match of *row*, if anybody is known; who began is who counts."""
        places: list[int] | list[None] = entry.places if isinstance(entry, journal.Ended) else []
        return [
            PlayerRow(row.id, seat, who, row.game, row.ended, place)
            for seat, (who, place) in enumerate(
                zip(self._who, places or [None] * len(self._who), strict=True)
            )
        ]

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        when = self.table.wake()
        if when is not None:
            self._timer = self._loop.call_at(when, self._bell.set)
