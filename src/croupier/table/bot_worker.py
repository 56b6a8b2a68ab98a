"""Answers tasks with searching bots, which get only the view of their seat."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from croupier.bots.ismcts import SearchBot
from croupier.bots.strengths import players
from croupier.core.contract import CHANCE, Game, State
from croupier.games import game as find_game
from croupier.table.bot_task import BotTask

MEMORY: Final = 64
"""How many positions a worker keeps; the one that has not been used for longest is dropped."""


@dataclass(slots=True)
class _Position:
    match: str
    state: State
    read: int = 0
    """How many numbers of the course have been replayed."""


class BotWorker:
    """Replays the course of matches and asks bots for the next action."""

    def __init__(self, find: Callable[[str], Game] = find_game) -> None:
        self._find = find
        self._positions: OrderedDict[str, _Position] = OrderedDict()

    def choose(self, task: BotTask, seconds: float, stop: Callable[[], bool] | None = None) -> int:
        """Return the action; after *seconds*, or when *stop* returns True, the best one found so far."""
        game = self._find(task.game)
        state = self.position(task, game)
        view = state.view(task.seat)
        reserved = game.reserved()
        view.legal = [action for action in view.legal if action not in reserved]
        bot = players(game)[task.bot]
        rng = Random(task.seed)
        if not isinstance(bot, SearchBot):
            return bot.choose(view, rng)
        return bot.choose_within(view, rng, seconds, stop)

    def position(self, task: BotTask, game: Game) -> State:
        """Return the position of *task*; only the part of the course that this worker has not seen is
        replayed.
        """
        position = self._positions.pop(task.table, None)
        numbers = array("h")
        numbers.frombytes(task.course)
        if position is None or position.match != task.match or position.read > len(numbers):
            position = _Position(task.match, game.new(task.options, task.seats))
        at = position.read
        while at < len(numbers):
            seat, many = numbers[at : at + 2]
            items = list(numbers[at + 2 : at + 2 + many])
            at += 2 + many
            if seat == CHANCE:
                position.state.apply_draw(items)
            else:
                for action in items:
                    position.state.apply(seat, action)
        position.read = at
        self._positions[task.table] = position
        if len(self._positions) > MEMORY:
            self._positions.popitem(last=False)
        if not task.actions:
            return position.state
        trial = position.state.clone()
        for action in task.actions:
            trial.apply(task.seat, action)
        return trial
