"""The cost of an event with 0, 1 and 100 watchers at a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks.clients import Play
from benchmarks.report import Section
from benchmarks.server import croupier, echo, load
from benchmarks.tally import Result, median
from benchmarks.trend import repeated

CROWDS: Final = (0, 1, 100)


def section(folder: Path, quick: bool, repeat: int, tell: Callable[[str], None]) -> Section:
    """Measure with databases in *folder*, and return the section of the report."""
    deals = 1 if quick else 16
    runs: dict[int, list[Result]] = {watchers: [] for watchers in CROWDS}
    echoes: list[Result] = []
    for number in range(repeat):
        for watchers in CROWDS:
            tell(f"{number + 1} of {repeat}, {watchers} watchers")
            with croupier(folder) as server:
                job = Play(server.url, server.pid, 1, "house", deals, watchers=watchers)
                runs[watchers].append(load(job))
        echoes.append(echo(1, runs[CROWDS[-1]][-1]))
    found = {watchers: median(results) for watchers, results in runs.items()}
    rows = [
        ["watchers", "server CPU µs per event", "µs per watcher frame", "events per move", "frames per move"]
    ]
    for watchers, one in found.items():
        numbers = [_micro(_cost(one)), _micro(_share(one, found[0])), f"{one.events_per_move:.2f}"]
        rows.append([str(watchers), *numbers, f"{one.frames_per_move:.1f}"])
    limit = median(echoes)
    frame = None if limit.cpu_us is None else limit.cpu_us / limit.frames_per_move
    rows.append(["raw echo, a frame", "", _micro(frame), "", f"{limit.frames_per_move:.1f}"])
    return Section(
        "Watchers",
        "One table with four programs that play Hearts over the house protocol as fast as possible, every "
        "action on the disk before it is announced, and watchers over the same protocol. The last row "
        "is the cost of a frame on a server that knows no game: with one rendering for all, a "
        "watcher's frame "
        f"costs about as much. {repeated(repeat)}",
        rows,
    )


def _cost(found: Result) -> float | None:
    """Return the server's processor time per event, in microseconds."""
    return None if found.cpu_us is None else found.cpu_us / found.events_per_move


def _share(found: Result, alone: Result) -> float | None:
    """Return the cost of each frame that *found* has more than *alone*, in microseconds."""
    more = found.frames_per_move - alone.frames_per_move
    if found.cpu_us is None or alone.cpu_us is None or more < 1:
        return None
    return (found.cpu_us - alone.cpu_us) / more


def _micro(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"
