"""Arenas and results for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.arena.plan import Arena, Contestant, Limits, Play, Result, Verdict
from croupier.arena.schedule import due
from croupier.games import game, names

SHORT = {name: dict(game(name).short) for name in names()}


def bots(*names: str, bot: str = "random") -> tuple[Contestant, ...]:
    return tuple(Contestant(name, bot) for name in names)


def arena(names: str = "a b", /, **changes: object) -> Arena:
    """Return an arena of random bots called by the words of *names*."""
    given: dict[str, object] = {
        "game": "coinche",
        "seats": 4,
        "contestants": bots(*names.split()),
        "seed": "s",
        "deals": 2,
        "options": {"target": 500},
        "limits": Limits(seconds=20.0, start=20.0, memory=300),
        **changes,
    }
    return Arena(**given)  # type: ignore[arg-type]  # the callers' words are the fields


def played(play: Play, strength: dict[str, float]) -> Result:
    """Return the result of *play* if every contestant scores its strength, and seats differ in luck."""
    luck = [10.0 * seat for seat in range(len(play.seats))]
    payoffs = tuple(strength[name] + luck[seat] for seat, name in enumerate(play.seats))
    return Result(play, payoffs, tuple(map(round, payoffs)))


def failed(play: Play, name: str) -> Result:
    """Return *play* lost by *name* through a verdict."""
    return Result(play, verdict=Verdict(play.seats.index(name), "timeout", "too late"))


def finished(
    wanted: Arena, strength: dict[str, float], change: Callable[[Result], Result] = lambda result: result
) -> list[Result]:
    """Play the whole arena with *strength* deciding."""
    results: list[Result] = []
    while plays := due(wanted, results):
        results += [change(played(play, strength)) for play in plays]
    return results


def meetings(results: Sequence[Result], round: int) -> list[tuple[str, ...]]:
    """Return who met in a round, each pair once."""
    met = [one.play.meeting.contestants for one in results if one.play.meeting.round == round]
    return list(dict.fromkeys(met))
