"""The texts an agent reads: seats, tables and matches as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.core.words import aligned
from croupier.games import game as find_game
from croupier.games import words_of
from croupier.mcp.seat import Seat
from croupier.wire.house_messages import MatchRow, OptionRow, Place, TableRow

MANY: Final = 24
"""If there are more legal actions than this, they are listed only on request."""


def situation(seat: Seat, page: str, now: float) -> list[str]:
    """Return everything that *seat* sees, and what to do next."""
    facts, said = seat.facts, seat.words
    hand = " | ".join(" ".join(row) for row in said.hand)
    return [
        f"{facts.title} at table {seat.table}, {page}",
        f"Seats: {', '.join(_seat(place, seat.number) for place in facts.seats)}",
        *said.table,
        *([f"{words_of(find_game(facts.game)).held}: {hand}"] if hand else []),
        *due(seat, now),
    ]


def due(seat: Seat, now: float) -> list[str]:
    """Return what *seat* has to do, or for whom it is waiting."""
    if seat.ended:
        return [f"This seat is lost ({seat.ended}). Call sit_down to get another one."]
    question = seat.question
    if question is not None:
        left = "" if question.deadline is None else f" ({max(0, round(question.deadline - now))} s left)"
        return [f"Your turn{left}. {seat.words.question or ''}".rstrip(), legal(seat, MANY)]
    names = [place.name or f"seat {place.seat}" for place in seat.facts.seats]
    if seat.facts.phase == "playing":
        waiting = [names[number] for number in seat.view["to_act"] if number != seat.number]
        return [f"Waiting for {' and '.join(waiting) or 'the table'}. Call wait_for_turn."]
    if seat.facts.started:
        free = [name for place, name in zip(seat.facts.seats, names, strict=True) if not place.name]
        return [f"The game starts when {' and '.join(free) or 'the table'} is ready. Call wait_for_turn."]
    what = "the next game of the match" if seat.facts.phase == "resting" else "a new match"
    return [f"No game is running. Call start_game to start {what}."]


def legal(seat: Seat, most: int | None = None) -> str:
    """Return at most *most* of the legal actions."""
    names: list[str] = seat.view["legal"]
    shown = names if most is None else names[:most]
    more = f" … and {len(names) - len(shown)} more (call legal_actions)" if len(shown) < len(names) else ""
    return f"Legal actions: {'; '.join(shown)}{more}"


def standing(seat: Seat) -> list[str]:
    """Return the scores of the match, and the last trick or similar."""
    said = seat.words
    return [*aligned(said.scores), *([f"Last: {said.last}"] if said.last else [])]


def table(row: TableRow, page: str) -> str:
    """Return one line about a table of the lobby."""
    seats = ", ".join(_seat(place, None) for place in row.seats)
    return f"{row.id}: {row.title} ({row.game}), {row.phase}; {seats}; {page}"


def match(row: MatchRow) -> str:
    """Return one line about a finished match."""
    if len(row.result) == len(row.players):
        pairs = zip(row.players, row.result, strict=True)
        outcome = ", ".join(f"{name} {score}" for name, score in pairs)
    else:
        outcome = f"{', '.join(row.players)}: {row.result}"
    return f"{row.id}: {row.game} at table {row.table}, {outcome}; ended {row.ended}"


def option(one: OptionRow) -> str:
    """Return one line about an option."""
    if one.choices:
        may = ", ".join(one.choices)
    elif one.kind == "number":
        may = f"{'0 or ' if one.or_zero else ''}{one.low}…{one.high}"
    else:
        may = "true or false" if one.kind == "switch" else one.kind
    unit = f" {one.unit}" if one.unit else ""
    return f"  {one.name} = {_value(one.default)}{unit}: {one.words} ({may})"


def _seat(place: Place, me: int | None) -> str:
    who = place.name or "free"
    if place.seat == me:
        who += " (you)"
    elif place.kind == "bot":
        who += f" (bot {place.bot})"
    elif place.name and not place.connected:
        who += " (not connected)"
    elif not place.name and place.kind == "person":
        who += " (reserved for a person)"
    return f"{place.seat} {who}"


def _value(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(str(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value) or "nothing"
