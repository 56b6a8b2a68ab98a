"""Tarock in a real browser: an exchange and a klop, by clicks, drags and keys, watched and replayed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import tables
from tests.browser.conftest import Visitor
from tests.browser.looks import fits_phone, look
from tests.browser.tables import (
    LEGAL,
    OVER,
    focus_follows,
    hand,
    match_of,
    play_by_click,
    play_by_key,
    sit_down,
)
from tests.integration.servers import Server

pytestmark = [pytest.mark.slow, pytest.mark.browser]

QUICK = {"turn_timeout_ms": 0, "deal_pause_ms": 0}
SHY = ["person", "bot default", "bot default", "bot default"]
"""Bots that always pass, and choose klop as forehand: a player at their table plays what they bid."""

QUESTIONS = {
    "over": OVER,
    "bid": "[data-testid^=bid-]:enabled",
    "call": "button[data-testid^=call-]:enabled",
    "exchange": "button[data-testid^=set-]:enabled",
    "announce": "[data-testid=announce-done]:enabled",
    "play": LEGAL,
}


def new_table(server: Server, seats: list[str] | None = None, **options: object) -> str:
    """Open a table for one deal without pauses and return its id."""
    return server.new_table(
        game="tarock", seats=seats or SHY, options={"deals": 1, **options}, table_options=QUICK, seed="tarock"
    )


def asked(page: Page) -> str:
    """Wait until something is to be done, and return it."""
    return tables.asked(page, QUESTIONS)


def said(page: Page) -> Locator:
    """Return the lines of the log that tell what this seat has said in the auction."""
    return page.get_by_test_id("log").get_by_text(re.compile("^You (bid|pass)"))


def bid(page: Page, contract: str) -> None:
    """Bid *contract*, and again when all others have passed."""
    while asked(page) == "bid":
        before = said(page).count()
        page.get_by_test_id(f"bid-{contract}").click()
        expect(said(page)).to_have_count(before + 1)


def lay_away(page: Page) -> None:
    """Take the first set and discard the first legal cards."""
    page.get_by_test_id("set-0").click()
    for _ in range(page.locator(".tarock-place").count()):
        page.locator(".fan-card.legal:not(.selected)").first.click()
    page.get_by_test_id("confirm-exchange").click()
    expect(page.get_by_test_id("confirm-exchange")).to_have_count(0)


def played_out(page: Page) -> None:
    while asked(page) == "play":
        play_by_click(page)
    assert asked(page) == "over"


def drag(page: Page, what: Locator, onto: Locator) -> None:
    """Move *what* by the mouse, in steps as a hand does."""
    source, target = what.bounding_box(), onto.bounding_box()
    assert source is not None
    assert target is not None
    page.mouse.move(source["x"] + 12, source["y"] + 12)
    page.mouse.down()
    x, y = target["x"] + target["width"] / 2, target["y"] + target["height"] / 2
    page.mouse.move(x, y, steps=6)
    picture = page.locator(".dragged").bounding_box()
    assert picture is not None
    assert picture["x"] < x < picture["x"] + picture["width"], "the card follows the pointer"
    assert picture["y"] < y < picture["y"] + picture["height"]
    page.mouse.up()


def test_a_whole_deal_with_an_exchange_by_clicks_and_its_replay(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, new_table(house))
    bid(page, "two")
    assert asked(page) == "call"
    # A king that another player may hold: the partner is unknown until it is played.
    kings = page.locator("button[data-testid^=call-]:not(:has(.tarock-own))")
    king = (kings.first.get_attribute("aria-label") or "").removeprefix("Call the ")
    kings.first.click()
    assert asked(page) == "exchange"
    talon = page.locator("[data-testid^=set-] .card").count()
    assert talon == 6
    in_talon = page.get_by_test_id("log").get_by_text(re.compile(f"^The talon: .*{king}")).count()
    # Another set can be viewed before one is taken.
    page.get_by_test_id("set-2").click()
    expect(hand(page)).to_have_count(14)
    expect(page.locator(".fan-card.fresh")).to_have_count(2)
    lay_away(page)
    assert asked(page) == "announce"
    expect(page.get_by_test_id("called-king")).to_contain_text("king of")
    page.get_by_test_id("announce-kings").click()
    page.get_by_test_id("announce-done").click()
    shown = page.get_by_test_id("log").get_by_text(re.compile(f"plays the {king}"))
    while asked(page) == "play":
        if not shown.count():
            assert page.get_by_test_id("partner").count() == 0, "only the king reveals the partner"
        play_by_click(page)
    assert asked(page) == "over"
    if not in_talon:
        expect(shown).to_have_count(1)
        expect(page.get_by_test_id("partner")).to_have_count(1)
    match = match_of(page, house)
    sheet = page.get_by_test_id("score-sheet")
    for score in match["result"]:
        expect(sheet).to_contain_text(str(abs(int(score))))
    expect(sheet).to_contain_text(re.compile("Two (won|lost) 20"))
    expect(sheet).to_contain_text("Kings, announced:")
    page.get_by_test_id("see-replay").click()
    expect(page).to_have_url(re.compile("/replay/"))
    position = page.get_by_test_id("replay-position")
    expect(position).to_have_attribute("aria-valuetext", re.compile("step 1 of [1-9]"))
    expect(page.locator(".open-hand")).to_have_count(3)
    # Three passes, two bids and the king, each a step.
    for step in range(1, 7):
        page.get_by_test_id("replay-forward").click()
        expect(position).to_have_value(str(step))
    expect(page.locator("[data-testid^=set-]")).to_have_count(3)


def test_sets_and_cards_are_taken_and_laid_away_by_drag(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, new_table(house))
    bid(page, "solo_three")
    assert asked(page) == "exchange"
    drag(page, page.get_by_test_id("set-1"), page.locator(".tarock-hand"))
    expect(page.get_by_test_id("set-1")).to_have_attribute("aria-pressed", "true")
    expect(hand(page)).to_have_count(15)
    confirm = page.get_by_test_id("confirm-exchange")
    for many in (1, 2, 3):
        expect(confirm).to_be_disabled()
        drag(page, page.locator(".fan-card.legal:not(.selected)").last, page.get_by_test_id("tray"))
        expect(page.locator("[data-testid^=away-]")).to_have_count(many)
    drag(page, page.locator("[data-testid^=away-]").first, page.locator(".tarock-hand"))
    expect(page.locator("[data-testid^=away-]")).to_have_count(2)
    expect(confirm).to_be_disabled()
    page.locator(".fan-card.legal:not(.selected)").first.click()
    confirm.click()
    assert asked(page) == "announce"
    expect(hand(page)).to_have_count(12)


def test_every_question_is_answered_by_keyboard_alone(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, new_table(house, kontra=True))

    def arrow_to(name: str) -> None:
        for _ in range(12):
            if page.evaluate("document.activeElement.dataset.testid") == name:
                break
            page.keyboard.press("ArrowRight")

    for before in range(2):
        assert asked(page) == "bid"
        arrow_to("bid-one")
        page.keyboard.press("Enter")
        expect(said(page)).to_have_count(before + 1)
    assert asked(page) == "call"
    focus_follows(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert asked(page) == "exchange"
    arrow_to("set-1")
    page.keyboard.press("Enter")
    expect(hand(page)).to_have_count(13)
    for _ in range(13):
        if page.evaluate("document.activeElement.dataset.state") == "legal":
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_test_id("confirm-exchange")).to_be_enabled()
    page.keyboard.press("Enter")
    assert asked(page) == "announce"
    focus_follows(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("announce-trula")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert asked(page) in ("announce", "play")
    if asked(page) == "announce":
        focus_follows(page)
        page.keyboard.press("Enter")
    assert asked(page) == "play"
    play_by_key(page)


def test_a_klop_by_keyboard_with_somebody_watching(house: Server, visitor: Visitor, browser: Browser) -> None:
    page = visitor.page
    table = new_table(house)
    sit_down(page, house, table)
    watcher = Visitor(browser)
    assert asked(page) == "bid"
    watcher.page.goto(f"{house.http}/t/{table}/watch")
    expect(watcher.page.get_by_test_id("seat-0")).to_be_visible()
    expect(page.get_by_test_id("bid-pass")).to_be_focused()
    page.keyboard.press("Enter")
    while asked(page) == "play":
        play_by_key(page)
    for one in (page, watcher.page):
        log = one.get_by_test_id("log")
        expect(log.get_by_text("from the talon")).to_have_count(6)
        expect(one.locator(".tarock-gifts .card-tag")).to_have_count(6)
        expect(one.get_by_test_id("radelci")).to_have_count(4)
        expect(one.get_by_test_id("score-sheet")).to_contain_text("Klop")
    expect(page.get_by_test_id("score-sheet")).to_contain_text("Radelci left, 100 each")
    assert watcher.page.locator(".fan-card, .open-hand").count() == 0
    expect(watcher.page.get_by_test_id("see-replay")).to_be_visible()
    watcher.close()


def test_a_refused_card_is_drawn_and_the_right_one_goes(house: Server, visitor: Visitor) -> None:
    page = visitor.page
    sit_down(page, house, new_table(house))
    bid(page, "pass")
    wrong = page.locator(".fan-card[data-state=illegal]")
    while asked(page) == "play" and not wrong.count():
        play_by_click(page)
    name = wrong.first.get_attribute("aria-label")
    wrong.first.click(force=True)
    alert = page.get_by_role("alert")
    expect(alert.get_by_role("img", name=name, exact=True).first).to_be_visible()
    expect(alert).not_to_contain_text(re.compile(r"\b[CSHDT]([789JNQKS]|\d+)\b"))
    play_by_click(page)


def test_the_hand_of_an_open_beggar_lies_open(house: Server, visitor: Visitor, browser: Browser) -> None:
    page = visitor.page
    table = new_table(house, open_beggar_reveal="at_start")
    sit_down(page, house, table)
    watcher = Visitor(browser)
    watcher.page.goto(f"{house.http}/t/{table}/watch")
    expect(watcher.page.get_by_test_id("seat-0")).to_be_visible()
    assert asked(page) == "bid"
    assert watcher.page.locator(".open-hand").count() == 0
    fits_phone(watcher.page, "watching an auction")
    bid(page, "open_beggar")
    assert asked(page) == "play"
    expect(watcher.page.get_by_test_id("seat-0").locator(".open-hand")).to_be_visible()
    expect(watcher.page.get_by_test_id("seat-0").get_by_test_id("declarer")).to_be_visible()
    fits_phone(watcher.page, "watching an open hand")
    watcher.close()


def test_every_phase_is_accessible_and_fits_every_width(house: Server, browser: Browser) -> None:
    visitor = Visitor(browser)
    page = visitor.page

    sit_down(page, house, new_table(house, kontra=True))
    assert asked(page) == "bid"
    look(page, "auction")
    bid(page, "one")
    assert asked(page) == "call"
    look(page, "king")
    page.locator(QUESTIONS["call"]).first.click()
    assert asked(page) == "exchange"
    look(page, "talon")
    page.get_by_test_id("set-0").click()
    look(page, "discarding")
    lay_away(page)
    assert asked(page) == "announce"
    look(page, "announcing")
    page.get_by_test_id("announce-done").click()
    while hand(page).count() > 9:
        assert asked(page) == "play"
        play_by_click(page)
    look(page, "playing")
    played_out(page)
    look(page, "result")
    page.get_by_test_id("see-replay").click()
    page.get_by_test_id("replay-forward").click()
    look(page, "replay")
    visitor.close()
