"""Watching a table with a delay: set in the form, shown to watchers, and no card is shown too early."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visitor
from tests.browser.looks import fits_phone
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_watchers_see_a_match_later_than_its_players(
    server: Server, visitor: Visitor, browser: Browser
) -> None:
    page = visitor.page
    page.goto(server.http)
    page.get_by_test_id("new-table-hearts").click()
    page.get_by_text("Clocks and pauses").click()
    page.get_by_label("Watchers see the match").select_option("600 seconds later")
    page.get_by_test_id("create-table").click()
    expect(page.locator(".fan-card")).to_have_count(13)
    table = page.url.rsplit("/", 1)[1].split("?")[0]
    watcher = Visitor(browser)
    watcher.page.goto(f"{server.http}/t/{table}/watch")
    expect(watcher.page.get_by_test_id("watch-delay")).to_contain_text("delayed by 600 s")
    assert watcher.page.locator(".felt").count() == 0
    [row] = [row for row in server.ask("/api/tables")[1] if row["id"] == table]
    assert (row["phase"], row["watch_delay"]) == ("gathering", 600)
    watcher.close()


def test_after_the_delay_they_see_it_all(server: Server, browser: Browser) -> None:
    visitor = Visitor(browser)
    page = visitor.page
    table = server.new_table(seats=["bot heuristic"] * 4, watch_delay=1, watch_open=True)
    page.goto(f"{server.http}/t/{table}/watch")
    expect(page.locator(".open-hand")).to_have_count(3)
    expect(page.get_by_test_id("watch-delay")).to_have_text("delayed by 1 s")
    fits_phone(page, "watching open hands")
    visitor.close()
