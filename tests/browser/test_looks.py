"""Nobody is shut out: axe finds nothing serious, every width fits, light and dark."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visitor
from tests.browser.test_hearts import asked, one_deal, play_on, sit_down
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

WIDTHS = [360, 768, 1280, 1600]
SCHEMES: list[Literal["light", "dark"]] = ["light", "dark"]


def complaints(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{item['id']}: {node['html'][:120]}"
        for item in found
        if item["impact"] in ("serious", "critical")
        for node in item["nodes"]
    ]


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_page_is_accessible_and_fits_every_width(
    server: Server, browser: Browser, scheme: Literal["light", "dark"]
) -> None:
    visitor = Visitor(browser, color_scheme=scheme, reduced_motion="reduce")
    page = visitor.page

    def look(name: str) -> None:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert overflow(page) <= 0, f"{name} is wider than {width}"
        assert complaints(page) == [], name
        page.set_viewport_size({"width": 360, "height": 740})
        assert complaints(page) == [], f"{name} at 360"

    page.goto(server.http)
    page.get_by_test_id("table-row").first.wait_for()
    look("lobby")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        pills = page.locator(".phase").evaluate_all("pills => pills.map(pill => pill.offsetWidth)")
        assert max(pills) < 180, f"a state wider than its words at {width}"
    page.get_by_test_id("new-table").click()
    page.get_by_test_id("create-table").wait_for()
    look("new table")
    sit_down(page, server, one_deal(server))
    assert asked(page) == "pass"
    look("passing")
    play_on(page, until=7)
    look("playing")
    play_on(page)
    page.locator(".result").wait_for()
    look("result")
    page.get_by_test_id("see-replay").click()
    page.get_by_test_id("replay-forward").wait_for()
    look("replay")
    page.goto(f"{server.http}/replay/nothing")
    page.get_by_role("link", name="To the lobby").wait_for()
    look("no such match")
    page.get_by_role("link", name="To the lobby").click()
    page.get_by_test_id("table-row").first.wait_for()
    server.kill()
    expect(page.get_by_test_id("connection-banner")).to_be_visible()
    look("lost connection")
    visitor.close()


def test_the_game_nodes_page_is_accessible(node: Server, visitor: Visitor) -> None:
    visitor.page.goto(node.http)
    visitor.page.get_by_test_id("node-seat-3").wait_for()
    assert complaints(visitor.page) == []
    visitor.page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(visitor.page) <= 0
