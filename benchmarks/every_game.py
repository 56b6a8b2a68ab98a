"""Random play of every game, compiled and interpreted; Tarock compared with OpenSpiel's in the same run.

Deals differ in length between games, so speed is given in actions: one decision of one seat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from benchmarks import rates
from benchmarks.playouts import has_open_spiel
from benchmarks.rates import rate
from benchmarks.report import Section, compiled
from croupier import games
from croupier.core.contract import play_out
from croupier.core.dice import Dice
from croupier.core.options import Value

SAMPLE = 400
"""Matches played to determine the mean number of actions."""


@dataclass(frozen=True, slots=True)
class Line:
    """One game and its configuration."""

    game: str
    unit: str
    seats: int
    options: dict[str, Value]


USUAL = (
    Line("hearts", "deal", 4, {"deals": 1, "match_games": 1}),
    Line("tarock", "deal", 4, {"preset": "openspiel"}),
    Line("coinche", "deal", 4, {"target": 100}),
    Line("taroky", "hand", 4, {"hands": 1}),
    Line("sagrada", "game for two", 2, {}),
)
"""The lines whose figures docs and goals refer to."""


OTHERS = [games.game(name) for name in games.names() if name not in {line.game for line in USUAL}]
LINES = (*USUAL, *(Line(game.name, "match", max(game.seats), dict(game.short)) for game in OTHERS))
"""The usual lines, and a short match of every other game that is installed."""


def ours(line: Line, seconds: float) -> float:
    """Return how many matches of *line* the loop of the contract plays per CPU-second."""
    game = games.game(line.game)
    start = game.new(game.options.read(line.options), line.seats)
    dice = Dice(1)
    return rate(lambda: play_out(start.clone(), dice), seconds)


def length(line: Line) -> tuple[float, float]:
    """Return the mean number of actions, and of deals, of a match of *line*."""
    game = games.game(line.game)
    start = game.new(game.options.read(line.options), line.seats)
    dice = Dice(2)
    actions = deals = 0
    for _ in range(SAMPLE):
        state = start.clone()
        actions += play_out(state, dice)
        deals += state.deal() if line.unit == "deal" else 1
    return actions / SAMPLE, deals / SAMPLE


def of(name: str) -> Callable[[float], float]:
    """Return the way to measure the game called *name*."""
    return partial(ours, next(line for line in LINES if line.game == name))


def open_spiel_python(seconds: float) -> float:
    """Return the actions of OpenSpiel's tarok per CPU-second through its Python API."""
    import pyspiel

    game = pyspiel.load_game("tarok(players=4)")
    dice = Dice(1)
    actions = plays = 0

    def play() -> None:
        nonlocal actions, plays
        state = game.new_initial_state()
        while not state.is_terminal():
            actions += not state.is_chance_node()
            legal = state.legal_actions()
            state.apply_action(legal[dice.below(len(legal))])
        plays += 1

    games_a_second = rate(play, seconds)
    return games_a_second * actions / plays


def open_spiel_loop(seconds: float) -> float:
    """Return the actions of OpenSpiel's tarok per CPU-second in its own loop in C++."""
    import pyspiel

    game = pyspiel.load_game("tarok(players=4)")
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    seeds = Random(1)

    def play(seed: int) -> object:
        return pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

    games_a_second = rate(lambda: play(seeds.randrange(1 << 30)), seconds)
    return games_a_second * _open_spiel_length(game)


def _open_spiel_length(game: Any) -> float:
    """Return the mean number of actions of a random game."""
    rng = Random(3)
    actions = 0
    for _ in range(SAMPLE):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions += not state.is_chance_node()
            state.apply_action(rng.choice(state.legal_actions()))
    return actions / SAMPLE


def best(ways: list[Callable[[float], float]], seconds: float, rounds: int) -> list[float]:
    """Return the best rate of each way of playing; they take turns, so other load affects all of them."""
    found: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for rates_found, way in zip(found, ways, strict=True):
            rates_found.append(way(seconds / rounds))
    return [max(one) for one in found]


def section(quick: bool) -> Section:
    """Measure, and return the section of the report."""
    seconds, rounds = (0.3, 2) if quick else (3.0, 5)
    lengths = [length(line) for line in LINES]
    ways: list[Callable[[float], float]] = []
    if compiled():
        ways += [of(line.game) for line in LINES]
    if has_open_spiel():
        ways += [open_spiel_python, open_spiel_loop]
    found = best(ways, seconds, rounds)
    slow = rates.interpreted("every_game", [f"of({line.game!r})" for line in LINES], seconds, rounds)
    fast = found[: len(LINES)] if compiled() else slow
    table = [["random play", "actions per CPU-second", "deals or games per CPU-second", "× interpreted"]]
    for line, (actions, deals), matches, plain in zip(LINES, lengths, fast, slow, strict=True):
        name = f"{line.game}, one {line.unit}"
        table.append([name, f"{matches * actions:,.0f}", f"{matches * deals:,.0f}", f"{matches / plain:.1f}"])
    notes: list[str] = []
    if has_open_spiel():
        python, native = found[-2:]
        us = fast[1] * lengths[1][0]
        table.append(["OpenSpiel tarok, Python API", f"{python:,.0f}", "", ""])
        table.append(["OpenSpiel tarok, its C++ loop", f"{native:,.0f}", "", ""])
        notes.append(
            f"Tarock, in actions: {us / python:.1f} x OpenSpiel's Python, {us / native:.1f} x its C++"
        )
    if not compiled():
        notes.append("the rules are not compiled here: run 'pip install .' with a C compiler")
    return Section(
        "Random play of every game",
        "Every choice at random, on one core, the best of the rounds in which all take turns. Tarock has the "
        "preset `openspiel`, whose rules are OpenSpiel's; OpenSpiel's C++ loop is "
        "`pyspiel.evaluate_bots` with its uniform random bots.",
        table,
        notes,
    )
