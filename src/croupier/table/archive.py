"""Export stored matches as records, and import records as stored matches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Final, TypeVar

import msgspec

from croupier.core import record
from croupier.core.chance import commitment
from croupier.core.record import BadRecord, Record
from croupier.core.refusal import Refusal
from croupier.games import game as find_game
from croupier.store.api import MatchRow, Store, StoreConflict, TableRow
from croupier.table import journal
from croupier.table.setup import cards_given
from croupier.table.tables import clock_text
from croupier.wire.table_spec import TableSpec

QUEUE: Final = 50
"""Further requests are refused with `busy`."""

T = TypeVar("T")


class Archive:
    """Finished matches for the HTTP API.

    A replay can take long, and Python runs one thread at a time. So one thread does all of them: requests for
    matches wait for each other, and tables wait for one thread at most.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="archive")
        self.waiting = 0
        """How many requests are being answered."""

    async def match(self, id: str, use: Callable[[MatchRow, Record], T]) -> T:
        """Return the result of *use*, called in the thread with a finished match and its record.

        Raise Refusal if there is no such match, if it was not completed, or if too many requests wait.
        """
        row = await self._store.match(id)
        if row is None:
            raise Refusal("no_such_match", f"match {id}: not found")
        if row.result is None or row.last is None:
            raise Refusal("not_finished", f"match {id} has not been completed")
        if self.waiting >= QUEUE:
            raise Refusal("busy", "too many people are looking at matches at the moment: try again", 1.0)
        self.waiting += 1
        try:
            table, lines = await _stored(self._store, row)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, lambda: use(row, _record(row, table, lines)))
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


async def read_record(store: Store, row: MatchRow) -> Record:
    """Return the record of a stored match, up to now if it is not over."""
    return _record(row, *await _stored(store, row))


async def _stored(store: Store, row: MatchRow) -> tuple[TableRow, Sequence[str]]:
    """Return the table of a match, and the lines of the match in its journal."""
    table = await store.table(row.table)
    assert table is not None, row.table
    return table, await store.log(row.table, row.first, row.last)


def _record(row: MatchRow, table: TableRow, lines: Sequence[str]) -> Record:
    spec = msgspec.json.decode(table.config, type=TableSpec)
    game = find_game(row.game)
    options = game.options.read(msgspec.json.decode(row.options))
    seed = None if spec.secret_seed else spec.seed
    given = seed is None and cards_given(game, spec)
    return journal.record_of(game, options, seed, journal.decode_all(lines), given)


async def keep_record(store: Store, written: Record) -> str:
    """Store *written*, a valid record, as the only match of a closed table; return the match's id.

    The ids are computed from the text of the record, so the same record cannot be stored twice. Raise
    BadRecord if the match is not over or a seed does not match its commitment.
    """
    game = find_game(written.game)
    options = game.options.read(written.options)
    state = record.replay(written, game)
    if not state.over():
        raise BadRecord("the match is not over: expected a whole match")
    match = match_id(written)
    table = match.removesuffix("-1")
    now = clock_text()
    began = journal.Began(match, _players(written), written.started or now)
    ended = journal.Ended(match, now, list(state.scores()))
    entries = [began, *journal_entries(written), ended]
    row = MatchRow(
        id=match,
        table=table,
        game=game.name,
        players=msgspec.json.encode(began.players).decode(),
        options=msgspec.json.encode(options).decode(),
        started=began.at,
        ended=ended.at,
        result=msgspec.json.encode(ended.scores).decode(),
        first=0,
        last=len(entries) - 1,
    )
    if await store.match(match) is not None:
        raise StoreConflict(f"already stored as match {match}")
    if await store.table(table) is None:
        spec = TableSpec(
            ["open"] * written.seats,
            game.options.changed(options),
            seed=written.seed,
            cards_given=written.given,
        )
        await store.open_table(TableRow(table, game.name, msgspec.json.encode(spec).decode(), now))
    await store.append(table, 0, [journal.encode(entry) for entry in entries], [row])
    await store.close_table(table, now)
    return match


def match_id(written: Record) -> str:
    """Return the id under which `keep_record` stores *written*."""
    return sha256(record.write(written).encode()).hexdigest()[:8] + "-1"


def _players(written: Record) -> list[str]:
    return written.players or [f"seat {seat + 1}" for seat in range(written.seats)]


def journal_entries(written: Record) -> list[journal.AnyEntry]:
    """Return the journal entries of the match between `Began` and `Ended`."""
    seeds = {entry.deal: entry.seed for entry in written.entries if isinstance(entry, record.Reveal)}
    nonces = record.nonces(written)
    committed: set[int] = set()
    entries: list[journal.AnyEntry] = []
    for entry in written.entries:
        match entry:
            case record.Commit(deal, digest):
                seed = seeds.get(deal)
                if seed is None:
                    raise BadRecord(f"deal {deal}: its seed is not revealed")
                if commitment(bytes.fromhex(seed)) != digest:
                    raise BadRecord(f"deal {deal}: the seed does not match the commitment")
                committed.add(deal)
                entries.append(journal.Committed(deal, seed, nonces.get(deal, [])))
            case record.Drawn() | record.Acted():
                entries.append(journal.happened(entry))
            case record.Reveal(deal):
                if deal not in committed:
                    raise BadRecord(f"deal {deal}: its seed is revealed without a commitment")
                entries.append(journal.Revealed(deal))
            case record.Pool() | record.Result() | record.Nonce():
                pass  # the rules determine pool and result; `Committed` has the nonces
    return entries
