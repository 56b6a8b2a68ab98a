"""Random deals of Hearts a CPU-second: ours, interpreted and compiled, beside OpenSpiel's in the same run.

All play whole deals from the shuffle to the score, passing included, each choice at random. Ours also
decide about exposing AH.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from croupier import games
from croupier.bench import rates
from croupier.bench.rates import rate
from croupier.bench.report import Section, compiled
from croupier.core.contract import first_seat, play_out
from croupier.core.dice import Dice

ONE_DEAL = {"deals": 1, "match_games": 1}


@dataclass(frozen=True, slots=True)
class Row:
    """How many deals a CPU-second one way of playing reaches."""

    name: str
    deals: float


def our_loop(seconds: float) -> float:
    """The contract's own playout loop, over its base classes."""
    game = games.game("hearts")
    start = game.new(game.options.read(ONE_DEAL), 4)
    dice = Dice(1)
    return rate(lambda: play_out(start.clone(), dice), seconds)


def our_python_loop(seconds: float) -> float:
    """A loop as a bot author would write it, over lists of legal actions."""
    game = games.game("hearts")
    start = game.new(game.options.read(ONE_DEAL), 4)
    rng = Random(1)
    dice = Dice(1)

    def play() -> None:
        state = start.clone()
        while not state.over():
            state.roll(dice)
            while waiting := state.to_act():
                seat = first_seat(waiting)
                state.apply(seat, rng.choice(state.legal_actions(seat)))

    return rate(play, seconds)


def open_spiel_python(seconds: float) -> float:
    """OpenSpiel's Hearts through its Python API."""
    import pyspiel

    game = pyspiel.load_game("hearts(qs_breaks_hearts=False)")
    rng = Random(1)

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))

    return rate(play, seconds)


def open_spiel_loop(seconds: float) -> float:
    """OpenSpiel's own loop in C++, with its uniform random bots."""
    import pyspiel

    game = pyspiel.load_game("hearts(qs_breaks_hearts=False)")
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    seeds = Random(1)
    return rate(
        lambda: pyspiel.evaluate_bots(game.new_initial_state(), bots, seeds.randrange(1 << 30)), seconds
    )


def interpreted(seconds: float, rounds: int) -> list[Row]:
    """Measure our sources as they are, in a process of their own that has no compiled modules."""
    loop, python_loop = rates.interpreted("playouts", ["our_loop", "our_python_loop"], seconds, rounds)
    return [
        Row("croupier interpreted, its own loop", loop),
        Row("croupier interpreted, Python loop", python_loop),
    ]


def measure(seconds: float = 2.0, rounds: int = 5) -> list[Row]:
    """Return all rows, OpenSpiel's first: the best of *rounds*, together about *seconds* of CPU a row.

    Whatever else the machine does only ever slows a row down, so the best is nearest to the truth;
    the rows take turns, so that a busy spell hits them all.
    """
    ways: list[tuple[str, Callable[[float], float]]] = []
    if has_open_spiel():
        ways += [
            ("OpenSpiel, Python loop", open_spiel_python),
            ("OpenSpiel, its own C++ loop", open_spiel_loop),
        ]
    if compiled():
        ways += [
            ("croupier compiled, its own loop", our_loop),
            ("croupier compiled, Python loop", our_python_loop),
        ]
    found: dict[str, list[float]] = {name: [] for name, _ in ways}
    for _ in range(rounds):
        for name, way in ways:
            found[name].append(way(seconds / rounds))
    rows = [Row(name, max(rates)) for name, rates in found.items()]
    return rows + interpreted(seconds, rounds)


def has_open_spiel() -> bool:
    """Say whether OpenSpiel is installed: it comes with the tools of developers alone."""
    return importlib.util.find_spec("pyspiel") is not None


def section(quick: bool) -> Section:
    """Measure, and return what was found."""
    rows = measure(0.5 if quick else 3.0)
    notes = []
    if has_open_spiel():
        python, native = rows[0].deals, rows[1].deals
        table = [["random deals", "deals per CPU-second", "× OpenSpiel's Python", "× OpenSpiel's C++"]]
        table += [
            [row.name, f"{row.deals:,.0f}", f"{row.deals / python:.2f}", f"{row.deals / native:.2f}"]
            for row in rows
        ]
    else:
        notes.append(
            "OpenSpiel is not installed, so there is nothing to compare with: pip install open_spiel"
        )
        table = [["random deals", "deals per CPU-second"], *([row.name, f"{row.deals:,.0f}"] for row in rows)]
    if not compiled():
        notes.append("the rules are not compiled here: a C compiler and 'pip install .' would do")
    return Section(
        "Random deals of Hearts",
        "Whole deals from the shuffle to the score, passing included, every choice at random, on one core; "
        "the best of five rounds in which all take turns. "
        "croupier also decides about exposing the ace of hearts. OpenSpiel plays "
        "`hearts(qs_breaks_hearts=False)`, through Python one action at a time, and in C++ by "
        "`pyspiel.evaluate_bots` with its uniform random bots.",
        table,
        notes,
    )
