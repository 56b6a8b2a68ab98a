"""The strength of `expert`: points per deal against weaker bots on duplicate deals, in every game.

Also that of `master` against `expert`, in the games that have a network, and that of the best search in plain
Hearts against OpenSpiel's ISMCTSBot, both with the same processor time for every move. All cores are used;
results are stored in a file, so that an interrupted run can be resumed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks.every_game import LINES
from benchmarks.playouts import has_open_spiel
from benchmarks.report import Section, compiled
from benchmarks.search import (
    OPEN_SPIEL_CARDS,
    PLAIN_HEARTS,
    advance,
    open_spiel,
    open_spiel_bot,
    open_spiel_state,
)
from croupier import games
from croupier.bots.duel import Duel, duplicate, result
from croupier.bots.ismcts import SearchBot
from croupier.bots.learned import Believer, LearnedBot
from croupier.bots.strengths import EXPERT, MASTER, believer_of, learned_bot, players
from croupier.core.contract import Bot, Game, View
from croupier.core.options import Value

OPPONENTS = ("club", "heuristic", "random")
ISMCTS = "OpenSpiel"
SECONDS = 0.02
"""The time for a move against OpenSpiel's bot."""
TIMES = {"expert, 20 ms per move": 0.02, "expert, 200 ms per move": 0.2}
"""The opponents of `master`, with the time for a move."""
UNLIMITED = 1_000_000_000
"""Simulations per move, if the time is limited."""
CHUNK = 5
"""Deals per job."""
SEED = 20261116
TAROCK: dict[str, Value] = {"deals": 1}
"""With all contracts and announcements, unlike the line of the speed benchmark."""


@dataclass(frozen=True, slots=True)
class Job:
    """Some duplicate deals of one pairing."""

    game: str
    opponent: str
    first: int
    deals: int

    def key(self) -> str:
        return f"{self.game} {self.opponent} {self.first} {self.deals}"


