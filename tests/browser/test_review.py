"""A deal reviewed in its replay: progress, what expert would have done, from mistake to mistake."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from croupier.reviews.worker import Order, lines
from tests.browser.conftest import Visitor
from tests.browser.looks import look
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_a_deal_is_reviewed(server: Server, visitor: Visitor) -> None:
    table = server.new_table(
        game="hearts",
        seats=["bot dummy"] * 4,
        seed="review",
        options={"deals": 1, "match_games": 1},
        table_options={"command_interval": 0, "round_interval": 0, "deal_interval": 0},
    )
    while not (found := [row for row in server.ask("/api/matches")[1] if row["table"] == table]):
        pass
    page = visitor.page
    page.goto(f"{server.http}/replay/{found[0]['id']}")
    page.get_by_role("button", name="Review this deal").click()
    expect(page.get_by_text(re.compile(r"\d+ of \d+ decisions reviewed"))).to_be_visible()
    page.get_by_role("button", name="Stop the review").click()
    start = page.get_by_role("button", name="Review this deal")
    expect(start).to_be_visible()

    # A real review takes long: this one searches little and is sent at once. The search depends on the
    # match's id, so the limit is set to have exactly two costly decisions.
    record = page.request.get(f"{server.http}/api/matches/{found[0]['id']}/record").text()
    told: list[dict[str, Any]] = [msgspec.to_builtins(line) for line in lines(Order(record, 1, 6))]
    told[-1]["costly"] = sorted(one["difference"] for one in told[1:-1])[-2]
    costly = [one["step"] for one in told[1:-1] if one["difference"] >= told[-1]["costly"]]
    body = "".join(msgspec.json.encode(line).decode() + "\n" for line in told)
    page.route(
        "**/review?deal=1", lambda route: route.fulfill(body=body, content_type="application/x-ndjson")
    )
    start.focus()
    page.keyboard.press("Enter")
    onward = page.get_by_role("button", name="Next costly decision")
    onward.focus()
    position = page.get_by_test_id("replay-position")
    note = page.get_by_test_id("review-note")
    for step in costly[:2]:
        page.keyboard.press("Enter")
        expect(position).to_have_value(str(step))
        expect(note).to_contain_text("The expert would have preferred: ")
        expect(note).to_contain_text("Expected gain in points: ")
    expect(page.locator(".review-marks span")).not_to_have_count(0)
    look(page, "a review")
