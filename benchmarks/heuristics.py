"""Decisions per CPU-second of the heuristics, from views that were made before."""

from __future__ import annotations

import time
from functools import partial
from random import Random

from benchmarks.every_game import LINES, Line, best
from benchmarks.report import Figure, Section, compiled
from croupier import games
from croupier.core.contract import View, turns
from croupier.core.dice import Dice

MATCHES = 12
AIM = 100_000


def views(line: Line) -> list[View]:
    """Return the views of all decisions in some matches of heuristics."""
    game = games.game(line.game)
    bot = game.bots()["heuristic"]
    rng = Random(1)
    found: list[View] = []
    for seed in range(MATCHES):
        state = game.new(game.options.read(line.options), line.seats)
        for seat in turns(state, Dice(seed)):
            found.append(state.view(seat))
            state.apply(seat, bot.choose(found[-1], rng))
    return found


def rate(line: Line, seconds: float) -> float:
    """Return the decisions per CPU-second in the game of *line*."""
    bot = games.game(line.game).bots()["heuristic"]
    rng = Random(1)
    seen = views(line)
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for view in seen:
            bot.choose(view, rng)
        done += len(seen)
    return done / spent


def section(quick: bool) -> Section:
    """Measure, and return the section of the report."""
    seconds, rounds = (0.1, 1) if quick else (1.0, 3)
    rates = best([partial(rate, line) for line in LINES], seconds, rounds)
    rows = [["heuristic", "decisions per CPU-second"]]
    rows += [[line.game, f"{found:,.0f}"] for line, found in zip(LINES, rates, strict=True)]
    return Section(
        "Decisions of the heuristics",
        "All decisions of some matches of heuristics, single legal actions included, from views made "
        "before; on one core, the best of the rounds in which all take turns.",
        rows,
        [] if compiled() else ["the bots are not compiled here: run 'pip install .' with a C compiler"],
        [
            Figure(f"heuristic {line.game}, decisions per CPU-second", found, AIM, least=True)
            for line, found in zip(LINES, rates, strict=True)
        ],
    )
