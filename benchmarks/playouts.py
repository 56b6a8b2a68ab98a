"""Random deals of Hearts per CPU-second: ours, interpreted and compiled, compared with OpenSpiel's in the
same run.

All play whole deals from the shuffle to the score, passing included, each choice at random. Our rules also
include the decision about exposing the ace of hearts.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks import rates
from benchmarks.rates import rate
from benchmarks.report import Section, compiled
from croupier import games
from croupier.core.contract import play_out, turns
from croupier.core.dice import Dice

ONE_DEAL = {"deals": 1, "match_games": 1}


@dataclass(frozen=True, slots=True)
class Row:
    """The deals per CPU-second of one way of playing."""

    name: str
    deals: float


def our_loop(seconds: float) -> float:
    """The playout loop of the contract, over its base classes."""
    game = games.game("hearts")
    start = game.new(game.options.read(ONE_DEAL), 4)
    dice = Dice(1)
    return rate(lambda: play_out(start.clone(), dice), seconds)


def our_python_loop(seconds: float) -> float:
    """A loop as a bot author would write it, over lists of legal actions."""
    game = games.game("hearts")
    start = game.new(game.options.read(ONE_DEAL), 4)
    dice = Dice(1)

    def play() -> None:
        state = start.clone()
        for seat in turns(state, dice):
            legal = state.legal_actions(seat)
            state.apply(seat, legal[dice.below(len(legal))])

    return rate(play, seconds)


def open_spiel_python(seconds: float) -> float:
    """OpenSpiel's Hearts through its Python API, chance and decisions chosen as in our own loop."""
    import pyspiel

    game = pyspiel.load_game("hearts(qs_breaks_hearts=False)")
    dice = Dice(1)

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[dice.below(len(legal))])

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
    """Measure our interpreted sources, in a separate process without compiled modules."""
    loop, python_loop = rates.interpreted("playouts", ["our_loop", "our_python_loop"], seconds, rounds)
    return [
        Row("croupier interpreted, its own loop", loop),
        Row("croupier interpreted, Python loop", python_loop),
    ]


def measure(seconds: float = 2.0, rounds: int = 5) -> list[Row]:
    """Return all rows, OpenSpiel's first: the best of *rounds*, together about *seconds* of CPU per row.

    Other load on the machine only slows a row down, so the best result is the most accurate; the rows take
    turns, so that other load affects all of them.
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
    """Return whether OpenSpiel is installed: only the developer tools include it."""
    return importlib.util.find_spec("pyspiel") is not None


def section(quick: bool) -> Section:
    """Measure, and return the section of the report."""
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
        notes.append("the rules are not compiled here: run 'pip install .' with a C compiler")
    return Section(
        "Random deals of Hearts",
        "Whole deals from the shuffle to the score, passing included, every choice at random, on one core; "
        "the best of five rounds in which all take turns. "
        "croupier also decides about exposing the ace of hearts. OpenSpiel plays "
        "`hearts(qs_breaks_hearts=False)`, through Python one action at a time, and in C++ by "
        "`pyspiel.evaluate_bots` with its uniform random bots. Both Python loops ask for the list of legal "
        "actions and choose with the same dice.",
        table,
        notes,
    )
