"""Taroky a CPU-second: notations of whole deals read and settled, and random deals played."""

from __future__ import annotations

from itertools import cycle

from croupier.bench.rates import interpreted, rate
from croupier.bench.report import Section, compiled
from croupier.core.contract import play_out
from croupier.core.dice import Dice
from croupier.games.taroky import GAME
from croupier.games.taroky.notation import of_state, write
from croupier.games.taroky.reader import parse

WAYS = {
    "read": "notations parsed, validated and settled",
    "play": "random deals, the contract's own loop",
}
DEALS = 200
"""Different deals that are read in turn."""


def texts(number: int = DEALS) -> list[str]:
    """Return the notations of *number* random deals played to their end."""
    found: list[str] = []
    dice = Dice(1)
    for _ in range(number):
        state = GAME.new(GAME.options.read({"hands": 1}), 4)
        play_out(state, dice)
        found.append(write(of_state(state)))
    return found


def read(seconds: float) -> float:
    """Return how many whole deals a CPU-second are read."""
    lines = cycle(texts())
    return rate(lambda: parse(next(lines)).result(), seconds)


def play(seconds: float) -> float:
    """Return how many random deals a CPU-second are played."""
    start = GAME.new(GAME.options.read({"hands": 1}), 4)
    dice = Dice(1)
    return rate(lambda: play_out(start.clone(), dice), seconds)


def section(quick: bool) -> Section:
    """Measure, and return what was found."""
    seconds, rounds = (0.5, 2) if quick else (3.0, 5)
    plain = interpreted("taroky", list(WAYS), seconds, rounds)
    rows = [["Taroky", "interpreted /s", "compiled /s", "ratio"]]
    for name, slow in zip(WAYS, plain, strict=True):
        row = [WAYS[name], f"{slow:,.0f}", "–", "–"]
        if compiled():
            way = read if name == "read" else play
            fast = max(way(seconds / rounds) for _ in range(rounds))
            row[2:] = [f"{fast:,.0f}", f"{fast / slow:.1f}"]
        rows.append(row)
    return Section(
        "Taroky",
        "Whole deals a CPU-second on one core, the best of some rounds. Reading takes a notation apart, "
        "about 340 characters, checks all of it against the rules and settles the deal; `croupier notation "
        "check` does this on every core.",
        rows,
        [] if compiled() else ["the rules are not compiled here: a C compiler and 'pip install .' would do"],
    )
