"""How good people and bots are, from the matches they play: a fold over matches in the order they end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING

from croupier.core.contract import Game
from croupier.store.people import Rating

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


@cache
def _model() -> PlackettLuce:
    from openskill.models import (
        PlackettLuce,
    )  # a second of imports that a server without accounts never needs

    return PlackettLuce()


def after(
    game: Game, who: Sequence[str], places: Sequence[int], before: Mapping[str, Rating]
) -> dict[str, Rating]:
    """Return the ratings of those who played after a match in which they came to *places*, by seat.

    Who is nobody in particular (an empty name) counts as a newcomer of whom nothing is known, and stays that.
    A bot that sat in several seats gets the mean of what each of them brought it.
    """
    sides = game.sides(len(who))
    if len(sides) < 2:
        return {}
    model = _model()
    start = {one: model.rating(mu=known.mu, sigma=known.sigma) for one, known in before.items()}
    teams = [[start.get(who[seat]) or model.rating() for seat in side] for side in sides]
    ranks = [float(min(places[seat] for seat in side)) for side in sides]
    brought: dict[str, list[tuple[float, float]]] = {}
    for side, team in zip(sides, model.rate(teams, ranks=ranks), strict=True):
        for seat, one in zip(side, team, strict=True):
            if who[seat]:
                brought.setdefault(who[seat], []).append((one.mu, one.sigma))
    return {
        one: Rating(
            fmean(mu for mu, _ in values),
            fmean(sigma for _, sigma in values),
            (before[one].matches if one in before else 0) + 1,
        )
        for one, values in brought.items()
    }
