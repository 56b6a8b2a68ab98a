"""Simulations per CPU-second of the search bot in every game, compared with OpenSpiel's ISMCTSBot in Hearts.

All search the decision of the first card of a deal (in the dice game the first turn) and start with an empty
tree: sampling worlds is part of the figure.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from benchmarks.every_game import LINES, Line, best
from benchmarks.playouts import has_open_spiel
from benchmarks.report import Figure, Section, compiled
from croupier import games
from croupier.bots.ismcts import SearchBot
from croupier.core.contract import State, View, first_seat, sample
from croupier.core.dice import Dice
from croupier.core.options import Value

SIMULATIONS = 1200
"""The budget of `expert`."""
PLAIN_HEARTS: dict[str, Value] = {
    "deals": 1,
    "match_games": 1,
    "expose": False,
    "ten_of_clubs": False,
    "moon": "zero",
    "pass_sequence": ["none"],
}
"""OpenSpiel's Hearts without passing."""
OPEN_SPIEL_HEARTS = "hearts(qs_breaks_hearts=False,pass_cards=False)"
OPEN_SPIEL_CARDS = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CDHS"]
"""OpenSpiel's cards by number, in our notation."""
PLAYING = {"hearts": 3, "tarock": 5, "coinche": 2, "taroky": 10, "sagrada": 6}
"""The phase of each game in which its cards are played, or a turn begins."""


def first_decision(line: Line, seed: int) -> View:
    """Return the view of the seat to act when the first card of a deal is due, after calls by heuristics."""
    game = games.game(line.game)
    bot = game.bots()["heuristic"]
    rng = Random(seed)
    dice = Dice(seed)
    while True:
        state = game.new(game.options.read(line.options), line.seats)
        while not state.over():
            draw = state.awaiting()
            if draw is not None:
                state.apply_draw(sample(draw, dice))
                continue
            seat = int(first_seat(state.to_act()))
            view = state.view(seat)
            if getattr(state, "phase", 0) >= PLAYING[line.game] and len(view.legal) > 1:
                return view
            state.apply(seat, bot.choose(view, rng))


def ours(line: Line, seconds: float) -> float:
    """Return the simulations per CPU-second of our search over the first cards of several deals."""
    bot = SearchBot(games.game(line.game), SIMULATIONS)
    views = [first_decision(line, seed) for seed in range(8)]
    rng = Random(1)
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds or done < len(views):
        bot.values(views[done % len(views)], rng)
        done += 1
    return done * SIMULATIONS / spent


def open_spiel_bot(seed: int, simulations: int, seconds: float) -> Any:
    """Return OpenSpiel's ISMCTSBot; the exploration weight fits the span of its returns in Hearts."""
    import pyspiel

    return pyspiel.ISMCTSBot(
        seed=seed,
        evaluator=pyspiel.RandomRolloutEvaluator(1, seed),
        uct_c=15.0,
        max_simulations=simulations,
        max_world_samples=-1,
        final_policy_type=pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        use_observation_string=False,
        allow_inconsistent_action_sets=True,
        max_wall_clock_time=seconds,
    )


def open_spiel_state(deck: list[int]) -> Any:
    """Return OpenSpiel's Hearts with the cards of our *deck*, 13 per seat from seat 0 on, without passing."""
    import pyspiel

    names = games.game("hearts").draw_name
    state = pyspiel.load_game(OPEN_SPIEL_HEARTS).new_initial_state()
    state.apply_action(0)  # no pass
    while state.is_chance_node():
        # OpenSpiel deals card by card around the table.
        at = 52 - len(state.legal_actions())
        state.apply_action(OPEN_SPIEL_CARDS.index(names(deck[at % 4 * 13 + at // 4])))
    return state


def open_spiel(seconds: float) -> float:
    """Return the simulations per CPU-second of OpenSpiel's ISMCTSBot over the second cards of several deals.

    The first one is always the two of clubs.
    """
    rng = Random(1)
    states = []
    for _ in range(8):
        state = open_spiel_state(rng.sample(range(52), 52))
        state.apply_action(state.legal_actions()[0])
        states.append(state)
    bot = open_spiel_bot(1, SIMULATIONS, -1.0)
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds or done < len(states):
        bot.restart()
        bot.step(states[done % len(states)])
        done += 1
    return done * SIMULATIONS / spent


def plain_hearts(seconds: float) -> float:
    """Return the simulations per CPU-second of our search in OpenSpiel's Hearts."""
    return ours(Line("hearts", "deal", 4, PLAIN_HEARTS), seconds)


def section(quick: bool) -> Section:
    """Measure, and return the section of the report."""
    seconds, rounds = (0.3, 1) if quick else (4.0, 4)
    ways: list[Callable[[float], float]] = [plain_hearts]
    ways += [partial(ours, line) for line in LINES]
    if has_open_spiel():
        ways.append(open_spiel)
    found = best(ways, seconds, rounds)
    base = found[-1] if has_open_spiel() else 0.0
    table = [["search from the first card", "simulations per CPU-second", "× OpenSpiel's ISMCTSBot"]]
    for name, rate in zip(["hearts, OpenSpiel's rules", *(line.game for line in LINES)], found, strict=False):
        ratio = f"{rate / base:.1f}" if base and name.startswith("hearts") else ""
        table.append([name, f"{rate:,.0f}", ratio])
    notes: list[str] = []
    if base:
        table.append(["OpenSpiel ISMCTSBot, its Hearts", f"{base:,.0f}", "1.0"])
    else:
        notes.append(
            "OpenSpiel is not installed, so there is nothing to compare with: pip install open_spiel"
        )
    if not compiled():
        notes.append("the rules are not compiled here: run 'pip install .' with a C compiler")
    return Section(
        "Search",
        f"Decisions of {SIMULATIONS:,} simulations about the first card of a deal (in the dice game: about "
        "the first turn), worlds included, on one core; the best of the rounds in which all take turns. "
        "OpenSpiel's bot makes one random playout per simulation.",
        table,
        notes,
        [Figure("search in Hearts, × OpenSpiel's ISMCTSBot", found[0] / base, 8, least=True)] if base else [],
    )


def advance(mirror: Any, state: State, seat: int, card: int) -> None:
    """Play *card* in our state and in OpenSpiel's."""
    state.apply(seat, card)
    mirror.apply_action(OPEN_SPIEL_CARDS.index(games.game("hearts").actions.name(card).split()[-1]))
