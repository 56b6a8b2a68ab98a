"""Convert notations to records and matches, and matches to notations.

A notation's data outside the rules (clocks, the saver, unknown settings) is not part of a match, so a
notation that was converted to a record and back is without it; deal, calls, tricks and settlement are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core import record
from croupier.core.contract import WATCHER
from croupier.core.options import Value
from croupier.core.record import Acted, BadRecord, Drawn, Record, Result
from croupier.games.taroky import GAME
from croupier.games.taroky.events import DealEnded
from croupier.games.taroky.explain import PLAYERS
from croupier.games.taroky.notation import Notation, of_view, write
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import SEATS


def to_record(notation: Notation, players: Sequence[str] = PLAYERS, hands: int = 1) -> Record:
    """Return the record of a match that begins with *notation*, player 1 on seat 0.

    It ends where the notation ends. Raise BadOptions for more chips than a match may have.
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
    """Return the options of a match that begins with *notation*; raise BadOptions if that is not possible."""
    return GAME.options.read(notation.options() | {"hands": hands})


def to_opening(notation: Notation) -> tuple[str, ...]:
    """Return the draw and the actions of *notation* as lines of a record, for a table that continues it."""
    entries = to_record(notation).entries
    return tuple(record.write_entry(entry) for entry in entries if isinstance(entry, Drawn | Acted))


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
