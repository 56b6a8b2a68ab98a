"""Opponents by name: chosen in the form, explained, and seated; they search and play."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_a_strength_is_chosen_and_explained(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(house.http)
    page.get_by_test_id("new-table-hearts").click()
    choices = page.locator("#new-seat-1 option").all_inner_texts()
    assert choices[1:5] == ["Bot: random", "Bot: novice", "Bot: club player", "Bot: expert"]
    for seat in (1, 2, 3):
        page.locator(f"#new-seat-{seat}").select_option("bot novice")
    expect(page.get_by_test_id("expect-novice")).to_contain_text("for a first game")
    page.get_by_test_id("create-table").click()
    page.wait_for_url("**/table/*")
    table = page.url.rpartition("/")[2].partition("?")[0]
    page.locator(".fan-card").first.wait_for()
    seats = next(row["seats"] for row in house.ask("/api/tables")[1] if row["id"] == table)
    assert [seat["bot"] for seat in seats[1:]] == ["novice"] * 3
