"""A move is shown at once and taken back when it is refused; moves that a hidden page missed are not animated
later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.conftest import Visitor
from tests.browser.players import MOVING, PLAYERS, Player
from tests.browser.tables import LEGAL, hand, settled
from tests.browser.ways import MOUSE
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

WATCH = """() => {
    window.seen = [];
    addEventListener('click', () => requestAnimationFrame(() => {
        const moving = document.getAnimations().filter(one => one.effect.target?.matches('[data-move]'));
        const all = [...document.querySelectorAll('[data-move]')];
        window.seen = moving.map(({effect}) => ({
            what: all.indexOf(effect.target),
            end: effect.getComputedTiming().endTime,
            changed: effect.getKeyframes().flatMap(Object.keys),
        }));
    }), {capture: true});
}"""
"""Notes what moves in the frame of a click."""

COMPOSED = {"translate", "scale", "rotate", "opacity"}
"""The properties that the compositor animates without the page, so that motion stays smooth on a slow phone.
"""
KEYFRAME = {"offset", "computedOffset", "easing", "composite"}
OWN = ".fan-card, [data-testid=pool-die]"
"""The cards in hand, or the dice to choose from."""
LONGEST = 600
"""Milliseconds after which the player's move has ended."""


class Wire:
    """The messages between page and server: they can be held back, and answered by the test."""

    def __init__(self, page: Page) -> None:
        self.held: list[Any] | None = None
        self.refuse = ""
        page.route_web_socket("**/house/*", self.connect)

    def connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def up(message: Any) -> None:
            frame = json.loads(message)
            if frame["type"] == "act" and self.refuse:
                words = {"type": "refused", "id": frame["id"], "key": "stale", "words": self.refuse}
                socket.send(json.dumps(words))
            else:
                server.send(message)

        def down(message: Any) -> None:
            if self.held is None:
                socket.send(message)
            else:
                self.held.append(message)

        socket.on_message(up)
        server.on_message(down)
        self.socket = socket

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Hold back everything that the server sends."""
        self.held = []
        yield
        for message in self.held:
            self.socket.send(message)
        self.held = None


def sit(browser: Browser, house: Server, player: Player) -> tuple[Visitor, Wire]:
    visitor = Visitor(browser, reduced_motion="no-preference")
    wire = Wire(visitor.page)
    visitor.page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    return visitor, wire


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.game)
def test_the_own_move_begins_in_the_frame_of_the_click(
    player: Player, house: Server, browser: Browser
) -> None:
    visitor, wire = sit(browser, house, player)
    page = visitor.page
    page.evaluate(WATCH)
    assert player.until_moving(page)
    target = page.locator(MOVING).first
    before = page.locator(OWN).count()
    with wire.silence():
        MOUSE.press(target)
        page.wait_for_function("() => window.seen.length")
        expect(page.locator(OWN)).to_have_count(before - 1)
        seen = page.evaluate("window.seen")
    assert max(one["end"] for one in seen) <= LONGEST
    assert {name for one in seen for name in one["changed"]} <= COMPOSED | KEYFRAME
    moving = [one["what"] for one in seen]
    assert len(moving) == len(set(moving)), "two animations of one thing are not left to the compositor"
    visitor.close()


LASTING = f"""() => document.getAnimations()
    .filter(one => one.effect.getComputedTiming().endTime > {LONGEST})
    .map(one => one.effect.target.getAttribute('class'))"""


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.game)
def test_nothing_is_drawn_frame_by_frame_while_a_player_thinks(
    player: Player, house: Server, browser: Browser
) -> None:
    # Frames that are always being drawn delay each tap, and empty the battery of a phone.
    visitor, _ = sit(browser, house, player)
    assert player.until_moving(visitor.page)
    visitor.page.wait_for_function("() => !document.querySelector('.moving, .swept')")
    assert visitor.page.evaluate(LASTING) == []
    visitor.close()


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.game)
def test_a_refused_move_is_taken_back_with_the_reason(
    player: Player, house: Server, browser: Browser
) -> None:
    visitor, wire = sit(browser, house, player)
    page = visitor.page
    assert player.until_moving(page)
    wire.refuse = "the table has gone on without you"
    things = page.locator(OWN)
    before = things.count()
    target = page.locator(MOVING).first
    name = target.get_attribute("data-testid")
    MOUSE.press(target)
    expect(page.get_by_role("alert")).to_contain_text("has gone on without you", ignore_case=True)
    expect(things).to_have_count(before)
    expect(page.locator(".trick-card[data-seat='0']")).to_have_count(0)
    wire.refuse = ""
    MOUSE.press(page.get_by_test_id(name or ""))
    expect(things).to_have_count(before - 1)
    visitor.close()


COUNT = """
    window.moved = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) { window.moved++; return animate.apply(this, how); };
    window.WebSocket = class extends WebSocket {
        constructor(address) { super(address); window.socket = this; }
    };
"""
"""Counts what moves, and gives the tests the connection."""


def counting(browser: Browser, house: Server, player: Player, motion: str) -> Visitor:
    visitor = Visitor(browser, reduced_motion=motion)
    visitor.page.add_init_script(COUNT)
    visitor.page.goto(f"{house.http}/table/{player.open(house)}?sit=0")
    return visitor


def test_nothing_moves_if_the_system_asks_for_that(house: Server, browser: Browser) -> None:
    player = PLAYERS[0]
    visitor = counting(browser, house, player, "reduce")
    page = visitor.page
    for _ in range(4):
        player.take_turn(page, MOUSE)
    assert page.evaluate("window.moved") == 0
    visitor.close()


def test_what_was_missed_is_not_shown_later(house: Server, browser: Browser) -> None:
    player = PLAYERS[0]
    visitor = counting(browser, house, player, "no-preference")
    page = visitor.page
    assert player.until_moving(page)
    assert page.evaluate("window.moved") > 0
    # A background tab: events are drawn without animations.
    page.evaluate("Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})")
    page.evaluate("window.moved = 0")
    MOUSE.press(page.locator(LEGAL).first)
    expect(hand(page)).to_have_count(12)
    page.locator("[data-question]").wait_for()
    page.evaluate("delete document.visibilityState")
    settled(page)
    assert page.evaluate("window.moved") == 0
    # A lost connection: the table comes back as it stands.
    page.evaluate("window.socket.close()")
    expect(page.get_by_test_id("connection-banner")).to_be_visible()
    expect(page.get_by_test_id("connection-banner")).to_be_hidden()
    page.locator("[data-question]").wait_for()
    assert page.evaluate("window.moved") == 0
    visitor.close()
