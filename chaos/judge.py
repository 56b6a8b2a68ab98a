"""Compares the events that players were told with the journals: nothing may be lost, doubled or torn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from chaos.outcome import Sum
from chaos.players import Decision, GlassPlayer, HousePlayer, Player
from croupier.core import record
from croupier.core.contract import Event, Game
from croupier.core.options import Value
from croupier.table import journal


@dataclass
class Judged(Sum):
    """The result of comparing some tables."""

    acknowledged: int = 0
    lost: int = 0
    """Decisions that were acknowledged and are not stored."""
    twice: int = 0
    """Decisions that are stored more often than they were made."""
    torn: int = 0
    """Matches whose journal cannot be replayed."""
    aborted: int = 0
    """Tables whose first match was aborted; in the next one, players may be missing."""
    gaps: int = 0
    """Events that were not told, or that differ from the stored ones."""
    events: int = 0


@dataclass(frozen=True, slots=True)
class Stored:
    """The journal of a table."""

    game: Game
    options: dict[str, Value]
    entries: Sequence[journal.AnyEntry]


def judge(tables: Iterable[Stored], players: Sequence[Player]) -> Judged:
    """Compare journals with the events that *players* were told.

    A lobby may seat a player at several tables, one after another, and each match of a table may have
    different players. Only the events of a table's first match are compared.
    """
    found = Judged()
    by_name = {player.name: player for player in players}
    stored: dict[str, list[Decision]] = {name: [] for name in by_name}
    matches = [match for table in tables for match in _matches(table)]
    for match in sorted(matches, key=lambda match: match.began.at):
        try:
            events = _events(match)
        except Exception:
            found.torn += 1
            continue
        found.aborted += match.first and any(
            isinstance(entry, journal.Ended) and entry.scores is None for entry in match.entries
        )
        for seat, name in enumerate(match.began.players):
            player = by_name.get(name)
            if player is None:
                continue
            stored[name] += _decisions(match.entries, seat)
            if isinstance(player, HousePlayer) and match.first:
                _judge_events(player, [one for one in events if one.heard_by(seat)], found)
    for player in players:
        _judge_player(player, stored[player.name], found)
    return found


@dataclass(frozen=True, slots=True)
class _Match:
    """The entries of a match, up to the beginning of the next one."""

    game: Game
    options: dict[str, Value]
    began: journal.Began
    entries: Sequence[journal.AnyEntry]
    first: bool
    """True for the first match of its table."""


def _matches(table: Stored) -> Iterator[_Match]:
    """Yield the matches in a journal."""
    entries = table.entries
    starts = [(at, entry) for at, entry in enumerate(entries) if isinstance(entry, journal.Began)]
    ends = [*(at for at, _ in starts[1:]), len(entries)]
    for (at, began), end in zip(starts, ends, strict=False):
        options = table.game.options.read({**table.options, **(began.options or {})})
        yield _Match(table.game, options, began, entries[at:end], at == starts[0][0])


def _events(match: _Match) -> list[Event]:
    """Return all events of a match, replayed from its journal."""
    ends = (at for at, entry in enumerate(match.entries) if isinstance(entry, journal.Ended))
    entries = match.entries[: next(ends, len(match.entries)) + 1]
    events: list[Event] = []
    record.replay(journal.record_of(match.game, match.options, None, entries), match.game, events=events)
    return events


def _decisions(entries: Sequence[journal.AnyEntry], seat: int) -> list[Decision]:
    """Return the decisions that the player of *seat* made."""
    return [
        _sorted(entry.actions)
        for entry in entries
        if isinstance(entry, journal.Acted) and entry.seat == seat and not entry.by
    ]


def _sorted(actions: Iterable[str]) -> Decision:
    return tuple(sorted(actions))


def _judge_player(player: Player, stored: list[Decision], found: Judged) -> None:
    found.acknowledged += len(player.acknowledged)
    found.gaps += getattr(player, "gaps", 0)
    at = 0
    for decision in map(_sorted, player.acknowledged):
        try:
            at = stored.index(decision, at) + 1
        except ValueError:
            found.lost += 1
    if not isinstance(player, GlassPlayer):  # in that protocol one answer is a placement and a pass
        found.twice += max(0, len(stored) - player.decisions)


def _judge_events(player: HousePlayer, heard: list[Event], found: Judged) -> None:
    """Check that event n of the player is event n of the match."""
    for number, event in player.events.items():
        found.events += 1
        if number > len(heard) or _plain(heard[number - 1]) != event:
            found.gaps += 1


def _plain(event: Event) -> object:
    return msgspec.json.decode(msgspec.json.encode(event.plain()))
