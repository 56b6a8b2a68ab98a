"""Moderation: carries out the operator's orders, keeps bans, mutes and reports, and writes the audit log.

Everything is stored before it takes effect. The measures that every connection is compared with are in
`Identities.measures`.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import Final, TypeVar, cast

import msgspec

from croupier.accounts.service import Accounts
from croupier.core.refusal import Refusal, house_refusal
from croupier.http import counted_as
from croupier.moderation import rows
from croupier.moderation.rows import AnyOrder, AuditEntry, MeasureRow, Overview, Person, PlayerReport
from croupier.store.api import Store
from croupier.table.complaint import Complaint
from croupier.table.shell import Shell
from croupier.table.tables import DEFAULT, Tables, clock_text
from croupier.wire import talk
from croupier.wire.driver import LobbyConversation
from croupier.wire.greeting import clean_name, resembling
from croupier.wire.house_messages import TableRow
from croupier.wire.identity import Account, fold
from croupier.wire.measures import BAN, MUTE, Measure, Notice, moment
from croupier.wire.talk import BOT, Conversation, Disconnect, Frame, Place
from croupier.wire.token_bucket import TokenBuckets

T = TypeVar("T")

AUDIT: Final = "moderation audit"
MEASURES: Final = "moderation measures"
REPORTS: Final = "moderation reports"
"""The realms of the store."""
SHOWN: Final = 100
"""How many entries of the audit log the page shows."""
MOST_REPORTS: Final = 500
"""How many reports may wait for the operator."""
REPORTS_BY_ONE: Final = 5
"""How many reports one address or account may send within `REPORT_SECONDS`."""
REPORT_SECONDS: Final = 600.0


class Moderation:
    """The moderation of a server."""

    def __init__(
        self,
        tables: Tables,
        accounts: Accounts | None,
        find: Callable[[str], Awaitable[Shell | None]],
        elsewhere: Callable[[], Iterable[TableRow]],
    ) -> None:
        """*find* returns the shell of a table, or raises if another node has it; *elsewhere* returns the
        listed tables of other nodes."""
        self._tables = tables
        self._store: Store = tables.store
        self._identities = tables.identities
        self._measures = tables.identities.measures
        self._accounts = accounts
        self._find = find
        self._elsewhere = elsewhere
        self.waiting_elsewhere: dict[int, list[Person]] = {}
        """The people in the lobbies of other nodes, by node."""
        self._reports = TokenBuckets(REPORTS_BY_ONE, REPORTS_BY_ONE / REPORT_SECONDS)
        self._reporting = asyncio.Lock()

    async def load(self) -> None:
        """Read the stored bans and mutes again, and forget those that have ended."""
        found = await self._read(MEASURES, Measure)
        ended = [id for id, one in found.items() if one.until <= self._measures.now()]
        if ended:
            await self._store.forget(MEASURES, ended)
        known = {one.id for one in self._measures.all()}
        for id in known - set(found):
            self._identities.repeat(["lift", id])
        for id in found.keys() - known - set(ended):
            self._identities.repeat(["impose", _text(found[id])])

    async def audit(self, limit: int = SHOWN) -> list[AuditEntry]:
        """Return the last entries of the audit log, newest first."""
        found = await self._read(AUDIT, AuditEntry)
        return [found[name] for name in sorted(found, reverse=True)[:limit]]

    async def overview(self) -> Overview:
        """Return everything that the operator's page shows."""
        reports = await self._read(REPORTS, PlayerReport)
        return Overview(
            people=list(self._people()),
            measures=[
                MeasureRow(one.id, one.kind, one.whom, moment(one.until), one.why)
                for one in self._measures.all()
            ],
            reports=[reports[name] for name in sorted(reports, reverse=True)],
            audit=await self.audit(),
            restart=self._measures.seconds_left(),
        )

    async def _read(self, realm: str, kind: type[T]) -> dict[str, T]:
        found = await self._store.kept(realm)
        return {name: msgspec.json.decode(data, type=kind) for name, data in found.items()}

    def _people(self) -> Iterator[Person]:
        for table, place in self._seated():
            account = self._account_at(place)
            name = account.name if account is not None else None
            yield Person(place.name, name, table.game.name, table.id, place.seat, place.connected)
        for row in self._elsewhere():
            for seat in row.seats:
                if seat.name and seat.kind != BOT:
                    yield Person(seat.name, seat.account, row.game, row.id, seat.seat, seat.connected)
        yield from self.waiting()
        for people in self.waiting_elsewhere.values():
            yield from people

    def waiting(self) -> Iterator[Person]:
        """Yield the people with a name in the lobbies of this node."""
        for one in self._waiting():
            account = self._identities.owner(one.name)
            yield Person(one.name, account.name if account else None, "", None, None, connected=True)

    def _seated(self) -> Iterator[tuple[talk.TableInfo, Place]]:
        for shell in self._tables.shells.values():
            for place in shell.table.places:
                if place.name and place.kind != BOT:
                    yield shell.table, place

    def _waiting(self) -> Iterator[LobbyConversation]:
        """Yield the conversations of people with a name who are in a lobby."""
        for connection in self._identities.everyone():
            conversation = connection.conversation
            if isinstance(conversation, LobbyConversation) and conversation.name and conversation.seat < 0:
                yield conversation

    def _account_at(self, place: Place) -> Account | None:
        return self._identities.account(self._identities.person(place.token))

    # Orders.

    async def carry_out(self, order: AnyOrder) -> AuditEntry:
        """Carry out an order, and return its entry in the audit log; raise Refusal if that is impossible."""
        match order:
            case rows.CloseTable():
                return await self._close(order)
            case rows.Remove():
                return await self._remove(order)
            case rows.Rename():
                return await self._rename(order)
            case rows.Mute():
                return await self._impose(order)
            case rows.Lift():
                return await self._lift(order)
            case rows.Announce():
                notice = Notice(self._measures.now() + order.seconds, order.text)
                entry = await self._note(order, "everyone", until=notice.at, new=order.text)
                self._identities.announce(notice)
                return entry
            case rows.Withdraw():
                entry = await self._note(order, "everyone")
                self._identities.announce(None)
                return entry
            case rows.Dismiss():
                return await self._dismiss(order)

    async def _note(
        self, order: AnyOrder, whom: str, until: float | None = None, new: str = ""
    ) -> AuditEntry:
        """Store an entry of the audit log."""
        act = cast(rows.Act, order.__struct_config__.tag)
        shown = None if until is None else moment(until)
        entry = AuditEntry(clock_text(), order.by, act, whom, shown, new, order.why)
        await self._store.keep(AUDIT, _next_name(), _text(entry))
        return entry

    async def _close(self, order: rows.CloseTable) -> AuditEntry:
        shell = await self._table(order.table)
        if order.table == DEFAULT:
            raise Refusal("conflict", "the default table cannot be closed")
        entry = await self._note(order, f"table {order.table}")
        await self._tables.close_table(
            shell.table.id, _because("the operator has closed this table", order.why)
        )
        return entry

    async def _table(self, id: str) -> Shell:
        shell = await self._find(id)
        if shell is None:
            raise Refusal("not_found", f"table {id[:40]}: not found")
        return shell

    async def _remove(self, order: rows.Remove) -> AuditEntry:
        seats = await self._seats(order.name, order.table)
        if not seats:
            raise Refusal("not_seated", f"{order.name}: nobody with this name has a seat")
        tables = ", ".join(shell.table.id for shell, _ in seats)
        entry = await self._note(order, f"{order.name} at {tables}")
        words = _because("the operator has removed you from this table", order.why)
        for shell, place in seats:
            await Envoy(shell).ask(talk.Remove(place.seat, words))
        return entry

    async def _seats(self, name: str, table: str) -> list[tuple[Shell, Place]]:
        """Return the seats of the person *name*, at one table or at all tables of this server."""
        shells = [await self._table(table)] if table else list(self._tables.shells.values())
        account = self._identities.owner(name)
        return [
            (shell, place)
            for shell in shells
            for place in shell.table.places
            if place.name and place.kind != BOT and self._is(place, name, account)
        ]

    def _is(self, place: Place, name: str, account: Account | None) -> bool:
        if account is not None and self._account_at(place) is account:
            return True
        return place.name == name or fold(place.name) == fold(name) != ""

    async def _rename(self, order: rows.Rename) -> AuditEntry:
        name = clean_name(order.new)
        if name is None:
            raise Refusal("bad_name", "new: expected 1 to 64 characters, no control characters")
        seats = await self._seats(order.name, order.table)
        account = self._identities.owner(order.name) if not order.table else None
        if account is None and not seats:
            raise Refusal("no_such_player", f"{order.name}: no account and nobody at a table has this name")
        if account is not None and self._accounts is not None:
            self._accounts.check_name(name)
        elif self._identities.bars(name, ""):
            raise Refusal("name_taken", f"name {name!r}: it belongs to an account, or looks like it")
        if any(_taken(shell, place, name) for shell, place in seats):
            raise Refusal(
                "name_taken", f"name {name!r}: a player at the table has it, or one that looks like it"
            )
        entry = await self._note(order, order.name, new=name)
        if account is not None and self._accounts is not None:
            await self._accounts.rename(account, name)
        for shell, place in seats:
            await Envoy(shell).ask(talk.Rename(name, seat=place.seat))
        return entry

    async def _impose(self, order: rows.Mute) -> AuditEntry:
        whom, marks = self._target(order)
        kind = BAN if isinstance(order, rows.Ban) else MUTE
        until = self._measures.now() + order.seconds
        measure = Measure(secrets.token_hex(4), kind, whom, tuple(sorted(marks)), until, order.why)
        entry = await self._note(order, whom, until)
        await self._store.keep(MEASURES, measure.id, _text(measure))
        self._identities.impose(measure)
        return entry

    def _target(self, order: rows.Mute) -> tuple[str, set[str]]:
        """Return the people whom *order* concerns, in words and as marks."""
        identities = self._identities
        try:
            mark = identities.address_mark(counted_as(str(ip_address(order.who))))
        except ValueError:
            pass
        else:
            return f"address {mark[:8]}", {mark}
        account = identities.owner(order.who)
        if account is None:
            marks = self._addresses_of_guest(order.who)
            if not marks:
                words = f"{order.who}: expected an account, a guest who is present, or an address"
                raise Refusal("no_such_player", words)
            return f"guest {order.who}, address {', '.join(mark[:8] for mark in marks)}", marks
        marks = {account.id}
        if order.addresses:
            for connection in identities.connections([account.id]):
                marks.add(identities.address_mark(connection.conversation.address))
        return account.name, marks - {""}

    def _addresses_of_guest(self, name: str) -> set[str]:
        mark = self._identities.address_mark
        marks = {mark(one.address) for one in self._waiting() if fold(one.name) == fold(name)}
        for shell in self._tables.shells.values():
            places = shell.table.places
            for peer, seat in shell.peers.items():
                if seat >= 0 and self._is(places[seat], name, None):
                    marks.add(mark(peer.conversation.address))
        return marks - {""}

    async def _lift(self, order: rows.Lift) -> AuditEntry:
        measure = next((one for one in self._measures.all() if one.id == order.id), None)
        if measure is None:
            raise Refusal("not_found", f"{order.id[:40]}: there is no ban or mute with this id")
        entry = await self._note(order, f"{measure.kind} of {measure.whom}")
        await self._store.keep(MEASURES, measure.id, None)
        self._identities.lift(measure.id)
        return entry

    async def _dismiss(self, order: rows.Dismiss) -> AuditEntry:
        reports = await self._read(REPORTS, PlayerReport)
        report = reports.get(order.report)
        if report is None:
            raise Refusal("not_found", f"{order.report[:40]}: there is no report with this id")
        entry = await self._note(order, f"report about {report.whom}")
        await self._store.keep(REPORTS, report.id, None)
        return entry

    # Reports.

    async def report(self, complaint: Complaint, owners: Sequence[str]) -> None:
        """Store a report of a player; raise Refusal if there are too many.

        *owners* are the marks of the player's address and account.
        """
        now = time.monotonic()
        wait = max((self._reports.wait(one, now) for one in owners), default=0.0)
        if wait > 0:
            raise house_refusal("too_many", {"minutes": round(wait / 60)}, wait)
        async with self._reporting:
            if len(await self._store.kept(REPORTS)) >= MOST_REPORTS:
                raise house_refusal("too_many.unread", {"reports": MOST_REPORTS})
            for one in owners:
                self._reports.take(one, now)
            name = _next_name()
            report = PlayerReport(name, clock_text(), **msgspec.structs.asdict(complaint))
            await self._store.keep(REPORTS, name, _text(report))


