"""A finished match by link: stepped through with all hands or one, and its deals verified, in every game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from croupier.games import game as find_game
from croupier.games import names
from croupier.testing.tables import several_deals, without_pauses
from tests.browser.conftest import Visitor
from tests.browser.looks import look
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def played(server: Server, game: str) -> str:
    """Let bots play a match and return its id."""
    kind = find_game(game)
    table = server.new_table(
        game=game,
        seats=["bot heuristic"] * kind.seats[-1],
        seed="replay",
        options=several_deals(kind),
        table_options=without_pauses(kind),
    )
    while not (found := [row for row in server.ask("/api/matches")[1] if row["table"] == table]):
        pass
    return str(found[0]["id"])


def verdicts(page: Page) -> list[str]:
    """Return the result that is shown for every deal, when it is complete."""
    expect(page.locator(".fair-count")).to_be_visible()
    marks = page.locator(".proof [data-verdict]")
    return [mark.get_attribute("data-verdict") or "" for mark in marks.all()]


def test_every_game_is_stepped_through_and_verified(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    for game in names():
        page.goto(f"{server.http}/replay/{played(server, game)}")
        expect(page.get_by_test_id("deal-verdict")).to_contain_text("not random")
        assert set(verdicts(page)) == {"given"}, game
        position = page.get_by_test_id("replay-position")
        expect(position).not_to_have_attribute("max", "0")
        page.keyboard.press("End")
        last = position.get_attribute("max")
        expect(position).to_have_js_property("value", last)
        page.keyboard.press("ArrowLeft")
        expect(position).to_have_js_property("value", str(int(last or 0) - 1))
        page.keyboard.press("Home")
        expect(position).to_have_js_property("value", "0")
        page.keyboard.press("ArrowRight")
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.keyboard.press(" ")
        expect(page.get_by_role("link", name="Download the record")).to_be_visible()
    page.goto(f"{server.http}/replay/{played(server, 'taroky')}")
    expect(page.get_by_role("link", name="Download all deals as notation")).to_be_visible()


def test_one_seat_is_shown_what_it_knew(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{server.http}/replay/{played(server, 'hearts')}?deal=1&step=0")
    expect(page.locator(".open-hand")).to_have_count(3)
    page.get_by_test_id("replay-hands").select_option("one")
    expect(page.locator(".open-hand")).to_have_count(0)
    expect(page.locator(".open-cards .card")).to_have_count(13)
    # Only the receiver knows passed cards: the seat is told of its own three only.
    words = page.locator(".replay-words")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        assert words.inner_text().count("gives you") <= 1


def test_a_record_that_was_changed_does_not_match(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    match = played(server, "hearts")

    def change(route: Route) -> None:
        text = route.fetch().text()
        before, mark, after = text.partition("\ndraw ")
        first, second, *rest = after.split(" ")
        route.fulfill(body=f"{before}{mark}{' '.join([second, first, *rest])}", content_type="text/plain")

    page.route("**/record", change)
    page.goto(f"{server.http}/replay/{match}")
    expect(page.get_by_test_id("deal-verdict")).to_contain_text("does not match")
    assert verdicts(page) == ["broken", *["given"] * 3]
    page.get_by_text("Fair deals").click()
    look(page, "a broken proof")
