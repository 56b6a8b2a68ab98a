"""How soon the pages react, how smoothly they move and how quickly they load, in a real Chromium."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import Figure, Section
from tests.browser.conftest import FLAGS, TIMEOUT, chromium, knows_all_games
from tests.browser.players import MOVING, PLAYERS, Player, asked
from tests.browser.ways import FINGER
from tests.integration.servers import Server, running

SLOWER: Final = 4
"""How many times slower than this machine a mid-range phone is."""
NETWORK: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
"""The network of a slow phone: 1.6 Mbit/s, 150 ms for an answer."""
TRACED: Final = [
    "blink.animations",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
]

MARK: Final = """() => {
    const moving = () => document.getAnimations().some(one =>
        one.effect?.target?.matches?.('[data-move]') && Number(one.currentTime) > 0);
    addEventListener('click', click => {
        if (!click.target.closest('.fan-card, [data-use=put]')) return;
        let frames = 0;
        const look = () => {
            if (!moving()) return ++frames < 60 && requestAnimationFrame(look);
            const painted = () => performance.measure('croupier-moved', { start: click.timeStamp });
            scheduler.postTask(painted, { priority: 'user-blocking' });  // comes after the frame
        };
        requestAnimationFrame(look);
    }, {capture: true});
}"""
"""Measures the time from each click to the end of the first frame in which a card or a die has moved."""
MOVED: Final = "() => performance.getEntriesByName('croupier-moved').map(one => one.duration)"

SCRIPT: Final = """() => performance.getEntriesByType('resource').filter(one => one.name.endsWith('.js'))
    .reduce((sum, one) => sum + one.encodedBodySize, 0)"""
APPEAR: Final = """
    const seen = (name, what) => {
        if (document.querySelector(what)) performance.mark(name);
        else requestAnimationFrame(() => seen(name, what));
    };
    seen('croupier-play', '[data-testid^=lobby-play]:enabled');
    seen('croupier-table', '.fan-card, button.glass-offer');
    addEventListener('click', click => performance.mark('croupier-click', { startTime: click.timeStamp }));
"""
"""Marks when *Play* can be used, when it is pressed, and when the table shows what the player has."""
LOADED: Final = """() => ['play', 'click', 'table']
    .map(name => performance.getEntriesByName(`croupier-${name}`)[0].startTime)"""


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured in one game."""

    game: str
    moved: list[float]
    """Milliseconds from each click to the first frame that moves something."""
    frames: float
    """Frames per second while something moves, with a slower processor."""
    gap: float
    """The longest time between two of these frames, in milliseconds."""
    play: float
    """Seconds until the lobby's button can be used, on a slow phone."""
    table: float
    """Seconds from then until the cards of the table are shown."""
    script: float
    """Compressed kilobytes of script that a table needs."""


@contextmanager
def visit(browser: Browser) -> Iterator[Page]:
    """Open a page on a phone, with an empty cache."""
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True, service_workers="block"
    )
    knows_all_games(context)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    yield page
    context.close()


def slow_down(page: Page, network: bool) -> None:
    """Make the processor, and optionally the network, as slow as a phone's."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    if network:
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", NETWORK)


def at_its_pace(player: Player) -> Player:
    """Return *player* with the pauses that people see, and no clock."""
    clocks = {name: value for name, value in player.pauses.items() if "time" in name}
    return replace(player, pauses=clocks)


def move(page: Page) -> None:
    """Play a card or place a die, and wait for the next question."""
    before = page.locator("[data-question]").get_attribute("data-question")
    FINGER.press(page.locator(MOVING).first)
    page.wait_for_function(
        "before => document.querySelector('[data-question]')?.dataset.question !== before", arg=before
    )


def reaction(browser: Browser, server: Server, player: Player, moves: int) -> tuple[list[float], float]:
    """Return the milliseconds from each click to motion, and the kilobytes of script."""
    with visit(browser) as page:
        page.goto(f"{server.http}/table/{player.open(server)}?sit=0")
        page.evaluate(MARK)
        for _ in range(moves):
            if not player.until_moving(page, FINGER):
                break
            before = len(page.evaluate(MOVED))
            move(page)
            page.wait_for_function(f"before => ({MOVED})().length > before", arg=before)
        return page.evaluate(MOVED), page.evaluate(SCRIPT) / 1024


def smoothness(browser: Browser, server: Server, player: Player, moves: int) -> tuple[float, float]:
    """Return the frames per second while something moves, and the longest gap, with a slower processor."""
    with visit(browser) as page:
        page.goto(server.http)
        slow_down(page, network=False)
        browser.start_tracing(page=page, categories=TRACED)
        page.goto(f"{server.http}/table/{player.open(server)}?sit=0")
        for _ in range(moves):
            if player.until_moving(page, FINGER):
                move(page)
        asked(page)
        return frames(json.loads(browser.stop_tracing())["traceEvents"])


def frames(events: list[dict[str, Any]]) -> tuple[float, float]:
    """Return the frames per second in which something moved, and the longest gap in milliseconds."""
    shown = sorted(presented(events))
    gaps: list[float] = []
    for start, end in spans(events):
        within = [when for when in shown if start <= when <= end]
        gaps += [(later - sooner) / 1000 for sooner, later in pairwise(within)]
    return 1000 * len(gaps) / sum(gaps), max(gaps)


def presented(events: list[dict[str, Any]]) -> set[float]:
    """Return when frames of the page were shown; the parts of one frame are shown together."""
    pages = {event["pid"] for event in events if event["name"] == "Animation"}
    return {
        end["ts"]
        for begin, end in intervals(events, "PipelineReporter")
        if begin["pid"] in pages and begin["args"]["frame_reporter"]["state"].startswith("STATE_PRESENTED")
    }


def spans(events: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Return when motion.ts moved something: start and end of each animation without a name."""
    return joined(
        [
            (begin["ts"], end["ts"])
            for begin, end in intervals(events, "Animation")
            if begin["args"].get("data", {}).get("displayName") == ""
        ]
    )


