"""Where the server's time for a move goes: py-spy samples the server's stacks under the load of a benchmark.

py-spy starts the server, so it needs no rights beyond those of the user (except on macOS, where it needs
root). It samples native frames too, because compiled modules have no others.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

from benchmarks import flame, house, lines, stacks, trend
from benchmarks.report import Section
from benchmarks.server import BenchFailed
from benchmarks.tally import Result

LOADS: Final[Mapping[str, Callable[[Path, int, int, Sequence[str]], Result]]] = {
    "trend": trend.play,
    "house": house.play,
    "lines": lines.play,
}
"""The benchmarks that can be profiled: each plays deals at tables of a server that runs under a command."""
RATE: Final = 100
"""Samples per second; each of them stops the server for a moment."""


def section(name: str, folder: Path, quick: bool, picture: Path, tell: Callable[[str], None]) -> Section:
    """Profile the load of *name* with databases in *folder*; draw the *picture* and return the table."""
    spy = py_spy()
    tables, deals = (25, 1) if quick else (250, 4)
    tell("without the profiler")
    plain = LOADS[name](folder, tables, deals, [])
    tell("with the profiler")
    raw = folder / "samples"
    options = ["--native", "--rate", str(RATE), "--format", "raw", "--output", str(raw)]
    LOADS[name](folder, tables, deals, [spy, "record", *options, "--"])
    found = stacks.read(raw.read_text(encoding="utf-8"))
    samples = sum(found.values())
    if not samples:
        raise BenchFailed(f"{spy}: no sample shows the server at work")
    title = f"croupier serve, benchmark {name}: {samples:,} samples"
    picture.write_text(flame.svg(title, found), encoding="utf-8")
    rows = [["part", "share", "server CPU µs per move", "what it is"]]
    notes: list[str] = []
    for part, count in stacks.parts(found).items():
        cost = "–" if plain.cpu_us is None else f"{count / samples * plain.cpu_us:,.0f}"
        rows.append([part, f"{100 * count / samples:.1f} %", cost, stacks.PARTS[part]])
        busy = [f"{name} {100 * times / samples:.1f} %" for name, times in stacks.busiest(found, part)]
        notes += [f"{part}: {', '.join(busy)}"] if busy else []
    return Section(
        f"Where a move's time goes: {name}",
        f"{tables} tables with four programs each, as in the benchmark {name}. py-spy looked at the server "
        f"{RATE} times a second; {samples:,} of its samples show the server at work. A sample belongs to the "
        "innermost function of its stack that a part is known for; waiting does not count. The times are "
        "these shares of the processor time of a run without the profiler.",
        rows,
        [*notes, f"flame graph: {picture}"],
    )


def py_spy() -> str:
    """Return the path of the command, which the developer tools include.

    The package knows it even if it is installed in another environment, as for `make bench`.
    """
    try:
        files = metadata.files("py-spy") or []
    except metadata.PackageNotFoundError:
        files = []
    beside = next((str(file.locate()) for file in files if file.stem == "py-spy"), None)
    found = beside or shutil.which("py-spy")
    if found is None:
        raise BenchFailed("py-spy is not installed: pip install py-spy")
    return found