class Envoy:
    """Brings an order of the operator to a table, as one of its connections."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.conversation = Conversation()

    async def ask(self, request: talk.Request) -> None:
        """Send *request*; raise Refusal if the table refuses it."""
        self._shell.attach(self)
        self._shell.post(self, request)
        try:
            await self._answer
        finally:
            self._shell.detach(self)

    def note(self, note: talk.Note, now: float) -> None:
        if isinstance(note, talk.Accepted | talk.Refused) and not self._answer.done():
            if isinstance(note, talk.Accepted):
                self._answer.set_result(None)
            else:
                self._answer.set_exception(Refusal(note.key, note.words, about=note.about))

    def deliver(self, frames: Sequence[Frame]) -> None:
        """Ignore the notes for watchers."""

    def replaced(self) -> None:
        """Do nothing: this connection never gets a seat."""

    def ousted(self, disconnect: Disconnect) -> None:
        if not self._answer.done():
            self._answer.set_exception(Refusal("closed", disconnect.reason))


def _taken(shell: Shell, place: Place, name: str) -> bool:
    """Return True if another player at the table has *name*, or one that looks like it."""
    other = resembling(shell.table, name)
    return other is not None and other.seat != place.seat


def _because(words: str, why: str) -> str:
    return f"{words}: {why}" if why else words


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _next_name() -> str:
    """Return a name under which something is stored: in chronological order, different on all nodes."""
    return f"{time.time_ns():020d}-{secrets.token_hex(3)}"