def intervals(events: list[dict[str, Any]], name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the beginning and the end of each event called *name*; their ids are used again."""
    begun: dict[tuple[int, str], dict[str, Any]] = {}
    for event in sorted((one for one in events if one["name"] == name), key=lambda one: float(one["ts"])):
        key = event["pid"], event["id2"]["local"]
        if event["ph"] == "b":
            begun[key] = event
        elif event["ph"] == "e" and key in begun:
            yield begun.pop(key), event


def joined(found: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the intervals *found*, with overlapping ones joined."""
    whole: list[tuple[float, float]] = []
    for start, end in sorted(found):
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((start, end))
    return whole


def loading(browser: Browser, server: Server, player: Player) -> tuple[float, float]:
    """Return the seconds until *Play* can be used on a slow phone, and from the click to the table."""
    with visit(browser) as page:
        page.add_init_script(APPEAR)
        slow_down(page, network=True)
        page.goto(server.http, wait_until="commit")
        FINGER.press(page.get_by_test_id(f"lobby-play-{player.game}"))
        page.wait_for_function("() => performance.getEntriesByName('croupier-table').length")
        usable, pressed, shown = page.evaluate(LOADED)
        return usable / 1000, (shown - pressed) / 1000


def measure(browser: Browser, server: Server, player: Player, moves: int) -> Found:
    """Measure everything in one game."""
    moved, script = reaction(browser, server, player, moves)
    rate, gap = smoothness(browser, server, player, moves)
    play, table = loading(browser, server, player)
    return Found(player.game, moved, rate, gap, play, table, script)


def section(folder: Path, quick: bool, tell: Callable[[str], None]) -> Section:
    """Measure all games on a server with its database in *folder*, and return the section of the report."""
    found: list[Found] = []
    with (
        running(folder / "log", "serve", "--port", "0", "--data", str(folder / "data")) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for player in map(at_its_pace, PLAYERS):
            tell(player.game)
            found.append(measure(browser, server, player, 1 if quick else 4))
        browser.close()
    return Section(
        "Pages",
        "Every game in Chromium, in a window of 390×664, at the pace of a table for people. A click is "
        "counted until the end of the first frame in which the card or die has moved; frames while cards are "
        f"dealt, played and taken, with a processor {SLOWER} times slower; loading with an empty cache, the "
        "same processor, 1.6 Mbit/s and 150 ms. Without a graphics card the processor also draws the frames.",
        [HEAD, *(row(one) for one in found)],
        figures=figures(found),
    )


HEAD: Final = [
    "game",
    "click to motion, ms (fastest)",
    "frames/s",
    "longest gap, ms",
    "Play, s",
    "table, s",
    "script, KB",
]


def row(one: Found) -> list[str]:
    """Return the row of the table."""
    numbers = [f"{one.play:.2f}", f"{one.table:.2f}", f"{one.script:.0f}"]
    return [
        one.game,
        f"{median(one.moved):.0f} ({min(one.moved):.0f})",
        f"{one.frames:.0f}",
        f"{one.gap:.0f}",
        *numbers,
    ]


def figures(found: list[Found]) -> list[Figure]:
    """Return the worst value of all games for each figure, with its target."""
    return [
        Figure("pages: click to motion", max(median(one.moved) for one in found), 50, "ms"),
        Figure("pages: frames per second", min(one.frames for one in found), 58, least=True),
        Figure("pages: Play usable on a slow phone", max(one.play for one in found), 3, "s"),
        Figure("pages: table after Play", max(one.table for one in found), 1.5, "s"),
        Figure("pages: script of a table", max(one.script for one in found), 120, "KB"),
    ]
