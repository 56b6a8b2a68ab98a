"""Export stored matches as records, and import records as stored matches."""

from __future__ import annotations

from hashlib import sha256

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


async def read_record(store: Store, row: MatchRow) -> Record:
    """Return the record of a stored match, up to now if it is not over."""
    table = await store.table(row.table)
    assert table is not None, row.table
    spec = msgspec.json.decode(table.config, type=TableSpec)
    entries = journal.decode_all(await store.log(row.table, row.first, row.last))
    game = find_game(row.game)
    options = game.options.read(msgspec.json.decode(row.options))
    seed = None if spec.secret_seed else spec.seed
    return journal.record_of(game, options, seed, entries, seed is None and cards_given(game, spec))


async def finished_match(store: Store, id: str) -> tuple[MatchRow, Record]:
    """Return a finished match and its record; raise Refusal if it does not exist or was not completed."""
    row = await store.match(id)
    if row is None:
        raise Refusal("no_such_match", f"match {id}: not found")
    if row.result is None or row.last is None:
        raise Refusal("not_finished", f"match {id} has not been completed")
    return row, await read_record(store, row)


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
