"""Checks and parses a table's specification into a `Setup`, from which a `Table` is created."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from croupier.bots.strengths import names
from croupier.core import record
from croupier.core.contract import Game
from croupier.core.options import BadOptions, Value
from croupier.table import journal
from croupier.table.seating import arrangement_error
from croupier.wire.identity import Identities
from croupier.wire.table_spec import TableSpec

LONGEST_DELAY: Final = 600
"""The maximum value of `TableSpec.watch_delay`, in seconds."""


@dataclass(slots=True)
class Setup:
    """A checked and parsed specification."""

    id: str
    game: Game
    spec: TableSpec
    rules_options: Mapping[str, Value]
    """All options of the rules, including defaults."""
    table_options: Mapping[str, Value]
    opening: Sequence[journal.Drew | journal.Acted] = ()
    """Draws and actions with which the first match begins."""
    identities: Identities = field(default_factory=Identities)
    """The accounts of the server."""

    @property
    def fixed_deal(self) -> bool:
        """Return True if a player could know the cards in advance."""
        return cards_given(self.game, self.spec)


def cards_given(game: Game, spec: TableSpec) -> bool:
    """Return True if a player could know the cards of a table in advance: a seed, draws, a position or a
    deal was given."""
    if spec.seed is not None or len(spec.draws) > 0 or len(spec.opening) > 0 or spec.cards_given:
        return True
    return game.options.has_secrets(spec.options)


def setup_of(id: str, game: Game, spec: TableSpec) -> Setup:
    """Check and parse *spec*; raise BadOptions if it is invalid."""
    seats = len(spec.seats)
    if seats not in game.seats:
        expected = " or ".join(str(n) for n in game.seats)
        raise BadOptions(f"{seats} seats: {game.title} is played by {expected}")
    wrong = arrangement_error(game, spec.seats, seats)
    if wrong:
        raise BadOptions(wrong)
    if spec.seat_tokens and len(spec.seat_tokens) != seats:
        raise BadOptions(f"option seat_tokens: {len(spec.seat_tokens)} given, expected one per seat or none")
    if not 0 <= spec.watch_delay <= LONGEST_DELAY:
        raise BadOptions(f"watch_delay={spec.watch_delay}: expected 0…{LONGEST_DELAY} seconds")
    if spec.filler and spec.filler not in (known := names(game)):
        raise BadOptions(f"bots={spec.filler}: expected one of {', '.join(known)}")
    rules_options = game.options.read(spec.options)
    game.new(rules_options, seats)  # some options require a certain number of seats
    opening = [_opening(line) for line in spec.opening]
    return Setup(id, game, spec, rules_options, game.table_options.read(spec.table_options), opening)


def _opening(line: str) -> journal.Drew | journal.Acted:
    if line.startswith("{"):  # a journal entry, as version 0.1 stored it
        stored = journal.decode(line)
        if isinstance(stored, journal.Drew | journal.Acted):
            return stored
    else:
        try:
            entry = record.read_entry(line)
        except record.BadRecord as error:
            raise BadOptions(f"option opening: {error}") from None
        if isinstance(entry, record.Drawn | record.Acted):
            return journal.happened(entry)
    raise BadOptions(f"option opening: {line[:40]}, expected a draw or an action")
