"""Plays one match among bots in this process, with the same draws and kind of record as at a table."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from croupier.arena.plan import Arena, Play, Result, Verdict, seed_of
from croupier.bots.strengths import players
from croupier.core import record
from croupier.core.chance import Stream, commitment, derived_seed, rng
from croupier.core.contract import Bot, Game, State, first_seat
from croupier.table.match import SECRET_DEAL

MATCH: Final = 1
"""The number of the first match of a table in its chain of seeds."""


def new_record(arena: Arena, play: Play, game: Game) -> record.Record:
    """Return the record of *play* without entries."""
    options = game.options.read(arena.options)
    players = [record.clean(name) for name in play.seats]
    return record.Record(
        game.name, game.rules, arena.seats, record.spelt(options), players, seed_of(arena, play)
    )


def play_bots(arena: Arena, play: Play, game: Game) -> Result:
    """Play a match in which every seat has a bot of the game."""
    began = perf_counter()
    state = game.new(game.options.read(arena.options), arena.seats)
    match = _Match(new_record(arena, play, game), state, game, seed_of(arena, play))
    # One bot per seat: the state that a bot keeps between moves belongs to one seat.
    bots = [players(game)[arena.called(name).bot] for name in play.seats]
    verdict = match.run(bots, play.rotation)
    seconds = round(perf_counter() - began, 3)
    text = record.write(match.written) if arena.records else ""
    if verdict is not None:
        return Result(play, verdict=verdict, seconds=seconds, record=text)
    return Result(play, tuple(state.payoffs()), tuple(state.scores()), seconds=seconds, record=text)


class _Match:
    """A match and its growing record."""

    def __init__(self, written: record.Record, state: State, game: Game, seed: str) -> None:
        self.written = written
        self._state = state
        self._game = game
        self._seed = seed
        self._deal = 0
        self._deal_seed = b""
        self._stream: Stream | None = None

    def run(self, bots: list[Bot], rotation: int) -> Verdict | None:
        """Play to the end or to the first verdict."""
        secret = derived_seed(self._seed, MATCH, SECRET_DEAL)
        chances = [rng(secret, f"{rotation} {seat}") for seat in range(len(bots))]
        reserved = frozenset(self._game.reserved())
        state = self._state
        while not state.over():
            if state.awaiting() is not None:
                self._draw()
                continue
            seat = int(first_seat(state.to_act()))
            view = state.view(seat)
            if reserved:
                view.legal = [action for action in view.legal if action not in reserved]
            try:
                action = bots[seat].choose(view, chances[seat])
            except Exception as error:  # a failing bot must not stop the arena
                return Verdict(seat, "crash", f"{type(error).__name__}: {error}")
            if action not in view.legal:
                return Verdict(seat, "illegal", f"action {action!r}: expected one of {view.legal}")
            state.apply(seat, action)
            name = self._game.actions.name(action)
            self.written.entries.append(record.Acted(seat, (name,), "bot"))
            self._reveal()
        self.written.entries.append(record.Result(tuple(state.scores())))
        return None

    def _draw(self) -> None:
        draw = self._state.awaiting()
        assert draw is not None
        deal = self._state.deal() + 1
        if draw.take and deal != self._deal:
            self._deal = deal
            self._deal_seed = derived_seed(self._seed, MATCH, deal)
            self._stream = Stream(self._deal_seed)
            self.written.entries.append(record.Commit(deal, commitment(self._deal_seed)))
        outcome = self._stream.draw(draw) if draw.take and self._stream is not None else []
        self.written.entries += record.drawn(self._game, draw, outcome, self.written.entries)
        self._state.apply_draw(outcome)

    def _reveal(self) -> None:
        """Reveal the seed of a deal that has ended."""
        if self._stream is not None and self._state.deal() >= self._deal:
            self._stream = None
            self.written.entries.append(record.Reveal(self._deal, self._deal_seed.hex()))
