"""A hint: what `expert` would do now, how much better that is than the next best choice, and why.

It is computed from the view of the seat alone. Its random numbers must not depend on hidden cards either.
"""

from __future__ import annotations

from random import Random
from typing import Final

import msgspec

from croupier.bots.ismcts import SearchBot
from croupier.core.contract import Game, State
from croupier.games import game as find_game
from croupier.reviews.review import CannotReview, after, first_events, whole_decision
from croupier.table.bot_task import BotTask
from croupier.table.bot_worker import BotWorker
from croupier.wire.house_messages import Hint

SECONDS: Final = 2.0
"""The limit for each search of a hint."""


class HintOrder(msgspec.Struct, tag="hint"):
    """The position for which a hint is wanted; *task* has the seat and the course of the match."""

    task: BotTask
    simulations: int


def answer(order: HintOrder) -> Hint:
    """Return the hint for the seat of *order*."""
    game = find_game(order.task.game)
    state = BotWorker().position(order.task, game)
    return hint(game, state, order.task.seat, str(order.task.seed), order.simulations, SECONDS)


def hint(game: Game, state: State, seat: int, seed: str, simulations: int, seconds: float = -1.0) -> Hint:
    """Return the hint for *seat*, which is to act, after at most *seconds* for each search."""
    if type(game).sample is Game.sample:
        raise CannotReview(f"{game.name}: this game cannot be searched, so there are no hints")
    bot = SearchBot(game, simulations)
    chosen = whole_decision(bot, state, seat, seed, seconds=seconds)
    last = after(state, seat, chosen[:-1])
    found = [one for one in bot.values(last.view(seat), Random(f"{seed} best"), seconds) if one.visits]
    best = [one.value for one in found if one.action == chosen[-1]]
    others = [one.value for one in found if one.action != chosen[-1]]
    return Hint(
        [game.actions.name(action) for action in chosen],
        first_events(state, seat, chosen),
        round(max(0.0, best[0] - max(others)), 1) if best and others else 0.0,
        sum(one.visits for one in found),
        game.reasons(state.view(seat)),
    )
