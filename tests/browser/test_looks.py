"""Accessibility and layout: axe finds nothing serious, every width fits, in light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import WIDTHS, fits_phone, look
from tests.browser.tables import sit_down
from tests.browser.test_hearts import asked, one_deal, play_on
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_every_page_is_accessible_and_fits_every_width(server: Server, browser: Browser) -> None:
    visitor = Visitor(browser)
    page = visitor.page

    page.goto(server.http)
    server.new_table()
    page.get_by_test_id("table-row").first.wait_for()
    look(page, "lobby")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        pills = page.locator(".phase").evaluate_all("pills => pills.map(pill => pill.offsetWidth)")
        assert max(pills) < 180, f"a state wider than its words at {width}"
    page.get_by_test_id("new-table-hearts").click()
    page.get_by_test_id("create-table").wait_for()
    look(page, "new table")
    sit_down(page, server, one_deal(server, ["person", "person", "open", "bot dummy"]))
    page.get_by_test_id("connect").wait_for()
    look(page, "gathering")
    sit_down(page, server, one_deal(server))
    assert asked(page) == "pass"
    look(page, "passing")
    play_on(page, until=7)
    look(page, "playing")
    play_on(page)
    page.locator(".result").wait_for()
    look(page, "result")
    page.get_by_test_id("see-replay").click()
    page.get_by_test_id("replay-forward").wait_for()
    look(page, "replay")
    page.goto(f"{server.http}/replay/nothing")
    page.get_by_role("link", name="Go to the lobby").wait_for()
    look(page, "no such match")
    page.get_by_role("link", name="Go to the lobby").click()
    page.get_by_test_id("lobby-play-hearts").wait_for()
    server.kill()
    expect(page.get_by_test_id("connection-banner")).to_be_visible()
    look(page, "lost connection")
    visitor.close()


def test_the_game_nodes_page_is_accessible(node: Server, visitor: Visitor) -> None:
    visitor.page.goto(node.http)
    visitor.page.get_by_test_id("node-seat-3").wait_for()
    fits_phone(visitor.page, "the page of a game node")
