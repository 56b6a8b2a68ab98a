"""Who answers tasks: searching bots that remember, each shown the view of its seat and nothing else."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from croupier.bots.ismcts import SearchBot
from croupier.bots.strengths import players
from croupier.core.contract import CHANCE, Bot, Game, State
from croupier.games import game as find_game
from croupier.table.task import Task

MEMORY: Final = 64
"""So many positions and bots a mind keeps; the one that has not been asked for longest goes first."""


@dataclass(slots=True)
class _Position:
    match: str
    state: State
    read: int = 0
    """How many numbers of the course are played."""


class Mind:
    """Searching bots, one for each seat of a match, so that each may build on what it thought before."""

    def __init__(self, find: Callable[[str], Game] = find_game) -> None:
        self._find = find
        self._positions: OrderedDict[str, _Position] = OrderedDict()
        self._bots: OrderedDict[tuple[str, int, str], Bot] = OrderedDict()

    def choose(self, task: Task, seconds: float, stop: Callable[[], bool] | None = None) -> int:
        """Return the action; after *seconds*, or when *stop* says so, the best one found so far."""
        game = self._find(task.game)
        state = self._state(task, game)
        view = state.view(task.seat)
        reserved = game.reserved()
        view.legal = [action for action in view.legal if action not in reserved]
        bot = self._bot(task, game)
        rng = Random(task.seed)
        if not isinstance(bot, SearchBot):
            return bot.choose(view, rng)
        return bot.choose_within(view, rng, seconds, stop)

    def _bot(self, task: Task, game: Game) -> Bot:
        key = (task.match, task.seat, task.bot)
        bot = self._bots.pop(key, None)
        if bot is None:
            bot = players(game)[task.bot]
        self._bots[key] = bot
        if len(self._bots) > MEMORY:
            self._bots.popitem(last=False)
        return bot

    def _state(self, task: Task, game: Game) -> State:
        """Return the position of *task*: what is new in it is played on from where this mind last was."""
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
