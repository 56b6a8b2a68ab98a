"""Notations and records: a deal that was written down becomes a match, a match becomes notations.

What a notation says beside the game (clocks, the saver, settings nobody knows) belongs to no match, so a
notation that went through a record comes back without it; deal, calls, tricks and settlement are the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core import record
from croupier.core.contract import CHANCE, WATCHER
from croupier.core.options import Value
from croupier.core.record import Acted, BadRecord, Record, Result
from croupier.games.taroky import GAME
from croupier.games.taroky.events import DealEnded
from croupier.games.taroky.explain import PLAYERS
from croupier.games.taroky.notation import Notation, of_view, write
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import SEATS, names


def to_record(notation: Notation, players: Sequence[str] = PLAYERS, hands: int = 1) -> Record:
    """Return the record of a match that begins with *notation*, player 1 on seat 0.

    It goes as far as the notation does. BadOptions for more chips than a match may have.
    """
    options = match_options(notation, hands)
    written = Record(GAME.name, GAME.rules, SEATS, record.spelt(options), list(players))
    state = GAME.new(options, SEATS)
    draw = state.awaiting()
    assert draw is not None
    outcome = notation.draw()
    written.entries += record.drawn(GAME, draw, outcome, [])
    state.apply_draw(outcome)
    for seat, action in notation.actions():
        written.entries.append(Acted(seat, (GAME.actions.name(action),)))
        state.apply(seat, action)
    if state.over():
        written.entries.append(Result(tuple(state.scores())))
    return written


def match_options(notation: Notation, hands: int = 1) -> dict[str, Value]:
    """Return the options of a match that begins with *notation*; BadOptions if there can be none."""
    return GAME.options.read(notation.options() | {"hands": hands})


def to_opening(notation: Notation) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return what has happened in *notation*, for a table that plays it on: its draw, its actions."""
    drawn = (CHANCE, tuple(names(notation.draw())))
    return (drawn, *((seat, (GAME.actions.name(action),)) for seat, action in notation.actions()))


def to_notations(written: Record) -> list[str]:
    """Return the finished deals of a record, each as a notation."""
    if written.game != GAME.name:
        raise BadRecord(f"a record of {written.game}: only Taroky has a notation")
    found: list[str] = []
    for _, state, events in record.steps(written, GAME):
        if any(isinstance(event, DealEnded) for event in events):
            view = state.view(WATCHER)
            assert isinstance(view, TarokyView)
            found.append(write(of_view(view)))
    return found
