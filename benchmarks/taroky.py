"""Taroky Notation per CPU-second: lines of whole deals parsed, validated and settled."""

from __future__ import annotations

from itertools import cycle

from benchmarks.rates import interpreted, rate
from benchmarks.report import Section, compiled
from croupier.core.contract import play_out
from croupier.core.dice import Dice
from croupier.games.taroky import GAME
from croupier.games.taroky.notation import of_state, write
from croupier.games.taroky.reader import parse

DEALS = 200
"""The number of different deals that are read in turn."""


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
    """Return how many whole deals are read per CPU-second."""
    lines = cycle(texts())
    return rate(lambda: parse(next(lines)).result(), seconds)


def section(quick: bool) -> Section:
    """Measure, and return the section of the report."""
    seconds, rounds = (0.5, 2) if quick else (3.0, 5)
    (slow,) = interpreted("taroky", ["read"], seconds, rounds)
    row = ["parsed, validated and settled", f"{slow:,.0f}", "–", "–"]
    if compiled():
        fast = max(read(seconds / rounds) for _ in range(rounds))
        row[2:] = [f"{fast:,.0f}", f"{fast / slow:.1f}"]
    return Section(
        "Taroky Notation",
        "Whole hands per CPU-second on one core, the best of some rounds: a line of about 340 characters is "
        "parsed, validated against the rules, and the hand settled. `croupier notation check` "
        "does this on every core.",
        [["hands", "interpreted /s", "compiled /s", "ratio"], row],
        [] if compiled() else ["the rules are not compiled here: run 'pip install .' with a C compiler"],
    )