def jobs(deals: int) -> Iterator[Job]:
    """Yield all jobs: *deals* of each pairing, half as many against OpenSpiel's bot."""
    for line in LINES:
        for opponent in OPPONENTS:
            yield from _parts(line.game, opponent, deals)
        if MASTER in players(games.game(line.game)):
            for opponent in TIMES:
                yield from _parts(line.game, opponent, deals)
    if has_open_spiel():
        yield from _parts("hearts", ISMCTS, (deals + 1) // 2)


def _parts(game: str, opponent: str, deals: int) -> Iterator[Job]:
    for first in range(0, deals, CHUNK):
        yield Job(game, opponent, first, min(CHUNK, deals - first))


def run(job: Job) -> list[tuple[float, float]]:
    """Play *job* and return the points of both sides for each duplicate."""
    numbers = range(job.first, job.first + job.deals)
    if job.opponent == ISMCTS:
        return [against_open_spiel(number) for number in numbers]
    line = next(line for line in LINES if line.game == job.game)
    game = games.game(job.game)
    known = players(game)
    options = TAROCK if job.game == "tarock" else line.options
    if job.opponent in TIMES:
        seconds = TIMES[job.opponent]
        own: Bot = Timed(game, seconds, learned_bot(game), believer_of(game))
        other: Bot = Timed(game, seconds)
    else:
        own, other = known[EXPERT], known[job.opponent]
    return [duplicate(game, own, other, number, SEED, options, line.seats) for number in numbers]


class Timed(Bot):
    """A search with *seconds* of processor time per decision: other processes cannot take time from it."""

    def __init__(
        self, game: Game, seconds: float, learned: LearnedBot | None = None, believer: Believer | None = None
    ) -> None:
        self.search = SearchBot(game, UNLIMITED, learned, believer, time.thread_time)
        self.seconds = seconds

    def choose(self, view: View, rng: Random) -> int:
        return self.search.choose_within(view, rng, self.seconds)


@cache
def open_spiel_simulations() -> int:
    """Return how many simulations OpenSpiel's bot makes in the time for a move: its own clock does not stop
    while other processes use the processor."""
    return round(SECONDS * open_spiel(2.0))


def against_open_spiel(number: int) -> tuple[float, float]:
    """Play a deal of plain Hearts twice, with our best search in the even seats and then in the odd ones."""
    game = games.game("hearts")
    deck = Random(f"{SEED} {number}").sample(range(52), 52)
    mine = 0.0
    theirs = 0.0
    for parity in (0, 1):
        rng = Random(f"{SEED} {number} {parity}")
        ours = Timed(game, SECONDS, learned_bot(game), believer_of(game))
        others = [open_spiel_bot(rng.randrange(1 << 30), open_spiel_simulations(), -1.0) for _ in range(4)]
        state = game.new(game.options.read(PLAIN_HEARTS), 4)
        state.apply_draw(deck)
        mirror = open_spiel_state(deck)
        while not state.over():
            seat = state.to_act().bit_length() - 1
            legal = state.legal_actions(seat)
            if len(legal) == 1:
                card = legal[0]
            elif seat % 2 == parity:
                card = ours.choose(state.view(seat), rng)
            else:
                card = _their_card(others[seat].step(mirror))
            advance(mirror, state, seat, card)
        scores = state.scores()
        mine += fmean(scores[parity::2])
        theirs += fmean(scores[1 - parity :: 2])
    return mine / 2, theirs / 2


def _their_card(action: int) -> int:
    return games.game("hearts").actions.parse(f"play {OPEN_SPIEL_CARDS[action]}")


def play_all(
    deals: int, kept: Path, told: Callable[[int, int], None]
) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Play the jobs that are not in *kept* yet, and return the points of every pairing."""
    done: dict[str, list[tuple[float, float]]] = {}
    if kept.exists():
        for text in kept.read_text(encoding="utf-8").splitlines():
            row = json.loads(text)
            done[row["job"]] = [(mine, theirs) for mine, theirs in row["points"]]
    wanted = list(jobs(deals))
    left = [job for job in wanted if job.key() not in done]
    told(len(wanted) - len(left), len(wanted))
    with ProcessPoolExecutor(os.cpu_count()) as pool, kept.open("a", encoding="utf-8") as out:
        running = {pool.submit(run, job): job for job in left}
        for many, future in enumerate(as_completed(running), len(wanted) - len(left) + 1):
            job = running[future]
            done[job.key()] = future.result()
            out.write(json.dumps({"job": job.key(), "points": done[job.key()]}) + "\n")
            out.flush()
            told(many, len(wanted))
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for job in wanted:
        found.setdefault((job.game, job.opponent), []).extend(done[job.key()])
    return found


def section(deals: int, kept: Path, told: Callable[[int, int], None]) -> Section:
    """Play, and return the section of the report."""
    found = {pairing: result(points) for pairing, points in play_all(deals, kept, told).items()}
    table = [["match", "deals", "points per deal", "its opponent's", "difference, 95 %"]]
    for (game, opponent), duel in found.items():
        name = f"OpenSpiel ISMCTSBot, {SECONDS * 1000:.0f} ms per move" if opponent == ISMCTS else opponent
        own = MASTER if opponent in TIMES else EXPERT
        table.append([f"{game}: {own} against {name}", *_cells(duel)])
    notes = [] if compiled() else ["the rules are not compiled here: run 'pip install .' with a C compiler"]
    return Section(
        "Strength",
        "Duplicate deals: the same cards twice, with exchanged seats, two seats each (one each in the dice "
        "game for two). Higher is better. OpenSpiel's bot plays Hearts without passing. Where a time per "
        "move is given, both sides have the same processor time for it; OpenSpiel's bot has the number of "
        "simulations that it makes in that time.",
        table,
        notes,
    )


def _cells(duel: Duel) -> list[str]:
    return [
        f"{duel.deals:,}",
        f"{duel.first.value:+.2f}",
        f"{duel.second.value:+.2f}",
        str(duel.difference),
    ]
