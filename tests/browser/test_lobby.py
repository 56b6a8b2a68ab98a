"""The lobby in a real browser: rules, a seat that waits, tournaments from announcement to standings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.conftest import DESK, PHONE, Visitor
from tests.browser.looks import look
from tests.browser.tables import sit_down
from tests.browser.test_hearts import QUICK, asked, one_deal, play_on
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

ME = "croupier-test-person"
TOKEN = "a token nobody guesses"


def test_the_rules_can_be_read_before_the_first_game(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(server.http)
    tile = page.get_by_test_id("tile-taroky")
    tile.get_by_test_id("rules-open").click()
    expect(page.get_by_test_id("rules")).to_contain_text("Povinnost")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("rules")).to_have_count(0)
    expect(tile.get_by_test_id("rules-open")).to_be_focused()


def test_play_deals_plain_hearts_to_a_hundred(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(server.http)
    page.get_by_test_id("lobby-play-hearts").click()
    assert asked(page) == "pass"
    expect(page.locator(".standing")).to_contain_text("to 100 points")


def test_the_form_for_a_new_table_has_no_options_of_protocols(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(server.http)
    page.get_by_test_id("new-table-hearts").click()
    expect(page.get_by_label("Hearts to 100")).to_be_checked()
    for details in page.locator(".new-form summary").all():
        details.click()
    expect(page.get_by_label("Pause between tricks")).to_be_visible()
    expect(page.locator(".new-form")).not_to_contain_text(
        re.compile("wire|protocol|roundCard", re.IGNORECASE)
    )


def test_a_seat_that_waits_is_one_click_away_and_hidden_from_others(
    server: Server, visitor: Visitor, browser: Browser
) -> None:
    page = visitor.page
    table = one_deal(server)
    sit_down(page, server, table)
    asked(page)
    page.get_by_test_id("ask-hint").click()
    expect(page.get_by_test_id("hint")).to_contain_text("Expert would choose:")
    look(page, "a hint")
    page.keyboard.press("Escape")
    page.goto(server.http)
    row = page.locator(f"[data-table='{table}']")
    expect(row).to_be_visible()
    other = browser.new_page()
    other.goto(server.http)
    expect(other.get_by_test_id("tile-hearts")).to_be_visible()
    expect(other.locator(f"[data-table='{table}']")).to_have_count(0)  # its only person has left
    other.close()
    page.get_by_test_id("yours").get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/table/{table}$"))
    assert asked(page) == "pass"


def test_a_tournament_is_announced_with_the_form(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(server.http)
    page.get_by_test_id("new-tournament").click()
    page.get_by_label("Game", exact=True).select_option("coinche")
    page.get_by_label("Knockout").check()
    page.get_by_test_id("create-tournament").click()
    expect(page).to_have_url(re.compile("/tournament/"))
    expect(page.get_by_role("timer")).to_contain_text("Starts in")
    page.get_by_test_id("withdraw").wait_for()  # the organiser is entered
    look(page, "tournament")
    page.get_by_test_id("withdraw").click()
    page.get_by_test_id("enter").wait_for()
    page.goto(server.http)
    row = page.get_by_test_id("tournament-row")
    expect(row).to_contain_text("Coinche cup")
    row.get_by_role("link").click()
    page.get_by_test_id("cancel").click()
    page.get_by_role("button", name="Keep tournament").click()
    page.get_by_test_id("cancel").click()
    page.get_by_test_id("cancel-now").click()
    expect(page.get_by_test_id("tournament-phase")).to_have_text("Cancelled")
    expect(page.get_by_test_id("enter")).to_have_count(0)


def test_a_refused_quick_match_says_why_beside_its_button(server: Server, browser: Browser) -> None:
    visitor = Visitor(browser, viewport=PHONE)
    page = visitor.page
    body = '{"key":"banned","words":"you are banned until tomorrow: spam"}'
    page.route("**/api/quick-match*", lambda route: route.fulfill(status=403, body=body))
    page.goto(server.http)
    page.get_by_test_id("quick-match-hearts").click()
    expect(page.get_by_test_id("tile-hearts").get_by_role("alert")).to_be_in_viewport()
    expect(page.get_by_role("alert").filter(has_text="banned")).to_have_count(1)
    visitor.close()


def test_the_address_of_no_tournament_is_explained(server: Server, visitor: Visitor) -> None:
    visitor.page.goto(f"{server.http}/tournament/nothing")
    expect(visitor.page.get_by_role("heading", name="Tournament not found")).to_be_visible()
    look(visitor.page, "no such tournament")


ACROSS: ViewportSize = {"width": 844, "height": 390}
ALL_IN_VIEW = """() => [...document.querySelectorAll('.result-next > *')].every(button => {
    const box = button.getBoundingClientRect();
    return [0.1, 0.5, 0.9].every(share =>
        button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height * share)));
})"""
"""No button of the result is covered or out of view."""


def test_a_tournament_from_the_entry_to_the_standings(server: Server, visitor: Visitor) -> None:
    page = visitor.page
    wish = {
        "name": "Evening cup",
        "game": "hearts",
        "starts_in": 2,
        "rounds": 2,
        "fill": "heuristic",
        "patience": 300,
        "options": {"deals": 1, "match_games": 1},
        "table_options": QUICK,
    }
    _, made = server.ask("/api/tournaments", wish)
    status, _ = server.ask(f"/api/tournaments/{made['id']}/entry", {"name": ME, "token": TOKEN})
    assert status == 200
    kept = {"name": ME, "token": TOKEN, "entries": f'{{"{made["id"]}": "{ME}"}}'}
    for key, value in kept.items():
        page.add_init_script(f"localStorage.setItem('croupier.{key}', {value!r})")
    page.goto(server.http + made["page"])
    page.get_by_test_id("to-my-table").click()
    play_on(page)
    first = page.url
    expect(page.get_by_test_id("closed-banner")).to_have_count(0)
    page.get_by_test_id("next-round").wait_for()
    for size in (DESK, PHONE, ACROSS):
        page.set_viewport_size(size)
        page.wait_for_function(ALL_IN_VIEW)
    page.set_viewport_size(DESK)
    page.get_by_test_id("my-mistakes").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_test_id("next-round").click()
    expect(page).not_to_have_url(first)
    expect(page.get_by_test_id("to-standings")).to_have_count(0)
    play_on(page)
    page.get_by_test_id("to-standings").click()
    expect(page.get_by_test_id("tournament-phase")).to_have_text("Finished")
    lines = page.get_by_test_id("standings").get_by_role("row")
    expect(lines).to_have_count(5)  # three bots play too
    line = lines.filter(has_text=ME)
    expect(line.get_by_role("cell").last).to_have_text("2")
    boards = page.get_by_test_id("tournament-board")
    mine = boards.get_by_role("listitem").filter(has_text=ME).locator("strong").all_inner_texts()
    total = sum(int(score.replace("−", "-")) for score in mine)
    expect(line.get_by_role("cell").nth(2)).to_have_text(str(total).replace("-", "−"))
    with page.expect_download() as file:
        page.get_by_test_id("results-csv").click()
    assert ME in file.value.path().read_text()
    boards.last.get_by_role("link").click()
    expect(page).to_have_url(re.compile("/replay/"))
