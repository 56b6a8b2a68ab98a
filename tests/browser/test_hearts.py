"""Hearts in a real browser: watched, refused, and on the page of a game node."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser import tables
from tests.browser.conftest import Visitor
from tests.browser.tables import LEGAL, OVER, hand, play_by_click, sit_down
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0}
AGAINST_DUMMIES = ["person", "bot dummy", "bot dummy", "bot dummy"]


def one_deal(server: Server, seats: list[str] | None = None, **more: object) -> str:
    """Open a table for one deal without pauses and return its id."""
    return server.new_table(
        seats=seats or AGAINST_DUMMIES,
        options={"deals": 1, "match_games": 1},
        table_options=QUICK,
        **more,
    )


QUESTIONS = {
    "over": OVER,
    "pass": "[data-testid=confirm-pass]",
    "expose": "[data-testid=answer-expose-AH]",
    "play": LEGAL,
}


def asked(page: Page) -> str:
    """Wait until something is to be done, and return it: pass, expose, play or over."""
    return tables.asked(page, QUESTIONS)


def pass_by_clicks(page: Page) -> None:
    for card in page.locator(".fan-card").all()[:3]:
        card.click()
    page.get_by_test_id("confirm-pass").click()
    expect(page.get_by_test_id("confirm-pass")).to_have_count(0)


def play_on(page: Page, until: int = 0) -> None:
    """Answer everything by clicks until *until* cards are left, or the deal is over."""
    while (what := asked(page)) != "over":
        if what == "pass":
            pass_by_clicks(page)
        elif what == "expose":
            page.get_by_test_id("answer-keep-AH").click()
            expect(page.get_by_test_id("answer-keep-AH")).to_have_count(0)
        elif hand(page).count() <= until:
            return
        else:
            play_by_click(page)


def test_a_watcher_sees_the_play_and_nobodys_cards(house: Server, visitor: Visitor, browser: Browser) -> None:
    table = one_deal(house)
    watcher = Visitor(browser)
    sit_down(visitor.page, house, table)
    assert asked(visitor.page) == "pass"
    watcher.page.goto(f"{house.http}/table/{table}")
    play_on(visitor.page, until=10)
    trick = watcher.page.get_by_test_id("log").get_by_text("takes the trick")
    expect(trick).to_have_count(3)
    assert watcher.page.locator(".fan-card").count() == 0
    play_on(visitor.page)
    expect(watcher.page.get_by_test_id("see-replay")).to_be_visible()
    watcher.close()
    mistake = {
        "deal": 1,
        "step": 5,
        "seat": 0,
        "by": "",
        "difference": 4.0,
        "played": {"actions": ["play QS"], "events": [{"kind": "played", "seat": 0, "card": "QS"}]},
        "best": {"actions": ["play 2C"], "events": [{"kind": "played", "seat": 0, "card": "2C"}]},
        "reasons": [{"kind": "stake", "number": 13}],
    }
    told = [{"decisions": 1}, mistake, {"done": True, "costly": 1.0}]
    review = "".join(json.dumps(line) + "\n" for line in told)  # a real review takes long
    failed = {"busy": "Too many hints and reviews are being computed", "failed": "The review failed"}
    answers = [(500, json.dumps({"key": key, "words": "unexpected"})) for key in failed] + [(200, review)]

    def answer(route: Route) -> None:
        status, body = answers.pop(0)
        route.fulfill(status=status, body=body)

    visitor.page.route("**/review?deal=1", answer)
    for words in failed.values():
        visitor.page.get_by_test_id("my-mistakes").click()
        expect(visitor.page.get_by_role("dialog").get_by_role("alert")).to_contain_text(words)
        visitor.page.keyboard.press("Escape")
    visitor.page.get_by_test_id("my-mistakes").click()
    found = visitor.page.get_by_test_id("mistake")
    expect(found).to_contain_text("Cost in points: 4")
    expect(found).to_contain_text("Why: this trick holds 13 points.")


def test_a_watch_page_takes_no_seat(house: Server, visitor: Visitor) -> None:
    table = one_deal(house)
    page = visitor.page
    page.goto(f"{house.http}/t/{table}/watch")
    expect(page.get_by_test_id("seat-0")).to_be_visible()
    assert page.get_by_test_id("sit-0").count() == 0
    sit_down(page, house, table)
    assert asked(page) == "pass"
    # The same browser, which has the seat, watches: it sees no cards, and the seat stays connected elsewhere.
    beside = visitor.context.new_page()
    beside.goto(f"{house.http}/t/{table}/watch")
    expect(beside.get_by_test_id("seat-0")).to_contain_text("13")
    assert beside.locator(".fan-card, .open-hand").count() == 0
    play_on(page, until=11)
    expect(beside.get_by_test_id("log").get_by_text("takes the trick")).to_have_count(2)
    assert page.get_by_test_id("connection-banner").is_hidden()
    beside.goto(f"{house.http}/watch")
    expect(beside.get_by_test_id("seat-3")).to_be_visible()
    assert beside.get_by_test_id("sit-3").count() == 0


def test_hands_lie_open_to_watchers_only_where_the_table_says_so(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    slow = {"command_interval": 300, "round_interval": 300, "deal_interval": 300}
    table = house.new_table(seats=["bot heuristic"] * 4, table_options=slow, watch_open=True)
    page.goto(f"{house.http}/t/{table}/watch")
    expect(page.locator(".open-hand")).to_have_count(3)
    expect(page.locator(".open-cards .card")).to_have_count(13)
    played = page.get_by_test_id("log").get_by_text("Ida Lang plays the")
    expect(played.nth(1)).to_be_visible()
    expect(page.locator(".open-cards .card")).to_have_count(11)
    with_person = one_deal(house, watch_open=True)
    sit_down(page, house, with_person)
    assert asked(page) == "pass"
    page.goto(f"{house.http}/t/{with_person}/watch")
    expect(page.get_by_test_id("seat-0")).to_contain_text("13")
    assert page.locator(".open-hand, .open-cards").count() == 0


def test_a_refused_card_is_named_as_people_do(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, one_deal(house, seed="refusals"))
    wrong = page.locator(".fan-card[data-state=illegal]")
    for left in range(13, 0, -1):
        play_on(page, until=left)
        if wrong.count():
            break
    name = wrong.first.get_attribute("aria-label")
    wrong.first.click(force=True)
    alert = page.get_by_role("alert")
    expect(alert.get_by_role("img", name=name)).to_be_visible()
    expect(alert).not_to_contain_text(re.compile(r"[2-9TJQKA][SHCD]\b"))
    play_by_click(page)
    expect(alert).to_be_hidden()


def test_the_game_nodes_page_seats_dummies_and_a_person(node: Server, visitor: Visitor) -> None:
    page = visitor.page
    page.goto(node.http)
    for seat, choice in enumerate(["Human player", "Dummy player", "Dummy player", "Dummy player"]):
        page.get_by_test_id(f"node-seat-{seat}").get_by_label(choice).check()
    page.get_by_label("Enable watch mode to watch the game").check()
    page.get_by_role("button", name="Start Game").click()
    while (what := asked(page)) != "over":
        if what == "pass":
            pass_by_clicks(page)
        elif what == "expose":
            page.get_by_test_id("answer-expose-AH").click()
        elif hand(page).count() > 1:
            play_by_click(page)
        else:
            page.locator(".fan-card[data-state=legal]").first.click()
            break
    expect(page.get_by_test_id("log")).to_contain_text("Deal 1")


def test_the_game_nodes_page_says_that_it_is_started_and_who_is_missing(
    node: Server, visitor: Visitor, browser: Browser
) -> None:
    page = visitor.page
    page.goto(node.http)
    status = page.get_by_test_id("node-status")
    expect(status).to_have_text(re.compile("^Still missing: a program in seat 1, .* 4$"))
    page.get_by_test_id("node-seat-0").get_by_label("Dummy player").check()
    expect(status).to_contain_text("Press Start Game")
    page.get_by_role("button", name="Start Game").click()
    for visit in ("at once", "after a reload"):
        expect(status, visit).to_have_text(
            re.compile("^Started.* Still missing: a program in seat 2, a program in seat 3, and .* 4$")
        )
        expect(page.get_by_role("button", name="Start Game")).to_be_disabled()
        page.reload()
    other = Visitor(browser)
    other.page.goto(node.http)
    expect(other.page.get_by_test_id("node-status")).to_contain_text("Started")
    other.close()
    # A changed choice cancels the start.
    page.get_by_test_id("node-seat-1").get_by_label("Dummy player").check()
    page.get_by_role("button", name="Start Game").click()
    expect(status).to_have_text(re.compile("^Started.* seat 3 and a program in seat 4$"))


def test_initials_are_explained_on_a_tap(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, one_deal(house))
    asked(page)
    words = page.get_by_test_id("explained")
    seat = page.get_by_test_id("seat-1")
    seat.locator(".compass").click()
    expect(words).to_have_text("East")
    seat.locator(".strength").click()
    expect(words).to_contain_text("Bot:")
    page.locator(".table-head").click(position={"x": 2, "y": 2})
    expect(words).to_have_count(0)


def test_the_log_has_a_line_for_each_trick_and_survives_a_reload(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, one_deal(house))
    play_on(page, until=10)
    tricks = page.locator("[data-testid=log] .log-trick")
    expect(tricks.nth(2)).to_contain_text(re.compile("takes? the trick"))
    before = page.get_by_test_id("log").inner_text()
    page.reload()
    asked(page)
    expect(page.get_by_test_id("log")).to_have_text(re.compile(r"Game 1 begins"))
    assert page.get_by_test_id("log").inner_text() == before
    expect(tricks.nth(2).locator(".card-tag")).to_have_count(4)
