"""Compares what players were told with what is stored: nothing lost, nothing twice, nothing torn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """What was found at the tables that were compared."""

    acknowledged: int = 0
    lost: int = 0
    """Decisions that were acknowledged and are not stored."""
    twice: int = 0
    """Decisions that are stored more often than they were made."""
    torn: int = 0
    """Matches whose journal cannot be replayed."""
    gaps: int = 0
    """Events that were omitted, or told differently than they are stored."""
    events: int = 0


@dataclass(frozen=True, slots=True)
class Stored:
    """The journal of a table."""

    game: Game
    options: dict[str, Value]
    entries: Sequence[journal.AnyEntry]


def judge(tables: Iterable[Stored], players: Sequence[Player]) -> Judged:
    """Compare journals, in the order in which their tables were opened, with what *players* were told.

    A lobby may seat a player at one table after the other. At each they have the same seat in all matches;
    events are compared in the first.
    """
    found = Judged()
    stored: dict[str, list[Decision]] = {player.name: [] for player in players}
    for table in tables:
        _judge_table(table, players, stored, found)
    for player in players:
        _judge_player(player, stored[player.name], found)
    return found


def _judge_table(
    table: Stored, players: Iterable[Player], stored: dict[str, list[Decision]], found: Judged
) -> None:
    """Judge a journal, and add the decisions of each player to *stored*."""
    game, entries = table.game, table.entries
    first = next((at for at, entry in enumerate(entries) if isinstance(entry, journal.Began)), None)
    if first is None:
        return
    began = entries[first]
    assert isinstance(began, journal.Began)
    last = next(
        (at for at, entry in enumerate(entries) if isinstance(entry, journal.Ended)), len(entries) - 1
    )
    match = entries[first : last + 1]
    later = entries[first:]
    rules = game.options.read({**table.options, **(began.options or {})})
    try:
        events = _events(game, rules, match)
    except Exception:
        found.torn += 1
        return
    for player in players:
        if player.name in began.players:
            seat = began.players.index(player.name)
            stored[player.name] += _decisions(later, seat)
            if isinstance(player, HousePlayer):
                _judge_events(player, [one for one in events if one.heard_by(seat)], found)


def _events(game: Game, options: dict[str, Value], match: Sequence[journal.AnyEntry]) -> list[Event]:
    """Return all events of a match, replayed from its journal."""
    events: list[Event] = []
    record.replay(journal.record_of(game, options, None, match), game, events=events)
    return events


def _decisions(match: Sequence[journal.AnyEntry], seat: int) -> list[Decision]:
    """Return the decisions that the player of *seat* made."""
    return [
        _sorted(entry.actions)
        for entry in match
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
    if not isinstance(player, GlassPlayer):  # there an answer is a placement and a pass
        found.twice += max(0, len(stored) - player.decisions)


def _judge_events(player: HousePlayer, heard: list[Event], found: Judged) -> None:
    """Check that event n of the player is event n of the match."""
    for number, event in player.events.items():
        found.events += 1
        if number > len(heard) or _plain(heard[number - 1]) != event:
            found.gaps += 1


def _plain(event: Event) -> object:
    return msgspec.json.decode(msgspec.json.encode(event.plain()))
